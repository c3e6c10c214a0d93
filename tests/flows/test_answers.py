"""Questions: what is asked, what counts as an answer, what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.interrupts import Status, Way
from gateway.core.queueing import Mode
from gateway.policy import Policy
from gateway.ports.rows import Outcome
from gateway.runs.context import ToolContext
from gateway.runs.tools import Tool, tool
from tests.flows.asking import REGION, REPLICAS, asked, asker, results, two
from tests.flows.desk import Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        (bool, "да", True),
        (bool, "No.", False),
        (REGION, "us", "us"),
        (REGION, "actually us", "us"),
        (REPLICAS, "three", 3),
        (REPLICAS, "три", 3),
        ({"type": "string"}, "anything at all", "anything at all"),
    ],
)
async def test_an_answer_in_either_language(
    tmp_path: Path, schema: object, text: str, value: object
) -> None:
    desk = await asked(tmp_path, schema)
    said = await desk.say(text)
    await desk.settle(1)
    assert await desk.outcome(said) is Outcome.DECIDED
    assert await results(desk) == [f"ask={value!r}"]
    assert desk.told("UNDERSTOOD")[0].params["understood"]
    assert not desk.errors
    await desk.close()


async def test_unclear_is_asked_again_twice_then_released(tmp_path: Path) -> None:
    desk = await asked(tmp_path, bool, ["next"])
    texts = ["maybe", "yes but not now", "no problem"]
    said = []
    for text in texts:
        said.append(await desk.say(text))
        await desk.settle(1)
    rows = [await desk.row(one) for one in said]
    assert [row.outcome for row in rows] == [Outcome.REFUSED, Outcome.REFUSED, Outcome.ANSWERED]
    assert [row.detail for row in rows[:2]] == ["INTERRUPT_ANSWER_INVALID"] * 2
    assert [bool(prompt.again) for prompt in desk.channel.prompts] == [False, True, True]
    assert desk.told("MOVED_ON")
    await desk.close()


async def test_a_sentence_moves_on_before_all_that_waits(tmp_path: Path) -> None:
    desk = await asked(tmp_path, REGION, ["one"], ["two"])
    first = await desk.say("/later remember the milk")
    said = await desk.say("please tell me about the weather in Paris today")
    await desk.settle(2)
    model = desk.router.wiring.agent.model  # type: ignore[attr-defined]
    assert [r.messages[-1].text for r in model.requests[1:]] == [
        "please tell me about the weather in Paris today",
        "remember the milk",
    ]
    assert await desk.outcome(said) is Outcome.ANSWERED
    assert await desk.outcome(first) is Outcome.ANSWERED
    assert (await results(desk)) == ["The user moved on without answering"]
    await desk.close()


@pytest.mark.parametrize("text", ["repeat", "повтори", "help", "помощь"])
async def test_repeat_and_help_are_no_tries(tmp_path: Path, text: str) -> None:
    desk = await asked(tmp_path, bool)
    for _ in range(4):
        said = await desk.say(text)
        await desk.settle(1)
        assert await desk.outcome(said) is Outcome.HANDLED
    assert len(desk.channel.prompts) == 5
    yes = await desk.say("yes")
    await desk.settle(1)
    assert await desk.outcome(yes) is Outcome.DECIDED
    await desk.close()


async def test_a_bare_answer_that_fits_two_asks_which(tmp_path: Path) -> None:
    desk = await two(tmp_path)
    bare = await desk.say("yes")
    await desk.settle(1)
    assert (await desk.row(bare)).detail == "INTERRUPT_ANSWER_INVALID"
    assert desk.told("WHICH_QUESTION")[0].params["questions"] == ["1. Deploy?", "2. Delete?"]
    second = await desk.say("2: no")
    await desk.settle(1)
    assert await desk.outcome(second) is Outcome.DECIDED
    first = await desk.say("yes")
    await desk.settle(1)
    assert await desk.outcome(first) is Outcome.DECIDED
    assert await results(desk) == ["one=True", "two=False"]
    assert not desk.errors
    await desk.close()


async def test_a_number_keeps_its_question(tmp_path: Path) -> None:
    names = ("one", "two", "three")
    tools = tuple(asker(f"{name}?", bool, name) for name in names)
    model = Script([call(name) for name in names], ["fine"])
    agent = agent_of(model, *tools, parallel_tool_calls=True)
    desk = await open_desk(tmp_path / "a.db", agent)
    await desk.say("go")
    await desk.settle(1)
    await desk.say("1: yes")
    await desk.settle(1)
    await desk.say("2: yes")
    await desk.settle(1)
    again = await desk.say("2: yes")
    await desk.settle(1)
    row = await desk.row(again)
    assert (row.outcome, row.detail) == (Outcome.REFUSED, "INTERRUPT_ALREADY_DECIDED")
    await desk.say("3: no")
    await desk.settle(1)
    assert await results(desk) == ["one=True", "two=True", "three=False"]
    await desk.close()


async def test_a_reply_and_a_press_name_their_question(tmp_path: Path) -> None:
    desk = await two(tmp_path)
    one, other = desk.channel.prompts
    reply = await desk.say("yes", reply_to=other.question.id)
    press = await desk.router.press(one.row.token, "no", "ann", dedup="p1", channel="fake")
    await desk.settle(1)
    assert await desk.outcome(reply) is Outcome.DECIDED
    assert await desk.outcome(press) is Outcome.DECIDED
    assert await results(desk) == ["one=False", "two=True"]
    await desk.close()


async def test_several_questions_of_one_tool_come_in_order(tmp_path: Path) -> None:
    starts, deeds = [], []

    @tool
    async def setup(context: ToolContext) -> str:
        """Asks twice."""
        starts.append(1)
        await context.once("ticket", lambda: deeds.append(1))
        region = await context.interrupt(message="Where?", response_schema=REGION)
        count = await context.interrupt(message=f"How many in {region}?", response_schema=REPLICAS)
        return f"{region} x{count}"

    desk = await open_desk(tmp_path / "a.db", agent_of(Script([call("setup")], ["ok"]), setup))
    await desk.say("go")
    await desk.settle(1)
    await desk.say("eu")
    await desk.settle(1)
    await desk.close()
    desk = await open_desk(tmp_path / "a.db", agent_of(Script(["ok"]), setup), first_id=900)
    await desk.settle(1)
    await desk.say("7")
    await desk.settle(1)
    assert desk.channel.prompts[-1].again
    await desk.say("4")
    await desk.settle(1)
    assert await results(desk) == ["eu x4"]
    assert (len(starts), len(deeds)) == (3, 1)
    assert not desk.errors
    await desk.close()


async def test_calls_that_finished_do_not_run_again(tmp_path: Path) -> None:
    ran: list[str] = []

    def counted(name: str) -> Tool:
        @tool(name=name)
        async def count(context: ToolContext) -> str:
            """Counts."""
            ran.append(name)
            return name

        return count

    tools = (counted("before"), asker("Well?", bool), counted("after"))
    model = Script([call("before"), call("ask"), call("after")], ["ok"])
    desk = await open_desk(tmp_path / "a.db", agent_of(model, *tools))
    await desk.say("go")
    await desk.settle(1)
    assert ran == ["before"]
    await desk.say("yes")
    await desk.settle(1)
    assert ran == ["before", "after"]
    assert await results(desk) == ["before", "ask=True", "after"]
    await desk.close()


@pytest.mark.parametrize("mode", [Mode.STEER, Mode.ENQUEUE, Mode.INTERRUPT, Mode.COLLECT])
async def test_the_next_message_is_the_answer_in_every_mode(tmp_path: Path, mode: Mode) -> None:
    desk = await asked(tmp_path, bool, policy=Policy(mode=mode))
    yes = await desk.say("да")
    await desk.settle(1)
    assert await desk.outcome(yes) is Outcome.DECIDED
    assert len(await desk.store.questions(thread="fake:1")) == 1
    await desk.close()


async def test_only_the_person_asked_answers(tmp_path: Path) -> None:
    model = Script([call("ask")], ["fine"], ["bob's"])
    desk = await open_desk(tmp_path / "a.db", agent_of(model, asker("Well?", bool)))
    await desk.share()
    await desk.say("go")
    await desk.settle(1)
    prompt = desk.channel.prompts[0]
    other = await desk.say("да", by="bob")
    reply = await desk.say("yes", by="bob", reply_to=prompt.question.id)
    press = await desk.router.press(prompt.row.token, "yes", "bob", dedup="p", channel="fake")
    await desk.settle(1)
    assert press.code == "THREAD_ACCESS_DENIED"
    assert await desk.outcome(other) is None
    assert await desk.outcome(reply) is None
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is Status.PENDING
    await desk.say("no")
    await desk.settle(2)
    assert await results(desk) == ["ask=False"]
    assert await desk.outcome(other) is Outcome.ANSWERED
    await desk.close()


async def test_a_replay_gets_the_stored_decision_and_a_contradiction_conflicts(
    tmp_path: Path,
) -> None:
    desk = await asked(tmp_path, bool)
    token = desk.channel.prompts[0].row.token
    presses = [
        await desk.router.press(token, option, "ann", dedup=f"p{number}", channel="fake")
        for number, option in enumerate(["yes", "yes", "no"])
    ]
    await desk.settle(1)
    late = await desk.router.press(token, "yes", "ann", dedup="p9", channel="fake")
    conflict = await desk.router.press(token, "no", "ann", dedup="p8", channel="fake")
    await desk.settle(1)
    rows = [await desk.row(press) for press in (*presses, late, conflict)]
    assert [(r.outcome, r.detail) for r in rows[1:]] == [
        (Outcome.HANDLED, "REPLAYED"),
        (Outcome.REFUSED, "INTERRUPT_ALREADY_DECIDED"),
        (Outcome.HANDLED, "REPLAYED"),
        (Outcome.REFUSED, "INTERRUPT_ALREADY_DECIDED"),
    ]
    assert await results(desk) == ["ask=True"]
    question = (await desk.store.questions(thread="fake:1"))[0]
    assert question.decision is not None
    assert question.decision.how is Way.BUTTON
    assert not desk.errors
    await desk.close()
