"""Edits: what still waits changes; what is worked on gets the change offered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from gateway.channels.telegram.incoming import LONG_UNITS, Incoming
from gateway.channels.telegram.markdown import units
from gateway.channels.telegram.names import Place, dedup_of
from gateway.ports.rows import InputState
from gateway.ports.store import Store

Ask = Callable[[str, Callable[[Any, Any], object]], Awaitable[Any]]
Offer = Callable[[Incoming, Place, str], Awaitable[None]]


class Edits:
    """`ask` runs a function in the thread's actor; `offer` asks whether to go on with a change."""

    def __init__(self, bot: int, store: Store, ask: Ask, offer: Offer) -> None:
        self._bot = bot
        self._store = store
        self._ask = ask
        self._offer = offer

    async def take(self, item: Incoming, place: Place) -> bool:
        """Do what an edited message calls for; true once that is stored."""
        text = item.text
        dedup = dedup_of(self._bot, item.chat, item.message)
        if not text or text.startswith("/") or not await self._store.known(dedup):
            return True

        def change(state: Any, work: Any) -> str:
            row = next((r for r in state.inputs.values() if r.new.dedup == dedup), None)
            if row is None:
                return "gone"
            if row.new.text == text or units(row.new.text) >= LONG_UNITS:
                return "same"
            if row.state is InputState.WAITING:
                new = replace(row.new, text=text)
                state.save_input(work, replace(row, new=new, detail=""))
                return "changed"
            return str(row.run or "")

        became = await self._ask(place.thread, change)
        if became == "gone":
            became = await self._run_of(place.thread, dedup, text)
        if became not in ("", "same", "changed"):
            await self._offer(item, place, became)
        return True

    async def _run_of(self, thread: str, dedup: str, text: str) -> str:
        """The run that is on and that the message became part of."""
        rows = await self._store.inputs(thread)
        row = next((row for row in rows if row.new.dedup == dedup), None)
        if row is None or row.run is None or row.new.text == text:
            return ""
        run = row.run
        live = await self._ask(thread, lambda state, work: run in state.runs)
        return run if live else ""
