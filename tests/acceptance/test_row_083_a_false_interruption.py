"""Row 83: noise over a six-second reply: it goes on where it was, no sample lost or heard twice."""

import asyncio
from pathlib import Path

import numpy as np
import pytest

from gateway import Agent
from tests.acceptance.calling import CALLING, CallDesk, Caller
from tests.acceptance.scripted import Script
from tests.fakes.voice import FakeEngines, Voice

pytestmark = CALLING

REPLY = "I found three servers in Frankfurt. All of them are idle since Monday, and they cost ten."


@pytest.mark.parametrize("steers", [True, False])
@pytest.mark.parametrize("delay_ms", [0, 150])
@pytest.mark.parametrize("noise_ms", [100, 400, 1_500])
async def test_over_a_reply(tmp_path: Path, steers: bool, delay_ms: int, noise_ms: int):
    async with CallDesk(tmp_path, Agent("a", Script([REPLY]), "")) as desk:
        ann = await desk.caller(steers=steers, delay_ms=delay_ms)
        await ann.say("show my servers")
        await ann.hears("found")
        ann.cough(noise_ms)
        await ann.hears("ten.")
        await asyncio.sleep(2)
        assert_once(ann)
        assert ann.captions() == [REPLY]
        assert ann.outcomes()[-1]["outcome"] == "noise"


async def test_hums_pass_too(tmp_path: Path):
    async with CallDesk(tmp_path, Agent("a", Script([REPLY]), "")) as desk:
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("found")
        assert (await ann.say("uh-huh"))["outcome"] == "backchannel"
        await ann.hears("ten.")
        await asyncio.sleep(2)
        assert_once(ann)


@pytest.mark.parametrize("rate", [8_000, 22_050])
async def test_at_another_rate(tmp_path: Path, rate: int):
    """A voice of another rate than the line's: as many samples as a run without noise."""
    lengths = []
    for noise_ms in (0, 400):
        engines = FakeEngines(mouth=Voice(rate=rate))
        agent = Agent("a", Script([REPLY]), "")
        async with CallDesk(tmp_path / str(noise_ms), agent, engines=engines) as desk:
            ann = await desk.caller()
            await ann.say("show my servers")
            await ann.hears("found")
            ann.cough(noise_ms)
            await ann.hears("ten.")
            await asyncio.sleep(2)
            lengths.append(ann.line.sound_heard())
    without, disturbed = lengths
    assert np.array_equal(without, disturbed)


def assert_once(ann: Caller) -> None:
    """Every sample of everything that was said was heard, once, in its order."""
    made = ann.engines.mouth.sound()
    heard = ann.line.sound_heard()
    assert len(heard) == len(made)
    assert [first for _, first, _ in ann.line.spans[1:]] == [
        last for _, _, last in ann.line.spans[:-1]
    ]
    if ann.line.steers:
        assert np.array_equal(heard, made)
    else:
        assert np.all(heard <= made + 1e-9)
