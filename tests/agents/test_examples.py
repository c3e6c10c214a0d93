"""The examples run as they stand, on a scripted model."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from examples import support_agent
from gateway.core.events import End
from gateway.core.interrupts import QuestionKind
from gateway.core.messages import Json
from gateway.settings import load
from tests.agents.talking import Conversation
from tests.fakes.model import Call, ScriptedModel
from tests.runs.building import a_runtime

ROOT = Path(__file__).resolve().parents[2]


def a_desk(*script: list[object]) -> Conversation:
    model = ScriptedModel(*script)  # type: ignore[arg-type]
    agent = support_agent.support_agent(model).with_runtime(a_runtime())
    return Conversation(agent)


@pytest.fixture
def payments() -> list[tuple[int, float]]:
    support_agent.PAYMENTS.clear()
    return support_agent.PAYMENTS


@pytest.mark.looptime
async def test_a_return_is_asked_about_and_a_refund_approved_and_paid_once(payments):
    desk = a_desk(
        [Call("look_up_order", {"number": 1042})],
        [Call("open_return", {"order": 1042})],
        [Call("refund", {"order": 1042, "euro": 49.0})],
        ["Your 49 € are on their way."],
    )
    await desk.say("My lamp arrived broken, order 1042. I want my money back.")
    assert json.loads(desk.results[0].content)["item"] == "desk lamp"
    assert desk.questions[0].kind is QuestionKind.INPUT
    await desk.answer({"reason": "broken", "pick_up": "2026-05-01"})
    assert json.loads(desk.results[1].content) == {
        "order": 1042,
        "reason": "broken",
        "pickUp": "2026-05-01",
    }
    (approval,) = desk.questions
    assert approval.details["arguments"] == {"order": 1042, "euro": 49.0}
    assert approval.details["suggestedRule"] is None
    assert payments == []
    result = await desk.answer({"approved": True})
    assert (result.end, result.text) == (End.COMPLETED, "Your 49 € are on their way.")
    assert payments == [(1042, 49.0)]


@pytest.mark.looptime
@pytest.mark.parametrize(
    "call",
    [Call("refund", {"order": 1042, "euro": 900.0}), Call("refund", {"order": 1042})],
)
async def test_a_refund_that_can_not_be_right_is_not_even_asked_about(call, payments):
    desk = a_desk([call], ["Sorry."])
    result = await desk.say("I want more")
    assert (result.end, desk.questions, payments) == (End.COMPLETED, (), [])
    assert desk.results[0].error == "TOOL_ARGUMENTS_INVALID"


@pytest.mark.looptime
async def test_a_denied_refund_pays_nothing(payments):
    desk = a_desk([Call("refund", {"order": 1042, "euro": 5.0})], ["I see."])
    await desk.say("and five more")
    no: Json = {"approved": False}
    await desk.answer(no)
    assert (payments, desk.results[0].error) == ([], "TOOL_DENIED")


def test_the_example_configuration_is_valid_and_names_the_example():
    settings = load(ROOT / "examples" / "bargein.toml", environment={})
    module, _, attribute = settings.agent.partition(":")
    assert getattr(import_module(module), attribute).name == "support"
