"""An utterance on its way through a recogniser: partials, pauses, last words."""

import asyncio
from dataclasses import replace

import pytest

from gateway.core.errors import EngineFailed
from gateway.supervise import Supervisor
from voice.call_hearing import Hearing, Recognised
from voice.core.pcm import Resampler, Samples
from voice.core.words import SpokenWord
from voice.ports import Hypothesis

pytestmark = pytest.mark.looptime


class Scripted:
    """A recogniser's side: what each call gives, and after how long."""

    def __init__(self, **seconds: float) -> None:
        self.seconds = {"partial": 0.1, "pause": 0.2, "final": 0.1} | seconds
        self.asked: list[str] = []
        self.fails = ""
        self.whole = True

    def feed(self, samples: Samples) -> None: ...

    async def _give(self, name: str) -> Hypothesis:
        self.asked.append(name)
        await asyncio.sleep(self.seconds[name.partition(" ")[0]])
        if self.fails == name:
            raise EngineFailed("scripted")
        return Hypothesis((SpokenWord(name, 0),))

    async def partial(self) -> Hypothesis:
        return await self._give("partial")

    async def pause(self) -> Hypothesis:
        return replace(await self._give("pause"), whole=self.whole)

    async def final(self, *, paused: bool = False) -> Hypothesis:
        return await self._give("final paused" if paused else "final")

    def close(self) -> None: ...


def hearing(engine: Scripted) -> tuple[Hearing, list[Recognised]]:
    told: list[Recognised] = []

    def report(name: str, error: BaseException) -> None:
        raise AssertionError(f"{name}: {error!r}")

    same = Resampler(16_000, 16_000)
    return Hearing(1, engine, same, 0, 0, Supervisor(report), told.append), told


async def test_the_last_words_are_prepared_at_the_pause():
    engine = Scripted()
    one, told = hearing(engine)
    one.voice_ended()
    await asyncio.sleep(0.3)
    one.finish()
    await asyncio.sleep(0.2)
    assert [(t.text, t.final) for t in told] == [("pause", False), ("final paused", True)]


async def test_a_voice_that_goes_on_makes_what_was_prepared_worthless():
    engine = Scripted()
    one, told = hearing(engine)
    one.voice_ended()
    await asyncio.sleep(0.05)
    one.voice_began()
    await asyncio.sleep(0.3)
    assert told == []
    one.finish()
    await asyncio.sleep(0.2)
    assert [t.text for t in told] == ["final"]


async def test_a_partial_that_comes_after_the_pause_takes_nothing_back():
    engine = Scripted(partial=0.5)
    one, told = hearing(engine)
    one.look(10_000, voiced=True)
    one.voice_ended()
    await asyncio.sleep(1)
    assert [t.text for t in told] == ["pause"]


async def test_a_pause_that_fails_leaves_the_last_words():
    engine = Scripted()
    engine.fails = "pause"
    one, told = hearing(engine)
    one.voice_ended()
    await asyncio.sleep(0.3)
    one.finish()
    await asyncio.sleep(0.2)
    assert [(t.text, t.failed) for t in told] == [("final paused", None)]


async def test_an_earlier_pause_that_comes_after_a_later_one_tells_nothing():
    """What was said between the two is not in it."""
    engine = Scripted(pause=0.5)
    one, told = hearing(engine)
    one.voice_ended()
    await asyncio.sleep(0.1)
    one.voice_began()
    await asyncio.sleep(0.2)
    one.voice_ended()
    await asyncio.sleep(0.3)
    assert told == []
    await asyncio.sleep(0.3)
    assert [(t.text, t.paused) for t in told] == [("pause", True)]


async def test_words_at_a_pause_that_may_not_be_all_are_as_any_others():
    engine = Scripted()
    engine.whole = False
    one, told = hearing(engine)
    one.voice_ended()
    await asyncio.sleep(0.3)
    assert [(t.text, t.paused) for t in told] == [("pause", False)]
