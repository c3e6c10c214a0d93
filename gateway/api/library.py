"""`Gateway`'s own channel: a program on the other side, which watches what becomes of an input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gateway.api.watching import Watched, Watches
from gateway.core.interrupts import Interrupt
from gateway.ports.channel import (
    Capabilities,
    Delivery,
    Notice,
    Prompt,
    Sent,
    Shown,
    TextRef,
    Update,
)
from gateway.ports.rows import PromptRow

RUNNING, ASKING, ENDED = "running", "asking", "ended"


def _nobody(run: str) -> None:
    """Stands in until a handle takes the watch."""


@dataclass(eq=False)
class Watch(Watched):
    """What is known of one input, and of its run, whose last change is `state`.

    `begun` is called with the run's id whenever a task of it begins.
    """

    begun: Callable[[str], object] = _nobody
    state: Mapping[str, Any] = field(default_factory=dict)

    @property
    def at(self) -> str:
        """Where the run stands, "" before there is one."""
        return str(self.state.get("state") or "")

    @property
    def over(self) -> bool:
        """Whether nothing more will come: the run has ended, or the input ended without one."""
        return self.at == ENDED or (bool(self.outcome) and not self.run)

    def follow(self, run: str) -> None:
        """Watch this run from now on."""
        if run != self.run:
            self.run, self.state = run, {}

    def see(self, update: Update) -> None:
        """Take in a change of the thread."""
        data = update.data
        if update.type == "input" and data.get("id") == self.dedup:
            self.input = data
            if isinstance(data.get("run"), str):
                self.follow(str(data["run"]))
        elif update.type == "run" and data.get("run") == self.run:
            self.state = data
            if data.get("state") == RUNNING:
                self.begun(self.run)
        else:
            return
        self.changed.set()


class LibraryChannel:
    """What a run says is written at once; whoever watches a thread is told of its changes."""

    name = "api"
    capabilities = Capabilities(buttons=False, reply_to=True, edit=False, durable=True)

    def __init__(self) -> None:
        self._texts: dict[TextRef, str] = {}
        self._cut: set[TextRef] = set()
        self._watches: Watches[Watch] = Watches()

    def watch(self, watch: Watch) -> Watch:
        """Keep this watch told until `unwatch`."""
        return self._watches.add(watch)

    def unwatch(self, watch: Watch) -> None:
        """Tell it nothing more; idempotent."""
        self._watches.remove(watch)

    def show(self, ref: TextRef, text: str, final: bool) -> None:
        if ref not in self._cut:
            self._texts[ref] = text

    def shown(self, ref: TextRef) -> Shown:
        return Shown(self._texts.get(ref, ""))

    def cut(self, ref: TextRef) -> Shown:
        self._cut.add(ref)
        return self.shown(ref)

    def close(self, ref: TextRef, text: str, reason: str | None) -> None:
        self._texts.pop(ref, None)
        self._cut.discard(ref)

    async def ask(self, prompt: Prompt) -> Sent:
        return Sent(Delivery.CONFIRMED, message_ref=prompt.question.id)

    def withdraw(self, prompt: PromptRow, question: Interrupt) -> None:
        """A decided question is told by the run that goes on."""

    def tell(self, notice: Notice) -> None:
        """Codes are read from outcomes and errors."""

    def update(self, update: Update) -> None:
        for watch in self._watches.of(update.thread):
            watch.see(update)
            if watch.over:
                self.unwatch(watch)
