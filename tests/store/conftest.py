"""A store in a real file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.store.sqlite import SqliteStore
from tests.store.make import a_thread, opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bargein.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    """An open store with one thread, `web:1`."""
    async with opened(path) as store:
        await store.make_thread(a_thread())
        yield store
