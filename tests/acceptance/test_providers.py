"""Anthropic behind the gateway: stopped, with a picture, with reasoning that nobody is shown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from gateway.agents.llm import llm_model
from tests.acceptance.desk import Desk
from tests.fakes.anthropic_api import (
    FakeAnthropic,
    begins,
    message,
    says,
    text,
    thinking,
    tool_use,
)
from tests.fakes.provider import STALL, Answer, streams

pytestmark = pytest.mark.looptime
PNG = b"\x89PNG\r\n\x1a\n and so on"


@tool
async def deploy(context: ToolContext, service: str) -> str:
    """Deploys."""
    region = await context.interrupt(message="Where?", response_schema=str)
    return f"{service} runs in {region}"


@asynccontextmanager
async def a_desk(
    directory: Path, *answers: Answer, **settings: Any
) -> AsyncIterator[tuple[Desk, FakeAnthropic]]:
    async with FakeAnthropic(*answers) as provider:
        model = llm_model("anthropic:claude-sonnet-5-5", base_url=provider.base_url, api_key="k")
        await model.warm()
        async with Desk(directory, Agent("a", model, "", [deploy]), **settings) as desk:
            yield desk, provider
        await model.aclose()


async def test_reasoning_is_shown_to_nobody_and_its_signature_survives_a_restart(tmp_path: Path):
    calls = message(
        thinking(0, "a secret thought", "signed-1"),
        text(1, "On it. "),
        tool_use(2, "toolu_1", "deploy", '{"service": "web"}'),
        stop="tool_use",
    )
    async with a_desk(tmp_path, calls, says("Done.")) as (desk, provider):
        ann = await desk.person("ann")
        await ann.say("deploy web")
        await ann.frame("question")
        await desk.restart()
        again = await desk.person("ann")
        await again.say("eu")
        await again.frame("run", within=5, state="ended")
        assert "signed-1" in str(provider.exchanges[1].body)
        seen = f"{ann.frames} {again.frames} {await again.export()}"
        assert "a secret thought" not in seen
        assert "signed-1" not in seen
        assert "a secret thought" not in desk.log.getvalue()


async def test_a_stop_closes_the_connection_at_once_and_keeps_what_was_shown(tmp_path: Path):
    half = streams(*begins(), *text(0, "one ", "two ")[:-1], STALL)
    async with a_desk(tmp_path, half, says("Fine.")) as (desk, provider):
        ann = await desk.person("ann")
        said = await ann.say("count")
        await provider.asked.wait()
        await provider.exchanges[0].waits.wait()
        await asyncio.sleep(0.3)
        stopped = desk.time()
        await ann.stop()
        assert await ann.outcome(said) == ("interrupted", "USER_SIGINT")
        await provider.exchanges[0].left.wait()
        left_at = provider.exchanges[0].left_at
        assert left_at is not None
        assert left_at - stopped < 0.2
        assert (await ann.outcome(await ann.say("and?")))[0] == "answered"
        assert "one two [interrupted by the user]" in str(provider.exchanges[1].body)


async def test_a_picture_that_a_person_sends_is_read_by_the_model(tmp_path: Path):
    async with a_desk(tmp_path, says("A plan."), says("Still a plan.")) as (desk, provider):
        ann = await desk.person("ann")
        key = await desk.app.store.put(PNG, "image/png", "ann")  # type: ignore[attr-defined]
        file = {"blob": key, "mediaType": "image/png", "name": "plan.png", "sizeBytes": len(PNG)}
        frame = {"type": "input", "text": "What is this?", "attachments": [file]}
        assert (await ann.outcome(await ann._ask(frame)))[0] == "answered"
        await ann.outcome(await ann.say("and now?"))
        for exchange in provider.exchanges:
            (first, *_) = exchange.messages()
            assert [part["type"] for part in first["content"]] == ["text", "image"]


async def test_what_it_costs_is_in_status_and_metrics_and_ends_the_run(tmp_path: Path):
    calls = message(tool_use(0, "toolu_1", "missing", "{}"), stop="tool_use")
    budgets = {"budgets": {"cost_usd": 0.0001}}  # a call costs 0.000064
    async with a_desk(tmp_path, calls, calls, **budgets) as (desk, provider):
        ann = await desk.person("ann")
        said = await ann.say("go")
        assert await ann.outcome(said) == ("interrupted", "BUDGET_EXCEEDED")
        assert len(provider.exchanges) == 2
        await ann.say("/status")
        status = (await ann.frame("notice", code="STATUS"))["data"]["params"]
        assert (status["tokens"], status["cost"]) == (24, "0.0001")
        lines = (await desk.metrics()).splitlines()
        assert "bargein_model_tokens_total 24.0" in lines
        (cost,) = [line for line in lines if line.startswith("bargein_model_cost_usd_total")]
        assert float(cost.split()[1]) == pytest.approx(0.000128)
