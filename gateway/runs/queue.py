"""Messages that join a run by its handle: queued, checked, delivered, refused or given back."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from gateway.supervise import Caught, Report, guarded, guarded_await

Check: TypeAlias = Callable[[str], Any]
"""A `before_run` hook: sees an input's text, sync or async, and raises to refuse it."""


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
    text: str


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
        self.undelivered: tuple[str, ...] = ()
        self.open = True

    @property
    def waiting(self) -> list[str]:
        """Texts that were not delivered yet, in order."""
        return [item.text for item in self._items]

    def first(self, *kinds: Queued) -> Queued | None:
        """The first of these kinds that waits."""
        waiting = {item.kind for item in self._items}
        return next((kind for kind in kinds if kind in waiting), None)

    def put(self, kind: Queued, text: str) -> bool:
        """Queue it; False once the run takes none."""
        if self.open:
            self._items.append(_Item(kind, text))
        return self.open

    def close(self) -> None:
        """Take no more."""
        self.open = False

    def drain(self) -> tuple[str, ...]:
        """Take no more and give back all that waits."""
        self.close()
        texts = tuple(self.waiting)
        self._items.clear()
        self.undelivered += texts
        return texts

    def give_back(self, kind: Queued, text: str) -> None:
        """A message that could not be stored is first in the queue again."""
        self._items.insert(0, _Item(kind, text))

    async def take(self, kind: Queued, *, every: bool) -> list[str]:
        """The next message of a kind that passes its checks, or every one."""
        taken: list[str] = []
        for item in [item for item in self._items if item.kind is kind]:
            error = await refusal(self._checks, item.text)
            if item not in self._items:
                continue
            self._items.remove(item)
            if error is not None:
                self.refuse(Refused(item.text, error))
                continue
            taken.append(item.text)
            if not every:
                break
        return taken

    def refuse(self, refused: Refused) -> None:
        """Drop a message, and tell at once."""
        self.refused.append(refused)
        if self._on_refused is None:
            return
        outcome = guarded(self._on_refused, refused)
        if isinstance(outcome, Caught):
            self._report("on_refused_message", outcome.error)
