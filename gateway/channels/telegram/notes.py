"""What is said at once: notices, questions, and messages that change to their outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from gateway.channels.telegram.api import Failed, Fate
from gateway.channels.telegram.lanes import Want
from gateway.channels.telegram.markdown import plain
from gateway.channels.telegram.sender import Frame, Sender, Target
from gateway.ports.channel import Delivery, Sent

ONCE = frozenset({Fate.UNKNOWN, Fate.REFUSED, Fate.FORBIDDEN})
"""After these a notice that is not sure is over."""
UNKNOWN_TRIES = 2
"""How often something is said again that may have been said."""

Note = Callable[[str, BaseException], str]


@dataclass(slots=True)
class Notice:
    """A message that is said once. `sure`: it tells what became of something, so it is kept
    before it goes out and said again where nobody knows whether it went; any other is not.
    """

    sender: Sender
    frame: Frame
    topic: int | None
    reply_to: int | None
    report: Note
    keep: Callable[[str], Awaitable[None]]
    sent: Callable[[int, int], Awaitable[None]]
    sure: bool = False
    kept: bool = False
    finished: bool = False
    unknown: int = 0

    def wants(self, now: float) -> Want | None:
        return Want(True)

    async def go(self, chat: int) -> None:
        if self.sure and not self.kept:
            self.kept = True
            await self.keep("open")
        elif self.kept and not self.sure:
            await self.keep("done")
        message = await self._send(chat)
        self.finished = True
        await self.sent(chat, message)
        if self.sure:
            await self.keep("done")

    async def _send(self, chat: int) -> int:
        try:
            return await self.sender.send(Target(chat, self.topic, self.reply_to), self.frame)
        except Failed as failed:
            if not self.sure and failed.fate not in ONCE:
                self.kept = True
                await self.keep("open")
            raise

    async def failed(self, failed: Failed) -> None:
        if failed.fate is Fate.REPLY_GONE and self.reply_to is not None:
            self.reply_to = None
            return
        if failed.fate is Fate.ENTITIES and self.frame.rendered.spans:
            self.frame = Frame(plain(self.frame.rendered.text), self.frame.keyboard)
            return
        if failed.fate is Fate.UNKNOWN and self.sure and self.unknown < UNKNOWN_TRIES:
            self.unknown += 1
            return
        self.finished = True
        if failed.fate is not Fate.UNKNOWN:
            self.report("telegram notice", failed)
        await self.dropped()

    async def dropped(self) -> None:
        if self.kept:
            await self.keep("dead")


@dataclass(slots=True)
class Question:
    """A question to one person; `outcome` is what became of sending it."""

    sender: Sender
    frame: Frame
    topic: int | None
    reply_to: int | None
    ask_back: str | None
    sent: Callable[[int, int], Awaitable[None]]
    outcome: asyncio.Future[Sent]
    finished: bool = False
    withdrawn: bool = False

    def wants(self, now: float) -> Want | None:
        return Want(True)

    async def go(self, chat: int) -> None:
        if self.withdrawn:
            self._ends(Sent(Delivery.FAILED))
            return
        target = Target(chat, self.topic, self.reply_to)
        message = await self.sender.send(target, self.frame, ask_back=self.ask_back)
        await self.sent(chat, message)
        self._ends(Sent(Delivery.CONFIRMED, f"{chat}/{message}", message))

    async def failed(self, failed: Failed) -> None:
        if failed.fate is Fate.REPLY_GONE and self.reply_to is not None:
            self.reply_to = None
        elif failed.fate is Fate.ENTITIES and self.frame.rendered.spans:
            self.frame = Frame(plain(self.frame.rendered.text), self.frame.keyboard)
        elif failed.fate is Fate.UNKNOWN:
            self._ends(Sent(Delivery.UNKNOWN))
        else:
            self._ends(Sent(Delivery.FAILED))

    async def dropped(self) -> None:
        self._ends(Sent(Delivery.FAILED))

    def _ends(self, sent: Sent) -> None:
        self.finished = True
        if not self.outcome.done():
            self.outcome.set_result(sent)


@dataclass(slots=True)
class Change:
    """A message that is to stand as `frame`, or (without text) to have these buttons only."""

    sender: Sender
    message: int
    frame: Frame
    report: Note
    finished: bool = False
    is_plain: bool = field(default=False)

    def wants(self, now: float) -> Want | None:
        return Want(True)

    async def go(self, chat: int) -> None:
        if self.frame.rendered.text:
            await self.sender.edit(chat, self.message, self.frame)
        else:
            await self.sender.edit_keyboard(chat, self.message, self.frame.keyboard)
        self.finished = True

    async def failed(self, failed: Failed) -> None:
        if failed.fate is Fate.UNKNOWN:
            return
        if failed.fate is Fate.ENTITIES and not self.is_plain:
            self.is_plain = True
            self.frame = Frame(plain(self.frame.rendered.text), self.frame.keyboard)
            return
        self.finished = True
        if failed.fate not in (Fate.SAME, Fate.GONE):
            self.report("telegram change", failed)

    async def dropped(self) -> None:
        self.finished = True
