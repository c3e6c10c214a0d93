"""What the tools take and give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from mcp.types import CallToolResult, TextContent, Tool, ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from gateway.api.forms import form_of
from gateway.api.turns import Rest
from gateway.core.errors import GatewayError
from gateway.core.interrupts import Interrupt, iso

RESUME: Final = "answer_questions"
PAUSED: Final = "AGENT_RUN_PAUSED"
MAX_TEXT: Final = 80_000
Thread = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\s\x00-\x1f\x7f/?#]+$")
]
Text = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT, pattern=r"\S")]


class Arguments(BaseModel):
    """Of any tool."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Say(Arguments):
    """Of an agent."""

    message: Text = Field(description="what the agent is told")
    thread: Thread | None = Field(
        None, description="the conversation to go on with, from an earlier result; else a new one"
    )
    language: Literal["en", "ru"] | None = Field(None, description="the language of the person")


class Answer(Arguments):
    """Of the tool that answers questions."""

    thread: Thread = Field(description="the conversation that asks")
    answers: dict[str, JsonValue] = Field(
        max_length=100,
        min_length=1,
        description="the answers, by the ids of the questions: values as the question's schema has "
        "them. Ask the person; never answer for them",
    )


RESULT: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "status": {"type": "string"},
        "thread": {"type": "string"},
        "run": {"type": "string"},
        "text": {"type": "string"},
        "code": {"type": "string"},
        "questions": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["status"],
}


def tools(agent: str, name: str) -> list[Tool]:
    """Every tool: the agent `agent`, called `name` here, and the one that answers its questions."""
    return [
        Tool(
            name=name,
            title=agent,
            description=f"Talk to the agent {agent}. It may ask questions before it is done.",
            input_schema=Say.model_json_schema(),
            output_schema=RESULT,
            annotations=ToolAnnotations(open_world_hint=True),
        ),
        Tool(
            name=RESUME,
            description="Give a person's answers to questions that an agent waits on.",
            input_schema=Answer.model_json_schema(),
            output_schema=RESULT,
            annotations=ToolAnnotations(open_world_hint=True),
        ),
    ]


def result(thread: str, rest: Rest) -> CallToolResult:
    """Where a turn came to, as the model of the client reads it."""
    data: dict[str, Any] = {"status": rest.status, "thread": thread}
    data |= {name: value for name, value in (("run", rest.run), ("text", rest.text)) if value}
    lines = [rest.text] if rest.text else []
    if rest.status == "paused":
        data["code"] = PAUSED
        data["questions"] = [_question(one) for one in rest.asked]
        lines += _paused(thread, rest)
    elif rest.status in ("interrupted", "failed"):
        code = rest.reason or rest.status.upper()
        data["code"] = code
        lines.append(f"The run {rest.status}: {code} {rest.error_id}".rstrip())
    failed = rest.status in ("interrupted", "failed")
    return _made("\n".join(lines) or rest.status, data, failed)


def refused(error: GatewayError) -> CallToolResult:
    """An error, as the model of the client reads it."""
    ids = {k: v for k, v in error.params.items() if k in ("interruptId", "thread", "run")}
    return _made(f"{error.code}: {error}", {"status": "refused", "code": error.code, **ids}, True)


def _made(text: str, data: Mapping[str, Any], failed: bool) -> CallToolResult:
    content = [TextContent(type="text", text=text)]
    return CallToolResult(content=[*content], structured_content=dict(data), is_error=failed)


def _question(question: Interrupt) -> dict[str, Any]:
    armed = question.armed_at is not None
    return {
        "id": question.id,
        "kind": question.kind.value,
        "message": question.message,
        "schema": dict(form_of(question).schema)
        if question.kind.value != "input"
        else dict(question.schema),
        "toolName": question.tool_name,
        "details": dict(question.details),
        "expiresAt": iso(question.expires_at) if armed else None,
    }


def _paused(thread: str, rest: Rest) -> list[str]:
    if rest.waits_for_others:
        return [f"{PAUSED}: the agent waits for somebody else's answer."]
    asks = [f"- {one.id}: {one.message}" for one in rest.asked]
    how = f"Ask the person, then call {RESUME} with thread {thread} and the answers."
    return [f"{PAUSED}: the agent waits for answers.", *asks, how]
