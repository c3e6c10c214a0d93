"""What Telegram's channel keeps stands after a restart."""

from datetime import timedelta
from pathlib import Path

from gateway.ports.pairing import PairingRow
from gateway.ports.telegram import ButtonRow, ChatRow, DeliveryRow, HeldUpdate, PersonRow
from gateway.store.sqlite import SqliteStore
from tests.builders import START, LoopClock


async def open_store(path: Path) -> SqliteStore:
    return await SqliteStore.open(
        path / "a.db", owner="test", clock=LoopClock(), report=lambda *_: None
    )


async def test_held_updates_are_known_once_done_and_lose_their_words(tmp_path: Path):
    store = await open_store(tmp_path)
    keep = store.telegram
    for number in (9, 8):
        held = HeldUpdate(bot="42", id=number, body={"text": "секрет"}, at=START)
        assert await keep.hold_update(held)
    assert not await keep.hold_update(HeldUpdate(bot="42", id=8, body={}, at=START))
    await store.close()
    store = await open_store(tmp_path)
    keep = store.telegram
    assert [update.id for update in await keep.held_updates("42")] == [8, 9]
    await keep.updates_done("42", [8])
    assert [update.id for update in await keep.held_updates("42")] == [9]
    assert sorted(await keep.known_updates("42")) == [8, 9]
    assert await keep.known_updates("43") == []
    await keep.prune(START + timedelta(hours=1))
    assert await keep.known_updates("42") == [9]
    await store.close()


async def test_deliveries_keep_their_place_and_are_added_once(tmp_path: Path):
    store = await open_store(tmp_path)
    keep = store.telegram
    rows = [
        DeliveryRow(id=name, place="telegram:1", state="open", kept_at=START, body={"n": name})
        for name in ("a", "b")
    ]
    assert [await keep.add_delivery(row) for row in (*rows, rows[0])] == [True, True, False]
    changed = DeliveryRow(id="a", place="telegram:1", state="open", kept_at=START, body={"n": 2})
    await keep.put_delivery(changed)
    assert [(row.id, row.body["n"]) for row in await keep.open_deliveries()] == [
        ("a", 2),
        ("b", "b"),
    ]
    await keep.put_delivery(DeliveryRow(id="b", place="", state="done", kept_at=START, body={}))
    assert [row.id for row in await keep.open_deliveries()] == ["a"]
    assert (await keep.delivery("b")) is not None
    await store.close()


async def test_buttons_chats_and_pairings(tmp_path: Path):
    store = await open_store(tmp_path)
    keep = store.telegram
    button = ButtonRow(token="t", kind="option", chat=7, subject="p", kept_at=START, body={"o": 1})
    await keep.add_buttons([button])
    await keep.place_buttons(["t"], 12)
    assert [(b.token, b.message, b.body) for b in await keep.buttons_on(7, 12)] == [
        ("t", 12, {"o": 1})
    ]
    assert await keep.buttons_of("p") == await keep.buttons_on(7, 12)
    assert await keep.button("x") is None
    await keep.put_chat(ChatRow(chat=-200, unreachable=False, home=-100))
    await keep.put_chat(ChatRow(chat=-200, unreachable=True, home=-100))
    assert await keep.chats() == [ChatRow(chat=-200, unreachable=True, home=-100)]
    row = PairingRow(channel="telegram", principal="7", name="A", code="ABCDEFGH", asked_at=START)
    await keep.put_pairing(row)
    assert await keep.pairings() == [row]
    await store.close()


async def test_a_person_s_language(tmp_path: Path):
    store = await open_store(tmp_path)
    await store.telegram.put_person(PersonRow(principal="1", language="en"))
    await store.telegram.put_person(PersonRow(principal="1", language="ru", chosen=True))
    await store.close()
    store = await open_store(tmp_path)
    assert await store.telegram.people() == [PersonRow(principal="1", language="ru", chosen=True)]
    await store.close()
