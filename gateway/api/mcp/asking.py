"""What a run asks, put to the client's person by the protocol's own means."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mcp.server.context import ServerRequestContext
from mcp.types import (
    ClientCapabilities,
    ElicitationCapability,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequest,
    InputRequiredResult,
    InputResponses,
)
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from gateway.api.forms import form_of
from gateway.core.errors import AnswerInvalid, ValidationFailed
from gateway.core.interrupts import Interrupt, QuestionKind
from gateway.resuming import Response

LONGEST_STATE: Final = 4_000


class Declined(Exception):
    """The person gave no answer: the pause is over."""


def is_modern(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether each of the client's requests stands alone."""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def can_ask(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether the client can put a form to its person, in the middle of this call."""
    given: ClientCapabilities | None = context.session.client_capabilities
    elicitation = None if given is None else given.elicitation
    if elicitation is None:
        return False
    forms = elicitation.form is not None or elicitation == ElicitationCapability()
    return forms and (is_modern(context) or context.session.can_send_request)


def message_of(question: Interrupt, problem: str = "") -> str:
    """What the person reads: of an approval also what is to be run with what."""
    arguments = question.details.get("arguments")
    lines = [problem, question.message] if problem else [question.message]
    if question.kind is QuestionKind.APPROVAL and isinstance(arguments, Mapping):
        lines.append(json.dumps(arguments, ensure_ascii=False, indent=1))
    return "\n".join(lines)


def request(question: Interrupt, problem: str, language: str) -> ElicitRequestFormParams:
    """The question as a form."""
    schema = dict(form_of(question, language).schema)
    message = message_of(question, problem)
    return ElicitRequestFormParams(message=message, requested_schema=schema)


def answer_of(question: Interrupt, result: ElicitResult, language: str) -> Response:
    """The person's answer.

    Raises:
        Declined: they gave none.
        AnswerInvalid: it is none.
    """
    if result.action == "accept":
        return form_of(question, language).answer(result.content, language)
    if result.action == "decline" and question.kind is not QuestionKind.INPUT:
        return {"approved": False}
    raise Declined


async def elicit(
    context: ServerRequestContext[Any, Any], question: Interrupt, problem: str, language: str
) -> ElicitResult:
    """Ask inside the call, in the protocol that lets a server do so."""
    params = request(question, problem, language)
    return await context.session.elicit_form(
        params.message, params.requested_schema, context.request_id
    )


def required(
    thread: str, questions: Sequence[Interrupt], problems: Mapping[str, str], language: str
) -> InputRequiredResult:
    """Ask by the call's result, in the protocol where each request stands alone."""
    asked: dict[str, InputRequest] = {
        one.id: ElicitRequest(params=request(one, problems.get(one.id, ""), language))
        for one in questions
    }
    state = json.dumps({"thread": thread, "language": language})
    return InputRequiredResult(input_requests=asked, request_state=state)


def state_of(text: str | None) -> tuple[str, str]:
    """The thread and the language that `required` was given.

    Raises:
        ValidationFailed: it is not what it gave.
    """
    try:
        data = json.loads((text or "")[:LONGEST_STATE])
        thread, language = data["thread"], data["language"]
    except (ValueError, TypeError, KeyError) as error:
        raise ValidationFailed("requestState: it is not what was sent") from error
    if not isinstance(thread, str) or language not in ("en", "ru"):
        raise ValidationFailed("requestState: it is not what was sent")
    return thread, language


def answers_of(
    questions: Mapping[str, Interrupt], responses: InputResponses, language: str
) -> dict[str, Response]:
    """The answers that came with the call's repetition.

    Raises:
        Declined: the person gave none.
        AnswerInvalid: one is missing, or is none.
    """
    found: dict[str, Response] = {}
    for id_, question in questions.items():
        given = responses.get(id_)
        if not isinstance(given, ElicitResult):
            raise AnswerInvalid("there is no answer to it", interruptId=id_)
        try:
            found[id_] = answer_of(question, given, language)
        except AnswerInvalid as error:
            error.params.setdefault("interruptId", id_)
            raise
    return found
