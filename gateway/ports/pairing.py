"""Pairing: a stranger gets a code, the operator approves it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingRow:
    """Somebody who asked to be let in on a channel; approved, then maybe revoked."""

    channel: str
    principal: str
    name: str
    code: str
    asked_at: datetime
    approved_at: datetime | None = None
    revoked_at: datetime | None = None

    @property
    def approved(self) -> bool:
        """Whether this person may come in."""
        return self.approved_at is not None and self.revoked_at is None


class Pairings(Protocol):
    """Where pairings are kept, one a person and channel."""

    async def put_pairing(self, row: PairingRow) -> None:
        """Keep a pairing, over an earlier one of this person."""

    async def pairings(self) -> list[PairingRow]:
        """Every pairing, in the order asked."""
