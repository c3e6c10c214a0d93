"""What a caller is told besides replies and questions, in words that can be spoken."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gateway.core.answers import read_back
from gateway.core.answers.sentences import sentences_of
from gateway.core.interrupts import Interrupt, QuestionKind
from gateway.core.messages import Json
from gateway.i18n import N_, translator
from voice.core.events import DropReason

MOST_ITEMS = 6
LONGEST_VALUE = 80
"""Of a call's arguments so much is said."""

WORKING = N_("I'm still working on it.")
LISTENING = N_("I'm here. What can I do for you?")
NOT_UNDERSTOOD = N_("I didn't understand that. Please say it again.")
STAYS_OPEN = N_("The question stays open. Answer whenever you like, here or in the chat.")
CANT_HEAR = N_("I couldn't make out what you said: something failed here. Please say it again.")
CANT_HEAR_AT_ALL = N_("I can't hear anybody at the moment. Please go on in the chat. Goodbye.")
CANT_SPEAK = N_("My voice failed. The rest of it is in the chat.")
CANT_PLAY = N_("Your side plays no sound. The rest of it is in the chat.")
KEYS_ARE_NO_ANSWER = N_("This can't be answered with keys.")
UNDERSTOOD = N_("Understood: {understood}.")
CONFIRM = N_("You said yes to this: {message} Yes or no?")
CONFIRM_CALL = N_("You want this: {call}. Yes or no?")
MAY_I = N_("May I do this: {call}?")
AND_MORE = N_("and more")

_LEADS: Mapping[DropReason, str] = {
    DropReason.EARLY: N_("You answered before the question was over. Once more:"),
    DropReason.NEAR_OUR_YES: N_("That may have been my own voice. Once more:"),
    DropReason.UNCLEAR: N_("I didn't understand that."),
    DropReason.BACKCHANNEL: N_("I'm waiting for your answer."),
    DropReason.PRESENCE: N_("I'm here."),
}

_SPOKEN: Mapping[str, str] = {
    "ANSWER_HELP": N_("You can also say: skip, cancel, or repeat."),
    "DECLINED": N_("All right, declined."),
    "FINISHING_FIRST": N_("One moment, I have to finish something first."),
    "INPUT_FAILED": N_("Something went wrong here. Please say it again."),
    "INTERNAL": N_("Something went wrong here. Please say it again."),
    "INTERRUPT_ALREADY_DECIDED": N_("That has been decided already."),
    "INTERRUPT_EXPIRED": N_("That question has expired; your answer came too late."),
    "MAY_STILL_RUN": N_("I stopped waiting for something that may still be running."),
    "MOVED_ON": N_("I've closed the question."),
    "PII_DETECTED": N_("I can't take that: it holds personal data."),
    "PROMPT_INJECTION_DETECTED": N_("I can't take that."),
    "LLM_CONTENT_FILTERED": N_("I may not answer that."),
    "QUESTION_EXPIRED": N_("Nobody answered in time; I go on without."),
    "QUEUE_FULL": N_("That is too much at once. Please wait a moment."),
    "RUN_FAILED": N_("Something went wrong on my side. What happened stands in the chat."),
    "SHUTTING_DOWN": N_("I'm being switched off; I couldn't take that."),
    "STORE_CLOSED": N_("I'm being switched off; I couldn't take that."),
    "STORE_DAMAGED": N_("This conversation can't be read; whoever runs me has to look."),
    "STORE_FULL": N_("I can't keep anything more at the moment. Please try again later."),
    "STORE_LOCKED": N_("I couldn't take that just now. Please say it again."),
    "STORE_UNAVAILABLE": N_("I couldn't take that just now. Please say it again."),
    "THREAD_ACCESS_DENIED": N_("This conversation belongs to somebody else."),
    "THREAD_BUSY": N_("I'm busy and didn't take that. Say it again when I'm done."),
    "UNDELIVERABLE": N_("There was a question that I couldn't ask you."),
    "WAITS": N_("I've noted that; it is next, once what is going on is done."),
    "WAITS_FOR_SLOT": N_("Much is going on; I begin as soon as I can."),
    "WHICH_QUESTION": N_("That could be for more than one question. I ask them one by one."),
}


def said(text: str, language: str, **values: object) -> str:
    """One of this module's sentences in the caller's language."""
    return translator(language).gettext(text, **values)


def notice(code: str, params: Mapping[str, Json], language: str) -> str:
    """What is said for a notice; "" where it is only shown."""
    if code == "UNDERSTOOD":
        understood = params.get("understood")
        worth_it = params.get("echo") and understood
        return said(UNDERSTOOD, language, understood=understood) if worth_it else ""
    text = _SPOKEN.get(code)
    return "" if text is None else said(text, language)


def prompt(question: Interrupt, form: str, before: str, language: str) -> tuple[str, int]:
    """A question as it is spoken, and where its essential part, the message, ends in it.

    `before` is why it is put again, if it is; that may name the form already. Where leave is asked
    the form comes first: a yes right behind one of ours may be its echo.
    """
    expected = "" if form in before else sentences_of(language).expected.format(form=form)
    asked = message(question, language).strip()
    leave = question.kind is not QuestionKind.INPUT
    essential = " ".join(part for part in (before, expected if leave else "", asked) if part)
    if leave or not expected:
        return essential, len(essential)
    if essential[-1:].isalnum():
        essential += "."
    return f"{essential} {expected}", len(essential)


def lead(reason: DropReason, language: str) -> str:
    """Why a question is asked once more; "" where nobody said anything."""
    text = _LEADS.get(reason)
    return "" if text is None else said(text, language)


def confirmation(question: Interrupt, language: str) -> tuple[str, int]:
    """Asks for a second yes, and where the essential part, all of it, ends."""
    if question.asks_leave:
        text = said(CONFIRM_CALL, language, call=call_words(question, language))
    else:
        text = said(CONFIRM, language, message=question.message.strip())
    return text, len(text)


def message(question: Interrupt, language: str) -> str:
    """The essential part of a question: what is asked, and of a call what it is called with, for
    on a phone nobody sees its arguments.
    """
    if question.asks_leave:
        return said(MAY_I, language, call=call_words(question, language))
    return question.message


def call_words(question: Interrupt, language: str) -> str:
    """A tool call in words: its name, then its arguments by name."""
    given = question.details.get("arguments")
    arguments = given if isinstance(given, dict) else {}
    parts = [f"{_words(name)} {_value(value, language)}" for name, value in arguments.items()]
    return ", ".join([_words(question.tool_name), *parts])


def _words(name: str) -> str:
    return " ".join(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").split())


def _value(value: Json, language: str) -> str:
    if isinstance(value, list):
        items = [_value(item, language) for item in value[:MOST_ITEMS]]
        more = [said(AND_MORE, language)] if len(value) > MOST_ITEMS else []
        return ", ".join([*items, *more])
    if isinstance(value, dict):
        return ", ".join(f"{_words(k)} {_value(v, language)}" for k, v in value.items())
    return read_back(value, {}, language)[:LONGEST_VALUE]
