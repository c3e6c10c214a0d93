"""Row 80: deny by default, numbers, pairing codes, groups apart from private chats."""

import asyncio
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gateway.cli import admin
from tests.acceptance.telegram import ANN, BOB, BOSS, EVE, TelegramDesk
from tests.acceptance.telegram_agents import agent

pytestmark = pytest.mark.looptime


def code_in(text: str) -> str:
    return text.split("runs me: ")[1].split()[0]


async def test_a_stranger_gets_a_code_and_changes_nothing(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        eve = desk.private(EVE, "Eve")
        for text in ("hello", "/stop", "/queue reject", "stop"):
            eve.say(text)
        await eve.shows("I don't know you yet")
        await asyncio.sleep(3)
        assert {code_in(text) for text in eve.texts()} == {code_in(eve.texts()[0])}
        code = code_in(eve.texts()[0])
        assert len(code) == 8
        assert not set(code) & set("0O1I")
        assert model.requests == []
        assert await desk.app.store.thread(f"telegram:{EVE}") is None


async def test_the_operator_lets_somebody_in_and_out_by_the_command(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        eve = desk.private(EVE, "Eve")
        eve.say("hello")
        code = code_in((await eve.shows("runs me")).text)
        call = admin.call
        listed = await call(desk.settings, "pairing.list", {})
        assert [(one["principal"], one["code"]) for one in listed] == [(str(EVE), code)]
        done = await call(desk.settings, "pairing.approve", {"code": code.lower()})
        assert done["name"] == "Eve"
        await eve.shows("You are let in")
        eve.say("hello")
        await eve.shows("hello there")
        await desk.restart()
        eve.say("hello")
        await eve.shows(lambda m: eve.texts().count("hello there") == 2)
        await call(desk.settings, "pairing.revoke", {"person": str(EVE)})
        eve.say("hello")
        await asyncio.sleep(3)
        assert len(model.requests) == 2


async def test_the_operator_lets_somebody_in_while_no_server_runs(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        eve = desk.private(EVE, "Eve")
        eve.say("hello")
        code = code_in((await eve.shows("runs me")).text)
        await desk.stop()
        rows = sqlite3.connect(desk.settings.database)
        now = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        rows.execute("UPDATE pairing SET asked_at = ?", (now,))
        rows.commit()
        rows.close()
        done = await admin.call(desk.settings, "pairing.approve", {"code": code})
        assert done["principal"] == str(EVE)
        await desk.start()
        eve.say("hello")
        await eve.shows("hello there")


async def test_an_owner_lets_somebody_in_from_the_chat(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, admins=[str(BOSS)]) as desk:
        eve, boss, ann = desk.private(EVE, "Eve"), desk.private(BOSS, "Boss"), desk.private()
        eve.say("hello")
        code = code_in((await eve.shows("runs me")).text)
        ann.say(f"/pair approve {code}")
        await ann.shows("Only the admins")
        boss.say("/pair list")
        await boss.shows(f"{code} Eve ({EVE})")
        boss.say(f"/pair approve {code}")
        await boss.shows("Let in: Eve")
        await eve.shows("You are let in")


async def test_wrong_codes_are_limited(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, admins=[str(BOSS)]) as desk:
        eve, boss = desk.private(EVE, "Eve"), desk.private(BOSS, "Boss")
        eve.say("hello")
        code = code_in((await eve.shows("runs me")).text)
        for _ in range(5):
            boss.say("/pair approve ABCDEFGH")
        await asyncio.sleep(3)
        boss.say(f"/pair approve {code}")
        await boss.shows("Too many wrong codes")


async def test_codes_last_an_hour_and_three_wait_at_most(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        people = [desk.private(2000 + n, f"P{n}") for n in range(4)]
        for person in people:
            person.say("hello")
            await asyncio.sleep(1)
        assert [len(person.texts()) for person in people] == [1, 1, 1, 0]
        first = code_in(people[0].texts()[0])
        await asyncio.sleep(3601)
        people[3].say("hello")
        await people[3].shows("runs me")
        people[0].say("hello")
        await people[0].shows(lambda m: code_in(m.text) != first)


async def test_groups_are_apart_from_private_chats(tmp_path: Path):
    tester, model = agent()
    telegram = {"allow": [str(ANN)], "groups": ["-200"], "group_allow": [str(BOB)]}
    async with TelegramDesk(tmp_path, tester, telegram=telegram) as desk:
        ann, bob = desk.private(), desk.private(BOB, "Bob")
        ann.say("hello")
        bob.say("hello")
        desk.group(chat=-200).mention("hello")
        desk.group(BOB, "Bob", chat=-300).mention("hello")
        await asyncio.sleep(3)
        assert len(model.requests) == 1
        in_group = desk.group(BOB, "Bob", chat=-200)
        in_group.mention("hello")
        await in_group.shows("hello there")
        assert "runs me" in bob.screen()


async def test_without_pairing_strangers_hear_nothing(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, telegram={"pairing": False}) as desk:
        eve = desk.private(EVE, "Eve")
        eve.say("hello")
        await asyncio.sleep(3)
        assert eve.texts() == []
        assert desk.calls("sendMessage") == []
