"""What goes wrong on the way to the Bot API: scripted, one fault a call."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class Refusal(Exception):
    """The Bot API says no: an HTTP status, its description, and what it adds."""

    def __init__(self, code: int, description: str, **parameters: Any) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters


class Hangup(Exception):
    """The connection breaks before an answer; `after_effect`: what was asked for is done."""


@dataclass(slots=True)
class Fault:
    """One wrong thing for calls of `method` (in `chat`, to `message`), `times` times.

    `refusal` is answered instead of the effect. `lost` breaks the connection, "before" or "after"
    the effect. `hold` lets the answer wait for the event after the effect; `slow` lets the call
    take its (virtual) seconds first.
    """

    method: str
    chat: int | None = None
    message: int | None = None
    times: int = 1
    refusal: Refusal | None = None
    lost: str = ""
    slow: float = 0.0
    hold: asyncio.Event | None = None
    skip: int = 0
    seen: int = field(default=0)

    def fits(self, method: str, given: Mapping[str, Any]) -> bool:
        """Whether this call is one of those that go wrong; counts it."""
        if self.times <= 0 or self.method != method:
            return False
        for name, wanted in (("chat_id", self.chat), ("message_id", self.message)):
            if wanted is not None and int(given.get(name, 0)) != wanted:
                return False
        self.seen += 1
        if self.seen <= self.skip:
            return False
        self.times -= 1
        return True


def flood(seconds: int) -> Refusal:
    """429 with its penalty."""
    return Refusal(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)


def bad(description: str) -> Refusal:
    """One of the 400 kinds."""
    return Refusal(400, f"Bad Request: {description}")


BLOCKED = "Forbidden: bot was blocked by the user"
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)
REPLY_GONE = "message to be replied not found"
