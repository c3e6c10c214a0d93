"""A client's connection for tests: takes frames, holds them, or dies."""

import asyncio
import json
from typing import Any


class FakeTransport:
    """Journals what it took. `takes` limits the frames before it blocks; `die` breaks it."""

    def __init__(self, *, takes: int | None = None) -> None:
        self.lines: list[bytes] = []
        self.aborted = False
        self._left = takes
        self._ready = asyncio.Event()
        self._dead = False
        if takes is None or takes > 0:
            self._ready.set()

    async def send(self, line: bytes) -> None:
        await self._ready.wait()
        if self._dead or self.aborted:
            raise ConnectionResetError("the client is gone")
        self.lines.append(line)
        if self._left is not None:
            self._left -= 1
            if self._left <= 0:
                self._ready.clear()

    def abort(self) -> None:
        self.aborted = True
        self._ready.set()

    def take(self, frames: int | None = None) -> None:
        """Let so many more frames through, or all."""
        self._left = frames
        self._ready.set()

    def die(self) -> None:
        """Break: what is being sent now, or next, fails."""
        self._dead = True
        self._ready.set()

    @property
    def frames(self) -> list[dict[str, Any]]:
        """Every frame taken, in order."""
        return [json.loads(line) for lines in self.lines for line in lines.splitlines()]

    def of_type(self, type_: str) -> list[dict[str, Any]]:
        """The frames of one type."""
        return [frame for frame in self.frames if frame["type"] == type_]

    @property
    def types(self) -> list[str]:
        """The types of every frame taken, in order."""
        return [frame["type"] for frame in self.frames]

    def text(self, run: str, step: int = 0) -> str:
        """The step's text as this client's view holds it."""
        text = ""
        for frame in self.frames:
            data = frame["data"]
            if frame["type"] in ("text", "closed") and (data["run"], data["step"]) == (run, step):
                text = text[: data.get("offset", 0)] + data["text"]
        return text
