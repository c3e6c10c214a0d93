"""Who may talk to the bot: nobody unknown, by number, by code; groups apart from private chats."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.telegram import ANN, TelegramDesk
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
