"""What a run asks, put to the editor's person: as a permission, as a form, or in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from acp.interfaces import Client
from acp.schema import (
    AcceptElicitationResponse,
    AllowedOutcome,
    ClientCapabilities,
    DeclineElicitationResponse,
    ElicitationFormSessionMode,
    ElicitationSchema,
    PermissionOption,
    ToolCallUpdate,
)

from gateway.api.forms import form_of
from gateway.core.answers import answer_format
from gateway.core.errors import AnswerInvalid
from gateway.core.interrupts import TOOL_CALL, Interrupt, QuestionKind
from gateway.i18n import N_, translator
from gateway.reading import text_schema
from gateway.resuming import Response

ONCE: Final = "allow_once"
ALWAYS: Final = "allow_always"
REJECT: Final = "reject_once"
ALLOW_ONCE: Final = N_("Allow once")
ALWAYS_ALLOW: Final = N_("Always allow")
DENY: Final = N_("Reject")


class Unanswered(Exception):
    """The person gave no answer: the pause is over."""


def can_ask(question: Interrupt, capabilities: ClientCapabilities | None) -> bool:
    """Whether the editor has a way to ask this; else it is asked in words."""
    if question.kind is not QuestionKind.INPUT:
        return True
    elicitation = None if capabilities is None else capabilities.elicitation
    return elicitation is not None and elicitation.form is not None


async def ask(editor: Client, session: str, question: Interrupt, language: str) -> Response:
    """The person's answer.

    Raises:
        Unanswered: they gave none.
        AnswerInvalid: it is none.
        RequestError: the editor can't ask this.
    """
    if question.kind is QuestionKind.INPUT:
        return await _form(editor, session, question, language)
    return await _permission(editor, session, question, language)


def in_words(questions: Sequence[Interrupt], language: str) -> str:
    """The questions as a text; what the person says next is read as the answer."""
    lines: list[str] = []
    for number, question in enumerate(questions, 1):
        form = answer_format(text_schema(question), language)
        head = question.message if len(questions) == 1 else f"{number}. {question.message}"
        lines.append(f"{head}\n({form})" if form else head)
    return "\n\n".join(lines)


async def _permission(editor: Client, session: str, question: Interrupt, language: str) -> Response:
    texts = translator(language)
    options = [PermissionOption(option_id=ONCE, name=texts.gettext(ALLOW_ONCE), kind="allow_once")]
    rule = question.details.get("suggestedRule")
    if question.reason == TOOL_CALL and rule:
        name = texts.gettext(ALWAYS_ALLOW)
        options.append(PermissionOption(option_id=ALWAYS, name=name, kind="allow_always"))
    options.append(PermissionOption(option_id=REJECT, name=texts.gettext(DENY), kind="reject_once"))
    about = ToolCallUpdate(
        tool_call_id=question.tool_call_id,
        title=question.message,
        status="pending",
        raw_input=question.details.get("arguments"),
    )
    answered = await editor.request_permission(session, about, options)
    outcome = answered.outcome
    if not isinstance(outcome, AllowedOutcome):
        raise Unanswered
    if outcome.option_id not in [option.option_id for option in options]:
        raise AnswerInvalid("that is none of the options", interruptId=question.id)
    if outcome.option_id == REJECT:
        return {"approved": False}
    if outcome.option_id == ALWAYS:
        return {"approved": True, "remember": True}
    return {"approved": True}


async def _form(editor: Client, session: str, question: Interrupt, language: str) -> Response:
    form = form_of(question, language)
    mode = ElicitationFormSessionMode(
        session_id=session,
        tool_call_id=question.tool_call_id,
        requested_schema=ElicitationSchema.model_validate(dict(form.schema)),
    )
    answered = await editor.create_elicitation(question.message, mode)
    if isinstance(answered, AcceptElicitationResponse):
        return form.answer(answered.content, language)
    if isinstance(answered, DeclineElicitationResponse) and question.kind is not QuestionKind.INPUT:
        return {"approved": False}
    raise Unanswered
