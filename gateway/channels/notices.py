"""What people are told, by code: the sentences of notices, receipts and errors."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.core.messages import Json
from gateway.i18n import N_, NN_, Contextual, Plural, Translator, translator

_Text = str | Contextual | Plural

_TEXTS: Mapping[str, _Text] = {
    "ANSWER_HELP": N_(
        "Answer the question, or write: skip (leave it out), cancel (end this), "
        "repeat (ask me again)."
    ),
    "BUDGET_EXCEEDED": N_("Stopped: it used up what it was allowed."),
    "CONFLICT": N_("That doesn't go with how things stand now."),
    "DECLINED": N_("Declined: {message}"),
    "DROPPED_OLDEST": NN_(
        "The queue is full: {count} older message was not taken.",
        "The queue is full: {count} older messages were not taken.",
    ),
    "FINISHING_FIRST": N_("Finishing {tools} first."),
    "FRAME_INVALID": N_("That could not be read."),
    "HELLO_FIRST": N_("That could not be read."),
    "INTERNAL": N_("Something went wrong here (error {errorId}). Please try again."),
    "INTERRUPT_ALREADY_DECIDED": N_("This question has been decided already."),
    "INTERRUPT_ANSWER_INVALID": N_("That is no answer to the question."),
    "INTERRUPT_EXPIRED": N_("This question has expired; the answer came too late."),
    "LLM_CONTENT_FILTERED": N_("The model's provider refused this message."),
    "MAY_STILL_RUN": N_("Stopped waiting for {tools}; it may still be running."),
    "MOVED_ON": N_("The question is closed; going on with your message."),
    "NOTHING_TO_RETRY": N_("Nothing to retry"),
    "NOTHING_TO_STOP": N_("Nothing is running."),
    "NOT_FOUND": N_("There is no such thing here."),
    "PII_DETECTED": N_("Not taken: the message holds personal data."),
    "PROMPT_INJECTION_DETECTED": N_("Not taken: the message looks like an attack on the agent."),
    "PROTOCOL_VERSION_UNKNOWN": N_(
        "This program and the server are of different versions; update the older one."
    ),
    "QUEUE_FULL": NN_(
        "The queue is full: {count} message was not taken.",
        "The queue is full: {count} messages were not taken.",
    ),
    "RUN_NOT_PAUSED": N_("No question is open here."),
    "SHUTTING_DOWN": N_("The server is stopping; the message was not taken."),
    "STORE_CLOSED": N_("The server is stopping; the message was not taken."),
    "STORE_DAMAGED": N_("The stored conversation can't be read; the operator has to look."),
    "STORE_FULL": N_("Nothing more can be stored: the disk is full. Please try again later."),
    "STORE_LOCKED": N_("The storage is busy; please try again."),
    "SUMMARIZED": NN_(
        "The queue is full: {count} waiting message was shortened into one.",
        "The queue is full: {count} waiting messages were shortened into one.",
    ),
    "THREAD_ACCESS_DENIED": N_("This conversation belongs to somebody else."),
    "THREAD_BUSY": N_("Not taken: the agent is working. Send it again when it is done."),
    "VALIDATION_ERROR": N_("That has the wrong form."),
}

SILENT = frozenset({"JOINS", "WAITS", "STOPPED", "RETURNED", "UNDERSTOOD", "RUN_INTERRUPTED"})
"""What a view says in its own words, at the message: joined, waits, not sent, stopped by you."""


def notice_text(code: str, params: Json, language: str) -> str:
    """The sentence for a code; "" where the view's own words say it already.

    A code without a sentence reads as the code, so that nobody is left without a word.
    """
    words = translator(language)
    if code in SILENT:
        return ""
    if code not in _TEXTS:
        return code
    values = _values(params, words)
    problem = values.get("problem")
    if isinstance(problem, str) and problem:
        return problem
    return words.text(_TEXTS[code], **values)


def _values(params: Json, words: Translator) -> dict[str, object]:
    given = params if isinstance(params, dict) else {}
    return {"count": 1, "errorId": "-", "message": "", "tools": "-"} | {
        name: words.listed([str(item) for item in value]) if isinstance(value, list) else value
        for name, value in given.items()
    }
