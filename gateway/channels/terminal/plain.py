"""The terminal without a terminal: texts in, replies out, for pipes and scripts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, TextIO

from gateway.channels.link import Back, Frame, Link, Lost
from gateway.channels.signs import visible
from gateway.channels.terminal import words
from gateway.channels.terminal.codes import ASKED, FAILED, OK
from gateway.channels.terminal.speech import Speech
from gateway.channels.terminal.view import given
from gateway.i18n import translator
from gateway.supervise import Supervisor

LINGER_SECONDS = 0.3
"""How long a last word is waited for once it is clear how it ends."""


class Plain:
    """One connection that says texts one by one and prints what comes back."""

    def __init__(self, link: Link, supervisor: Supervisor, out: TextIO, err: TextIO) -> None:
        self._link = link
        self._supervisor = supervisor
        self._err = err
        self._words = translator(link.who.language)
        self._out = out
        self._speech = Speech(self._print, lambda: 0)
        self._events: asyncio.Queue[Frame | Lost | Back | OSError | None] = asyncio.Queue()
        self._started = False

    async def say(self, text: str) -> int:
        """Send the text and print the reply until its run ends or asks; the exit code.

        Raises:
            OSError: no server is there.
        """
        if not self._started:
            self._started = True
            self._supervisor.spawn(self._listen(), name="terminal")
            if await self._refused():
                return FAILED
        turn = _Turn(self, self._link.say(text))
        while True:
            event = await self._next(LINGER_SECONDS if turn.verdict is not None else None)
            if event is None:
                if turn.verdict is None:
                    self.complain(self._words.gettext(words.LOST))
                return FAILED if turn.verdict is None else turn.verdict
            turn.take(event)
            if turn.verdict == ASKED:
                return ASKED

    async def close(self) -> None:
        """Hang up."""
        self._link.close()

    async def _listen(self) -> None:
        try:
            async for event in self._link.events(retry=False):
                self._events.put_nowait(event)
        except OSError as error:
            self._events.put_nowait(error)
        self._events.put_nowait(None)

    async def _refused(self) -> bool:
        while (event := await self._next(None)) is not None:
            if isinstance(event, Lost | Back):
                continue
            if event["type"] == "welcome":
                return False
            if event["type"] == "error":
                self.complain(event["data"].get("text") or event["data"]["message"])
                return True
        return True

    async def _next(self, deadline_seconds: float | None) -> Frame | Lost | Back | None:
        try:
            async with asyncio.timeout(deadline_seconds):
                event = await self._events.get()
        except TimeoutError:
            return None
        if isinstance(event, OSError):
            raise event
        return event

    def reply(self, data: Mapping[str, Any], closed: bool) -> None:
        """Print a reply's text."""
        key = (data["run"], data["step"])
        if closed:
            self._speech.close(key, data["text"], data.get("reason") is not None)
        else:
            self._speech.more(key, data["offset"], data["text"])

    def ask(self, data: Mapping[str, Any], calls: Mapping[str, Mapping[str, Any]]) -> None:
        """Print a question, for an approval its call too, and the form of the answer."""
        self._speech.break_off()
        question = data["question"]
        self._print(question["message"])
        if question["kind"] == "approval":
            for line in (question["toolName"], *given(question, calls)):
                self._print(f"  {line}")
        if data.get("form"):
            self._print(self._words.gettext(words.ANSWER_SO, form=data["form"]))

    def tell(self, text: str) -> None:
        """Print what a command says."""
        self._print(text)

    def complain(self, text: str) -> None:
        """Print what went wrong, beside the reply."""
        self._err.write(f"{visible(text)}\n")
        self._err.flush()

    def _print(self, line: str) -> None:
        self._out.write(f"{visible(line)}\n")
        self._out.flush()


class _Turn:
    """One text on its way to its end. `verdict` is the exit code once it is known."""

    def __init__(self, plain: Plain, id_: str) -> None:
        self._plain = plain
        self._id = id_
        self._seq: int | None = None
        self._run: str | None = None
        self._handled = False
        self._calls: dict[str, Mapping[str, Any]] = {}
        self.verdict: int | None = None

    def take(self, event: Frame | Lost | Back) -> None:
        """Look at what happened."""
        if isinstance(event, Lost | Back):
            return
        data = event["data"]
        match event["type"]:
            case "receipt" | "error" if event.get("id") == self._id:
                self._receipt(data)
            case "input" if data["seq"] == self._seq or str(data["id"]).endswith(self._id):
                self._input(data)
            case "text" | "closed" if data["run"] == self._run:
                self._plain.reply(data, event["type"] == "closed")
            case "entry" if data["kind"] == "tool_call":
                self._calls[data["body"]["id"]] = data["body"]
            case "question" if data["run"] == self._run:
                self._plain.ask(data, self._calls)
                self.verdict = ASKED
            case "notice" if data.get("input") == self._seq and data["text"]:
                say = self._plain.tell if self._handled else self._plain.complain
                say(data["text"])
            case "run" if data["run"] == self._run and data["state"] == "ended":
                self.verdict = OK if data["end"] == "completed" else FAILED

    def _receipt(self, data: Mapping[str, Any]) -> None:
        self._seq = data.get("input")
        if data["code"]:
            self._plain.complain(data.get("text") or data["code"])
            self.verdict = FAILED

    def _input(self, data: Mapping[str, Any]) -> None:
        self._seq = data["seq"]
        self._run = data["run"] or self._run
        match data["outcome"]:
            case "handled":
                self._handled = True
                self.verdict = OK
            case "refused" | "dropped" | "returned" | "failed":
                self.verdict = FAILED
