"""How updates come in: by long polling, confirmed once they are stored; or by a webhook."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from aiohttp import web
from telegram import Bot

from gateway.channels.telegram.api import Failed, Fate, Http
from gateway.core.errors import GatewayError
from gateway.supervise import Caught, Supervisor, guarded, guarded_await

POLL_SECONDS = 50
MOST_UPDATES = 100
AGAIN_SECONDS = 1.0
LONGEST_BACKOFF_SECONDS = 30.0
BODY_BYTES = 2**20
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
ALLOWED = [
    "message",
    "edited_message",
    "callback_query",
    "my_chat_member",
    "stopped_message_generation",
]

Take = Callable[[dict[str, Any]], Awaitable[bool]]
Report = Callable[[str, BaseException], str]


class PolledElsewhere(GatewayError):
    """Another process polls this bot: only one may, or both lose messages."""

    code = "TELEGRAM_CONFLICT"


class TokenRefused(GatewayError):
    """Telegram doesn't know the token."""

    code = "TELEGRAM_TOKEN"


def told(error: Exception) -> Exception:
    """An error as the operator should read it."""
    if isinstance(error, Failed) and error.fate is Fate.CONFLICT:
        return PolledElsewhere(
            "another program polls this bot's token, or a webhook is set for it; "
            "only one may: stop the other one, or make a token of its own"
        )
    if isinstance(error, Failed) and error.fate is Fate.TOKEN:
        return TokenRefused("Telegram refuses telegram.token; @BotFather shows the right one")
    return error


class Poller:
    """`take` stores an update; it is confirmed to Telegram with the next call."""

    def __init__(
        self, bot: Bot, client: Http, take: Take, supervisor: Supervisor, report: Report
    ) -> None:
        self._bot = bot
        self._client = client
        self._take = take
        self._supervisor = supervisor
        self._report = report
        self._offset: int | None = None
        self._failures = 0
        self._reported = ""

    async def run(self) -> None:
        """Poll until cancelled."""
        while True:
            got = await guarded_await(self._poll())
            if isinstance(got, Caught):
                await self._failed(got.error)
                continue
            self._failures, self._reported = 0, ""
            if not await self._take_all(got):
                await asyncio.sleep(AGAIN_SECONDS)

    async def _poll(self) -> list[dict[str, Any]]:
        given: dict[str, Any] = {
            "timeout": POLL_SECONDS,
            "limit": MOST_UPDATES,
            "allowed_updates": ALLOWED,
        }
        if self._offset is not None:
            given["offset"] = self._offset
        updates = await self._client.updates(self._bot, given, POLL_SECONDS + 10)
        whole = [update for update in updates if isinstance(update, dict)]
        return [update for update in whole if isinstance(update.get("update_id"), int)]

    async def _failed(self, error: Exception) -> None:
        self._failures += 1
        said = told(error)
        if str(said) != self._reported:
            self._reported = str(said)
            self._report("telegram polling", said)
        wait = min(2.0 ** (self._failures - 1), LONGEST_BACKOFF_SECONDS)
        if isinstance(error, Failed) and error.fate is Fate.FLOOD:
            wait = error.retry_after
        await asyncio.sleep(wait)

    async def _take_all(self, updates: Sequence[dict[str, Any]]) -> bool:
        """Take a batch: chats beside each other, each chat in order. Whether all is stored."""
        chats: dict[object, list[dict[str, Any]]] = {}
        for update in sorted(updates, key=lambda one: int(one["update_id"])):
            chats.setdefault(_chat(update), []).append(update)
        tasks = [
            self._supervisor.spawn(self._in_order(mine), name="telegram updates")
            for mine in chats.values()
        ]
        if tasks:
            await asyncio.wait(tasks)
        missed = [first for task in tasks if (first := task.result()) is not None]
        ids = [int(update["update_id"]) for update in updates]
        if ids:
            self._offset = min(missed, default=max(ids) + 1)
        return not missed

    async def _in_order(self, updates: Sequence[dict[str, Any]]) -> int | None:
        """The first update that could not be stored."""
        for update in updates:
            if not await self._take(update):
                return int(update["update_id"])
        return None


def _chat(update: Mapping[str, Any]) -> object:
    """What an update has to keep its order in: its chat, or itself where none can be read."""
    found = guarded(_chat_of, update)
    return f"update {update['update_id']}" if isinstance(found, Caught) else found


def _chat_of(update: Mapping[str, Any]) -> int:
    query = update.get("callback_query", update)
    kinds = ("message", "edited_message", "my_chat_member")
    return int(next(query[kind] for kind in kinds if kind in query)["chat"]["id"])


def webhook(path: str, secret: str, take: Take) -> web.RouteDef:
    """The route that Telegram delivers to: 200 once an update is stored."""

    async def receive(request: web.Request) -> web.Response:
        given = request.headers.get(SECRET_HEADER, "")
        if not hmac.compare_digest(given.encode(), secret.encode()):
            return web.Response(status=403)
        if (request.content_length or 0) > BODY_BYTES:
            return web.Response(status=413)
        try:
            update = json.loads(await request.read())
        except ValueError:
            return web.Response(status=400)
        if not isinstance(update, dict) or not isinstance(update.get("update_id"), int):
            return web.Response(status=400)
        return web.Response(status=200 if await take(update) else 503)

    return web.post(path, receive)
