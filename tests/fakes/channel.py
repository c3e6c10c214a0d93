"""A channel for tests: it shows a share of what it is given, and journals every call.

Its script says what becomes of prompts: `asks` holds one step a call of `ask` (a `Delivery`, HOLD
until `release()`, TIME_OUT after ten seconds, BREAK raises); an empty script confirms. A channel
that is not durable settles a text when the test says so (`play`), or at once with `settles=True`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from gateway.core.interrupts import Interrupt
from gateway.ports.channel import (
    Capabilities,
    Delivery,
    Notice,
    Prompt,
    Sent,
    Settle,
    Shown,
    TextRef,
    Update,
)
from gateway.ports.rows import PromptRow

ASK_DEADLINE_SECONDS = 10.0


class Ask(StrEnum):
    """What a scripted `ask` does beyond returning a delivery at once."""

    HOLD = "hold"
    TIME_OUT = "time_out"
    BREAK = "break"


@dataclass(frozen=True, slots=True)
class Call:
    """One call that the channel got: the method's name and what it was given."""

    method: str
    given: tuple[Any, ...]


class FakeChannel:
    """Shows `share` of every text (half of it by default), never more than it was given."""

    def __init__(
        self,
        name: str = "fake",
        capabilities: Capabilities | None = None,
        *,
        share: float = 0.5,
        asks: Iterable[Delivery | Ask] = (),
        settle: Settle | None = None,
        settles: bool = False,
    ) -> None:
        self.name = name
        self.capabilities = capabilities or Capabilities()
        self.share = share
        self.asks: deque[Delivery | Ask] = deque(asks)
        self.settle: Settle | None = settle
        self.settles = settles
        self.journal: list[Call] = []
        self.given: dict[TextRef, str] = {}
        self.prompts: list[Prompt] = []
        self.notices: list[Notice] = []
        self.updates: list[Update] = []
        self.closed: dict[TextRef, tuple[str, str | None]] = {}
        self.seq = 0
        self._shown: dict[TextRef, str] = {}
        self._cut: set[TextRef] = set()
        self._held: deque[asyncio.Future[Delivery]] = deque()

    # -- the port

    def show(self, ref: TextRef, text: str, final: bool) -> None:
        self._note("show", ref, text, final)
        if ref in self._cut:
            return
        self.given[ref] = text
        before = self._shown.get(ref, "")
        half = text[: int(len(text) * self.share)]
        self._shown[ref] = half if len(half) >= len(before) else before
        if final and self.settles:
            self.play(ref)

    def shown(self, ref: TextRef) -> Shown:
        return Shown(self._shown.get(ref, ""))

    def cut(self, ref: TextRef) -> Shown:
        self._note("cut", ref)
        self._cut.add(ref)
        return self.shown(ref)

    def close(self, ref: TextRef, text: str, reason: str | None) -> None:
        self._note("close", ref, text, reason)
        self.closed[ref] = (text, reason)

    async def ask(self, prompt: Prompt) -> Sent:
        self._note("ask", prompt)
        step = self.asks.popleft() if self.asks else Delivery.CONFIRMED
        if step is Ask.HOLD:
            held: asyncio.Future[Delivery] = asyncio.get_running_loop().create_future()
            self._held.append(held)
            step = await held
        elif step is Ask.TIME_OUT:
            await asyncio.sleep(ASK_DEADLINE_SECONDS)
            step = Delivery.UNKNOWN
        elif step is Ask.BREAK:
            raise RuntimeError("the channel broke")
        if step is not Delivery.CONFIRMED:
            return Sent(Delivery(step))
        self.prompts.append(prompt)
        self.seq += 1
        return Sent(Delivery.CONFIRMED, f"m{self.seq}", self.seq)

    def withdraw(self, prompt: PromptRow, question: Interrupt) -> None:
        self._note("withdraw", prompt, question)

    def tell(self, notice: Notice) -> None:
        self._note("tell", notice)
        self.notices.append(notice)

    def update(self, update: Update) -> None:
        self._note("update", update)
        self.updates.append(update)

    # -- the test's hand

    def play(self, ref: TextRef) -> None:
        """Show the text to its end, and report it settled."""
        if ref not in self._cut:
            self._shown[ref] = self.given.get(ref, "")
        if self.settle is not None:
            self.settle(ref)

    def reveal(self, ref: TextRef, characters: int) -> None:
        """Show exactly so much of what was given."""
        self._shown[ref] = self.given.get(ref, "")[:characters]

    def release(self, delivery: Delivery = Delivery.CONFIRMED) -> None:
        """Let the oldest held `ask` return."""
        self._held.popleft().set_result(delivery)

    def called(self, method: str) -> list[tuple[Any, ...]]:
        """What every call of this method was given, in order."""
        return [call.given for call in self.journal if call.method == method]

    def codes(self, to: str | None = None) -> list[str]:
        """The codes told, in order; those told to one person, or to all."""
        return [notice.code for notice in self.notices if to is None or notice.to in (to, "")]

    def of_type(self, type_: str) -> list[dict[str, Any]]:
        """The data of every update of this type, in order."""
        return [dict(update.data) for update in self.updates if update.type == type_]

    def texts(self, run: str | None = None) -> list[str]:
        """The latest text given of each step, in order of their first appearance."""
        return [text for ref, text in self.given.items() if run is None or ref.run == run]

    def _note(self, method: str, *given: Any) -> None:
        self.seq += method != "ask"
        self.journal.append(Call(method, given))
