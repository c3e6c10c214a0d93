"""Random schedules of people, faults and restarts against the fake server."""

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.telegram.schedules import MODES, Act, acts, play
from tests.virtual import new_loop

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large]


def run(mode: str, schedule: list[Act], drafts: bool) -> None:
    loop = new_loop(start=0)
    with tempfile.TemporaryDirectory() as directory:
        try:
            loop.run_until_complete(play(Path(directory), mode, schedule, drafts))
        finally:
            left = asyncio.all_tasks(loop)
            for task in left:
                task.cancel()
            if left:
                loop.run_until_complete(asyncio.wait(left, timeout=5))
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
            asyncio.set_event_loop(None)


@pytest.mark.slow
@pytest.mark.timeout(300)
@settings(max_examples=15, suppress_health_check=QUIET)
@given(mode=st.sampled_from(MODES), schedule=acts(), drafts=st.booleans())
def test_a_slice_of_the_schedules(mode: str, schedule: list[Act], drafts: bool):
    run(mode, schedule, drafts)


@pytest.mark.soak
@settings(suppress_health_check=QUIET)
@given(mode=st.sampled_from(MODES), schedule=acts(), drafts=st.booleans())
def test_schedules(mode: str, schedule: list[Act], drafts: bool):
    run(mode, schedule, drafts)
