"""Pairing: who isn't known gets a code; the operator, or an owner in chat, approves it."""

from __future__ import annotations

import hashlib
import hmac
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from gateway.access import Access
from gateway.core.errors import GatewayError, NotFound
from gateway.core.interrupts import iso
from gateway.core.messages import Json
from gateway.ports.clock import Clock, Ids
from gateway.ports.pairing import PairingRow, Pairings

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""32 that are not mistaken for each other: without 0, O, 1 and I."""
CODE_LENGTH = 8
CODE_LASTS = timedelta(hours=1)
MOST_PENDING = 3
MOST_TRIES = 5


class TooManyTries(GatewayError):
    """Wrong codes were tried too often in the last hour; none is looked at."""

    code = "TOO_MANY_TRIES"
    http = 429


class Pairing:
    """Codes and who was let in by them. `on_change` is told of each person let in or out."""

    def __init__(self, store: Pairings, clock: Clock, ids: Ids, access: Access) -> None:
        self.on_change: list[Callable[[PairingRow], None]] = []
        self._store = store
        self._clock = clock
        self._ids = ids
        self._access = access
        self._wrong: dict[str, deque[float]] = {}

    async def load(self) -> None:
        """Let those in who were paired before."""
        for row in await self._store.pairings():
            if row.approved:
                self._tell(row)

    async def ask(self, channel: str, principal: str, name: str) -> str | None:
        """A code for somebody unknown; the same for an hour. None where too many wait."""
        rows = [row for row in await self._store.pairings() if row.channel == channel]
        mine = next((row for row in rows if row.principal == principal), None)
        if mine is not None and self._pending(mine):
            return mine.code
        if sum(self._pending(row) for row in rows) >= MOST_PENDING:
            return None
        code = self._new_code()
        now = self._clock.now()
        await self._store.put_pairing(
            PairingRow(channel=channel, principal=principal, name=name, code=code, asked_at=now)
        )
        return code

    async def approve(self, code: str, by: str) -> PairingRow:
        """Let the person with this code in.

        Raises:
            NotFound: no such code waits, or its hour is over.
            TooManyTries: `by` tried too many wrong ones.
        """
        now = self._clock.monotonic()
        wrong = self._wrong.setdefault(by, deque())
        while wrong and wrong[0] <= now - CODE_LASTS.total_seconds():
            wrong.popleft()
        if len(wrong) >= MOST_TRIES:
            raise TooManyTries("too many wrong codes; try again in an hour")
        given = code.strip().upper().encode()
        for row in await self._store.pairings():
            if self._pending(row) and hmac.compare_digest(row.code.encode(), given):
                return await self._change(replace(row, approved_at=self._clock.now()))
        wrong.append(now)
        raise NotFound("no such code waits; codes are good for an hour")

    async def revoke(self, principal: str) -> PairingRow:
        """Let somebody out who was let in.

        Raises:
            NotFound: nobody of this number was.
        """
        for row in await self._store.pairings():
            if row.principal == principal and row.approved:
                return await self._change(replace(row, revoked_at=self._clock.now()))
        raise NotFound(f"{principal} was not paired")

    async def listed(self) -> list[Json]:
        """Who waits, with their codes, and who was let in or out."""
        lines: list[Json] = []
        for row in await self._store.pairings():
            if row.approved_at is None and not self._pending(row):
                continue
            lines.append(
                {
                    "channel": row.channel,
                    "principal": row.principal,
                    "name": row.name,
                    "code": row.code if self._pending(row) else None,
                    "askedAt": iso(row.asked_at),
                    "approvedAt": iso(row.approved_at),
                    "revokedAt": iso(row.revoked_at),
                }
            )
        return lines

    def _pending(self, row: PairingRow) -> bool:
        return row.approved_at is None and self._clock.now() < row.asked_at + CODE_LASTS

    async def _change(self, row: PairingRow) -> PairingRow:
        await self._store.put_pairing(row)
        self._tell(row)
        return row

    def _tell(self, row: PairingRow) -> None:
        if row.approved:
            self._access.grant(row.principal)
        else:
            self._access.withdraw(row.principal)
        for told in self.on_change:
            told(row)

    def _new_code(self) -> str:
        """40 random bits."""
        bits = int.from_bytes(hashlib.sha256(self._ids.uuid().encode()).digest())
        return "".join(LETTERS[bits >> (5 * place) & 31] for place in range(CODE_LENGTH))
