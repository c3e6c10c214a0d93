"""Our side of `bench_peer_voice`: the whole product on calls, in its own process.

Jobs come as JSON lines on stdin, and for each a line of what was heard at the caller's end goes
out, as from `peer_pipecat.py`. Each job is a call of its own, on a conversation of its own. The
model has no delay and goes on with the reply behind the words that the messages say were heard.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from gateway import Agent
from gateway.channels.callers import engines_of
from gateway.core.messages import AssistantMessage
from gateway.ports.model import ModelRequest
from gateway.ports.rows import NewInput
from gateway.settings import Settings
from tests.acceptance.calling import CallDesk, Caller
from tests.acceptance.scripted import Script
from tests.bench.own_clock import OwnClock
from tests.corpus.texts import REPLIES
from voice.core.pcm import Samples

LINE_RATE = 24_000
OPENING = "go on"
_LOAD_SECONDS = 120.0
_SAVES_SECONDS = 0.3
_POLL_SECONDS = 0.01
_LAG_SECONDS = 0.02


class Heard:
    """What a reply does on a line from now on. Times are milliseconds of the line."""

    def __init__(self, ann: Caller, starts: list[float], seconds: float) -> None:
        self._line, self._from = ann.line, len(ann.line.events)
        self._starts, self._seconds = starts, seconds
        self._generation = max(ann.line.heard_by)

    def place(self) -> float:
        """How far it was played, in seconds of its sound."""
        self._line.plays()
        return self._line.heard_by.get(self._generation, 0) / LINE_RATE

    def begun(self) -> int:
        """How many of its words have begun."""
        return sum(start < self.place() - 1e-3 for start in self._starts)

    def whole(self) -> bool:
        """It was played to its end."""
        return self.place() >= self._seconds - 0.05

    def ended(self) -> bool:
        """It is over, or waits for the caller to say more."""
        return self.whole() or self.cleared() is not None or self.waits()

    def again(self) -> bool:
        """Another reply is heard."""
        self._line.plays()
        return max(self._line.heard_by) > self._generation

    def cleared(self) -> int | None:
        """When it was stopped."""
        return next((at for at, kind, _ in self._since() if kind == "clear"), None)

    def holds(self) -> list[tuple[int, int | None]]:
        """From when to when it was held; None: it still is."""
        found: list[tuple[int, int | None]] = []
        for at, kind, data in self._since():
            open_ = bool(found) and found[-1][1] is None
            held = kind == "sound" and data["sound"] == "held"
            if held and not open_:
                found.append((at, None))
            elif open_ and kind in ("sound", "clear") and not held:
                found[-1] = (found[-1][0], at)
        return found

    def waits(self) -> bool:
        """It is held because the caller said so."""
        told = [data["outcome"] for _, kind, data in self._since() if kind == "caller"]
        return "hold" in told and bool(self.holds()) and self.holds()[-1][1] is None

    def words(self) -> list[str]:
        """What was understood over it."""
        told = [data for _, kind, data in self._since() if kind == "caller"]
        return [str(data["text"]) for data in told if data["outcome"] is not None]

    def _since(self) -> list[tuple[int, str, dict[str, Any]]]:
        return self._line.events[self._from :]


def rest(request: ModelRequest) -> list[str]:
    """The reply, from the first word that was not heard on."""
    said = " ".join(one.text for one in request.messages if isinstance(one, AssistantMessage))
    words = REPLIES[request.language].split()
    return [" ".join(words[len(said.split()) :])]


class Server:
    """Calls of one language, one after the other."""

    def __init__(self, desk: CallDesk, language: str, reply: dict[str, Any], waits: Any) -> None:
        self._desk, self._language, self._waits = desk, language, waits
        self._starts: list[float] = reply["starts"]
        self._seconds = len(np.load(reply["sound"])) / LINE_RATE
        self._numbers = count(1)

    async def over(self, sound: Samples, after: float, kind: str) -> dict[str, Any]:
        """Make the sound so long after a reply's begin, and see what comes of it."""
        number = next(self._numbers)
        thread = f"local:{number}"
        ann = await self._desk.caller("ann", thread, self._language, rate=LINE_RATE)
        await ann.wait(self._waits["before"])
        began, cpu, late = _now(), _cpu(), asyncio.create_task(_lag())
        new = NewInput(
            dedup=f"voice:bench:{number}",
            thread=thread,
            channel="voice",
            principal="ann",
            text=OPENING,
            language=self._language,
            how="voice",
        )
        assert (await self._desk.app.router.accept(new)).code == ""
        await ann.until(ann.playing, 10, "a reply")
        await ann.wait(after)
        found = await self._watch(ann, sound, kind)
        late.cancel()
        used = {"seconds": _now() - began, "cpu": _cpu() - cpu, "late": await late}
        if found["stopped"]:
            ann.actor.stop()
            await ann.wait(_SAVES_SECONDS)
            found["saved"] = await self._saved(thread)
        ann.actor.hang_up()
        ann.leave()
        return {**found, **used}

    async def _watch(self, ann: Caller, sound: Samples, kind: str) -> dict[str, Any]:
        heard = Heard(ann, self._starts, self._seconds)
        onset = ann.at_ms()
        ann.make(sound)
        await _until(heard.ended, self._seconds + 20)
        cleared, holds = heard.cleared(), heard.holds()
        stopped = not heard.whole()
        found: dict[str, Any] = {"stopped": stopped, "heard": heard.begun()}
        pauses = [(to - at) / 1000 for at, to in holds if to is not None and to != cleared]
        found["pauses"] = pauses
        found["through"] = not stopped and max(pauses, default=0.0) <= self._waits["gap"]
        silent = [at for at, _ in holds] + ([] if cleared is None else [cleared])
        found["silent_after"] = (min(silent) - onset) / 1000 if silent else None
        if stopped:
            since = next(at for at, to in [*holds, (cleared, cleared)] if to in (None, cleared))
            assert since is not None
            found["stopped_after"] = ((cleared or since) - onset) / 1000
            left = len(sound) / 16_000 - (_now() - onset / 1000)
            wait = max(left, 0.0) + self._waits[kind]
            if await _until(heard.again, wait):
                found["went_on_after"] = _now() - since / 1000
        found["words"] = " | ".join(heard.words())
        return found

    async def _saved(self, thread: str) -> int:
        """How many words of the first reply are in the log."""
        page = await self._desk.person("ann", thread)
        log = await page.export()
        await page.leave()
        said = [one["body"]["text"] for one in log["entries"] if one["kind"] == "assistant"]
        return len(said[0].split()) if said else 0


def _now() -> float:
    return asyncio.get_running_loop().time()


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def _lag() -> float:
    """How late a clock of 20 ms ran, 99th percentile; until it is cancelled."""
    found: list[float] = []
    try:
        while True:
            due = _now() + _LAG_SECONDS
            await asyncio.sleep(_LAG_SECONDS)
            found.append(_now() - due)
    except asyncio.CancelledError:
        return sorted(found)[int(len(found) * 0.99)]


async def _until(fits: Any, seconds: float) -> bool:
    end = _now() + seconds
    while not fits():
        if _now() >= end:
            return False
        await asyncio.sleep(_POLL_SECONDS)
    return True


async def main(told: dict[str, Any], cache: str, language: str) -> None:
    """Serve until stdin ends."""
    voice = {"enabled": True, "cache": cache}
    engines = engines_of(Settings.model_validate({"voice": voice}))
    agent = Agent("a", Script(rest), "")
    loop = asyncio.get_running_loop()
    with tempfile.TemporaryDirectory() as directory:
        async with CallDesk(Path(directory), agent, voice=voice, engines=engines) as desk:
            assert await _until(lambda: not desk.calls.loading(), _LOAD_SECONDS)
            server = Server(desk, language, told["replies"][language], told["waits"])
            while line := await loop.run_in_executor(None, sys.stdin.readline):
                job = json.loads(line)
                found = await server.over(np.load(job["sound"]), job["after"], job["kind"])
                print(json.dumps(found), flush=True)


if __name__ == "__main__":
    told = json.loads(Path(sys.argv[1]).read_text())
    with asyncio.Runner(loop_factory=OwnClock if told["own_clock"] else None) as runner:
        runner.run(main(told, *sys.argv[2:]))
