"""Two calls at once in real time, with the real detector, recogniser and voice: is a frame late?

`python -m tests.bench.bench_two_calls [SECONDS]`. Two people hear replies on threads of their own
and talk, hum and cough over them, both at the same time. A frame of the agent's voice is due when
the caller's end has less than `LEAD_MS` of sound left, less the frame itself; it is late when it
leaves more than `LATE_MS` after that. What the caller's end has run dry of is heard as a gap.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from gateway import Agent
from gateway.channels.callers import engines_of
from gateway.ports.model import ModelRequest
from gateway.ports.rows import NewInput
from gateway.settings import Settings
from gateway.supervise import spare_collector
from tests.acceptance.calling import CallDesk, Caller
from tests.acceptance.scripted import Script
from tests.corpus.calling import settle
from tests.corpus.stimuli import KINDS, Stimulus, stimuli
from tests.corpus.texts import REPLIES
from tests.fakes.voice import FakeLine
from voice.player import FRAME_MS, LEAD_MS

LATE_MS = 20
SECONDS = 120.0
PEOPLE = {"ann": "en", "bob": "ru"}
GO_ON = {"en": "go on", "ru": "дальше"}
LOADS = 600
SEED = 2


@dataclass(frozen=True)
class Lateness:
    """How late frames left, in milliseconds (0: in time), and how long the line was dry before."""

    late_ms: Sequence[float]
    gaps_ms: Sequence[float]

    @property
    def late(self) -> int:
        """How many frames were late."""
        return sum(ms > LATE_MS for ms in self.late_ms)


def lateness(line: FakeLine) -> Lateness:
    """Of every frame but the first `LEAD_MS` of a generation or flight, which are sent ahead."""
    held: list[tuple[int, int]] = []
    since: int | None = None
    for at, kind, data in line.events:
        if kind == "sound" and (data["sound"] == "held") is (since is None):
            held, since = (held, at) if since is None else ([*held, (since, at)], None)
        elif kind == "clear" and since is not None:
            held, since = [*held, (since, at)], None
    late_ms: list[float] = []
    gaps_ms: list[float] = []
    place, plays_at, first = (-1, -1), 0.0, 0
    for at, generation, flight, position in line.sent:
        if (generation, flight) != place:
            place, plays_at, first = (generation, flight), at, position
        stood = sum(max(0.0, min(b, at) - max(a, plays_at)) for a, b in held)
        sounds_at = plays_at + stood + (position - first) * 1000 / line.rate
        if at > sounds_at:
            gaps_ms.append(at - sounds_at)
            plays_at += at - sounds_at
        if (position - first) * 1000 / line.rate >= LEAD_MS:
            late_ms.append(max(0.0, at - (sounds_at - LEAD_MS + FRAME_MS)))
    return Lateness(late_ms, gaps_ms)


def reply(request: ModelRequest) -> list[str]:
    """The corpus's, in the caller's language."""
    said = str(request.messages[-1])
    return [REPLIES["ru" if GO_ON["ru"] in said else "en"]]


async def talk(desk: CallDesk, caller: Caller, sounds: Sequence[Stimulus], until: float) -> int:
    """Make one sound after the other, each over a reply; how many replies there were."""
    loop, count = asyncio.get_running_loop(), 0
    for number, stimulus in enumerate(cycle(sounds)):
        if loop.time() >= until:
            break
        new = NewInput(
            dedup=f"voice:{caller.name}:{number}",
            thread=caller.thread,
            channel="voice",
            principal=caller.name,
            text=GO_ON[caller.language],
            language=caller.language,
            how="voice",
        )
        await desk.app.router.accept(new)
        await caller.until(caller.playing, 20, "a reply")
        await asyncio.sleep(1.0 + 0.1 * (number % 5))
        caller.make(stimulus.samples)
        await asyncio.sleep(stimulus.ms / 1000 + 4.0)
        await settle(caller)
        count += 1
    return count


async def watch(behind_ms: list[float]) -> None:
    """How much later than asked the loop wakes up: what a busy machine, or a thread that holds the
    interpreter, does to every frame.
    """
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + 0.01
        await asyncio.sleep(0.01)
        behind_ms.append((loop.time() - due) * 1000)


async def two_calls(
    directory: Path, cache: Path, seconds: float, behind_ms: list[float]
) -> tuple[list[Lateness], int]:
    """Both callers at once, for so long; and how many replies they heard."""
    given = {"enabled": True, "cache": cache}
    engines = engines_of(Settings.model_validate({"voice": given}))
    sounds = {
        name: [
            one
            for three in zip(
                *(stimuli(kind, language, "held", 12, SEED) for kind in KINDS), strict=True
            )
            for one in three
        ]
        for name, language in PEOPLE.items()
    }
    agent = Agent("a", Script(reply), "")
    async with CallDesk(directory, agent, voice=given, engines=engines) as desk:
        desk.may_fail = True
        spare_collector()  # as `bargein serve` does
        for _ in range(LOADS):
            if desk.calls.loading():
                await asyncio.sleep(0.1)
        callers = [await desk.caller(name, f"local:{name}", lang) for name, lang in PEOPLE.items()]
        until = asyncio.get_running_loop().time() + seconds
        talks = [
            asyncio.create_task(talk(desk, caller, sounds[caller.name], until), name=caller.name)
            for caller in callers
        ]
        watching = asyncio.create_task(watch(behind_ms), name="loop")
        counts = await asyncio.gather(*talks)
        watching.cancel()
        return [lateness(caller.line) for caller in callers], sum(counts)


def main() -> None:
    """Print the figures."""
    seconds = float(sys.argv[1]) if sys.argv[1:2] and sys.argv[1].isdecimal() else SECONDS
    before, began, used = os.getloadavg()[0], time.monotonic(), time.process_time()
    with tempfile.TemporaryDirectory() as there, tempfile.TemporaryDirectory() as cache:
        behind: list[float] = []
        found, count = asyncio.run(two_calls(Path(there), Path(cache), seconds, behind))
    behind.sort()
    share = (time.process_time() - used) / (time.monotonic() - began)
    late_ms = sorted(ms for one in found for ms in one.late_ms)
    late = sum(one.late for one in found)
    gaps = [ms for one in found for ms in one.gaps_ms]
    sys.stdout.write(
        f"two calls, {count} replies talked over: {late} of {len(late_ms)} frames over {LATE_MS} "
        f"ms late, {late_ms[len(late_ms) * 99 // 100]:.0f} ms at the 99th of a hundred, "
        f"{late_ms[-1]:.0f} at most; {len(gaps)} gaps, longest {max(gaps, default=0):.0f} ms; "
        f"the loop woke up {behind[len(behind) * 99 // 100]:.0f} ms late at the 99th of a hundred, "
        f"{behind[-1]:.0f} at most; {share:.2f} cores; "
        f"load before {before:.1f}, after {os.getloadavg()[0]:.1f}\n"
    )


if __name__ == "__main__":
    main()
