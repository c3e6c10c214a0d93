"""A call on record: only where it is set up and asked for; played again, it is the same call."""

import asyncio
import json
import wave
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from gateway import Agent
from tests.acceptance.calling import CALLING, CallDesk, Caller
from tests.acceptance.scripted import Script
from voice.core.pcm import from_pcm16

pytestmark = CALLING

REPLY = "I found three servers in Frankfurt. All of them are idle."


async def settled(ann: Caller) -> list[tuple[str, str]]:
    """What was said and what became of it, once the reply was heard to its end."""
    await ann.hears("idle")
    return [(told["text"], told["outcome"]) for told in ann.outcomes()]


def traced(directory: Path, traces: Path | None) -> CallDesk:
    voice = {} if traces is None else {"traces": traces}
    return CallDesk(directory, Agent("a", Script([REPLY]), ""), voice=voice)


@pytest.mark.parametrize("shift", [0, 67, 201, 311])
async def test_played_again_it_is_the_same(tmp_path: Path, shift: int):
    """Wherever the detector's windows begin in it."""
    async with traced(tmp_path, tmp_path / "traces") as desk:
        ann = await desk.caller(traced=True)
        ann.speak("show my servers")
        await ann.hears("found")
        ann.speak("uh-huh")
        first, words = await settled(ann), desk.engines.ears.words
        assert [outcome for _, outcome in first] == ["input", "backchannel"]
        ann.actor.hang_up()
        await asyncio.sleep(1)
    (there,) = (tmp_path / "traces").iterdir()
    lines = [json.loads(line) for line in (there / "events.jsonl").read_text().splitlines()]
    assert any("VoiceStarted" in line["event"] for line in lines)
    assert all(one["ms"] <= other["ms"] for one, other in pairwise(lines))
    with wave.open(str(there / "caller.wav")) as file:
        sound = from_pcm16(file.readframes(file.getnframes()))
    with wave.open(str(there / "agent.wav")) as file:
        assert file.getnframes() > file.getframerate() * 2
    async with traced(tmp_path / "again", None) as desk:
        desk.engines.ears.words = words
        ann = await desk.caller()
        ann.make(np.concatenate([np.zeros(shift, dtype=np.float32), sound]))
        assert await settled(ann) == first


@pytest.mark.parametrize(("asked", "named"), [(False, True), (True, False)])
async def test_nothing_without_both(tmp_path: Path, asked: bool, named: bool):
    async with traced(tmp_path, tmp_path / "traces" if named else None) as desk:
        ann = await desk.caller(traced=asked)
        ann.speak("show my servers")
        await ann.hears("idle")
        ann.actor.hang_up()
        await asyncio.sleep(1)
    assert not (tmp_path / "traces").exists()
