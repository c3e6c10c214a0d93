"""What a person does at the door, as an input, and what the door says of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from gateway import commands
from gateway.core.messages import Json
from gateway.ports.rows import InputKind, InputRow, NewInput, PromptRow

_MISTYPED = re.compile(r"\s*/[^\W\d_]+\s*")
"""A slash and one word that is no command: not a message for an agent."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the door did with an input: `code` is "" where it was taken."""

    row: InputRow | None = None
    duplicate: bool = False
    code: str = ""
    params: dict[str, Json] = field(default_factory=dict)


def press_of(prompt: PromptRow, option: str, value: Json) -> NewInput:
    """The press of a prompt's button as an input of the thread that asks."""
    return NewInput(
        dedup="",
        thread=prompt.thread,
        channel=prompt.channel,
        principal=prompt.principal,
        text=option,
        kind=InputKind.PRESS,
        reply_to=prompt.question,
        value=value,
        how="button",
        chat="" if prompt.chat == prompt.thread else prompt.chat,
    )


def command_of(new: NewInput) -> NewInput:
    """A text that is a command, as what it is: a stop, a priority with its text, a command."""
    if new.kind is not InputKind.TEXT or new.queued:
        return new
    parsed = commands.parse(new.text)
    if parsed is None:
        return replace(new, kind=InputKind.COMMAND) if _MISTYPED.fullmatch(new.text) else new
    if parsed.name == "stop":
        return replace(new, kind=InputKind.STOP)
    override = commands.PRIORITIES.get(parsed.name)
    if override is not None and parsed.args:
        return replace(new, text=parsed.args, override=override)
    return replace(new, kind=InputKind.COMMAND)
