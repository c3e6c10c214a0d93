"""What the operator says about a model beyond its name. Loads nothing of the provider library."""

from __future__ import annotations

from dataclasses import dataclass

PICTURES, DOCUMENTS = "pictures", "documents"


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input_usd: float
    output_usd: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """What so many tokens cost, in US dollars."""
        return (input_tokens * self.input_usd + output_tokens * self.output_usd) / 1e6


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """`price` stands instead of the library's list; `files` are what the model reads ("pictures",
    "documents"), None for what is known of it; `must_be_priced` refuses a model whose price nobody
    knows, since a cost budget would never be used up.
    """

    price: Price | None = None
    files: tuple[str, ...] | None = None
    must_be_priced: bool = False
