"""A Bot API server on loopback for tests: real HTTP, the real JSON, several bots, scripted faults.

    async with FakeTelegram() as telegram:
        bot = telegram.bot("1:AAA")
        ann = telegram.person(1001, "Ann", language="ru")
        chat = ann.private(bot)                       # people.py: Window, one person in one chat
        await chat.say("hi")
        await chat.shows("hello")                     # what stands in the chat, in virtual time

`telegram.fault(...)` makes the next call go wrong (faults.py). Time is the running loop's.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, web

from tests.fakes.telegram.chats import Chat
from tests.fakes.telegram.faults import Fault, Refusal
from tests.fakes.telegram.methods import METHODS, wait_for
from tests.fakes.telegram.people import Human, Press


class Bot:
    """One bot: its updates that wait, its webhook, and every call that it made."""

    def __init__(self, token: str, now: Any) -> None:
        self.token = token
        self.id = int(token.split(":")[0])
        self.username = f"bot{self.id}_bot"
        self.updates: deque[dict[str, Any]] = deque()
        self.webhook = ""
        self.secret = ""
        self.allowed: list[str] | None = None
        self.dropped = False
        self.commands: dict[tuple[str, str], dict[str, str]] = {}
        self.calls: list[tuple[float, str, dict[str, Any]]] = []
        self.confirmed = 0
        self._now = now
        self._ids = count(1000)
        self._news = asyncio.Event()
        self._polls = 0

    def user(self) -> dict[str, Any]:
        return {"id": self.id, "is_bot": True, "first_name": "Bot", "username": self.username}

    def put(self, **update: Any) -> dict[str, Any]:
        """A new update for the bot."""
        return self.put_again({"update_id": next(self._ids), **update})

    def put_again(self, update: dict[str, Any]) -> dict[str, Any]:
        """An update as it is, also one that was delivered before."""
        self.updates.append(update)
        self._news.set()
        return update

    async def take(self, given: Mapping[str, Any]) -> list[dict[str, Any]]:
        """A long poll: what waits from the offset on; a second one ends the first with 409."""
        self._polls += 1
        mine = self._polls
        self.allowed = given.get("allowed_updates", self.allowed)
        offset = int(given.get("offset", 0))
        self.confirmed = max(self.confirmed, offset)
        self.updates = deque(u for u in self.updates if u["update_id"] >= offset)
        self._news.set()
        self._news.clear()
        if not self.updates:
            await wait_for(self._news, float(given.get("timeout", 0)))
        if mine != self._polls:
            text = "Conflict: terminated by other getUpdates request; make sure that only one bot"
            raise Refusal(409, f"{text} instance is running")
        return list(self.updates)[: int(given.get("limit", 100))]

    def called(self, method: str) -> list[dict[str, Any]]:
        """What every call of this method was given."""
        return [given for _, name, given in self.calls if name == method]


class FakeTelegram:
    """The server, on loopback or on the unix socket `path`, which virtual time never overtakes.

    `limits` enforces the documented flood limits by 429.
    """

    def __init__(self, path: Path | None = None, *, limits: bool = False) -> None:
        self.path = path
        self.bots: dict[str, Bot] = {}
        self.chats: dict[int, Chat] = {}
        self.files: dict[str, bytes] = {}
        self.presses: dict[str, Press] = {}
        self.faults: list[Fault] = []
        self.limits = limits
        self.url = ""
        self.handed: list[tuple[int, str]] = []
        self._counts: dict[int, deque[float]] = {}
        self._presses = count(1)
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> FakeTelegram:
        self.loop = asyncio.get_running_loop()
        app = web.Application(client_max_size=2**26)
        app.router.add_route("*", "/bot{token}/{method}", self._serve)
        app.router.add_get("/file/bot{token}/f/{file}", self._file)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        if self.path is not None:
            await web.UnixSite(self._runner, str(self.path)).start()
            self.url = f"unix://{self.path}"
            return self
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *raised: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    def now(self) -> float:
        return self.loop.time()

    # -- who is there

    def bot(self, token: str = "42:AAA") -> Bot:
        return self.bots.setdefault(token, Bot(token, self.now))

    def person(self, number: int, name: str, language: str = "en") -> Human:
        return Human(self, number, name, language)

    def chat(self, number: int, kind: str, title: str) -> Chat:
        if number not in self.chats:
            self.chats[number] = Chat(number, kind, title, self.now)
        return self.chats[number]

    def new_press(self, press: Press) -> str:
        name = f"q{next(self._presses)}"
        self.presses[name] = press
        return name

    # -- faults

    def fault(self, method: str, refusal: Refusal | None = None, **more: Any) -> Fault:
        """Let the next call of a method go wrong."""
        fault = Fault(method, refusal=refusal, **more)
        self.faults.append(fault)
        return fault

    def count(self, bot: Bot, chat: Chat) -> None:
        """The documented limits: 20 a minute in a group."""
        sent = self._counts.setdefault(chat.id, deque())
        while sent and sent[0] <= self.now() - 60:
            sent.popleft()
        if self.limits and chat.kind != "private" and len(sent) >= 20:
            raise Refusal(429, "Too Many Requests: retry after 41", retry_after=41)
        sent.append(self.now())

    # -- HTTP

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        bot = self.bots.get(request.match_info["token"])
        method = METHODS.get(request.match_info["method"])
        if bot is None or method is None:
            code, text = (401, "Unauthorized") if bot is None else (404, "Not Found")
            return web.json_response(
                {"ok": False, "error_code": code, "description": text}, status=code
            )
        given = await _given(request)
        name = request.match_info["method"]
        bot.calls.append((self.now(), name, given))
        fault = next((f for f in self.faults if f.fits(name, given)), None)
        return await self._answer(request, bot, name, given, fault)

    async def _answer(
        self,
        request: web.Request,
        bot: Bot,
        name: str,
        given: dict[str, Any],
        fault: Fault | None,
    ) -> web.StreamResponse:
        if fault is not None and fault.slow:
            await asyncio.sleep(fault.slow)
        if fault is not None and fault.lost == "before":
            return self._hang_up(request)
        try:
            if fault is not None and fault.refusal is not None:
                raise fault.refusal
            result = await METHODS[name](self, bot, given)
        except Refusal as refusal:
            body = {
                "ok": False,
                "error_code": refusal.code,
                "description": refusal.description,
                **({"parameters": refusal.parameters} if refusal.parameters else {}),
            }
            return web.json_response(body, status=refusal.code)
        if fault is not None and fault.hold is not None:
            await fault.hold.wait()
        if fault is not None and fault.lost == "after":
            return self._hang_up(request)
        return web.json_response({"ok": True, "result": result})

    def _hang_up(self, request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async def _file(self, request: web.Request) -> web.Response:
        fault = next((f for f in self.faults if f.fits("file", {})), None)
        if fault is not None and fault.slow:
            await asyncio.sleep(fault.slow)
        if fault is not None and fault.lost:
            return self._hang_up(request)
        if request.match_info["file"] not in self.files or (fault and fault.refusal):
            return web.Response(status=404)
        return web.Response(body=self.files[request.match_info["file"]])

    async def post(self, bot: Bot, update: dict[str, Any], secret: str | None = None) -> int:
        """Deliver an update to the bot's webhook; the HTTP status."""
        headers = {"X-Telegram-Bot-Api-Secret-Token": bot.secret if secret is None else secret}
        async with (
            ClientSession() as session,
            session.post(bot.webhook, json=update, headers=headers) as answer,
        ):
            return answer.status


async def _given(request: web.Request) -> dict[str, Any]:
    """The parameters, of whichever content type."""
    if request.content_type == "application/json":
        given = await request.json()
        return {name: value for name, value in given.items() if value is not None}
    form = dict(request.query) | dict(await request.post())
    return {name: _parsed(name, str(value)) for name, value in form.items()}


def _parsed(name: str, value: str) -> Any:
    if name in ("text", "url", "secret_token", "callback_query_id", "file_id"):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value
