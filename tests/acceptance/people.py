"""People outside: `Person` over the unix socket, `Member` on a fake channel."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from gateway.core.queueing import Priority
from gateway.ports.rows import InputKind, NewInput
from tests.fakes.channel import FakeChannel

Frame = dict[str, Any]
_ids = count(1)
"""Ids of what people send: never the same again, whoever connects how often."""
WITHIN_SECONDS = 30.0


class Refused(AssertionError):
    """The server answered a call with an error; `data` is what the frame held."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(str(data))
        self.data = data
        self.code = str(data["code"])


class Person:
    """One client of the socket. `frames` is everything it was sent, in order."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.frames: list[Frame] = []
        self.times: list[float] = []
        self.closed = False
        self._path = path
        self._ids = _ids
        self._taken: set[int] = set()
        self._news = asyncio.Event()

    # -- connection

    async def connect(self, thread: str, language: str = "en", last: Frame | None = None) -> Frame:
        """Open the connection and say hello; the welcome."""
        reader, self._writer = await asyncio.open_unix_connection(str(self._path), limit=2**22)
        self._task = asyncio.create_task(self._read(reader), name=f"{self.name} reads")
        self.thread = thread
        return await self.hello(thread, language, last)

    async def hello(self, thread: str, language: str = "en", last: Frame | None = None) -> Frame:
        """Say hello (again, to look at another thread); the welcome's data."""
        self.thread = thread
        more = {} if last is None else {"last": last}
        hello = {"type": "hello", "v": 1, "thread": thread, "as": self.name, "language": language}
        await self.send({**hello, **more})
        return (await self.frame("welcome"))["data"]

    async def send(self, frame: Frame | bytes) -> None:
        """One frame, or a line that is none."""
        line = frame if isinstance(frame, bytes) else json.dumps(frame).encode()
        self._writer.write(line + b"\n")
        await self._writer.drain()

    async def leave(self) -> None:
        """Close the connection."""
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()
        await asyncio.wait_for(self._task, WITHIN_SECONDS)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        with suppress(OSError):
            while line := await reader.readline():
                self.frames.append(json.loads(line))
                self.times.append(asyncio.get_running_loop().time())
                self._news.set()
        self.closed = True
        self._news.set()

    # -- acting

    async def say(
        self,
        text: str,
        *,
        override: str | None = None,
        reply_to: str | None = None,
        run: str | None = None,
        seen: int | None = None,
        id_: str | None = None,
        attachments: list[dict[str, Any]] | None = None,
    ) -> Frame:
        """Say something; the receipt's data, once it is stored."""
        more = {
            "override": override,
            "replyTo": reply_to,
            "run": run,
            "seen": seen,
            "attachments": attachments,
        }
        frame = {"type": "input", "text": text, **{k: v for k, v in more.items() if v is not None}}
        return await self._ask(frame, id_)

    async def stop(self, run: str | None = None) -> Frame:
        """Press the stop button; the receipt's data."""
        return await self._ask({"type": "stop"} | ({} if run is None else {"run": run}))

    async def press(self, question: Mapping[str, Any], option: str, value: Any = None) -> Frame:
        """Press a button of a `question` frame; the receipt's data."""
        token = question["data"]["token"]
        return await self._ask({"type": "press", "token": token, "option": option, "value": value})

    async def call(self, method: str, **params: str) -> Any:
        """A call's result; `Refused` where it is answered with an error."""
        id_ = f"{self.name}-{next(self._ids)}"
        await self.send({"type": "call", "id": id_, "method": method, "params": params})
        answer = await self._answer(id_, "result", "error")
        if answer["type"] == "error":
            raise Refused(answer["data"])
        return answer["data"]["result"]

    async def export(self) -> Frame:
        """The whole stored log and every input of this person's thread."""
        return await self.call("threads.export", thread=self.thread)

    async def _ask(self, frame: Frame, id_: str | None = None) -> Frame:
        id_ = id_ or f"{self.name}-{next(self._ids)}-{len(self.frames)}"
        await self.send({**frame, "id": id_})
        answer = await self._answer(id_, "receipt", "error")
        if answer["type"] == "error":
            raise Refused(answer["data"])
        return answer["data"]

    async def _answer(self, id_: str, *types: str) -> Frame:
        return await self._await(lambda f: f.get("id") == id_ and f["type"] in types, 30.0)

    # -- seeing

    async def frame(
        self,
        type_: str,
        where: Callable[[Frame], bool] = lambda data: True,
        *,
        within: float = WITHIN_SECONDS,
        **same: Any,
    ) -> Frame:
        """The first frame of this type whose data fits and that was not yet returned here.

        Waits for it up to `within` (virtual) seconds.
        """

        def fits(frame: Frame) -> bool:
            data = frame["data"]
            equal = all(data.get(key) == value for key, value in same.items())
            return frame["type"] == type_ and equal and where(data)

        return await self._await(fits, within, f"{type_} {same or ''}")

    async def _await(self, fits: Callable[[Frame], bool], within: float, what: str = "") -> Frame:
        try:
            async with asyncio.timeout(within):
                while True:
                    for index, frame in enumerate(self.frames):
                        if index not in self._taken and fits(frame):
                            self._taken.add(index)
                            return frame
                    assert not self.closed, f"{self.name}: closed while waiting for {what}"
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            tail = "\n".join(str(frame) for frame in self.frames[-12:])
            raise AssertionError(
                f"{self.name} saw no {what} in {within} s; last:\n{tail}"
            ) from None

    def find(self, type_: str, **same: Any) -> list[Frame]:
        """The data of all frames of this type so far."""
        found = [frame["data"] for frame in self.frames if frame["type"] == type_]
        return [d for d in found if all(d.get(key) == value for key, value in same.items())]

    def codes(self) -> list[str]:
        """The codes of the notices so far."""
        return [data["code"] for data in self.find("notice")]

    async def outcome(self, receipt: Frame, within: float = WITHIN_SECONDS) -> tuple[str, str]:
        """(outcome, detail) of an input, once it has one; there is never a second."""
        seq = receipt["input"]
        drawn = [row for d in self.find("welcome") for row in d.get("snapshot", {}).get("past", ())]
        known = [*self.find("input", seq=seq), *(row for row in drawn if row["seq"] == seq)]
        data = next((d for d in known if d["outcome"]), None)
        if data is None:
            frame = await self.frame("input", lambda d: bool(d["outcome"]), within=within, seq=seq)
            data = frame["data"]
        return data["outcome"], data["detail"]

    async def running(self, within: float = WITHIN_SECONDS) -> str:
        """The id of the next run that begins."""
        frame = await self.frame("run", within=within, state="running")
        return str(frame["data"]["run"])

    async def ended(self, within: float = WITHIN_SECONDS, **same: Any) -> Frame:
        """The data of the next run that ends."""
        return (await self.frame("run", within=within, state="ended", **same))["data"]

    async def shows(self, text: str, within: float = WITHIN_SECONDS) -> None:
        """Wait until the agent's text on the screen holds `text`."""
        async with asyncio.timeout(within):
            while not any(text in shown for shown in self.texts()):
                self._news.clear()
                await self._news.wait()

    def texts(self) -> list[str]:
        """The agent's texts as they stand on the screen now, one a step."""
        screen: dict[tuple[str, int], str] = {}
        for frame in self.frames:
            data = frame["data"]
            key = (data.get("run", ""), data.get("step", 0))
            if frame["type"] == "text":
                screen[key] = screen.get(key, "")[: data["offset"]] + data["text"]
            elif frame["type"] == "closed":
                screen[key] = data["text"]
        return list(screen.values())

    def saw(self) -> str:
        """Everything in words: texts, notices, questions with their form."""
        lines = self.texts() + [data["text"] for data in self.find("notice")]
        for data in self.find("question"):
            lines += [data["question"]["message"], data["form"]]
        return "\n".join(line for line in lines if line)


class Member:
    """One person on a fake channel: the channel's side hands over what they do."""

    def __init__(
        self, name: str, thread: str, channel: FakeChannel, door: Callable[[], Any]
    ) -> None:
        self.name = name
        self.thread = thread
        self.channel = channel
        self._door = door
        self._ids = count(1)

    async def say(self, text: str, *, override: str | None = None, **more: Any) -> Any:
        """Hand a message over as the channel would; the door's receipt."""
        return await self._door().accept(self._new(text, override=override, **more))

    async def stop(self, run: str | None = None) -> Any:
        """The stop button."""
        return await self._door().accept(self._new("", kind=InputKind.STOP, how="button", run=run))

    async def press(self, option: str, *, prompt: int = -1, value: Any = None) -> Any:
        """A button of the n-th prompt that the channel showed."""
        token = self.channel.prompts[prompt].row.token
        return await self._door().press(
            token,
            option,
            self.name,
            dedup=self._dedup(),
            channel=self.channel.name,
            value=value,
        )

    def told(self) -> list[str]:
        """The codes told to this person, or to all on the channel."""
        return self.channel.codes(self.name)

    def _new(self, text: str, *, override: str | None = None, **more: Any) -> NewInput:
        given: dict[str, Any] = {
            "dedup": self._dedup(),
            "thread": self.thread,
            "channel": self.channel.name,
            "principal": self.name,
            "text": text,
            "sender": self.name,
            "override": None if override is None else Priority[override.upper()],
        }
        return NewInput(**{**given, **more})

    def _dedup(self) -> str:
        return f"{self.channel.name}:bot:{self.thread}-{self.name}-{next(self._ids)}"
