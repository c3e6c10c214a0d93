"""Frames leave when they are due, wherever in a frame's time the sound was let out."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.supervise import Supervisor
from tests.bench.bench_two_calls import lateness
from tests.builders import LoopClock
from tests.fakes.voice import FakeLine, Voice
from tests.voice.call.playing import REPLIES, Told, Voices
from voice.core.clauses import Clauses
from voice.core.floor import Sound
from voice.pacing import Pace
from voice.player import FRAME_MS, LEAD_MS, Player

PACES = st.builds(
    Pace,
    st.sampled_from([8_000, 16_000, 22_050, 24_000]),
    st.sampled_from([60, LEAD_MS]),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
)


@given(PACES, st.integers(0, 700), st.integers(0, 500), st.integers(1, 60))
def test_the_wait_ends_when_the_samples_are_due_and_no_sooner(pace, passed_ms, ahead_ms, wanted_ms):
    assert pace.since_ms is not None
    now = pace.since_ms + passed_ms
    sent = pace.at + (passed_ms + ahead_ms) * pace.rate // 1000
    samples = wanted_ms * pace.rate // 1000
    if pace.due(sent, now) >= samples:
        assert pace.wait_ms(sent, samples, now, 10_000) == 1
        return
    wait_ms = pace.wait_ms(sent, samples, now, 10_000)
    assert pace.due(sent, now + wait_ms - 1) < samples
    assert pace.due(sent, now + wait_ms) >= samples
    assert pace.wait_ms(sent, samples, now, FRAME_MS) == min(FRAME_MS, wait_ms)


def test_what_stands_or_has_nothing_to_send_is_looked_at_in_a_frames_time():
    pace = Pace(16_000, LEAD_MS)
    assert pace.wait_ms(0, 320, 5, FRAME_MS) == FRAME_MS
    pace.go_on(5)
    assert pace.wait_ms(6_400, 0, 5, FRAME_MS) == FRAME_MS
    pace.hold(5)
    assert pace.wait_ms(6_400, 320, 25, FRAME_MS) == FRAME_MS


@pytest.mark.looptime(noop_cycles=8)
@pytest.mark.parametrize("rate", [16_000, 22_050])
async def test_a_frame_is_sent_when_it_is_due_after_holds_of_any_length(rate):
    told = Told()
    supervisor = Supervisor(lambda where, error: told.failed.append(error))
    line = FakeLine(rate=rate)
    voices, clock = Voices(Voice(rate=rate)), LoopClock()
    player = Player(
        line, voices, supervisor=supervisor, clock=clock, events=told, duck_decibels=-15
    )
    line.call = player
    player.begin(1, "en")
    state, clauses = Clauses("en").feed(REPLIES["en"][1])
    for clause in (*clauses, *state.close()[1]):
        player.say(1, clause)
    for plays_ms, held_ms in ((507, 133), (411, 255), (613, 91), (309, 340)):
        await asyncio.sleep(plays_ms / 1000)
        player.sound(Sound.HELD)
        await asyncio.sleep(held_ms / 1000)
        player.sound(Sound.PLAIN)
    await asyncio.sleep(1)
    player.stop()
    line.close()
    await supervisor.settle(1)
    found = lateness(line)
    assert len(found.late_ms) > 100
    assert max(found.late_ms) <= 2
    assert found.gaps_ms == []
