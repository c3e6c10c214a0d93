"""Pairing in chat: a stranger gets a code, an owner approves it with /pair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gateway.channels.pairing import Pairing
from gateway.channels.telegram.gate import Gate
from gateway.channels.telegram.incoming import Incoming
from gateway.channels.telegram.names import CHANNEL, Place
from gateway.channels.telegram.tongues import Tongues
from gateway.core.errors import GatewayError
from gateway.ports.pairing import PairingRow
from gateway.supervise import Caught, guarded_await

Say = Callable[..., None]


class Pairs:
    """`say(place, code, language, **params)` tells something."""

    def __init__(
        self, pairing: Pairing, gate: Gate, tongues: Tongues, say: Say, *, open_: bool
    ) -> None:
        self._pairing = pairing
        self._gate = gate
        self._tongues = tongues
        self._say = say
        self._open = open_
        self._loaded = False
        pairing.on_change.append(self._changed)

    async def load(self) -> None:
        """Those paired before are let in; nobody is told again."""
        await self._pairing.load()
        self._loaded = True

    def _changed(self, row: PairingRow) -> None:
        if row.channel != CHANNEL:
            return
        self._gate.let_in(row.principal, row.approved)
        if self._loaded and row.approved:
            language = self._tongues.of(row.principal, "en")
            self._say(Place(int(row.principal)), "PAIRED", language)

    async def ask(self, item: Incoming, place: Place) -> None:
        """Give somebody unknown a code; silence where too many wait."""
        if not self._open:
            return
        code = await self._pairing.ask(CHANNEL, item.principal, item.name)
        if code is not None:
            self._tongues.spoken(item.principal, item.language)
            given = {"code": code, "principal": item.principal}
            self._say(place, "NOT_PAIRED", item.language, given)

    async def command(self, item: Incoming, place: Place) -> bool:
        """Do what an owner's /pair says; False where it is none."""
        word, _, rest = item.text.strip().partition(" ")
        if word.partition("@")[0] != "/pair" or not item.private:
            return False
        if item.principal not in self._gate.owners:
            self._say(place, "ADMINS_ONLY", item.language)
            return True
        done = await guarded_await(self._do(item, rest.split()))
        if not isinstance(done, Caught):
            self._say(place, done[0], item.language, done[1])
        elif isinstance(done.error, GatewayError):
            self._say(place, done.error.code, item.language)
        else:
            raise done.error
        return True

    async def _do(self, item: Incoming, args: list[str]) -> tuple[str, dict[str, Any]]:
        match args:
            case ["approve", code]:
                row = await self._pairing.approve(code, item.principal)
                return "PAIR_DONE", {"name": row.name, "principal": row.principal}
            case ["revoke", principal]:
                row = await self._pairing.revoke(principal)
                return "PAIR_OUT", {"name": row.name, "principal": row.principal}
            case ["list"]:
                return "PAIR_LIST", {"items": [_line(one) for one in await self._pairing.listed()]}
            case _:
                return "PAIR_HELP", {}


def _line(listed: Any) -> str:
    state = listed["code"] or ("✓" if listed["revokedAt"] is None else "✗")
    return f"{state} {listed['name']} ({listed['principal']})"
