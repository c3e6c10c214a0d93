"""RACES 4: a control word that is a member of the open schema is the answer."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from gateway.access import Access
from gateway.core.interrupts import Status
from gateway.ports.rows import InputKind, Outcome
from gateway.runs.context import ToolContext
from gateway.runs.tools import tool
from tests.flows.asking import asker
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


@tool
async def choose(context: ToolContext) -> str:
    """Asks."""
    form = Literal["continue", "stop"]
    return str(await context.interrupt(message="Continue or stop?", response_schema=form))


async def asked(tmp_path: Path) -> Desk:
    desk = await open_desk(tmp_path / "a.db", agent_of(Script([call("choose")], ["fine"]), choose))
    await desk.say("go")
    await desk.settle(1)
    assert len(desk.channel.prompts) == 1
    return desk


async def test_the_exact_word_answers(tmp_path: Path) -> None:
    desk = await asked(tmp_path)
    answer = await desk.say("stop")
    await desk.settle(2)
    assert await desk.outcome(answer) is Outcome.DECIDED
    assert "stop" in str((await desk.history())[-2])
    await desk.close()


@pytest.mark.parametrize("how", ["/stop", "button"])
async def test_the_command_and_the_button_always_stop(tmp_path: Path, how: str) -> None:
    desk = await asked(tmp_path)
    kind = InputKind.STOP if how == "button" else InputKind.TEXT
    stop = await desk.say(how, kind=kind)
    await desk.settle(2)
    assert await desk.outcome(stop) is Outcome.HANDLED
    ended = [u for u in desk.channel.of_type("run") if u["state"] == "ended"]
    assert [u["reason"] for u in ended] == ["USER_SIGINT"]
    await desk.close()


async def test_a_control_word_that_is_no_member_is_a_control(tmp_path: Path) -> None:
    desk = await asked(tmp_path)
    said = await desk.say("cancel")
    await desk.settle(2)
    assert await desk.outcome(said) is Outcome.HANDLED
    assert "declined" in str(await desk.history())
    await desk.close()


@pytest.mark.parametrize("admins", [(), ("boss",)])
@pytest.mark.parametrize("seconds", [1.0, 60.0])
async def test_the_word_is_an_approver_s_answer_too(
    tmp_path: Path, seconds: float, admins: tuple[str, ...]
) -> None:
    schema = {"type": "string", "enum": ["continue", "stop"]}
    model = Script([call("ask")], ["fine"])
    access = Access(open_channels=["fake"], approvers=["boss"], admins=admins)
    agent = agent_of(model, asker("Continue or stop?", schema, to="approvers"))
    desk = await open_desk(tmp_path / "a.db", agent, access=access)
    await desk.say("go")
    await desk.settle(seconds)
    said = await desk.say("stop", by="boss", thread="fake:boss")
    await desk.settle(2)
    assert await desk.outcome(said) is Outcome.DECIDED
    (question,) = await desk.store.questions()
    assert question.status is Status.ANSWERED
    assert len(model.requests) == 2
    await desk.close()
