"""What a call costs: by the operator's prices, else by the public list."""

import pytest

from gateway.agents.llm import llm_model
from gateway.agents.llm_options import ModelOptions, Price
from gateway.core.errors import SettingsInvalid
from gateway.ports.model import Finished
from tests.agents.over_llm import a_request, all_of
from tests.fakes.provider import FakeProvider, says


async def cost(options: ModelOptions) -> float:
    async with FakeProvider(says("ok", used=(1_000_000, 500_000))) as provider:
        model = llm_model("small", base_url=provider.base_url, options=options)
        finished = (await all_of(model, a_request()))[-1]
        await model.aclose()
    assert isinstance(finished, Finished)
    return finished.usage.cost_usd


async def test_prices_that_are_set_count_for_a_server_of_your_own():
    assert await cost(ModelOptions(price=Price(2.0, 8.0))) == pytest.approx(6.0)


async def test_a_model_on_no_list_costs_nothing_known():
    assert await cost(ModelOptions()) == 0.0


async def test_a_cost_budget_needs_a_price():
    wanted = ModelOptions(must_be_priced=True)
    with pytest.raises(SettingsInvalid) as caught:
        await llm_model("small", base_url="http://127.0.0.1:9/v1", options=wanted).warm()
    assert caught.value.params["path"] == "prices"
    for name in ("gpt-4o-mini", "anthropic:claude-sonnet-5-5", "google:gemini-2.5-flash"):
        await llm_model(name, api_key="k", options=wanted).warm()
    priced = ModelOptions(price=Price(1.0, 1.0), must_be_priced=True)
    await llm_model("small", base_url="http://127.0.0.1:9/v1", options=priced).warm()
