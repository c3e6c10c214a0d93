"""What a model call cost."""

from __future__ import annotations

from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import Model
from pydantic_ai.usage import RequestUsage

from gateway.agents.llm_options import Price
from gateway.core.errors import SettingsInvalid
from gateway.ports.model import Usage


def usage_of(whole: ModelResponse, price: Price | None) -> Usage:
    """What a reply used; its cost is 0.0 where nobody knows the price or the usage is open."""
    used = whole.usage
    if price is not None:
        cost_usd = price.of(used.input_tokens, used.output_tokens)
    else:
        cost_usd = _listed_usd(whole) or 0.0
    return Usage(used.input_tokens, used.output_tokens, cost_usd)


def check_priced(model: Model, name: str) -> None:
    """See that the library's list knows the model.

    Raises:
        SettingsInvalid: it doesn't.
    """
    asked = ModelResponse(
        parts=[],
        usage=RequestUsage(input_tokens=1_000_000, output_tokens=1_000_000),
        model_name=model.model_name,
        provider_name=model.system,
        provider_url=model.base_url,
    )
    if not _listed_usd(asked):
        message = f"nobody knows what {name!r} costs, and budgets.cost_usd is set: set prices too"
        raise SettingsInvalid(message, path="prices")


def _listed_usd(whole: ModelResponse) -> float | None:
    """The price by the library's list; None where the model isn't on it or the usage is open."""
    try:
        return float(whole.cost().total_price)
    except (LookupError, ValueError):
        return None
