"""What a connected client's frames ask of the engine; the router is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from gateway.core.messages import Json
from gateway.ports.rows import InputRow, NewInput


class Taken(Protocol):
    """What became of an input at the door: stored (`code` ""), or why not."""

    @property
    def row(self) -> InputRow | None: ...
    @property
    def duplicate(self) -> bool: ...
    @property
    def code(self) -> str: ...
    @property
    def params(self) -> Mapping[str, Json]: ...


class Engine(Protocol):
    """The engine as a connection sees it.

    Every method raises `GatewayError`s: `AccessDenied` to strangers, `StoreFailed`, `NotFound`.
    """

    async def accept(self, new: NewInput) -> Taken: ...

    def waits(self, new: NewInput) -> bool:
        """Whether `accept` waits for what became of a question's send: nothing may wait behind."""

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
    ) -> Taken: ...

    async def view(
        self, thread: str, principal: str, channel: str, language: str
    ) -> Mapping[str, Json]: ...

    async def threads(self, principal: str) -> Sequence[Mapping[str, Json]]: ...

    async def export(self, thread: str, principal: str) -> Mapping[str, Json]: ...

    async def delete(self, thread: str, principal: str) -> None: ...

    async def pauses(self, principal: str | None) -> Sequence[Mapping[str, Json]]: ...

    async def cancel_pause(self, thread: str, principal: str, reason: str) -> int: ...
