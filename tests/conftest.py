"""What holds for every test."""

import asyncio
import os
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from typing import Any

import looptime
import pytest
from hypothesis import settings

from tests.virtual import stand_still

# `make test` draws the same examples each time; `make soak` draws many new ones.
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("soak", max_examples=2_000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# A server that a test starts loads no ears and voices, save where the test says so.
os.environ.setdefault("BARGEIN_VOICE__ENABLED", "false")

# Asked for the loop before the first one runs, asyncio would make one that nobody closes.
asyncio.set_event_loop(None)

CATALOGS = Path(__file__).parents[1] / "gateway" / "locales"


def pytest_configure(config: pytest.Config) -> None:
    """A tree that was never built gets its compiled catalogs: without them nothing is told."""
    if not CATALOGS.is_dir() and not hasattr(config, "workerinput"):
        import_module("tools.locales").compile_catalogs(CATALOGS)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(request: pytest.FixtureRequest) -> Generator[None, Any, Any]:
    """Virtual time is held while threads work, in every loop that looptime has patched."""
    made = yield
    if isinstance(made, asyncio.Runner) and isinstance(made.get_loop(), looptime.LoopTimeEventLoop):
        stand_still(made.get_loop())
    return made
