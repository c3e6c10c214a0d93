"""The player under random handling: no sample lost or doubled, what was heard is a prefix."""

import asyncio
from itertools import pairwise

import looptime
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.supervise import Supervisor
from tests.builders import LoopClock
from tests.fakes.voice import FakeLine, Voice
from tests.voice.call.playing import REPLIES, Told, Voices
from voice.core.clauses import Clauses
from voice.core.floor import Sound
from voice.player import LEAD_MS, Player

HANDLING = st.lists(
    st.tuples(
        st.integers(10, 900),
        st.sampled_from([*Sound, Sound.PLAIN, "late report", "lying report", "lost"]),
    ),
    max_size=12,
)


def run(coroutine):
    """In virtual time of its own."""
    loop = looptime.new_event_loop(noop_cycles=4)
    try:
        return loop.run_until_complete(coroutine)
    finally:
        loop.close()


async def played(handling, *, steers, delay_ms, rate, word_times):
    """A reply that is handled so while it plays, then left alone."""
    told, voice = Told(), Voice(word_times=word_times, rate=rate)
    supervisor = Supervisor(lambda where, error: told.failed.append(error))
    lines = [FakeLine(steers=steers, delay_ms=delay_ms)]
    player = Player(
        lines[0],
        Voices(voice),
        supervisor=supervisor,
        clock=LoopClock(),
        events=told,
        duck_decibels=-15,
    )
    lines[0].call = player
    player.begin(1, "en")
    text = REPLIES["en"][1][:120]
    state, clauses = Clauses("en").feed(text)
    for clause in (*clauses, *state.close()[1]):
        player.say(1, clause)
    player.close(1)
    heard = [""]
    for wait_ms, what in handling:
        await asyncio.sleep(wait_ms / 1000)
        heard.append(player.heard(1).text)
        if isinstance(what, Sound):
            player.sound(what)
        elif what == "late report":
            player.played(1, 7, 3)
        elif what == "lying report":
            player.played(0, 0, 2**31)
            player.played(2, 0, 2**31)
        elif delay_ms == 0:
            await _reconnected(player, lines)
    player.sound(Sound.PLAIN)
    for _ in range(400):
        if told.ended:
            break
        await asyncio.sleep(0.1)
    heard.append(player.heard(1).text)
    sound = np.concatenate([line.sound_heard() for line in lines])
    for line in lines:
        line.close()
    await supervisor.settle(1)
    return told, voice, [span for line in lines for span in line.spans], heard, sound


async def _reconnected(player, lines):
    """The line is lost after its last report, and another one comes."""
    line = lines[-1]
    line.plays()
    if line.heard_by:
        player.played(1, line.flight, line.heard_by[1])
    line.close()
    player.lose()
    await asyncio.sleep(0.5)
    lines.append(FakeLine(steers=line.steers))
    lines[-1].call = player
    player.connect(lines[-1])


@settings(max_examples=25)
@given(HANDLING, st.booleans(), st.sampled_from([0, 120, 1_500]), st.booleans())
def test_every_sample_is_heard_once_and_what_was_heard_grows(
    handling, steers, delay_ms, word_times
):
    told, voice, spans, heard, sound = run(
        played(handling, steers=steers, delay_ms=delay_ms, rate=16_000, word_times=word_times)
    )
    assert told.failed == []
    assert told.ended == [1]
    text = "".join(clause.text for clause, _ in voice.made)
    assert heard[-1] == text
    assert all(text.startswith(one) for one in heard)
    assert all(later.startswith(sooner) for sooner, later in pairwise(heard))
    assert spans[0][1] == 0
    assert [last for _, _, last in spans[:-1]] == [first for _, first, _ in spans[1:]]
    if steers:
        assert np.array_equal(sound, voice.sound())
    assert [word.start_ms for word in told.words] == sorted(word.start_ms for word in told.words)
    assert len(told.words) == sum(len(clause.spoken.words) for clause, _ in voice.made)


@pytest.mark.looptime(noop_cycles=8)
@pytest.mark.parametrize("delay_ms", [0, 200, 3_000])
async def test_never_further_ahead_than_the_lead(delay_ms):
    """Of what the line plays, as far as its delay lets that be known."""
    told = Told()
    supervisor = Supervisor(lambda where, error: told.failed.append(error))
    line = FakeLine(delay_ms=delay_ms)
    player = Player(
        line,
        Voices(Voice()),
        supervisor=supervisor,
        clock=LoopClock(),
        events=told,
        duck_decibels=-15,
    )
    line.call = player
    player.begin(1, "en")
    state, clauses = Clauses("en").feed(REPLIES["en"][1])
    for clause in (*clauses, *state.close()[1]):
        player.say(1, clause)
    start = asyncio.get_running_loop().time()
    for _ in range(200):
        await asyncio.sleep(0.02)
        now = asyncio.get_running_loop().time()
        sent = line.sent[-1][3] * 1000 / line.rate
        line.plays()
        ahead_ms = sent - (line.heard_by.get(1, 0) * 1000 / line.rate)
        assert ahead_ms <= LEAD_MS + delay_ms + 40
        assert sent <= (now - start) * 1000 + LEAD_MS + 40
    player.stop()
    line.close()
    await supervisor.settle(1)


@pytest.mark.looptime(noop_cycles=8)
async def test_nothing_leaves_after_a_stop_and_what_is_late_changes_nothing():
    told = Told()
    supervisor = Supervisor(lambda where, error: told.failed.append(error))
    line = FakeLine()
    player = Player(
        line,
        Voices(Voice()),
        supervisor=supervisor,
        clock=LoopClock(),
        events=told,
        duck_decibels=-15,
    )
    line.call = player
    player.begin(1, "en")
    _, clauses = Clauses("en").feed(REPLIES["en"][0])
    for clause in clauses:
        player.say(1, clause)
    await asyncio.sleep(1.5)
    player.stop()
    sent, heard = len(line.sent), player.heard(1)
    player.say(1, clauses[0])
    player.close(1)
    player.sound(Sound.HELD)
    await asyncio.sleep(2)
    player.played(1, 0, 2**31)
    assert len(line.sent) == sent
    assert told.cleared == [1]
    assert player.heard(1).text.startswith(heard.text)
    assert len(player.heard(1).text.split()) <= len(heard.text.split()) + 1
    assert told.ended == []
    line.close()
    await supervisor.settle(1)
