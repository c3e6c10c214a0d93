"""Calls that a test plays by hand: what a page told stands in a list, what it is told is a call.

calls = ScriptedCalls()
await site.start(agent, calls=calls)
...                                   # somebody presses Talk
call = await calls.came()
call.line.tell("state", {"state": "speaking"})
await call.has(lambda e: e[0] == "played" and e[3] >= 2205)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import TypeVar

from voice.call import Call
from voice.calls import Calls
from voice.core.pcm import Samples
from voice.ports import Line

T = TypeVar("T")
WITHIN_SECONDS = 30


class ScriptedCall(Call):
    """One call. `events` are what its line told: ("played", 0, 0, 882), ("key", "5"), …"""

    def __init__(self, line: Line, thread: str, principal: str, language: str, id_: str) -> None:
        self.line = line
        self.thread, self.principal, self.language, self.id = thread, principal, language, id_
        self.frames: list[tuple[int, Samples]] = []
        self.events: list[tuple[object, ...]] = []
        self.breaks = False
        self.token = ""
        self._change = asyncio.Event()

    def ready(self, *, resumed: bool = False) -> None:
        self.line.tell(
            "ready",
            {
                "call": self.id,
                "rate": self.line.rate,
                "language": self.language,
                "resumed": resumed,
            },
        )

    def tell(self, kind: str, **data: object) -> None:
        self.line.tell(kind, data)

    async def has(self, wanted: Callable[[tuple[object, ...]], bool]) -> tuple[object, ...]:
        """Wait for an event; the newest such."""
        return await self._until(lambda: next((e for e in self.events[::-1] if wanted(e)), None))

    async def told(self, kind: str) -> tuple[object, ...]:
        return await self.has(lambda event: event[0] == kind)

    async def heard(self, frames: int) -> list[tuple[int, Samples]]:
        """Wait for so many frames of the microphone."""
        return await self._until(lambda: self.frames if len(self.frames) >= frames else None)

    async def silent(self, frames: int) -> None:
        """Wait until so many frames of the microphone, one behind the other, hold no sound."""

        def found() -> bool | None:
            last = self.frames[-frames:]
            return (len(last) == frames and not any(s.any() for _, s in last)) or None

        await self._until(found)

    async def _until(self, found: Callable[[], T | None]) -> T:
        async with asyncio.timeout(WITHIN_SECONDS):
            while (value := found()) is None:
                self._change.clear()
                await self._change.wait()
            return value

    def _add(self, *event: object) -> None:
        self.events.append(event)
        self._change.set()

    # -- the call, as its transport sees it

    def frame(self, first: int, samples: Samples) -> None:
        self.frames.append((first, samples))
        self._change.set()

    def played(self, generation: int, flight: int, position: int) -> None:
        self._add("played", generation, flight, position)

    def cleared(self, generation: int, position: int) -> None:
        self._add("cleared", generation, position)

    def key(self, key: str) -> None:
        if self.breaks:
            raise RuntimeError("the call broke")
        self._add("key", key)

    def talk(self, on: bool) -> None:
        self._add("talk", on)

    def mute(self, on: bool) -> None:
        self._add("mute", on)

    def stop(self) -> None:
        self._add("stop")

    def hang_up(self) -> None:
        self._add("hung up")

    def dismiss(self) -> None:
        self._add("dismissed")

    def lost(self, line: Line) -> None:
        self._add("lost" if line is self.line else "lost another")


class ScriptedCalls(Calls):
    """Answers everybody at once, or what `refuses` says; `parts` are what is still loading."""

    def __init__(self, *parts: str) -> None:
        self.parts = parts
        self.refuses: Exception | None = None
        self.all: list[ScriptedCall] = []
        self._new: asyncio.Queue[ScriptedCall] = asyncio.Queue()

    async def came(self) -> ScriptedCall:
        """The next call that is answered."""
        async with asyncio.timeout(WITHIN_SECONDS):
            return await self._new.get()

    def loading(self) -> tuple[str, ...]:
        return self.parts

    def retry(self) -> None:
        pass

    async def answer(
        self,
        line: Line,
        *,
        thread: str,
        principal: str,
        language: str,
        call: str = "",
        microphone_rate: int = 16_000,
        traced: bool = False,
        token: str = "",
    ) -> Call:
        if self.refuses is not None:
            raise self.refuses
        same = [one for one in self.all if (one.thread, one.principal) == (thread, principal)]
        for one in same:
            if one.id == call:
                one.line, one.token = line, token
                one.ready(resumed=True)
                self._new.put_nowait(one)
                return one
            one.line.hang_up("elsewhere")
        made = ScriptedCall(line, thread, principal, language, f"call-{len(self.all)}")
        made.token = token
        self.all.append(made)
        made.ready()
        self._new.put_nowait(made)
        return made

    def dismiss(self, tokens: Collection[str]) -> None:
        for one in self.all:
            if one.token in tokens:
                one.dismiss()

    def end(self, reason: str) -> None:
        for one in self.all:
            one.line.hang_up(reason)
