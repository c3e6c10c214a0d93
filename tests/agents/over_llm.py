"""Models over the loopback provider, and what a call of theirs comes to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from gateway.agents.llm import PydanticAIModel, RetryPolicy, llm_model
from gateway.core.errors import ModelFailed
from gateway.core.messages import UserMessage
from gateway.ports.model import ModelEvent, ModelRequest, TextDelta, ToolSpec
from tests.fakes.provider import Answer, FakeProvider

DEPLOY = ToolSpec(
    "deploy",
    "Deploy a service.",
    {"type": "object", "properties": {"region": {"type": "string"}}, "required": ["region"]},
)


def a_request(text: str = "Deploy it", *tools: ToolSpec) -> ModelRequest:
    return ModelRequest("Be brief.", (UserMessage(text),), tools)


@asynccontextmanager
async def a_model(
    provider: FakeProvider, *, timeout_seconds: float = 30.0, attempts: int = 3
) -> AsyncIterator[PydanticAIModel]:
    model = llm_model(
        "small",
        base_url=provider.base_url,
        api_key="a key",
        timeout_seconds=timeout_seconds,
        retry=RetryPolicy(attempts=attempts),
    )
    await model.warm()
    yield model
    await model.aclose()


async def all_of(model: PydanticAIModel, request: ModelRequest) -> list[ModelEvent]:
    async with model.stream(request) as events:
        return [event async for event in events]


async def read_into(shown: list[str], model: PydanticAIModel) -> None:
    async with model.stream(a_request()) as events:
        async for event in events:
            assert isinstance(event, TextDelta)
            shown.append(event.text)


async def answered(*answers: Answer, request: ModelRequest | None = None) -> list[ModelEvent]:
    async with FakeProvider(*answers) as provider, a_model(provider) as model:
        return await all_of(model, request or a_request())


async def failure(*answers: Answer, attempts: int = 1, timeout_seconds: float = 30.0):
    """The failure, and what was shown before it."""
    shown: list[str] = []
    async with (
        FakeProvider(*answers) as provider,
        a_model(provider, attempts=attempts, timeout_seconds=timeout_seconds) as model,
    ):
        with pytest.raises(ModelFailed) as caught:
            await read_into(shown, model)
        assert len(provider.exchanges) == len(answers)
    return caught.value, shown
