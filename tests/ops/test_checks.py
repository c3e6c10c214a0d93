"""What an operator's commands find out: does the model answer, which thread is meant."""

from __future__ import annotations

import pytest

from gateway.agents.llm import llm_model
from gateway.cli.admin import show_conversation, whole_name
from gateway.cli.serving import try_model
from gateway.core.errors import ModelFailed, NotFound
from tests.fakes.provider import FakeProvider, fails, says


async def test_a_model_that_answers_is_asked_once():
    async with FakeProvider(says("Hello", " you")) as provider:
        line = await try_model(llm_model("small", base_url=provider.base_url, api_key="k"))
        assert line.startswith("The model answers: small, in ")
        (exchange,) = provider.exchanges
        assert [message["content"] for message in exchange.messages()] == ["Hello"]


@pytest.mark.parametrize(
    ("status", "code", "why"),
    [
        (401, "invalid_api_key", "its provider doesn't take the key (BARGEIN_MODEL_API_KEY)"),
        (404, "model_not_found", "is the model's name right?"),
        (503, "overloaded", "it can't be reached"),
    ],
)
async def test_why_a_model_does_not_answer_is_said_in_words(status: int, code: str, why: str):
    async with FakeProvider(fails(status, code)) as provider:
        with pytest.raises(ModelFailed) as failed:
            await try_model(llm_model("small", base_url=provider.base_url, api_key="k"))
        assert str(failed.value).startswith("the model doesn't answer: ")
        assert why in str(failed.value)
        assert len(provider.exchanges) == 1


IDS = ["local:ann", "web:bob", "telegram:1:2", "local:plans", "web:plans"]


@pytest.mark.parametrize(
    ("name", "meant"), [("ann", "local:ann"), ("bob", "web:bob"), ("1:2", "telegram:1:2")]
)
def test_a_thread_is_found_by_its_short_name(name: str, meant: str):
    assert whole_name(name, IDS) == meant


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("eve", "there is no thread eve"),
        ("plans", "there is no thread plans; it may be local:plans or web:plans"),
    ],
)
def test_a_short_name_of_none_or_several_is_said(name: str, said: str):
    with pytest.raises(NotFound) as missing:
        whole_name(name, IDS)
    assert str(missing.value) == said


def test_a_conversation_reads_with_its_decisions_and_settings(capsys: pytest.CaptureFixture[str]):
    result = {"callId": "c", "name": "deploy", "content": "The user declined", "error": "DECLINED"}
    lines = [
        ("user", {"text": "deploy", "sender": "ann"}),
        ("approval", {"interruptId": "q", "approved": False, "by": "ann", "rule": None}),
        ("approval", {"interruptId": None, "approved": True, "by": "ann", "rule": "deploy"}),
        ("tool_result", result),
        ("setting", {"queueMode": "steer", "by": "ann"}),
        ("interrupt", {"status": "paused", "interrupts": []}),
    ]
    entries = [{"kind": kind, "body": body} for kind, body in lines]
    show_conversation({"owner": "ann", "entries": entries})
    assert capsys.readouterr().out.splitlines() == [
        "ann: deploy",
        "  [denied: ann]",
        "  [approved by a rule: ann]",
        "  ! The user declined",
        "  [queueMode steer: ann]",
        "  [interrupt: paused]",
    ]
