"""A channel that keeps what its person saw in a file, and may kill its own process with SIGKILL.

Every line holds the time and what was drawn; the file outlives the process, as a person's memory
does. A number counts each outbound effect (a text, a prompt, a notice, a change), from 1.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from gateway.core.interrupts import Interrupt
from gateway.ports.channel import (
    Capabilities,
    Delivery,
    Notice,
    Prompt,
    Sent,
    Settle,
    Shown,
    TextRef,
    Update,
)
from gateway.ports.rows import PromptRow
from tests.fakes.kill import die

PLAYS_SECONDS = 0.3
"""How long a channel that is not durable takes to settle a text."""


class Screen:
    """What a person saw and did, line by line; what was written before a kill is there after it."""

    def __init__(self, path: Path, now: Callable[[], datetime]) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._path = path
        self._now = now

    def write(self, kind: str, **data: Any) -> None:
        line = {"t": self._now().isoformat(), "kind": kind, **data}
        os.write(self._file, json.dumps(line).encode() + b"\n")

    def lines(self, *kinds: str) -> list[dict[str, Any]]:
        return [line for line in read_screen(self._path) if not kinds or line["kind"] in kinds]

    def close(self) -> None:
        os.close(self._file)


def read_screen(path: Path) -> list[dict[str, Any]]:
    """Every line of a screen."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


class KillingChannel:
    """Shows everything at once; dies before or after its n-th outbound effect."""

    def __init__(
        self,
        name: str,
        screen: Screen,
        *,
        before: int | None = None,
        after: int | None = None,
        capabilities: Capabilities | None = None,
    ) -> None:
        self.name = name
        self.capabilities = capabilities or Capabilities()
        self.screen = screen
        self.before = before
        self.after = after
        self.effects = 0
        self.settle: Settle | None = None
        self._shown: dict[TextRef, str] = {}

    def _effect(self, kind: str, **data: Any) -> None:
        self.effects += 1
        if self.effects == self.before:
            self.screen.write("killed")
            die()
        self.screen.write(kind, **data)
        if self.effects == self.after:
            self.screen.write("killed")
            die()

    def show(self, ref: TextRef, text: str, final: bool) -> None:
        self._effect("show", run=ref.run, step=ref.step, text=text, final=final)
        self._shown[ref] = text
        if final and self.settle is not None and not self.capabilities.durable:
            asyncio.get_running_loop().call_later(PLAYS_SECONDS, self.settle, ref)

    def shown(self, ref: TextRef) -> Shown:
        return Shown(self._shown.get(ref, ""))

    def cut(self, ref: TextRef) -> Shown:
        return self.shown(ref)

    def close(self, ref: TextRef, text: str, reason: str | None) -> None:
        self._effect("close", run=ref.run, step=ref.step, text=text, reason=reason)

    async def ask(self, prompt: Prompt) -> Sent:
        question = prompt.question
        self._effect("ask", question=question.id, message=question.message, token=prompt.row.token)
        return Sent(Delivery.CONFIRMED, prompt.row.token, self.effects)

    def withdraw(self, prompt: PromptRow, question: Interrupt) -> None:
        self._effect("withdraw", question=question.id)

    def tell(self, notice: Notice) -> None:
        self._effect("tell", code=notice.code)

    def update(self, update: Update) -> None:
        self._effect("update", type=update.type, data=dict(update.data))
