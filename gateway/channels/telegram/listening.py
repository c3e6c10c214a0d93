"""Listening to Telegram: who the bot is, its commands, then polling or the webhook."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web
from telegram import Bot, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats

from gateway.channels.telegram.api import Http
from gateway.channels.telegram.polling import ALLOWED, Poller, Report, Take, told, webhook
from gateway.commands import COMMANDS
from gateway.i18n import LANGUAGES, translator
from gateway.ports.clock import Ids
from gateway.settings import TelegramSettings
from gateway.supervise import Caught, Supervisor, guarded_await

AGAIN_SECONDS = 5.0
DESCRIPTION_LENGTH = 256


class Listener:
    """Telegram need not be there yet: every step is tried until it works."""

    def __init__(
        self,
        bot: Bot,
        client: Http,
        settings: TelegramSettings,
        *,
        ids: Ids,
        supervisor: Supervisor,
        report: Report,
    ) -> None:
        self._bot = bot
        self._client = client
        self._url = settings.webhook_url
        given = settings.webhook_secret
        own = f"{ids.uuid()}{ids.uuid()}".replace("-", "")
        self._secret = own if given is None else given.get_secret_value()
        self._supervisor = supervisor
        self._report = report

    def routes(self, take: Take) -> list[web.RouteDef]:
        """The webhook's route, where one is set."""
        return [] if self._url is None else [webhook(urlsplit(self._url).path, self._secret, take)]

    async def username(self) -> str:
        """The bot's name."""
        me = await self._surely(self._bot.get_me)
        return str(me.username or "")

    async def listen(self, take: Take) -> None:
        """Register the commands, then poll until cancelled, or set the webhook."""
        await self._register()
        if self._url is not None:
            await self._surely(self._set_webhook)
            return
        await self._surely(self._no_webhook)
        await Poller(self._bot, self._client, take, self._supervisor, self._report).run()

    async def _set_webhook(self) -> None:
        await self._bot.set_webhook(
            self._url or "",
            secret_token=self._secret,
            allowed_updates=ALLOWED,
            drop_pending_updates=False,
        )

    async def _no_webhook(self) -> None:
        await self._bot.delete_webhook(drop_pending_updates=False)

    async def _register(self) -> None:
        """Let clients list the commands, in both languages, in private chats and groups."""
        for language in (None, *LANGUAGES):
            text = translator(language or "en").gettext
            commands = [
                (command.name, text(command.help)[:DESCRIPTION_LENGTH]) for command in COMMANDS
            ]
            for scope in (BotCommandScopeAllPrivateChats(), BotCommandScopeAllGroupChats()):
                await guarded_await(
                    self._bot.set_my_commands(commands, scope, language_code=language)
                )

    async def _surely(self, call: Callable[[], Awaitable[Any]]) -> Any:
        """Call until it works; what is wrong is reported once."""
        reported = ""
        while True:
            outcome = await guarded_await(call())
            if not isinstance(outcome, Caught):
                return outcome
            said = told(outcome.error)
            if str(said) != reported:
                reported = str(said)
                self._report("telegram", said)
            await asyncio.sleep(AGAIN_SECONDS)
