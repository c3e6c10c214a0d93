"""RACES 17: an answer before the delivery of its question is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.interrupts import Status
from gateway.policy import Policy
from gateway.ports.channel import Delivery
from gateway.ports.rows import Outcome
from tests.fakes.channel import Ask, FakeChannel
from tests.flows.asking import asker, results
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


async def held(path: Path, *asks: Delivery | Ask, **options: object) -> Desk:
    channel = FakeChannel("fake", share=1.0, asks=asks)
    model = Script([call("ask")], ["fine"], ["next"])
    agent = agent_of(model, asker("Well?", bool, expires_in=60))
    desk = await open_desk(path / "a.db", agent, channels={"fake": channel}, **options)  # type: ignore[arg-type]
    await desk.say("go")
    await desk.settle(1)
    return desk


async def test_race_17_text_is_held_until_the_prompt_is_known_to_be_there(tmp_path: Path) -> None:
    desk = await held(tmp_path, Ask.HOLD)
    said = await desk.say("yes")
    await desk.settle(3)
    assert await desk.outcome(said) is None
    desk.channel.release()
    await desk.settle(1)
    assert await desk.outcome(said) is Outcome.DECIDED
    await desk.close()


async def test_race_17_a_press_proves_delivery(tmp_path: Path) -> None:
    desk = await held(tmp_path, Ask.HOLD)
    token = desk.channel.called("ask")[0][0].row.token
    press = await desk.router.press(token, "yes", "ann", dedup="p", channel="fake")
    await desk.settle(1)
    assert await desk.outcome(press) is Outcome.DECIDED
    desk.channel.release()
    await desk.settle(1)
    assert await results(desk) == ["ask=True"]
    folded = desk.channel.called("withdraw")[-1][0]
    assert folded.message_ref, "a prompt that arrives late is folded where it is"
    assert not desk.errors
    await desk.close()


async def test_race_17_a_prompt_that_arrives_after_the_end_is_folded(tmp_path: Path) -> None:
    desk = await held(tmp_path, Ask.HOLD)
    await desk.say("/stop")
    await desk.settle(1)
    desk.channel.release()
    await desk.settle(1)
    assert desk.channel.called("withdraw")[-1][0].message_ref
    assert not desk.errors
    await desk.close()


async def test_race_17_of_an_unknown_outcome_only_a_press_or_a_reply_answers(
    tmp_path: Path,
) -> None:
    desk = await held(tmp_path, Ask.TIME_OUT)
    said = await desk.say("yes")
    await desk.settle(20)
    (question,) = await desk.store.questions(thread="fake:1")
    assert (question.status, question.armed_at) == (Status.PENDING, None)
    assert await desk.outcome(said) is None
    await desk.settle(100)
    reply = await desk.say("no", reply_to=question.id)
    await desk.settle(2)
    assert await desk.outcome(reply) is Outcome.DECIDED
    assert await results(desk) == ["ask=False"]
    assert await desk.outcome(said) is Outcome.STEERED
    await desk.close()


async def test_race_17_the_expiry_counts_from_arming(tmp_path: Path) -> None:
    desk = await held(tmp_path, Ask.HOLD)
    await desk.settle(100)
    desk.channel.release()
    await desk.settle(59)
    yes = await desk.say("yes")
    await desk.settle(1)
    assert await desk.outcome(yes) is Outcome.DECIDED
    await desk.close()


async def test_row_54_a_prompt_that_failed_arms_nothing(tmp_path: Path) -> None:
    desk = await held(tmp_path, Delivery.FAILED)
    await desk.settle(1)
    assert await results(desk) == ['The question "Well?" could not be delivered']
    assert desk.told("UNDELIVERABLE")
    said = await desk.say("yes")
    await desk.settle(1)
    assert await desk.outcome(said) is Outcome.ANSWERED
    assert not desk.errors
    await desk.close()


async def test_nobody_connected_waits_for_the_first_client(tmp_path: Path) -> None:
    desk = await held(tmp_path, Delivery.NOBODY)
    await desk.settle(3600)
    desk.router.client_came("fake:1", "ann")
    await desk.router.view("fake:1", "ann", "fake")
    desk.router.client_came("fake:1", "ann")
    await desk.settle(1)
    assert len(desk.channel.prompts) == 1
    yes = await desk.say("yes")
    await desk.settle(1)
    assert await desk.outcome(yes) is Outcome.DECIDED
    await desk.close()


async def test_a_client_who_comes_as_the_actor_leaves_is_asked(tmp_path: Path) -> None:
    desk = await held(tmp_path, Delivery.NOBODY, policy=Policy(max_idle_threads=2))
    for number in range(2, 6):
        await desk.say("hi", thread=f"fake:{number}")
    await desk.router.view("fake:1", "ann", "fake")
    desk.router.client_came("fake:1", "ann")
    await desk.settle(1)
    assert len(desk.channel.prompts) == 1
    yes = await desk.say("yes")
    await desk.settle(1)
    assert await desk.outcome(yes) is Outcome.DECIDED
    await desk.close()


async def test_a_channel_that_breaks_has_delivered_nothing(tmp_path: Path) -> None:
    desk = await held(tmp_path, Ask.BREAK)
    await desk.settle(1)
    assert await results(desk) == ['The question "Well?" could not be delivered']
    assert len(desk.errors) == 1
    await desk.close()


async def test_nobody_connected_for_a_day(tmp_path: Path) -> None:
    desk = await held(tmp_path, Delivery.NOBODY, policy=Policy(undelivered_seconds=24 * 3600))
    await desk.settle(24 * 3600 + 5)
    assert await results(desk) == ['The question "Well?" could not be delivered']
    await desk.close()
