"""`Gateway`'s own channel: a program on the other side, told by futures."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from gateway.core.interrupts import Interrupt
from gateway.core.messages import Json
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


class LibraryChannel:
    """What a run says is written at once; whoever waits for an input or a question is told."""

    name = "api"
    capabilities = Capabilities(buttons=False, reply_to=True, edit=False, durable=True)

    def __init__(self) -> None:
        self._texts: dict[TextRef, str] = {}
        self._cut: set[TextRef] = set()
        self._waiting: dict[str, list[asyncio.Future[Mapping[str, Json]]]] = {}

    def news(self, thread: str) -> asyncio.Future[Mapping[str, Json]]:
        """The next change on a thread: an input's outcome, a run's state, a question."""
        future: asyncio.Future[Mapping[str, Json]] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(thread, []).append(future)
        return future

    def _tell_all(self, thread: str, data: Mapping[str, Any]) -> None:
        for future in self._waiting.pop(thread, ()):
            if not future.done():
                future.set_result(data)

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
        self._tell_all(prompt.thread, {"question": question.id})

    def tell(self, notice: Notice) -> None:
        self._tell_all(notice.thread, {"code": notice.code, **notice.params})

    def update(self, update: Update) -> None:
        self._tell_all(update.thread, {"type": update.type, **update.data})
