"""What holds for every test."""

import asyncio
import gc
import os
import shutil
import tempfile
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from random import Random
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

# The processes that tests start by the hundred don't each compile the product anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Asked for the loop before the first one runs, asyncio would make one that nobody closes.
asyncio.set_event_loop(None)

MEMORY = Path("/dev/shm")
ROOM_BYTES = 2 << 30
"""What all temporary files together never need."""


def _keep_in_memory() -> None:
    """Temporary files stand in memory where there is room: thousands of small databases would wait
    for a disk at each commit. `TMPDIR` says otherwise.
    """
    if "TMPDIR" in os.environ or not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK | os.X_OK):
        return
    may_run = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    if may_run and shutil.disk_usage(MEMORY).free > ROOM_BYTES:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


_keep_in_memory()

CATALOGS = Path(__file__).parents[1] / "gateway" / "locales"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--late SEED`: threads come late by chance, another way in each test and with each seed."""
    parser.addoption("--late", metavar="SEED", help="threads come late, by chance")


def pytest_configure(config: pytest.Config) -> None:
    """A tree that was never built gets its compiled catalogs: without them nothing is told."""
    if not CATALOGS.is_dir() and not hasattr(config, "workerinput"):
        import_module("tools.locales").compile_catalogs(CATALOGS)


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was imported stays: it is left out of every later search for garbage."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(request: pytest.FixtureRequest) -> Generator[None, Any, Any]:
    """Virtual time is held while threads work, in every loop that looptime has patched."""
    made = yield
    if isinstance(made, asyncio.Runner) and isinstance(made.get_loop(), looptime.LoopTimeEventLoop):
        seed = request.config.getoption("--late")
        late = None if seed is None else Random(f"{seed} {request.node.nodeid}")
        stand_still(made.get_loop(), late)
    return made
