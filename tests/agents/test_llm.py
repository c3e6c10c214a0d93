"""A provider's model over a real socket: the stream, its closing, its retries."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from gateway.agents.llm import PydanticAIModel, RetryPolicy, llm_model
from gateway.core.errors import ModelFailed, SettingsInvalid
from gateway.core.messages import ToolCall, UserMessage
from gateway.ports.model import (
    CallDelta,
    Finished,
    ModelEvent,
    ModelRequest,
    TextDelta,
    ToolSpec,
    Usage,
)
from tests.fakes.provider import (
    DONE,
    STALL,
    Answer,
    Delta,
    Drop,
    FakeProvider,
    Raw,
    calls,
    fails,
    fragments,
    says,
    streams,
)

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


class TestStream:
    async def test_text_comes_as_it_is_written_and_then_what_it_used(self):
        events = await answered(says("one ", "two", used=(11, 3)))
        assert events == [TextDelta("one "), TextDelta("two"), Finished(Usage(11, 3))]

    @pytest.mark.looptime
    async def test_each_piece_is_given_out_when_it_comes(self):
        async with (
            FakeProvider(says("one ", "two", pause_seconds=5.0)) as provider,
            a_model(provider) as model,
        ):
            clock = asyncio.get_running_loop()
            start = clock.time()
            async with model.stream(a_request()) as events:
                times = [round(clock.time() - start) async for _ in events]
        assert times == [5, 10, 10]

    async def test_the_request_carries_instructions_history_tools_and_key(self):
        async with FakeProvider(says("ok")) as provider, a_model(provider) as model:
            await all_of(model, a_request("Deploy it", DEPLOY))
            (exchange,) = provider.exchanges
        assert exchange.key == "a key"
        assert exchange.body["model"] == "small"
        assert exchange.messages() == [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Deploy it"},
        ]
        (tool,) = exchange.body["tools"]
        assert tool["function"]["name"] == "deploy"
        assert tool["function"]["description"] == "Deploy a service."
        assert tool["function"]["parameters"]["required"] == ["region"]

    async def test_a_call_in_fragments_is_given_out_whole(self):
        pieces = fragments(0, "c1", "deploy", '{"reg', 'ion": "e', 'u"}')
        events = await answered(calls(*pieces, text="On it."))
        assert events[:2] == [
            TextDelta("On it."),
            CallDelta(ToolCall("c1", "deploy", {"region": "eu"})),
        ]

    async def test_two_calls_whose_fragments_are_mixed_stay_apart(self):
        first = fragments(0, "c1", "deploy", '{"region":', '"eu"}')
        second = fragments(1, "c2", "deploy", '{"region":', '"us"}')
        mixed = (first[0], second[0], first[1], second[1], first[2], second[2])
        events = await answered(calls(*mixed))
        assert events[:-1] == [
            CallDelta(ToolCall("c1", "deploy", {"region": "eu"})),
            CallDelta(ToolCall("c2", "deploy", {"region": "us"})),
        ]

    async def test_a_call_without_arguments_has_none(self):
        events = await answered(calls(*fragments(0, "c1", "now")))
        assert events[0] == CallDelta(ToolCall("c1", "now", {}))

    @pytest.mark.parametrize(
        "given", ['{"region": "e', "[1]", '"eu"', '{"n": NaN}', '{"n": 1e999}', '{"s": "\\ud800"}']
    )
    async def test_arguments_that_are_no_json_object_never_run(self, given: str):
        events = await answered(calls(*fragments(0, "c1", "deploy", given)))
        assert isinstance(events[0], CallDelta)
        assert events[0].call == ToolCall("c1", "deploy", {})
        assert events[0].problem is not None
        assert given in events[0].problem

    async def test_a_call_cut_off_by_the_token_limit_never_runs(self):
        cut = fragments(0, "c1", "deploy", '{"region":')
        events = await answered(calls(*cut, finish="length"))
        assert isinstance(events[0], CallDelta)
        assert events[0].problem

    async def test_ids_that_a_server_gives_twice_are_told_apart(self):
        twice = (*fragments(0, "call", "now"), *fragments(1, "call", "now"))
        events = await answered(calls(*twice))
        assert [event.call.id for event in events if isinstance(event, CallDelta)] == [
            "call",
            "call_2",
        ]

    async def test_half_a_surrogate_pair_can_be_stored(self):
        broken = streams(Delta({"content": "a\ud83d"}), Delta({}, "stop"), DONE)
        events = await answered(broken)
        assert events[0] == TextDelta("a\ufffd")

    async def test_a_reply_that_says_its_end_needs_no_done_line(self):
        events = await answered(streams(Delta({"content": "all"}), Delta({}, "stop")))
        assert events == [TextDelta("all"), Finished(Usage())]


class TestClosing:
    async def test_leaving_the_stream_closes_the_providers_connection(self):
        cut = streams(Delta({"content": "a"}), STALL)
        async with FakeProvider(cut) as provider, a_model(provider) as model:
            async with model.stream(a_request()) as events:
                assert await anext(events) == TextDelta("a")
            left_at = asyncio.get_running_loop().time()
            (exchange,) = provider.exchanges
            await asyncio.wait_for(exchange.left.wait(), 5)
        assert exchange.left_at is not None
        assert exchange.left_at - left_at < 0.2

    @pytest.mark.parametrize("answer", [streams(STALL), streams(Delta({"content": "a"}), STALL)])
    async def test_cancelling_the_reader_closes_it_too(self, answer: Answer):
        async with FakeProvider(answer) as provider, a_model(provider) as model:
            reader = asyncio.create_task(all_of(model, a_request()))
            await asyncio.wait_for(provider.asked.wait(), 5)
            (exchange,) = provider.exchanges
            await asyncio.wait_for(exchange.waits.wait(), 5)
            reader.cancel()
            cancelled_at = asyncio.get_running_loop().time()
            await asyncio.wait_for(exchange.left.wait(), 5)
            with pytest.raises(asyncio.CancelledError):
                await reader
        assert exchange.left_at is not None
        assert exchange.left_at - cancelled_at < 0.2

    async def test_a_reply_read_to_its_end_keeps_the_connection(self):
        async with FakeProvider(says("a"), says("b")) as provider, a_model(provider) as model:
            await all_of(model, a_request())
            await all_of(model, a_request())
            assert [exchange.left.is_set() for exchange in provider.exchanges] == [False, False]

    @pytest.mark.looptime
    async def test_a_stop_during_a_retrys_pause_asks_no_more(self):
        busy = fails(429, "rate_limit_exceeded", retry_after="15")
        async with FakeProvider(busy, says("a")) as provider, a_model(provider) as model:
            reader = asyncio.create_task(all_of(model, a_request()))
            await asyncio.sleep(10)
            reader.cancel()
            await asyncio.sleep(100)
            assert reader.cancelled()
            assert len(provider.exchanges) == 1


class TestFaults:
    @pytest.mark.parametrize(
        ("answer", "code"),
        [
            (fails(401, "invalid_api_key"), "MODEL_AUTH"),
            (fails(403), "MODEL_AUTH"),
            (fails(402), "MODEL_QUOTA"),
            (fails(429, "insufficient_quota", "insufficient_quota"), "MODEL_QUOTA"),
            (fails(429, "rate_limit_exceeded"), "MODEL_RATE_LIMITED"),
            (fails(400, "context_length_exceeded"), "MODEL_CONTEXT_TOO_LONG"),
            (fails(400, "content_filter"), "MODEL_REFUSED"),
            (fails(400, "content_policy_violation"), "MODEL_REFUSED"),
            (streams(Delta({}, "content_filter"), DONE), "MODEL_REFUSED"),
            (streams(Delta({"refusal": "I won't"}), Delta({}, "stop"), DONE), "MODEL_REFUSED"),
            (fails(404, "model_not_found"), "MODEL_REJECTED"),
            (fails(400, "invalid_request_error"), "MODEL_REJECTED"),
            (fails(405), "MODEL_REJECTED"),
            (fails(500), "MODEL_UNAVAILABLE"),
            (fails(503), "MODEL_UNAVAILABLE"),
            (fails(408), "MODEL_UNAVAILABLE"),
            (streams(Drop()), "MODEL_UNAVAILABLE"),
            (streams(Raw("data: {no json")), "MODEL_BROKEN_STREAM"),
            (streams(Raw("data: 42")), "MODEL_BROKEN_STREAM"),
            (streams(Raw("<html>a page</html>")), "MODEL_BROKEN_STREAM"),
            (streams(), "MODEL_BROKEN_STREAM"),
            (streams(Raw('data: {"error": {"code": "insufficient_quota"}}')), "MODEL_QUOTA"),
        ],
    )
    async def test_what_goes_wrong_before_the_first_token_is_told_apart(
        self, answer: Answer, code: str
    ):
        failed, shown = await failure(answer)
        assert (failed.code, shown) == (code, [])
        assert "small at 127.0.0.1" in str(failed)

    @pytest.mark.parametrize(
        ("rest", "code"),
        [
            ((Drop(),), "MODEL_BROKEN_STREAM"),
            ((), "MODEL_BROKEN_STREAM"),
            ((DONE,), "MODEL_BROKEN_STREAM"),
            ((Raw("data: {no json"),), "MODEL_BROKEN_STREAM"),
            ((Raw("data: [1, 2]"),), "MODEL_BROKEN_STREAM"),
            ((Raw('data: {"error": {"code": "server_error"}}'),), "MODEL_BROKEN_STREAM"),
            ((Raw('data: {"error": {"code": "rate_limit_exceeded"}}'),), "MODEL_RATE_LIMITED"),
            ((Delta({}, "content_filter"), DONE), "MODEL_REFUSED"),
        ],
    )
    async def test_a_stream_that_goes_wrong_half_way_is_not_asked_again(self, rest, code):
        failed, shown = await failure(streams(Delta({"content": "half"}), *rest), attempts=3)
        assert (failed.code, shown) == (code, ["half"])

    async def test_a_call_half_received_is_a_token_too(self):
        half = fragments(0, "c1", "deploy", '{"region":')
        failed, _ = await failure(streams(*half, Drop()), attempts=3)
        assert failed.code == "MODEL_BROKEN_STREAM"

    @pytest.mark.looptime
    async def test_a_provider_that_falls_silent_is_waited_for_so_long_and_no_longer(self):
        clock = asyncio.get_running_loop()
        start = clock.time()
        half = streams(Delta({"content": "half"}), STALL)
        failed, shown = await failure(half, timeout_seconds=20.0, attempts=3)
        assert (failed.code, shown) == ("MODEL_BROKEN_STREAM", ["half"])
        assert 20 <= clock.time() - start < 22

    @pytest.mark.looptime
    async def test_a_provider_that_never_answers_is_asked_once(self):
        failed, _ = await failure(streams(STALL), timeout_seconds=20.0, attempts=3)
        assert failed.code == "MODEL_UNAVAILABLE"

    async def test_nobody_listening_is_unavailable(self):
        async with FakeProvider() as provider:
            address = provider.base_url
        model = llm_model("small", base_url=address, retry=RetryPolicy(attempts=1))
        with pytest.raises(ModelFailed) as caught:
            await all_of(model, a_request())
        assert caught.value.code == "MODEL_UNAVAILABLE"
        await model.aclose()

    async def test_the_operators_text_holds_nothing_of_what_the_provider_wrote(self):
        failed, _ = await failure(fails(400, "odd", "invalid_request_error"))
        assert "it did not work" not in str(failed)
        assert "HTTP 400" in str(failed)
        assert "odd" in str(failed)


class TestRetries:
    @pytest.mark.looptime
    async def test_a_failure_before_the_first_token_is_tried_again_with_growing_pauses(self):
        answers = (fails(500), streams(Drop()), says("ok"))
        async with FakeProvider(*answers) as provider, a_model(provider) as model:
            events = await all_of(model, a_request())
            at = [exchange.at for exchange in provider.exchanges]
        assert events[0] == TextDelta("ok")
        assert [round(later - at[0], 1) for later in at] == [0.0, 0.5, 1.5]

    @pytest.mark.looptime
    async def test_it_waits_as_long_as_the_provider_asks(self):
        answers = (fails(429, "rate_limit_exceeded", retry_after="7"), says("ok"))
        async with FakeProvider(*answers) as provider, a_model(provider) as model:
            await all_of(model, a_request())
            at = [exchange.at for exchange in provider.exchanges]
        assert round(at[1] - at[0], 1) == 7.0

    @pytest.mark.looptime
    async def test_a_provider_that_asks_for_too_long_is_not_waited_for(self):
        failed, _ = await failure(fails(429, retry_after="3600"), attempts=3)
        assert failed.code == "MODEL_RATE_LIMITED"
        assert failed.retry_after_seconds == 3600

    @pytest.mark.looptime
    async def test_it_gives_up_after_the_last_attempt(self):
        failed, _ = await failure(fails(500), fails(500), fails(500), attempts=3)
        assert failed.code == "MODEL_UNAVAILABLE"

    @pytest.mark.parametrize("answer", [fails(401), fails(402), fails(404), fails(400)])
    async def test_what_asking_again_can_not_mend_is_asked_once(self, answer: Answer):
        await failure(answer, attempts=3)


class TestSettings:
    def test_importing_it_loads_no_provider_library(self):
        program = "import gateway, gateway.agents.llm, sys; print('pydantic_ai' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
        assert done.stdout.split() == [b"False"]

    async def test_a_name_with_colons_is_the_servers_own(self):
        async with FakeProvider(says("a")) as provider:
            model = llm_model("llama3.1:8b", base_url=provider.base_url)
            await all_of(model, a_request())
            await model.aclose()
            assert provider.exchanges[0].body["model"] == "llama3.1:8b"

    async def test_openai_before_a_name_is_not_sent(self):
        async with FakeProvider(says("a")) as provider:
            model = llm_model("openai:small", base_url=provider.base_url)
            await all_of(model, a_request())
            await model.aclose()
            assert provider.exchanges[0].body["model"] == "small"

    @pytest.mark.parametrize("name", ["nobody:large", "anthropic:claude-sonnet-4-5"])
    async def test_a_provider_that_is_not_there_is_named(self, name: str):
        with pytest.raises(SettingsInvalid) as caught:
            await llm_model(name).warm()
        assert caught.value.params["path"] == "model"
        assert name in str(caught.value)

    async def test_a_call_to_a_provider_that_is_not_there_fails_as_a_model_does(self):
        with pytest.raises(ModelFailed) as caught:
            await all_of(llm_model("nobody:large"), a_request())
        assert caught.value.code == "MODEL_UNAVAILABLE"

    @pytest.mark.parametrize("name", ["gpt-4o-mini", "openai:gpt-4o-mini", "openai-chat:gpt-4o"])
    async def test_a_plain_name_is_openais(self, name: str):
        model = llm_model(name, api_key="a key")
        await model.warm()
        assert model._provider is not None
        assert model._provider.label == f"{name} at api.openai.com"
        await model.aclose()

    async def test_another_provider_takes_the_key_and_is_not_made_without(self):
        model = llm_model("deepseek:deepseek-chat", api_key="a key")
        await model.warm()
        assert model._provider is not None
        assert model._provider.label == "deepseek:deepseek-chat at api.deepseek.com"
        await model.aclose()
        with pytest.raises(SettingsInvalid):
            await llm_model("deepseek:deepseek-chat").warm()
