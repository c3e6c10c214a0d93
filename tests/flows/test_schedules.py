"""Row 33: whatever people do and whatever happens, each input ends once, visibly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flows.schedules import faults, play, story

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("seed", range(60))
async def test_a_random_schedule(tmp_path: Path, seed: int) -> None:
    world = await play(seed, tmp_path)
    assert not faults(world), story(world)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(60, 1_000))
async def test_a_thousand_schedules(tmp_path: Path, seed: int) -> None:
    world = await play(seed, tmp_path)
    assert not faults(world), story(world)
