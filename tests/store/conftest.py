"""A store in a real file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.store.sqlite import SqliteStore
from tests.store.make import Reports, a_thread, opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bargein.db"


@pytest.fixture
def reports() -> Reports:
    """What the store reports."""
    return Reports()


@pytest.fixture
async def store(path: Path, reports: Reports) -> AsyncIterator[SqliteStore]:
    """An open store with one thread, `web:1`."""
    async with opened(path, reports=reports) as store:
        await store.make_thread(a_thread())
        yield store
