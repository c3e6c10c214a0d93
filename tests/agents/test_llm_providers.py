"""Anthropic and Google, each in its own format over a real socket, with what goes wrong there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from gateway.agents.llm import PydanticAIModel, RetryPolicy, llm_model
from gateway.core.errors import ModelFailed, SettingsInvalid
from gateway.core.messages import AssistantMessage, Message, ToolCall, ToolResult, UserMessage
from gateway.ports.model import CallDelta, Finished, ModelEvent, ModelRequest, TextDelta, Usage
from tests.agents.over_llm import DEPLOY, a_request, all_of, read_into
from tests.fakes import anthropic_api as anthropic
from tests.fakes import google_api as google
from tests.fakes.provider import STALL, Answer, Drop, FakeProvider, Raw, streams


@dataclass(frozen=True)
class Kind:
    """A provider: its model's name, its server, its replies."""

    name: str
    server: type[FakeProvider]
    says: Any
    half: tuple[Any, ...]
    """A reply that breaks off after the word "half"."""
    calls: Answer
    """A reply that reasons in secret, says "On it." and calls `deploy` for the EU."""


ANTHROPIC = Kind(
    "anthropic:claude-sonnet-5-5",
    anthropic.FakeAnthropic,
    anthropic.says,
    (*anthropic.begins(), *anthropic.text(0, "half")[:-1]),
    anthropic.message(
        anthropic.thinking(0, "a secret thought", "signed-1"),
        anthropic.redacted(1, "sealed-2"),
        anthropic.text(2, "On ", "it."),
        anthropic.tool_use(3, "toolu_1", "deploy", '{"reg', 'ion": "eu"}'),
        stop="tool_use",
    ),
)
GOOGLE = Kind(
    "google:gemini-2.5-flash",
    google.FakeGoogle,
    google.says,
    (google.chunk({"text": "half"}),),
    streams(
        google.chunk(google.thought("a secret thought")),
        google.chunk({"text": "On "}),
        google.chunk({"text": "it."}),
        google.chunk(google.called("deploy", {"region": "eu"}, "c2lnbmVk"), finish="STOP"),
    ),
)
BOTH = pytest.mark.parametrize("kind", [ANTHROPIC, GOOGLE], ids=["anthropic", "google"])


@asynccontextmanager
async def served(
    kind: Kind, *answers: Answer, attempts: int = 1, timeout_seconds: float = 30.0
) -> AsyncIterator[tuple[FakeProvider, PydanticAIModel]]:
    async with kind.server(*answers) as provider:
        model = llm_model(
            kind.name,
            base_url=provider.base_url,
            api_key="a key",
            timeout_seconds=timeout_seconds,
            retry=RetryPolicy(attempts=attempts),
        )
        await model.warm()
        yield provider, model
        await model.aclose()


async def failure(kind: Kind, *answers: Answer, **about: Any) -> tuple[ModelFailed, list[str]]:
    shown: list[str] = []
    async with served(kind, *answers, **about) as (provider, model):
        with pytest.raises(ModelFailed) as caught:
            await read_into(shown, model)
        assert len(provider.exchanges) == len(answers)
    return caught.value, shown


async def second_request(kind: Kind, events: list[ModelEvent], text: str = "On it.") -> str:
    """What is sent when the reply of `events` is history, as JSON text."""
    made = tuple(event.call for event in events if isinstance(event, CallDelta))
    finished = events[-1]
    assert isinstance(finished, Finished)
    said = AssistantMessage(text, made, finished.provider_parts)
    results = tuple(ToolResult(call.id, call.name, "done") for call in made)
    async with served(kind, kind.says("ok")) as (provider, model):
        again = dict(finished.provider_parts) if isinstance(finished.provider_parts, dict) else {}
        again["url"] = provider.base_url  # the same server has another port here
        said = AssistantMessage(text, made, again)
        messages: tuple[Message, ...] = (
            UserMessage("Deploy it"),
            said,
            *results,
            UserMessage("and?"),
        )
        await all_of(model, ModelRequest("", messages, (DEPLOY,)))
        return str(provider.exchanges[0].body)


@BOTH
class TestStream:
    @pytest.mark.looptime
    async def test_each_piece_is_given_out_when_it_comes(self, kind: Kind):
        async with served(kind, kind.says("one ", "two", pause_seconds=5.0)) as (provider, model):
            clock, times, events = asyncio.get_running_loop(), [], []
            start = clock.time()
            async with model.stream(a_request()) as stream:
                async for event in stream:
                    times.append(round(clock.time() - start))
                    events.append(event)
            assert times == [5, 10, 10]
            assert events[:2] == [TextDelta("one "), TextDelta("two")]
            assert provider.exchanges[0].key == "a key"
            assert "Be brief." in str(provider.exchanges[0].body)

    async def test_a_call_comes_whole_and_reasoning_is_never_text(self, kind: Kind):
        async with served(kind, kind.calls) as (_, model):
            events = await all_of(model, a_request("Deploy it", DEPLOY))
        assert "".join(e.text for e in events if isinstance(e, TextDelta)) == "On it."
        (made,) = [event.call for event in events if isinstance(event, CallDelta)]
        assert (made.name, made.arguments) == ("deploy", {"region": "eu"})
        assert isinstance(events[-1], Finished)

    async def test_what_was_used_is_counted_and_priced_by_the_list(self, kind: Kind):
        async with served(kind, kind.says("ok")) as (_, model):
            finished = (await all_of(model, a_request()))[-1]
        assert isinstance(finished, Finished)
        assert (finished.usage.input_tokens, finished.usage.output_tokens) == (7, 5)
        assert finished.usage.cost_usd > 0
        assert finished.usage == Usage(7, 5, finished.usage.cost_usd)

    async def test_leaving_closes_the_connection(self, kind: Kind):
        async with served(kind, streams(*kind.half, STALL)) as (provider, model):
            clock = asyncio.get_running_loop()
            async with model.stream(a_request()) as events:
                assert await anext(events) == TextDelta("half")
                await provider.exchanges[0].waits.wait()
                began = clock.time()
            async with asyncio.timeout(5):
                await provider.exchanges[0].left.wait()
            left_at = provider.exchanges[0].left_at
            assert left_at is not None
            assert left_at - began < 0.2

    async def test_signatures_go_back_where_the_reply_was_shown_whole(self, kind: Kind):
        async with served(kind, kind.calls) as (_, model):
            events = await all_of(model, a_request("Deploy it", DEPLOY))
        sent = await second_request(kind, events)
        signed = {"anthropic": ("signed-1", "sealed-2"), "google": ("c2lnbmVk",)}
        assert all(mark in sent for mark in signed[kind.name.partition(":")[0]])
        cut = await second_request(kind, events, text="On")
        assert not any(mark in cut for mark in signed[kind.name.partition(":")[0]])
        assert "a secret thought" not in cut

    @pytest.mark.looptime
    async def test_a_provider_that_falls_silent_is_waited_for_so_long_and_no_longer(
        self, kind: Kind
    ):
        half = streams(*kind.half, STALL)
        failed, shown = await failure(kind, half, timeout_seconds=20.0, attempts=3)
        assert (failed.code, shown) == ("MODEL_BROKEN_STREAM", ["half"])

    @pytest.mark.parametrize("rest", [(), (Drop(),), (Raw("data: {no json"),)])
    async def test_a_stream_that_goes_wrong_half_way_is_broken_and_not_asked_again(
        self, kind: Kind, rest: tuple[Any, ...]
    ):
        failed, shown = await failure(kind, streams(*kind.half, *rest), attempts=3)
        assert (failed.code, shown) == ("MODEL_BROKEN_STREAM", ["half"])

    async def test_an_answer_without_anything_is_broken(self, kind: Kind):
        failed, shown = await failure(kind, streams())
        assert (failed.code, shown) == ("MODEL_BROKEN_STREAM", [])

    async def test_a_key_for_the_provider_is_never_sent_to_another_address(self, kind: Kind):
        model = llm_model(kind.name, base_url="http://127.0.0.1:9")
        with pytest.raises(SettingsInvalid) as caught:
            await model.warm()
        assert caught.value.params["path"] == "model_api_key"


TOO_LONG = "prompt is too long: 208310 tokens > 200000 maximum"
TOO_MANY = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."


@pytest.mark.parametrize(
    ("kind", "answer", "code"),
    [
        (ANTHROPIC, anthropic.fails(401, "authentication_error"), "MODEL_AUTH"),
        (ANTHROPIC, anthropic.fails(403, "permission_error"), "MODEL_AUTH"),
        (ANTHROPIC, anthropic.fails(402, "billing_error"), "MODEL_QUOTA"),
        (ANTHROPIC, anthropic.fails(429, "rate_limit_error"), "MODEL_RATE_LIMITED"),
        (ANTHROPIC, anthropic.fails(529, "overloaded_error"), "MODEL_UNAVAILABLE"),
        (ANTHROPIC, anthropic.fails(500, "api_error"), "MODEL_UNAVAILABLE"),
        (ANTHROPIC, anthropic.fails(404, "not_found_error"), "MODEL_REJECTED"),
        (ANTHROPIC, anthropic.fails(400, "invalid_request_error"), "MODEL_REJECTED"),
        (
            ANTHROPIC,
            anthropic.fails(400, "invalid_request_error", TOO_LONG),
            "MODEL_CONTEXT_TOO_LONG",
        ),
        (ANTHROPIC, anthropic.fails(413, "request_too_large"), "MODEL_CONTEXT_TOO_LONG"),
        (ANTHROPIC, anthropic.message(stop="refusal"), "MODEL_REFUSED"),
        (ANTHROPIC, streams(Raw("event: message_start\ndata: 42")), "MODEL_BROKEN_STREAM"),
        (GOOGLE, google.fails(401, "UNAUTHENTICATED"), "MODEL_AUTH"),
        (GOOGLE, google.fails(403, "PERMISSION_DENIED"), "MODEL_AUTH"),
        (GOOGLE, google.fails(429, "RESOURCE_EXHAUSTED"), "MODEL_RATE_LIMITED"),
        (GOOGLE, google.fails(503, "UNAVAILABLE"), "MODEL_UNAVAILABLE"),
        (GOOGLE, google.fails(404, "NOT_FOUND"), "MODEL_REJECTED"),
        (GOOGLE, google.fails(400, "INVALID_ARGUMENT"), "MODEL_REJECTED"),
        (GOOGLE, google.fails(400, "INVALID_ARGUMENT", TOO_MANY), "MODEL_CONTEXT_TOO_LONG"),
        (
            GOOGLE,
            streams(google.body(promptFeedback={"blockReason": "PROHIBITED_CONTENT"})),
            "MODEL_REFUSED",
        ),
        (GOOGLE, streams(google.chunk(finish="MALFORMED_FUNCTION_CALL")), "MODEL_BROKEN_STREAM"),
        (GOOGLE, streams(Raw("data: 42")), "MODEL_BROKEN_STREAM"),
    ],
)
async def test_what_goes_wrong_before_the_first_token_is_told_apart(
    kind: Kind, answer: Answer, code: str
):
    failed, shown = await failure(kind, answer)
    assert (failed.code, shown) == (code, [])
    assert "it did not work" not in str(failed)


@pytest.mark.parametrize(
    ("kind", "last", "code"),
    [
        (
            ANTHROPIC,
            anthropic.event("error", error={"type": "overloaded_error", "message": "no"}),
            "MODEL_BROKEN_STREAM",
        ),
        (ANTHROPIC, anthropic.ends("refusal")[0], "MODEL_REFUSED"),
        (GOOGLE, google.chunk(finish="SAFETY"), "MODEL_REFUSED"),
        (
            GOOGLE,
            Raw('data: {"error": {"code": 503, "message": "no", "status": "UNAVAILABLE"}}'),
            "MODEL_BROKEN_STREAM",
        ),
    ],
)
async def test_an_error_in_the_stream_is_no_end(kind: Kind, last: Any, code: str):
    failed, shown = await failure(kind, streams(*kind.half, last), attempts=3)
    assert (failed.code, shown) == (code, ["half"])


@pytest.mark.looptime
@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        (ANTHROPIC, anthropic.fails(429, "rate_limit_error", retry_after="7")),
        (GOOGLE, google.fails(429, "RESOURCE_EXHAUSTED", retry_delay="7s")),
    ],
)
async def test_it_waits_as_long_as_the_provider_asks(kind: Kind, answer: Answer):
    async with served(kind, answer, kind.says("ok"), attempts=3) as (provider, model):
        await all_of(model, a_request())
        first, second = (exchange.at for exchange in provider.exchanges)
    assert round(second - first, 1) == 7.0


async def test_arguments_that_are_no_json_are_a_problem_and_no_call():
    broken = anthropic.message(
        anthropic.tool_use(0, "toolu_1", "deploy", '{"region":'), stop="tool_use"
    )
    async with served(ANTHROPIC, broken) as (_, model):
        made = (await all_of(model, a_request("Deploy it", DEPLOY)))[0]
    assert isinstance(made, CallDelta)
    assert made.call == ToolCall("toolu_1", "deploy", {})
    assert made.problem is not None


async def test_a_cut_call_is_never_run_though_its_arguments_read_as_whole():
    cut = anthropic.tool_use(0, "toolu_1", "deploy", '{"region": "eu"}')
    failed, _ = await failure(ANTHROPIC, streams(*anthropic.begins(), *cut))
    assert failed.code == "MODEL_BROKEN_STREAM"


async def test_each_result_stands_right_after_its_call_and_users_follow():
    said = AssistantMessage(
        "On it.", (ToolCall("c1", "deploy", {"region": "eu"}), ToolCall("c2", "now", {}))
    )
    results = (ToolResult("c1", "deploy", "done"), ToolResult("c2", "now", "12:00"))
    messages = (UserMessage("go"), said, *results, UserMessage("and?"))
    async with served(ANTHROPIC, anthropic.says("ok")) as (provider, model):
        await all_of(model, ModelRequest("", messages, (DEPLOY,)))
        sent = provider.exchanges[0].messages()
    assert [message["role"] for message in sent] == ["user", "assistant", "user"]
    kinds = [part["type"] for part in sent[2]["content"]]
    assert kinds == ["tool_result", "tool_result", "text"]
    asked = [part["id"] for part in sent[1]["content"] if part["type"] == "tool_use"]
    assert asked == [part["tool_use_id"] for part in sent[2]["content"][:2]] == ["c1", "c2"]
