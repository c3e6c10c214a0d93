"""RACES 7: a NOW as the run ends, and what is addressed to a run that has ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.messages import AssistantMessage, UserMessage
from gateway.core.queueing import Mode, Priority
from gateway.policy import Policy
from gateway.ports.channel import Capabilities
from gateway.ports.rows import InputKind, Outcome
from tests.fakes.channel import FakeChannel
from tests.flows.desk import agent_of, open_desk
from tests.flows.watching import TOOLS, model, most_at_once

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("mode", [Mode.INTERRUPT, Mode.ENQUEUE, Mode.ROLLBACK])
async def test_the_finished_reply_stays_whole_and_now_is_next(tmp_path: Path, mode: Mode) -> None:
    for moment in range(2_994, 3_008, 2):
        directory = tmp_path / str(moment)
        directory.mkdir()
        desk = await open_desk(
            directory / "a.db", agent_of(model(), *TOOLS), policy=Policy(mode=mode)
        )
        talk = await desk.say("talk")
        await desk.say("work later", override=Priority.LATER)
        await desk.say("work next", override=Priority.NEXT)
        await desk.settle(moment / 1000)
        await desk.say("now", override=Priority.NOW)
        await desk.settle(10)
        said = [m.text for m in await desk.history() if isinstance(m, UserMessage)]
        replies = [m for m in await desk.history() if isinstance(m, AssistantMessage)]
        talked = [m for m in replies if m.text.startswith("one ")]
        if await desk.outcome(talk) is Outcome.ANSWERED:
            assert talked == [AssistantMessage("one two three four")], (moment, mode, said, replies)
        elif mode is not Mode.ROLLBACK:
            assert [m.interrupted for m in talked] == [True]
        else:
            assert talked == []
        assert said.index("now") < said.index("work later")
        assert most_at_once(desk.channel) == 1
        await desk.close()


async def test_while_the_reply_is_delivered_now_is_next(tmp_path: Path) -> None:
    channel = FakeChannel("fake", Capabilities(durable=False), share=0.5)
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), channels={"fake": channel})
    hi = await desk.say("hi")
    await desk.settle(1)
    await desk.say("next", override=Priority.NEXT)
    await desk.say("now", override=Priority.NOW)
    await desk.settle(1)
    assert await desk.outcome(hi) is None
    channel.settles = True
    channel.play(next(iter(channel.given)))
    await desk.settle(5)
    said = [m.text for m in await desk.history() if isinstance(m, UserMessage)]
    assert said == ["hi", "now", "next"]
    assert AssistantMessage("done hi") in await desk.history()
    assert await desk.outcome(hi) is Outcome.ANSWERED
    await desk.close()


async def test_what_is_addressed_to_an_ended_run(tmp_path: Path) -> None:
    desk = await open_desk(
        tmp_path / "a.db", agent_of(model(), *TOOLS), policy=Policy(mode=Mode.ENQUEUE)
    )
    first = await desk.say("hi")
    await desk.settle(1)
    old = (await desk.row(first)).run
    work = await desk.say("work")
    await desk.settle(1)
    waits = await desk.say("waits")
    stop = await desk.say("", kind=InputKind.STOP, run=old)
    now = await desk.say("now", override=Priority.NOW, run=old)
    await desk.settle(10)
    assert (await desk.row(stop)).detail == "NOTHING_TO_STOP"
    assert await desk.outcome(work) is Outcome.ANSWERED
    assert await desk.outcome(waits) is Outcome.ANSWERED
    assert await desk.outcome(now) is Outcome.ANSWERED
    said = [m.text for m in await desk.history() if isinstance(m, UserMessage)]
    assert said == ["hi", "work", "waits", "now"]
    await desk.close()
