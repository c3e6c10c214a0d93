"""What people are told, by code: the sentences of notices, receipts and errors."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.commands import COMMANDS
from gateway.core.messages import Json
from gateway.i18n import N_, NN_, Contextual, Plural, Translator, translator

_Text = str | Contextual | Plural

_TEXTS: Mapping[str, _Text] = {
    "ADMINS_ONLY": N_("Only the admins of this conversation may do that."),
    "AGENT_FILE_REFUSED": N_("The agent could not read {name}: it goes on without it."),
    "AGENT_FILE_TOO_LARGE": N_("{name} is too large for the agent: it goes on without it."),
    "AGENT_TAKES_NO_FILE": N_("The agent doesn't read files like {name}: it goes on without it."),
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
    "HELP": N_("What you can write besides messages:"),
    "INPUT_FAILED": N_("Your message could not be handled (error {errorId})."),
    "INTERNAL": N_("Something went wrong here (error {errorId}). Please try again."),
    "INTERRUPT_ALREADY_DECIDED": N_("This question has been decided already."),
    "INTERRUPT_ANSWER_INVALID": N_("That is no answer to the question."),
    "INTERRUPT_EXPIRED": N_("This question has expired; the answer came too late."),
    "LANG_HELP": N_("Which language? Write /lang en or /lang ru."),
    "LANG_SET": N_("From now on in English."),
    "LLM_CONTENT_FILTERED": N_("The model's provider refused this message."),
    "MAY_STILL_RUN": N_("Stopped waiting for {tools}; it may still be running."),
    "MODE_SET": N_("While I work, a new message does this now: {mode}."),
    "MOVED_ON": N_("The question is closed; going on with your message."),
    "NEEDS_TEXT": N_("Write the message behind the command."),
    "NEW_CONVERSATION": N_("A fresh start: what was said before no longer counts."),
    "NOTE_CONFIRM": N_("I heard: “{text}”. To be sure, please press the button or write it."),
    "NOTE_HEARD": N_("I heard: “{text}”"),
    "NOTE_TOO_LONG": N_("The recording is longer than {minutes} min, so it was not listened to."),
    "NOTE_UNREADABLE": N_("The recording can't be played; please record it again or write."),
    "NOTHING_TO_RETRY": N_("Nothing to retry"),
    "NOTHING_TO_STOP": N_("Nothing is running."),
    "NOT_UNDERSTOOD": N_("I couldn't make out any words. Please say it again, or write it."),
    "NOT_FOUND": N_("There is no such thing here."),
    "NOT_LET_IN": N_("You are not known here; open the link that the operator gave you."),
    "PII_DETECTED": N_("Not taken: the message holds personal data."),
    "PROMPT_INJECTION_DETECTED": N_("Not taken: the message looks like an attack on the agent."),
    "PRINCIPAL_CHANGED": N_("Somebody else is known in this browser now. Reload the page."),
    "PROTOCOL_VERSION_UNKNOWN": N_(
        "This program and the server are of different versions; update the older one."
    ),
    "QUESTIONS": N_("Open questions:"),
    "QUESTION_EXPIRED": N_("Nobody answered in time: {message}"),
    "QUEUE": N_("While I work, a new message does this: {mode} (set for the {source})."),
    "QUEUE_DROPPED": N_("Taken out of the queue: {text}"),
    "QUEUE_EDITED": N_("Changed to: {text}"),
    "QUEUE_FULL": NN_(
        "The queue is full: {count} message was not taken.",
        "The queue is full: {count} messages were not taken.",
    ),
    "QUEUE_HELP": N_(
        "Write /queue to see it, /queue edit N text, /queue drop N, /queue now N, "
        "or /queue and one of: {modes}."
    ),
    "QUEUE_ITEM_GONE": N_("There is no such message in the queue any more."),
    "QUEUE_SENT": N_("Doing this now: {text}"),
    "RATE_LIMITED": N_("Too much at once; it is tried again in a moment."),
    "RETRYING": N_("[retrying] {text}"),
    "RETRY_BUSY": N_("Something is running; stop it first, then retry."),
    "RUN_FAILED": N_("That failed ({error}, error {errorId}). Write /retry to go on from there."),
    "RUN_NOT_PAUSED": N_("No question is open here."),
    "SHUTTING_DOWN": N_("The server is stopping; the message was not taken."),
    "STATUS": N_(
        "Running: {runs}. Waiting: {waiting}. Open questions: {questions}. "
        "A new message: {mode} (set for the {source}). "
        "Used by the last request: {tokens} tokens, ${cost}."
    ),
    "STORE_CLOSED": N_("The server is stopping; the message was not taken."),
    "STORE_DAMAGED": N_("The stored conversation can't be read; the operator has to look."),
    "STORE_FULL": N_("Nothing more can be stored: the disk is full. Please try again later."),
    "STORE_LOCKED": N_("The storage is busy; please try again."),
    "STORE_UNAVAILABLE": N_("The storage can't be used right now; please try again later."),
    "STORE_WAITS": N_("The storage is slow; this was taken and will be done."),
    "SUMMARIZED": NN_(
        "The queue is full: {count} waiting message was shortened into one.",
        "The queue is full: {count} waiting messages were shortened into one.",
    ),
    "THREAD_ACCESS_DENIED": N_("This conversation belongs to somebody else."),
    "THREAD_BUSY": N_("Not taken: the agent is working. Send it again when it is done."),
    "UNDELIVERABLE": N_("This question could not be delivered: {message}"),
    "UNKNOWN_COMMAND": N_("There is no such command; /help lists them."),
    "UPLOAD_BUSY": N_("Too many files arrive at once; please try again in a moment."),
    "UPLOAD_TOO_LARGE": N_("The file is too large."),
    "VALIDATION_ERROR": N_("That has the wrong form."),
    "VOICE_ENGINE_FAILED": N_(
        "I can't listen to recordings at the moment (error {errorId}); please write."
    ),
    "WAITS_FOR_SLOT": N_("Many conversations are going on; this one starts as soon as it can."),
    "WHICH_QUESTION": N_("Which question do you answer? Reply to one, or answer it by number:"),
    "WHOAMI": N_("You are {principal} here ({relation})."),
}

_FAILED: Mapping[str, str] = {
    "AGENT_BROKEN_STREAM": N_(
        "The agent's reply broke off (error {errorId}). Write /retry to try again."
    ),
    "AGENT_FAILED": N_(
        "The agent says that it failed (error {errorId}). Write /retry to try again."
    ),
    "AGENT_REFUSED": N_(
        "The agent doesn't let this server in (error {errorId}). "
        "Whoever runs the server has to mend that."
    ),
    "AGENT_SILENT": N_("The agent doesn't answer (error {errorId}). Write /retry to try again."),
    "AGENT_UNREACHABLE": N_(
        "The agent can't be reached (error {errorId}). Write /retry to try again."
    ),
    "BUDGET_EXCEEDED": N_("That took more than it was allowed. /retry goes on from there."),
    "MODEL_AUTH": N_(
        "The model's provider does not accept this server's key (error {errorId}). "
        "Whoever runs the server has to mend that."
    ),
    "MODEL_BROKEN_STREAM": N_(
        "The model's reply broke off (error {errorId}). Write /retry to go on from there."
    ),
    "MODEL_CONTEXT_TOO_LONG": N_(
        "This conversation has become too long for the model. Write /new to start afresh."
    ),
    "MODEL_QUOTA": N_(
        "What this server may spend on its model is used up (error {errorId}). "
        "Whoever runs the server has to mend that."
    ),
    "MODEL_RATE_LIMITED": N_(
        "The model is asked too much at the moment (error {errorId}). Write /retry in a minute."
    ),
    "MODEL_REFUSED": N_("The model's provider refused to answer this."),
    "MODEL_REJECTED": N_(
        "The model's provider doesn't take this request (error {errorId}). "
        "Whoever runs the server has to look."
    ),
    "MODEL_UNAVAILABLE": N_(
        "The model can't be reached (error {errorId}). Write /retry to try again."
    ),
}
"""What a failed run says, by its error; any other says its code."""

SILENT = frozenset(
    {"JOINS", "REPLAYED", "RETURNED", "RUN_INTERRUPTED", "STOPPED", "UNDERSTOOD", "WAITS"}
)
"""What a view says in its own words, at the message: joined, waits, not sent, stopped by you."""

_BELOW = ("items", "questions")
"""Parameters that are lists of lines, shown under the sentence."""

_WORDS: Mapping[str, str] = {
    "steer": N_("joins the work that goes on"),
    "enqueue": N_("waits its turn"),
    "collect": N_("waits and is put together with others"),
    "interrupt": N_("stops the work and is done instead"),
    "rollback": N_("undoes the work and is done instead"),
    "reject": N_("is refused"),
    "parallel": N_("is worked on beside it"),
    "thread": N_("conversation"),
    "channel": N_("channel"),
    "deployment": N_("whole server"),
    "own": N_("it is yours"),
    "member": N_("a member"),
    "admin": N_("an admin"),
    "starting": N_("starting"),
    "running": N_("working"),
    "stopping": N_("stopping"),
    "asking": N_("asking"),
    "delivering": N_("answering"),
}
_WORDED = frozenset({"mode", "source", "relation", "runs"})


def notice_text(code: str, params: Json, language: str) -> str:
    """What a code says; "" where the view's own words say it already.

    A code without a sentence reads as the code, so that nobody is left without a word.
    """
    words = translator(language)
    if code in SILENT:
        return ""
    if code not in _TEXTS:
        return code
    if code == "RUN_FAILED" and isinstance(params, dict):
        told = _FAILED.get(str(params.get("error")))
        if told is not None:
            return words.text(told, errorId=params.get("errorId") or "-")
    given = params if isinstance(params, dict) else {}
    values = {"count": 1, "errorId": "-", "error": "-", "message": "", "tools": "-"} | {
        name: _value(name, value, words) for name, value in given.items()
    }
    problem = given.get("problem")
    text = problem if isinstance(problem, str) and problem else words.text(_TEXTS[code], **values)
    return "\n".join([text, *_below(code, given, words)])


def _value(name: str, value: Json, words: Translator) -> object:
    if isinstance(value, list):
        if not value:
            return "0"
        return words.listed([str(_value(name, item, words)) for item in value])
    if name in _WORDED and isinstance(value, str):
        return words.gettext(_WORDS[value]) if value in _WORDS else value
    return value


def _below(code: str, given: Mapping[str, Json], words: Translator) -> list[str]:
    if code == "HELP":
        return [f"/{command.name}: {words.gettext(command.help)}" for command in COMMANDS]
    lists = [given[name] for name in _BELOW if isinstance(given.get(name), list)]
    return [str(line) for lines in lists if isinstance(lines, list) for line in lines]
