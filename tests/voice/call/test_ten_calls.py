"""Ten calls at once: no frame leaves late, each hears its own reply."""

import asyncio

from gateway import Agent
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script
from tests.bench.bench_two_calls import lateness
from tests.fakes.voice import FakeLine, silence
from voice.core.floor import Sound

pytestmark = CALLING

CALLS = 10
REPLY = "I found three servers in Frankfurt. All of them are idle since Monday, and they cost ten."


async def test_ten_calls_without_a_late_frame(tmp_path):
    people = [f"person{number}" for number in range(CALLS)]
    desk = CallDesk(tmp_path, Agent("a", Script([REPLY]), ""))
    async with desk:
        callers = [await desk.caller(name, f"local:{name}") for name in people]
        for caller in callers:
            caller.speak("show my servers")
        await asyncio.sleep(2)
        for caller in callers[::2]:
            caller.cough(200)
        for caller in callers:
            await caller.hears("ten.", within=20)
        await asyncio.sleep(2)
        made = {clause.text: len(samples) for clause, samples in desk.engines.mouth.made}
        for caller in callers:
            assert len(caller.line.sound_heard()) == sum(made.values())
            assert caller.line.late == []
            assert lateness(caller.line).late == 0
            assert len(lateness(caller.line).late_ms) > 100
            assert len(caller.line.told("clear")) == 0


async def test_what_is_late_is_seen():
    """Frames of 20 ms, 200 ms ahead, with a hold; once 100 ms pass without one, which nobody hears,
    and once 300 ms more than that, which ends in a gap.
    """
    line = FakeLine()
    for number in range(100):
        line.play(1, 0, number * 320, silence(20))
        if number == 30:
            line.sound(1, Sound.HELD)
            await asyncio.sleep(0.5)
            line.sound(1, Sound.PLAIN)
        if number >= 9:
            await asyncio.sleep({40: 0.12, 60: 0.32}.get(number, 0.02))
    line.close()
    found = lateness(line)
    assert found.late_ms[:31] == [0] * 31
    assert found.late_ms[31:51] == [100] * 20
    assert found.late_ms[51] == 400
    assert found.gaps_ms == [220]
    assert found.late == len(found.late_ms) - 31
