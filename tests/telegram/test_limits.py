"""Limits as sliding windows, in virtual time."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.channels.telegram.limits import OVERALL_COUNT, OVERALL_KEPT, Overall, Window


@given(st.lists(st.tuples(st.floats(0, 30), st.booleans()), max_size=80), st.integers(1, 20))
def test_no_more_than_most_in_any_span(steps: list[tuple[float, bool]], most: int):
    window = Window(most, 10.0, kept=most // 3)
    now, went, relaxed = 0.0, [], []
    for pause, urgent in steps:
        now += pause / 10
        now += window.wait(now, urgent=urgent)
        now += 1e-9
        window.note(now)
        went.append(now)
        if not urgent:
            relaxed.append(len([at for at in went if at > now - 10.0]))
    for at in went:
        assert len([one for one in went if at <= one < at + 10.0 - 1e-6]) <= most
    assert all(count <= most - most // 3 for count in relaxed)


@pytest.mark.looptime
async def test_urgent_calls_find_room_while_others_wait():
    overall = Overall(asyncio.get_running_loop().time)
    times: dict[str, list[float]] = {"edit": [], "final": []}

    async def call(kind: str) -> None:
        await overall.turn(urgent=kind == "final")
        times[kind].append(asyncio.get_running_loop().time())

    edits = [asyncio.create_task(call("edit")) for _ in range(100)]
    await asyncio.sleep(0.5)
    final = [asyncio.create_task(call("final")) for _ in range(OVERALL_KEPT)]
    await asyncio.wait(final)
    assert max(times["final"]) == 0.5
    await asyncio.wait(edits)
    everything = sorted(times["edit"] + times["final"])
    for at in everything:
        assert len([one for one in everything if at <= one < at + 1.0]) <= OVERALL_COUNT


@pytest.mark.looptime
async def test_who_steps_out_of_the_line_counts_for_nothing():
    overall = Overall(asyncio.get_running_loop().time)
    for _ in range(OVERALL_COUNT - OVERALL_KEPT):
        await overall.turn(urgent=False)
    gone = [overall.ask(urgent=False) for _ in range(50)]
    for future in gone:
        future.cancel()
    await overall.turn(urgent=False)
    assert asyncio.get_running_loop().time() == pytest.approx(1.0, abs=0.01)
