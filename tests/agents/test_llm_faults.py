"""What goes wrong at a provider: told apart, and asked again where that can help."""

import asyncio

import pytest

from gateway.agents.llm import RetryPolicy, llm_model
from gateway.core.errors import ModelFailed
from gateway.ports.model import TextDelta
from tests.agents.over_llm import a_model, a_request, all_of, failure
from tests.fakes.provider import (
    DONE,
    STALL,
    Answer,
    Delta,
    Drop,
    FakeProvider,
    Raw,
    fails,
    fragments,
    says,
    streams,
)


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
