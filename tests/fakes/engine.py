"""An engine for tests of connections: journals what it was given, answers by its script."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.core.errors import AccessDenied, GatewayError
from gateway.core.messages import Json
from gateway.ports.rows import InputRow, NewInput
from tests.builders import START


@dataclass(frozen=True)
class FakeTaken:
    row: InputRow | None = None
    duplicate: bool = False
    code: str = ""
    params: Mapping[str, Json] = field(default_factory=dict)


class FakeEngine:
    """Stores inputs in a list; `answers` with a code instead, `fails` with an error."""

    def __init__(self) -> None:
        self.inputs: list[NewInput] = []
        self.presses: list[tuple[Any, ...]] = []
        self.calls: list[tuple[Any, ...]] = []
        self.owners: dict[str, str] = {}
        self.answers: list[FakeTaken] = []
        self.fails: Exception | None = None

    async def accept(self, new: NewInput) -> FakeTaken:
        if self.fails is not None:
            raise self.fails
        if self.answers:
            return self.answers.pop(0)
        known = [row for row in self.inputs if row.dedup == new.dedup]
        if not known:
            self.inputs.append(new)
        row = InputRow(seq=len(self.inputs), new=new, accepted_at=START)
        return FakeTaken(row, duplicate=bool(known))

    def waits(self, new: NewInput) -> bool:
        return False

    async def press(
        self,
        token: str,
        option: str,
        principal: str,
        *,
        dedup: str,
        channel: str,
        value: Json = None,
        language: str = "en",
    ) -> FakeTaken:
        self.presses.append((token, option, principal, dedup, channel, value))
        return self.answers.pop(0) if self.answers else FakeTaken()

    async def view(
        self, thread: str, principal: str, channel: str, language: str
    ) -> Mapping[str, Json]:
        if self.owners.setdefault(thread, principal) != principal:
            raise AccessDenied(f"{thread} is not for {principal}")
        return {"thread": thread}

    async def threads(self, principal: str) -> Sequence[Mapping[str, Json]]:
        self.calls.append(("threads", principal))
        return [{"id": "t"}]

    async def export(self, thread: str, principal: str) -> Mapping[str, Json]:
        self.calls.append(("export", thread, principal))
        return {"thread": thread}

    async def delete(self, thread: str, principal: str) -> None:
        self.calls.append(("delete", thread, principal))

    async def pauses(self, principal: str | None) -> Sequence[Mapping[str, Json]]:
        self.calls.append(("pauses", principal))
        return []

    async def cancel_pause(self, thread: str, principal: str, reason: str) -> int:
        self.calls.append(("cancel_pause", thread, principal, reason))
        if thread == "none":
            raise GatewayError("nothing is paused")
        return 1
