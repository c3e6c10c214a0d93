"""Messages that join a run by its handle: queued, checked, delivered, refused or given back."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from gateway.core.messages import Attachment, UserMessage
from gateway.supervise import Caught, Report, guarded, guarded_await

Check: TypeAlias = Callable[[str], Any]
"""A `before_run` hook: sees an input's text, sync or async, and raises to refuse it."""
Attach: TypeAlias = Callable[[tuple[Attachment, ...]], Awaitable[tuple[Attachment, ...]]]
"""What a message attaches, as it is stored; raises to refuse it."""


class Queued(StrEnum):
    """How a message joins; the words of `metadata.queued`."""

    STEER = "steer"
    FOLLOW_UP = "followUp"
    INJECT = "inject"


@dataclass(frozen=True, slots=True)
class Refused:
    """A message that a check refused; `code` is the error's own, else INPUT_REFUSED."""

    text: str
    error: Exception
    attachments: tuple[Attachment, ...] = ()

    @property
    def code(self) -> str:
        """The stable code of the refusal."""
        return str(getattr(self.error, "code", "INPUT_REFUSED"))


OnRefused: TypeAlias = Callable[[Refused], object]


async def refusal(checks: Sequence[Check], text: str) -> Exception | None:
    """What the first check that refuses `text` raised."""
    for check in checks:
        outcome = guarded(check, text)
        if inspect.isawaitable(outcome):
            outcome = await guarded_await(outcome)
        if isinstance(outcome, Caught):
            return outcome.error
    return None


@dataclass(slots=True, eq=False)
class _Item:
    kind: Queued
    message: UserMessage
    attach: Attach | None = None


class Queue:
    """A run's messages that wait. One in its check counts as waiting still."""

    def __init__(
        self, checks: Sequence[Check], on_refused: OnRefused | None, report: Report
    ) -> None:
        self._checks = tuple(checks)
        self._on_refused = on_refused
        self._report = report
        self._items: list[_Item] = []
        self.refused: list[Refused] = []
        self.returned: tuple[UserMessage, ...] = ()
        self.open = True

    @property
    def waiting(self) -> list[str]:
        """Texts that were not delivered yet, in order."""
        return [item.message.text for item in self._items]

    @property
    def undelivered(self) -> tuple[str, ...]:
        """The texts of what was given back."""
        return tuple(message.text for message in self.returned)

    def first(self, *kinds: Queued) -> Queued | None:
        """The first of these kinds that waits."""
        waiting = {item.kind for item in self._items}
        return next((kind for kind in kinds if kind in waiting), None)

    def put(self, kind: Queued, message: UserMessage, attach: Attach | None = None) -> bool:
        """Queue it; False once the run takes none. `attach` is asked when it is to be delivered."""
        if self.open:
            self._items.append(_Item(kind, message, attach))
        return self.open

    def close(self) -> None:
        """Take no more."""
        self.open = False

    def drain(self) -> tuple[str, ...]:
        """Take no more and give back all that waits."""
        self.close()
        texts = tuple(self.waiting)
        self.returned += tuple(item.message for item in self._items)
        self._items.clear()
        return texts

    def give_back(self, kind: Queued, message: UserMessage) -> None:
        """A message that could not be stored is first in the queue again."""
        self._items.insert(0, _Item(kind, message))

    async def take(self, kind: Queued, *, every: bool) -> list[UserMessage]:
        """The next message of a kind that passes its checks, or every one."""
        taken: list[UserMessage] = []
        for item in [item for item in self._items if item.kind is kind]:
            checked = await self._checked(item)
            if item not in self._items:
                continue
            self._items.remove(item)
            if isinstance(checked, Exception):
                self.refuse(Refused(item.message.text, checked, item.message.attachments))
                continue
            taken.append(checked)
            if not every:
                break
        return taken

    async def _checked(self, item: _Item) -> UserMessage | Exception:
        """The message as it is delivered, or why it is refused."""
        message = item.message
        error = await refusal(self._checks, message.text)
        if error is not None or item.attach is None or not message.attachments:
            return error or message
        attached = await guarded_await(item.attach(message.attachments))
        if isinstance(attached, Caught):
            return attached.error
        return replace(message, attachments=attached)

    def refuse(self, refused: Refused) -> None:
        """Drop a message, and tell at once."""
        self.refused.append(refused)
        if self._on_refused is None:
            return
        outcome = guarded(self._on_refused, refused)
        if isinstance(outcome, Caught):
            self._report("on_refused_message", outcome.error)
