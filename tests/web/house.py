"""The page's server as a client without a browser meets it."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp

from gateway import Agent
from gateway.app import App
from gateway.clock import SystemClock
from gateway.settings import HttpSettings, Settings
from tests.acceptance.scripted import Script

WITHIN_SECONDS = 30.0
"""Real seconds for what comes at once on a machine that has nothing else to do."""


class Late(SystemClock):
    """The machine's time, and so many seconds later."""

    seconds = 0.0

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=self.seconds)


class House:
    """The product over HTTP."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.session = aiohttp.ClientSession()
        self.sockets: list[Any] = []
        self.clock = Late()

    async def start(self, **http: Any) -> str:
        if http.get("require_tokens"):
            await self._run()
            await self.app.front.people.create("somebody")
            await self.app.stop()
        return await self._run(**http)

    async def _run(self, **http: Any) -> str:
        settings = Settings(database=self.directory / "a.db", http=HttpSettings(port=0, **http))
        self.app = App(settings, agent=Agent("a", Script(["Hello."]), ""), clock=self.clock)
        await self.app.start()
        self.url = self.app.address.replace("0.0.0.0", "127.0.0.1")
        return self.url

    @property
    def own(self) -> dict[str, str]:
        return {"Origin": self.url}

    async def get(self, path: str, **more: Any) -> aiohttp.ClientResponse:
        return await self.session.get(self.url + path, allow_redirects=False, **more)

    async def upload(self, data: bytes, name: str = "a.png", **headers: str) -> Any:
        headers = {**self.own, **headers}
        path = f"{self.url}/files"
        return await self.session.post(path, params={"name": name}, data=data, headers=headers)

    async def socket(self, **headers: str) -> Any:
        socket = await self.session.ws_connect(self.url + "/ws", headers={**self.own, **headers})
        self.sockets.append(socket)
        return socket

    async def close(self) -> None:
        await self.session.close()
        await self.app.stop()


async def hello(socket: Any, thread: str = "", **more: Any) -> Any:
    await socket.send_json({"type": "hello", "v": 1, "thread": thread, **more})
    while (frame := await socket.receive_json(timeout=WITHIN_SECONDS))["type"] == "threads":
        pass
    return frame


async def listed(socket: Any) -> None:
    """Wait until this client is told that its list is another."""
    while (await socket.receive_json(timeout=WITHIN_SECONDS))["type"] != "threads":
        pass


async def let_in(house: House, name: str) -> dict[str, str]:
    """The cookie that this person's link sets."""
    secret = await house.app.front.people.create(name)
    answer = await house.get("/", params={"token": secret})
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    house.session.cookie_jar.clear()
    return {"Cookie": cookie.split(";")[0]}


async def ask(socket: Any, method: str, **params: str) -> Any:
    await socket.send_json({"type": "call", "id": method, "method": method, "params": params})
    while True:
        frame = await socket.receive_json(timeout=WITHIN_SECONDS)
        if frame.get("id") == method:
            return frame["data"]
