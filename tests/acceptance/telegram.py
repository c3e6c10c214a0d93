"""The whole product with a bot against the fake Bot API server, seen from the chats.

    async with TelegramDesk(tmp_path, Agent("a", model, "", [tools])) as desk:
        ann = desk.private(1001, "Ann")              # let in; Window of tests/fakes/telegram
        ann.say("hi")
        await ann.shows("hello")

`desk.kill()` and `desk.start()` as in tests/acceptance/desk.py; the fake server stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gateway import Agent
from gateway.settings import TelegramSettings
from tests.acceptance.desk import Desk
from tests.fakes.telegram.people import Window
from tests.fakes.telegram.server import FakeTelegram

ANN, BOB, EVE, BOSS = 1001, 1002, 1003, 1099
GROUP = -100


class TelegramDesk(Desk):
    """A desk whose people are on Telegram. Ann and Bob are let in, groups -100 and -200 too."""

    def __init__(
        self,
        directory: Path,
        agent: Agent | None,
        *,
        allow: Iterable[str] = (),
        limits: bool = False,
        telegram: dict[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        self.server = FakeTelegram(directory / "tg.sock", limits=limits)
        self._telegram = {
            "token": "42:AAA",
            "allow": [str(ANN), str(BOB)],
            "groups": [str(GROUP), "-200"],
            "reactions": False,
            **(telegram or {}),
        }
        super().__init__(directory, agent, allow=allow, **settings)

    async def __aenter__(self) -> TelegramDesk:
        await self.server.__aenter__()
        self.bot = self.server.bot()
        self._set(**self._telegram)
        await self.start()
        return self

    def _set(self, **telegram: Any) -> None:
        section = TelegramSettings(**{"api_url": self.server.url, **telegram})
        self.settings = self.settings.model_copy(update={"telegram": section})

    async def __aexit__(self, *raised: object) -> None:
        try:
            await super().__aexit__(*raised)
        finally:
            await self.server.__aexit__(*raised)

    async def kill(self) -> None:
        bot: Any = self.app.bot
        await super().kill()
        for client in bot._clients:
            await client.shutdown()

    def private(self, number: int = ANN, name: str = "Ann", language: str = "en") -> Window:
        return self.server.person(number, name, language).private(self.bot)

    def group(
        self, number: int = ANN, name: str = "Ann", language: str = "en", chat: int = GROUP
    ) -> Window:
        return self.server.person(number, name, language).group(self.bot, chat)

    def calls(self, method: str) -> list[dict[str, Any]]:
        return self.bot.called(method)

    async def inputs(self, thread: str) -> list[tuple[str, str | None]]:
        """What a thread's inputs say and what became of them."""
        rows = await self.app.store.inputs(thread)
        return [(row.new.text, row.outcome and row.outcome.value) for row in rows]
