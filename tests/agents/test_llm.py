"""A provider's model over a real socket: the stream, its closing, its settings."""

import asyncio
import subprocess
import sys

import pytest

from gateway.agents.llm import llm_model
from gateway.core.errors import ModelFailed, SettingsInvalid
from gateway.core.messages import ToolCall
from gateway.ports.model import (
    CallDelta,
    Finished,
    TextDelta,
    Usage,
)
from tests.agents.over_llm import DEPLOY, a_model, a_request, all_of, answered
from tests.fakes.provider import (
    DONE,
    STALL,
    Answer,
    Delta,
    FakeProvider,
    calls,
    fails,
    fragments,
    says,
    streams,
)


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
