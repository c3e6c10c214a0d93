"""An hour of noise and music on a call while a question is open: no input, no answer, no memory.

The detector takes all of it for a voice, so that each piece goes the whole way through the call; no
recogniser finds words in it (`test_bad_sound_heard.py` has the real one's part).
"""

import asyncio
import gc
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from tests.acceptance.asking import asked, asking_agent, results
from tests.acceptance.calling import CallDesk, Caller
from tests.corpus.sounds import at_level, band, music
from tests.fakes.voice import RATE, Detector, Ears, FakeEngines, Listening
from voice.core.pcm import Samples
from voice.ports import Hypothesis

pytestmark = [pytest.mark.looptime(noop_cycles=8), pytest.mark.timeout(1_800)]
FRAME_SECONDS, FRAME = 0.2, RATE // 5
SETTLES_MINUTES = 2
GROWS_BYTES = 100_000


class Wordless(Ears):
    """What a recogniser makes of noise: no words."""

    count = 0

    def understand(self, listening: Listening, *, final: bool) -> Hypothesis:
        if final:
            self.count += 1
        self.heard.clear()
        return Hypothesis()


class Nervous(Detector):
    """Whatever can be heard is a voice."""

    def probability(self, samples: Samples) -> float:
        return float(np.mean(np.abs(samples) > 0.01) > 0.2)


class Noisy(FakeEngines):
    def detector(self, rate: int) -> Detector:
        return Nervous(rate)


def minute(seed: int) -> Samples:
    """Noise and music in turn, with pauses, of another loudness each time."""
    chance, parts = np.random.default_rng(seed), []
    for number in range(30):
        made = music(chance) if number % 2 else band(chance, 1_500, 100, 5_000, -3)
        parts += [at_level(made, float(chance.uniform(-30, -6))), np.zeros(RATE, np.float32)]
    return np.concatenate(parts)[: 60 * RATE]


async def hears_a_minute(ann: Caller, number: int, began: int) -> None:
    sound = minute(number)
    for first in range(0, len(sound), FRAME):
        at = began + number * len(sound) + first
        ann.actor.frame(at, sound[first : first + FRAME].copy())
        await asyncio.sleep(FRAME_SECONDS)
    ann.line.events.clear()
    ann.line.heard.clear()
    ann.line.spans.clear()
    ann.line.sent.clear()


def traced() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.parametrize("minutes", [4, pytest.param(60, marks=pytest.mark.soak)])
async def test_nothing_comes_of_it(tmp_path: Path, minutes: int):
    ears = Wordless()
    engines = Noisy(ears=ears)
    async with CallDesk(tmp_path, asking_agent(bool, message="Well?"), engines=engines) as desk:
        page = await desk.person("ann")
        question = await asked(page)
        ann = await desk.caller()
        await ann.hears("Well?")
        ann.leave()
        began = ann._number
        tracemalloc.start()
        for number in range(SETTLES_MINUTES):
            await hears_a_minute(ann, number, began)
        kept = traced()
        for number in range(SETTLES_MINUTES, minutes):
            await hears_a_minute(ann, number, began)
        grown = traced() - kept
        tracemalloc.stop()
        assert ears.count >= 15 * minutes
        assert ann.line.bye is None
        assert grown < GROWS_BYTES
        assert len(asyncio.all_tasks()) < 60
        assert [one["text"] for one in (await page.export())["inputs"]] == ["go"]
        assert not page.find("decided")
        await page.press(question, "yes")
        await page.ended(within=20)
        assert await results(page) == ["ask=True"]
