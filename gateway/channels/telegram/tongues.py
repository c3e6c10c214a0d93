"""In which language each person is spoken to: the one they chose by `/lang`, or their client's."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from gateway.ports.telegram import PersonRow, TelegramStore


@dataclass(slots=True)
class Tongues:
    """Known in memory, kept in the store. `later` runs what has to be stored."""

    keep: TelegramStore
    later: Callable[[Coroutine[Any, Any, None]], object]
    _people: dict[str, PersonRow] = field(default_factory=dict)

    async def load(self) -> None:
        """Read what is kept."""
        self._people = {row.principal: row for row in await self.keep.people()}

    def of(self, principal: str, otherwise: str) -> str:
        """The person's language; `otherwise` where nothing is known of them."""
        row = self._people.get(principal)
        return otherwise if row is None else row.language

    def spoken(self, principal: str, client: str) -> str:
        """The language of somebody who wrote or pressed now, with this language of their client."""
        row = self._people.get(principal)
        if row is not None and row.chosen:
            return row.language
        if row is None or row.language != client:
            self._save(PersonRow(principal=principal, language=client))
        return client

    def chose(self, principal: str, language: str) -> None:
        """The person wants this language from now on, in every chat."""
        self._save(PersonRow(principal=principal, language=language, chosen=True))

    def _save(self, row: PersonRow) -> None:
        self._people[row.principal] = row
        self.later(self.keep.put_person(row))
