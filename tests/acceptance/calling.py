"""People on calls: a microphone that never stops, and a line that plays in the loop's time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gateway.core.queueing import Mode
from gateway.settings import ChannelSettings
from tests.acceptance.desk import THREAD, Desk
from tests.fakes.voice import RATE, FakeEngines, FakeLine, noise, silence
from voice.call import Call
from voice.calls import Calls
from voice.core.pcm import Samples

CALLING = pytest.mark.looptime(noop_cycles=8)
"""Virtual time that moves faster where a microphone sends fifty frames a second."""
TOKEN = "a token's digest"
FRAME_MS = 20
FRAME = RATE * FRAME_MS // 1000


class Caller:
    """Somebody on a call. What they say goes out frame by frame."""

    def __init__(self, desk: CallDesk, name: str, thread: str, language: str) -> None:
        self.desk, self.name, self.thread, self.language = desk, name, thread, language
        self.engines: FakeEngines = desk.engines
        self._waiting: Samples = silence(0)
        self._number = 0
        self._task: asyncio.Task[None] | None = None
        self.quiet = False

    async def call(
        self, *, call: str = "", traced: bool = False, token: str = TOKEN, **line: Any
    ) -> Caller:
        """Call, or call again."""
        self.line = FakeLine(**line)
        self.actor: Call = await self.desk.calls.answer(
            self.line,
            thread=self.thread,
            principal=self.name,
            language=self.language,
            call=call,
            traced=traced,
            token=token,
        )
        self.line.call = self.actor
        if self._task is None:
            self._task = asyncio.create_task(self._microphone(), name=f"{self.name} speaks")
        await asyncio.sleep(0.05)
        return self

    async def _microphone(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            frame, self._waiting = self._waiting[:FRAME], self._waiting[FRAME:]
            if len(frame) < FRAME:
                frame = np.concatenate([frame, silence(FRAME_MS)])[:FRAME]
            if not self.quiet:
                self.actor.frame(self._number, frame)
            self._number += FRAME
            due += FRAME_MS / 1000
            await asyncio.sleep(max(0.0, due - loop.time()))

    def leave(self) -> None:
        """The microphone is off."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    # -- acting

    def speak(self, text: str, *, word_ms: int = 260) -> None:
        """Begin to say it, behind what is being said."""
        self._add(self.engines.ears.say(text, word_ms))

    def pause(self, ms: int) -> None:
        """Say nothing for a while, before the next words."""
        self._add(silence(ms))

    def cough(self, ms: int) -> None:
        """Make a noise."""
        self._add(noise(ms))

    def make(self, sound: Samples) -> None:
        """Make any sound, at 16 kHz."""
        self._add(sound)

    async def say(self, text: str, within: float = 8.0) -> dict[str, Any]:
        """Say it and wait until it is settled: the `caller` frame with its outcome."""
        before = len(self.outcomes())
        self.speak(text)
        await self.until(lambda: len(self.outcomes()) > before, within, f"“{text}” is settled")
        return self.outcomes()[-1]

    def at_ms(self) -> int:
        """When what is said next begins, in the line's time."""
        ahead = len(self._waiting) * 1000 // RATE
        return round(asyncio.get_running_loop().time() * 1000) + ahead

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        await asyncio.sleep(seconds)

    def _add(self, samples: Samples) -> None:
        self._waiting = np.concatenate([self._waiting, samples])

    # -- seeing

    def outcomes(self) -> list[dict[str, Any]]:
        """What became of what they said."""
        return [told for told in self.line.told("caller") if told["outcome"] is not None]

    def caption(self) -> str:
        """What the agent is heard to say."""
        told = self.line.told("agent")
        return str(told[-1]["text"]) if told else ""

    def captions(self) -> list[str]:
        """Everything the agent was heard to say, one after the other, each as far as it came."""
        ends: list[str] = []
        for told in self.line.told("agent"):
            if ends and told["text"].startswith(ends[-1]):
                ends[-1] = told["text"]
            else:
                ends.append(told["text"])
        return ends

    def state(self) -> str:
        """What the agent does."""
        return str(self.line.told("state")[-1]["state"])

    def playing(self) -> bool:
        """Whether the agent is being heard at this moment."""
        return self.line.plays()

    async def hears(self, text: str, within: float = 20.0) -> None:
        """Wait until the agent was heard to say it."""
        await self.until(lambda: text in self.caption(), within, f"hears “{text}”")

    async def is_(self, state: str, within: float = 20.0) -> None:
        """Wait until the agent does this."""
        await self.until(lambda: self.state() == state, within, f"is {state}")

    async def until(self, fits: Callable[[], bool], within: float, what: str) -> None:
        """Wait for something, in the loop's time."""
        loop = asyncio.get_running_loop()
        end = loop.time() + within
        while not fits():
            if loop.time() >= end:
                tail = "\n".join(str(event) for event in self.line.events[-25:])
                raise AssertionError(f"{self.name}: not within {within} s: {what}; last:\n{tail}")
            await asyncio.sleep(0.02)


class CallDesk(Desk):
    """A desk with voice. `await desk.caller("ann")` is on a call."""

    def __init__(
        self,
        *given: Any,
        engines: Any = None,
        mode: str | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*given, engines=engines or FakeEngines(), **more)
        if mode is not None:
            voice = ChannelSettings(queue_mode=Mode(mode))
            self.settings = self.settings.model_copy(update={"channels": {"voice": voice}})
        self._callers: list[Caller] = []

    async def __aenter__(self) -> CallDesk:
        await super().__aenter__()
        return self

    @property
    def calls(self) -> Calls:
        """The calls of the running product."""
        calls = self.app.calls
        assert calls is not None
        return calls

    async def caller(
        self, name: str = "ann", thread: str = THREAD, language: str = "en", **line: Any
    ) -> Caller:
        """Somebody calls."""
        caller = Caller(self, name, thread, language)
        self._callers.append(caller)
        return await caller.call(**line)

    async def stop(self) -> None:
        for caller in self._callers:
            caller.leave()
        await super().stop()
        for caller in self._callers:
            caller.line.close()
