"""Ten calls at once: no frame leaves late, each hears its own reply."""

import asyncio

from gateway import Agent
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script

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
            assert len(caller.line.told("clear")) == 0
