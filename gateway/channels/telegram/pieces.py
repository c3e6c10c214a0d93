"""What arrives in pieces: long pastes, albums, files that have to be fetched. Kept, then joined.

Each person in each chat has one line: what they send behind a piece waits for it, so that nothing
overtakes. Stops and commands don't wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from gateway.channels.telegram.incoming import LONG_UNITS, Incoming
from gateway.channels.telegram.markdown import units
from gateway.supervise import Supervisor

PASTE_SECONDS = 1.5
"""How long after a long text another piece of it may come."""
ALBUM_SECONDS = 1.0
AGAIN_SECONDS = 1.0

Key = tuple[int, int | None, int]


@dataclass(slots=True)
class Group:
    """Pieces of one thing; `open` while others may come, `entered` once it is an input."""

    items: list[Incoming]
    last_at: float
    open: bool
    entered: bool = False

    def takes(self, item: Incoming) -> bool:
        """Whether a message is a piece of this."""
        if not self.open:
            return False
        last = self.items[-1]
        if last.album is not None:
            return item.album == last.album
        return not item.files and item.album is None and item.message > last.message

    def add(self, item: Incoming, now: float) -> None:
        """One more piece; a text that is not long is the last one."""
        self.items.append(item)
        self.last_at = now
        self.open = _open(item)

    def place(self, item: Incoming) -> int | None:
        """Which of these a message is, as it was before it was edited."""
        found = (at for at, was in enumerate(self.items) if was.message == item.message)
        return next(found, None)

    def edit(self, item: Incoming) -> bool:
        """Put an edited message in the place of itself; False where it is none of these."""
        at = self.place(item)
        if at is None:
            return False
        was = self.items[at]
        same = replace(item, update=was.update, kept_at=was.kept_at, edited=False)
        self.items[at] = replace(same, edits=(*was.edits, item.update))
        self.open = self.open and _open(self.items[-1])
        return True

    @property
    def seconds(self) -> float:
        """How long the next piece may take."""
        return ALBUM_SECONDS if self.items[-1].album is not None else PASTE_SECONDS


def _open(item: Incoming) -> bool:
    if item.album is not None:
        return True
    return not item.files and units(item.text) >= LONG_UNITS


@dataclass(slots=True)
class Line:
    """What waits of one person in one chat, in order."""

    groups: list[Group] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)


class Lines:
    """All lines. `enter` takes a group; False where it has to be tried again."""

    def __init__(
        self,
        enter: Callable[[Group], Awaitable[bool]],
        monotonic: Callable[[], float],
        supervisor: Supervisor,
    ) -> None:
        self._enter = enter
        self._monotonic = monotonic
        self._supervisor = supervisor
        self._lines: dict[Key, Line] = {}

    def waits(self, item: Incoming) -> bool:
        """Whether something of this person waits in this chat."""
        return (item.chat, item.topic, item.person) in self._lines

    def holds(self, item: Incoming) -> bool:
        """Whether this very message waits, and is no input yet."""
        return any(group.place(item) is not None for group in self._not_entered(item))

    def edit(self, item: Incoming) -> bool:
        """Put an edited message in the place of itself; False where `holds` is."""
        return any(group.edit(item) for group in self._not_entered(item))

    def _not_entered(self, item: Incoming) -> list[Group]:
        line = self._lines.get((item.chat, item.topic, item.person))
        return [] if line is None else [group for group in line.groups if not group.entered]

    def add(self, item: Incoming) -> None:
        """Put a message at the end of its line."""
        key = (item.chat, item.topic, item.person)
        now = self._monotonic()
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = Line()
            self._supervisor.spawn(self._work(key, line), name="telegram pieces")
        last = line.groups[-1] if line.groups else None
        if last is not None and last.takes(item):
            last.add(item, now)
        else:
            if last is not None:
                last.open = False
            line.groups.append(Group([item], now, _open(item)))
        line.news.set()

    async def _work(self, key: Key, line: Line) -> None:
        while line.groups:
            group = line.groups[0]
            await self._complete(group, line)
            if await self._enter(group):
                line.groups.pop(0)
            else:
                await asyncio.sleep(AGAIN_SECONDS)
        del self._lines[key]

    async def _complete(self, group: Group, line: Line) -> None:
        while group.open:
            left = group.last_at + group.seconds - self._monotonic()
            if left <= 0:
                group.open = False
                return
            line.news.clear()
            try:
                async with asyncio.timeout(left):
                    await line.news.wait()
            except TimeoutError:
                continue
