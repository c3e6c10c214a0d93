"""Who may talk to the bot: nobody unknown, by number, by code; groups apart from private chats."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.telegram import ANN, BOSS, TelegramDesk
from tests.acceptance.telegram_agents import agent

pytestmark = pytest.mark.looptime


def code_in(text: str) -> str:
    return text.split("runs me: ")[1].split()[0]


async def test_whoami_language_and_commands_in_both_languages(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private(language="ru-RU")
        ann.say("/whoami")
        await ann.shows(str(ANN))
        assert "Вы" in ann.screen()
        ann.say("/lang en")
        await ann.shows("From now on in English.")
        ann.say("/status")
        await ann.shows("Running")
        commands = desk.bot.commands
        assert commands["all_private_chats", "ru"]["stop"].startswith("Остановить")
        assert commands["all_group_chats", ""]["stop"].startswith("Stop")
        assert "whoami" in commands["all_private_chats", "en"]


async def test_the_webhook_takes_only_what_telegram_sends(tmp_path: Path):
    tester, model = agent()
    hook = {"webhook_url": "https://example.org/hook/telegram", "webhook_secret": "s3cret"}
    async with TelegramDesk(tmp_path, tester, telegram=hook) as desk:
        ann = desk.private()
        await asyncio.sleep(1)
        assert desk.bot.webhook == "https://example.org/hook/telegram"
        ann.say("hello")
        update = desk.bot.updates.popleft()
        desk.bot.webhook = f"{desk.app.address}/hook/telegram"
        assert await desk.server.post(desk.bot, update, secret="wrong") == 403
        assert await desk.server.post(desk.bot, {"x": 1}) == 400
        assert await desk.server.post(desk.bot, update) == 200
        assert await desk.server.post(desk.bot, update) == 200
        await ann.shows("hello there")
        assert len(model.requests) == 1
        assert desk.calls("getUpdates") == []


async def test_a_chosen_language_is_the_person_s_in_every_chat_also_after_a_restart(tmp_path: Path):
    """Ann's client is Russian, she chose English; then an approver who has not written since."""
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, approvers=[str(BOSS)]) as desk:
        ann, boss = desk.private(language="ru"), desk.private(BOSS, "Boss")
        ann.say("/lang en")
        await ann.shows("From now on in English.")
        boss.say("/lang ru")
        await boss.shows("Теперь по-русски")
        await asyncio.sleep(1)
        await desk.restart()
        ann.say("boss")
        question = await boss.asks("May I?")
        assert "Разрешить" in question.labels
        group = desk.group(language="ru")
        group.mention("ask bool")
        asked = await group.asks("The bool?")
        assert asked.labels == ["yes", "no"]
        stale = ann.press_data(question, "gone")
        assert await stale.notice() == "This button is not valid any more."


async def test_the_client_s_language_is_known_after_a_restart_and_follows_it(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, approvers=[str(BOSS)]) as desk:
        ann, boss = desk.private(), desk.private(BOSS, "Boss", language="ru")
        boss.say("hello")
        await boss.shows("hello there")
        await desk.kill()
        await desk.start()
        ann.say("boss")
        assert "Разрешить" in (await boss.asks("May I?")).labels
        ann.say("/stop")
        await ann.shows("Stopped.")
        desk.private(BOSS, "Boss", language="en").say("hello")
        await asyncio.sleep(1)
        ann.say("boss")
        await boss.asks("May I?")
        question = await boss.shows(lambda m: "Approve" in m.labels)
        assert question.labels
