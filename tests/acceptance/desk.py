"""The whole product for a test, seen from outside.

README. A row's test starts `App` in its own process under virtual time and speaks the unix socket:

    pytestmark = pytest.mark.looptime

    async def test_it(tmp_path):
        model = Script(["Hel", 0.1, "lo"])              # scripted.py: one step a model call
        async with Desk(tmp_path, Agent("a", model, "", [tools])) as desk:
            ann = await desk.person("ann")               # people.py: a socket client on local:1
            said = await ann.say("hi")                   # the receipt's data, once stored
            assert await ann.outcome(said) == ("answered", "")
            await ann.frame("question", within=1)        # waits for a frame; each is returned once
            log = await ann.export()                     # entries and inputs as they are stored

Time: `await asyncio.sleep(x)` and every `within` are virtual seconds. `desk.time()` is the loop's.
Restart: `await desk.restart()` (orderly), or `await desk.kill()`, `await desk.start()`: from the
kill on nothing is stored and nobody is told, as in a process that is gone. People must connect
again. Another agent for the next start: `desk.agent = …`.
Fake channels: `Desk(..., channels=[FakeChannel("fake")], allow=["bob"], shared=["fake:g"])`, then
`bob = desk.member("bob", "fake:g", "fake")`, `await bob.say("hi")`; the channel's journal,
`prompts`, `notices` and `updates` (tests/fakes/channel.py) are what its people saw.
At the end no error may stand in the operator's log, save with `desk.may_fail = True`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path
from typing import Any

from gateway import Agent
from gateway.app import App
from gateway.settings import Settings
from tests.acceptance.people import Member, Person
from tests.builders import LoopClock
from tests.fakes.channel import FakeChannel

THREAD = "local:1"


class _Mortal:
    """The store of a process that can die: from then on no call of it returns."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.dead = False

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.store, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            if self.dead:
                await asyncio.Event().wait()
            result = await method(*args, **kwargs)
            if self.dead:
                await asyncio.Event().wait()
            return result

        return call if asyncio.iscoroutinefunction(method) else method


class Desk:
    """One database file, and the product on it. Without an agent it is the one of the settings."""

    def __init__(
        self,
        directory: Path,
        agent: Agent | None,
        *,
        channels: Iterable[FakeChannel] = (),
        allow: Iterable[str] = (),
        admins: Iterable[str] = (),
        approvers: Iterable[str] = (),
        shared: Iterable[str] = (),
        tools: dict[str, tuple[str, ...]] | None = None,
        wrap: Callable[[Any], Any] = lambda store: store,
        engines: Any = None,
        **settings: Any,
    ) -> None:
        self.agent = agent
        self.engines = engines
        self.channels = {channel.name: channel for channel in channels}
        self.may_fail = False
        self.log = StringIO()
        self.clock = LoopClock()
        self._wrap = wrap
        self._people: list[Person] = []
        access = {
            "allow": tuple(allow),
            "admins": tuple(admins),
            "approvers": tuple(approvers),
            "shared": tuple(shared),
            "tools": tools or {},
        }
        http = {"port": 0}
        given = {"database": directory / "a.db", "access": access, "http": http, **settings}
        self.settings = Settings(**given)

    async def __aenter__(self) -> Desk:
        await self.start()
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.stop()
        for person in self._people:
            await person.leave()
        failed = [] if self.may_fail else self.failures()
        if raised[0] is None and failed:
            raise AssertionError(json.dumps(failed, indent=1))

    # -- the process

    async def start(self) -> None:
        """Start the product on the file."""

        def wrap(store: Any) -> Any:
            self._mortal = _Mortal(self._wrap(store))
            return self._mortal

        self.app = App(
            self.settings,
            agent=self.agent,
            channels=self.channels,
            wrap=wrap,
            clock=self.clock,
            log=self.log,
            engines=self._make_engines(),
        )
        await self.app.start()
        for channel in self.channels.values():
            channel.settle = self.app.router.settled
        self._runs = True

    def _make_engines(self) -> Any:
        """`engines` are made by the application where they are a function of its supervisor."""
        given = self.engines
        return given if given is None or callable(given) else lambda supervisor: given

    async def stop(self) -> None:
        """An orderly end, as on SIGTERM."""
        if self._runs:
            self._runs = False
            await self.app.stop()

    async def restart(self) -> None:
        """Stop, and start on the same file."""
        await self.stop()
        await self.start()

    async def kill(self) -> None:
        """The process is gone: nothing more is stored or sent; only its threads can't be taken."""
        self._runs = False
        self._mortal.dead = True
        for person in self._people:
            await person.leave()
        self._people.clear()
        self.app.router.expiry.close()
        await self.app.supervisor.settle(0)
        await self.app.socket.stop()
        await self.app.http.stop()
        await self._mortal.store.close()
        for undo in self.app._stopping:
            undo()

    def time(self) -> float:
        """The loop's (virtual) time in seconds."""
        return asyncio.get_running_loop().time()

    def failures(self) -> list[dict[str, Any]]:
        """Every error line of the operator's log, save what is said of this machine's SQLite."""
        lines = [json.loads(line) for line in self.log.getvalue().splitlines()]
        errors = [line for line in lines if line["level"] == "error"]
        return [line for line in errors if line.get("error") != "StoreWarning"]

    # -- people

    async def person(
        self,
        name: str,
        thread: str = THREAD,
        language: str = "en",
        last: dict[str, Any] | None = None,
    ) -> Person:
        """A person at a terminal, connected; `frames[0]` is the welcome."""
        person = Person(name, self.app.socket.path)
        self._people.append(person)
        await person.connect(thread, language, last)
        return person

    def member(self, name: str, thread: str, channel: str) -> Member:
        """A person on a fake channel; survives restarts."""
        return Member(name, thread, self.channels[channel], lambda: self.app.router)

    async def metrics(self) -> str:
        """The exposition of `/metrics`, read over HTTP."""
        host, port = self.app.address.removeprefix("http://").rstrip("/").rsplit(":", 1)
        reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
        writer.write(f"GET /metrics HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = await asyncio.wait_for(reader.read(), 10)
        writer.close()
        await writer.wait_closed()
        return answer.decode()
