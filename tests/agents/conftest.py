"""Agents that people have already, behind AG-UI: LangGraph's and pydantic-ai's own adapters."""

from collections.abc import Iterator

import pytest

from tests.fakes.agui_real import real_server


@pytest.fixture(scope="module", params=["outcome", "legacy"])
def langgraph(request: pytest.FixtureRequest) -> Iterator[str]:
    """A travel agent's address, asking in both ways that there are."""
    with real_server("langgraph", "travel", request.param) as url:
        yield url


@pytest.fixture
def pydantic_ai() -> Iterator[str]:
    """A clerk's address. Each test has its own server: it sums up what it ever refunded."""
    with real_server("pydantic", "clerk") as url:
        yield url
