"""A file stays while a message needs it, and for a while until it is sent."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gateway.core.errors import NotFound
from gateway.core.messages import Attachment
from gateway.store.sqlite import SqliteStore
from tests.store.make import NOON, an_input, at


async def gone(store: SqliteStore, key: str) -> bool:
    try:
        await store.get(key)
    except NotFound:
        return True
    return False


async def send(store: SqliteStore, key: str, dedup: str = "a") -> None:
    await store.accept(an_input(dedup, attachments=(Attachment(key, "image/png"),)), NOON)


async def test_what_was_brought_and_never_sent_is_removed(store: SqliteStore) -> None:
    sent, unsent = await store.put(b"sent", "image/png", "ann"), await store.put(b"x", "", "ann")
    await send(store, sent)
    assert await store.drop_unsent(NOON) == 0
    assert not await gone(store, unsent)
    assert await store.drop_unsent(at(1)) == 1
    assert await gone(store, unsent)
    assert not await gone(store, sent)


async def test_a_file_is_its_bringers_until_it_is_sent(store: SqliteStore) -> None:
    key = await store.put(b"x", "image/png", "ann")
    assert await store.brought_by(key, "ann")
    assert not await store.brought_by(key, "bob")
    await send(store, key)
    assert not await store.brought_by(key, "ann")
    assert await store.threads_with(key) == ["web:1"]


async def test_holding_it_begins_its_time_anew(store: SqliteStore) -> None:
    key = await store.put(b"four", "image/png", "ann")
    assert await store.hold(key, "bob") == ("image/png", 4)
    assert await store.brought_by(key, "bob")
    with pytest.raises(NotFound):
        await store.hold("none", "ann")
    assert not await store.brought_by("none", "ann")


async def test_what_somebody_else_may_still_send_outlives_its_thread(store: SqliteStore) -> None:
    key = await store.put(b"both", "image/png", "ann")
    await send(store, key)
    await store.put(b"both", "image/png", "bob")
    await store.delete_thread("web:1")
    assert not await gone(store, key)
    assert await store.drop_unsent(NOON + timedelta(seconds=1)) == 1
    assert await gone(store, key)
