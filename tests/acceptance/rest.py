"""Programs at the REST API: `Program` is one person's, over a real socket.

async with Desk(tmp_path, agent) as desk, rest(desk, "ann") as ann:
status, run = await ann.post("/v1/runs", {"input": "hi", "thread": "t", "waitSeconds": 30})
events = ann.stream("POST", "/v1/runs", {"input": "hi", "thread": "t"})
text = await events.until("text")            # each event is returned once
run = await events.finish()                  # the data of `finish`
await events.drop()                          # the connection is gone
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import aiohttp

from gateway.ports.tokens import Scope
from tests.acceptance.desk import Desk

WITHIN_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a stream."""

    id: str
    name: str
    data: Any


class Events:
    """A stream that is read as it comes."""

    def __init__(self, program: Program, method: str, path: str, body: Any, last: str) -> None:
        self.events: list[Event] = []
        self.status = 0
        self.problem: Any = None
        self.ended = False
        self._taken = 0
        self._news = asyncio.Event()
        self._response: aiohttp.ClientResponse | None = None
        self._task = asyncio.create_task(self._read(program, method, path, body, last))

    async def _read(self, program: Program, method: str, path: str, body: Any, last: str) -> None:
        headers = {**program.headers, "Accept": "text/event-stream"}
        if last:
            headers["Last-Event-ID"] = last
        with suppress(aiohttp.ClientError, asyncio.CancelledError):
            async with program.session.request(
                method, program.address + path, json=body, headers=headers
            ) as response:
                self._response, self.status = response, response.status
                self._news.set()
                if response.status != 200:
                    self.problem = json.loads(await response.read() or b"null")
                else:
                    await self._events(response)
        self.ended = True
        self._news.set()

    async def _events(self, response: aiohttp.ClientResponse) -> None:
        fields: dict[str, str] = {}
        async for raw in response.content:
            line = raw.decode().rstrip("\n")
            if line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                fields[name] = value
            elif not line and "data" in fields:
                data = json.loads(fields["data"])
                self.events.append(Event(fields.get("id", ""), fields.get("event", ""), data))
                fields = {}
                self._news.set()

    async def _wait(self, done: Any) -> None:
        async with asyncio.timeout(WITHIN_SECONDS):
            while not done():
                assert not self.ended or done(), f"ended: {self.status} {self.problem}"
                self._news.clear()
                await self._news.wait()

    async def opened(self) -> int:
        """The response's status."""
        await self._wait(lambda: bool(self.status) or self.ended)
        return self.status

    async def until(self, name: str) -> Event:
        """The next event of this name."""

        def found() -> bool:
            return any(event.name == name for event in self.events[self._taken :])

        try:
            await self._wait(found)
        except (TimeoutError, AssertionError) as error:
            seen = [(event.name, event.data) for event in self.events]
            raise AssertionError(f"no {name}; {error}; seen {seen}") from None
        while True:
            event = self.events[self._taken]
            self._taken += 1
            if event.name == name:
                return event

    async def finish(self) -> Any:
        """The run with which the stream ends."""
        data = (await self.until("finish")).data
        await self._wait(lambda: self.ended)
        return data

    async def drop(self) -> str:
        """Break the connection; the last event's id."""
        if self._response is not None and self._response.connection is not None:
            transport = self._response.connection.transport
            if transport is not None:
                transport.abort()
        self._task.cancel()
        await asyncio.wait({self._task})
        return self.last

    @property
    def last(self) -> str:
        """The last event's id."""
        return next((event.id for event in reversed(self.events) if event.id), "")

    @property
    def names(self) -> list[str]:
        return [event.name for event in self.events]

    def text(self) -> str:
        """The last step's text as it stands on the reader's side."""
        steps: dict[int, str] = {}
        for event in self.events:
            if event.name == "text":
                step = event.data["step"]
                steps[step] = steps.get(step, "")[: event.data["offset"]] + event.data["text"]
        return steps[max(steps)] if steps else ""


class Program:
    """Somebody at the API; `secret` is their token, "" at home."""

    def __init__(self, session: aiohttp.ClientSession, desk: Desk, secret: str) -> None:
        self.session = session
        self.desk = desk
        self.headers = {"Authorization": f"Bearer {secret}"} if secret else {}

    @property
    def address(self) -> str:
        return self.desk.app.address

    async def ask(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, Any]:
        """The answer's status and JSON."""
        sent = {**self.headers, **{name.replace("_", "-"): v for name, v in headers.items()}}
        async with asyncio.timeout(WITHIN_SECONDS * 20):
            async with self.session.request(
                method, self.address + path, json=body, headers=sent
            ) as response:
                return response.status, json.loads(await response.read() or b"null")

    async def get(self, path: str, **headers: str) -> tuple[int, Any]:
        return await self.ask("GET", path, **headers)

    async def post(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        return await self.ask("POST", path, {} if body is None else body, **headers)

    def stream(self, method: str, path: str, body: Any = None, last: str = "") -> Events:
        """Open a stream."""
        return Events(self, method, path, body, last)

    async def start(self, text: str, thread: str | None = "t", **more: Any) -> tuple[int, Any]:
        """Say something."""
        named = {} if thread is None else {"thread": thread}
        return await self.post("/v1/runs", {"input": text, **named, **more})

    async def done(self, text: str, thread: str | None = "t", **more: Any) -> Any:
        """Say something, and wait for the run to end or to ask."""
        status, run = await self.start(text, thread, waitSeconds=60, **more)
        assert status == 201, run
        return run

    async def run(self, run: str) -> Any:
        """How a run stands."""
        status, found = await self.get(f"/v1/runs/{run}")
        assert status == 200, found
        return found

    async def ended(self, run: str, within: float = 60.0) -> Any:
        """A run once it has ended."""
        async with asyncio.timeout(within):
            while True:
                found = await self.run(run)
                if found["status"] in ("completed", "interrupted", "failed", "cancelled"):
                    return found
                await asyncio.sleep(0.05)


@asynccontextmanager
async def rest(desk: Desk, *names: str) -> AsyncIterator[Any]:
    """A program of each of these people, or, without a name, of this machine's user."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        people = [
            Program(session, desk, await desk.app.front.people.create(name, {Scope.API}))
            for name in names
        ] or [Program(session, desk, "")]
        yield people[0] if len(people) == 1 else people
