"""RACES 16: who can't have seen the question gives no answer to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.interrupts import Status
from gateway.ports.channel import Delivery
from gateway.ports.rows import Outcome
from gateway.runs.context import ToolContext
from gateway.runs.tools import tool
from tests.fakes.channel import FakeChannel
from tests.flows.asking import asked
from tests.flows.desk import Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


async def test_race_16_a_message_from_before_the_prompt_is_no_answer(tmp_path: Path) -> None:
    desk = await asked(tmp_path, bool, ["fine"], ["next"])
    seq = next(p.seq for p in [await desk.store.prompt(desk.channel.prompts[0].row.token)] if p)
    early = await desk.say("yes", seen=seq - 1)
    await desk.settle(1)
    assert await desk.outcome(early) is None, "it waits as an input"
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is Status.PENDING
    seen = await desk.say("yes", seen=seq)
    await desk.settle(2)
    assert await desk.outcome(seen) is Outcome.DECIDED
    assert await desk.outcome(early) is Outcome.STEERED
    await desk.close()


def sides() -> tuple[FakeChannel, FakeChannel]:
    """Two channels of one thread."""
    return FakeChannel("fake", share=1.0), FakeChannel("other", share=1.0)


@pytest.mark.parametrize("seen", [None, 0, 10_000])
@pytest.mark.parametrize("text", ["ok", "да", "cancel", "skip"])
async def test_race_16_a_word_from_a_channel_that_did_not_show_it_is_no_answer(
    tmp_path: Path, seen: int | None, text: str
) -> None:
    ran: list[object] = []

    @tool
    async def wipe(context: ToolContext) -> str:
        """Wipes."""
        ran.append(await context.interrupt(message="Wipe?", kind="approval"))
        return "wiped"

    one, other = sides()
    model = Script([call("wipe")], ["fine"])
    channels = {"fake": one, "other": other}
    desk = await open_desk(tmp_path / "a.db", agent_of(model, wipe), channels=channels)
    await desk.say("go")
    await desk.settle(1)
    unseen = await desk.say(text, channel="other", seen=seen)
    await desk.settle(1)
    assert not ran
    assert await desk.outcome(unseen) is None, "it waits as an input"
    assert [prompt.question.message for prompt in other.prompts] == ["Wipe?"], "now it is shown"
    yes = await desk.say("yes", channel="other", seen=other.seq)
    await desk.settle(1)
    assert await desk.outcome(yes) is Outcome.DECIDED
    assert ran == [{"approved": True}]
    assert len(one.called("withdraw")) == len(other.called("withdraw")) == 1
    assert not desk.errors
    await desk.close()


async def test_race_16_a_channel_that_could_not_show_it_takes_a_reply_only(tmp_path: Path) -> None:
    one, other = sides()
    other.asks.append(Delivery.UNKNOWN)
    desk = await asked(tmp_path, bool, channels={"fake": one, "other": other})
    question = one.prompts[0].question
    for _ in range(2):
        bare = await desk.say("yes", channel="other")
        await desk.settle(1)
        assert await desk.outcome(bare) is None
    reply = await desk.say("yes", channel="other", reply_to=question.id)
    await desk.settle(1)
    assert await desk.outcome(reply) is Outcome.DECIDED
    await desk.close()


async def test_race_16_an_answer_from_a_new_channel_shows_nothing_there_any_more(
    tmp_path: Path,
) -> None:
    one, other = sides()
    desk = await asked(tmp_path, bool, channels={"fake": one, "other": other})
    reply = await desk.say("yes", channel="other", reply_to=one.prompts[0].question.id)
    await desk.settle(1)
    assert await desk.outcome(reply) is Outcome.DECIDED
    assert not other.prompts
    assert not desk.errors
    await desk.close()
