"""What a run's readers are told, in one order for all of them: events, and texts that grow.

A reader holds its place by an id: `seq` of the last event it got whole, or `seq.offset` inside a
text. Ids only grow, across restarts too.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from gateway.core.messages import Json
from gateway.wire import Sequence

MAX_ITEMS: Final = 4_096
"""How many events of a run are kept; a reader who missed more gets a snapshot."""


@dataclass(slots=True)
class Grown:
    """A step's text. `written` is what some reader was written of it."""

    text: str = ""
    written: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One event. `last`: a reader's stream ends with it, for now."""

    seq: int
    type: str
    data: Mapping[str, Json]
    last: bool = False


@dataclass(slots=True)
class Piece:
    """A part of a step's text, from `start` on; it grows until `end` is set."""

    seq: int
    step: int
    start: int
    text: Grown
    end: int | None = None

    @property
    def stop(self) -> int:
        """Up to where it can be read now."""
        return len(self.text.text) if self.end is None else self.end


Item: TypeAlias = Line | Piece


@dataclass(frozen=True, slots=True)
class Said:
    """More of a step's text for one reader: it reads on from `offset` with `text`."""

    id: str
    step: int
    offset: int
    text: str


@dataclass(slots=True, eq=False)
class RunLog:
    """One run's events since it was begun. `whole`: nothing of the run came before them. `inputs`
    are the messages to it, by their numbers; `text` is its last one that is in the thread's log;
    `resting`: it has ended or asks, and that was told; `paused_at` is the number from which on its
    last questions can be seen.
    """

    run: str
    thread: str
    sequence: Sequence
    whole: bool
    items: list[Item] = field(default_factory=list)
    texts: dict[int, Grown] = field(default_factory=dict)
    questions: set[str] = field(default_factory=set)
    inputs: dict[int, Mapping[str, Json]] = field(default_factory=dict)
    text: str = ""
    waiters: set[Callable[[], object]] = field(default_factory=set)
    resting: bool = False
    paused_at: int = 0
    over: bool = False
    begun: int = 0
    after: int = 0

    def __post_init__(self) -> None:
        self.begun = self.after = self.sequence.next()

    def add(self, type_: str, data: Mapping[str, Json], *, last: bool = False) -> None:
        """One more event."""
        self.resting = self.resting or last
        self._append(Line(self.sequence.next(), type_, data, last))

    async def until(self, what: Callable[[], bool], seconds: float) -> bool:
        """Wait for something to be so; False where it was not in time."""
        news = asyncio.Event()
        self.waiters.add(news.set)
        try:
            async with asyncio.timeout(seconds):
                while not what():
                    news.clear()
                    await news.wait()
        except TimeoutError:
            return False
        finally:
            self.waiters.discard(news.set)
        return True

    def grow(self, step: int, text: str) -> None:
        """The step's text so far. What changed before its end counts as not written."""
        grown = self.texts.setdefault(step, Grown())
        if grown.cut or text == grown.text:
            return
        start = len(grown.text)
        if not text.startswith(grown.text):
            start = _common(grown.text, text)
            self._shorten(step, start)
        grown.text = text
        last = self.items[-1] if self.items else None
        if isinstance(last, Piece) and last.step == step and last.end is None:
            self._wake()
        else:
            self._append(Piece(self.sequence.next(), step, start, grown))

    def cut(self, step: int) -> str:
        """Reveal no more of a text than some reader was written; that part."""
        grown = self.texts.setdefault(step, Grown())
        if not grown.cut:
            grown.cut = True
            self._shorten(step, grown.written)
            grown.text = grown.text[: grown.written]
        return grown.text

    def shown(self, step: int) -> str:
        """What some reader was written of a text."""
        grown = self.texts.get(step)
        return "" if grown is None else grown.text[: grown.written]

    @property
    def place(self) -> str:
        """The id of the last event: what comes from now on comes after it."""
        return str(self.items[-1].seq if self.items else self.after)

    @property
    def last_shown(self) -> str:
        """What some reader was written of the last text."""
        return self.shown(max(self.texts, default=0))

    def _append(self, item: Item) -> None:
        last = self.items[-1] if self.items else None
        if isinstance(last, Piece) and last.end is None:
            last.end = len(last.text.text)
        self.items.append(item)
        if len(self.items) > MAX_ITEMS:
            gone = self.items[: -MAX_ITEMS // 2]
            self.items = self.items[-MAX_ITEMS // 2 :]
            self.after = gone[-1].seq
        self._wake()

    def _shorten(self, step: int, length: int) -> None:
        """Of what is told of a text, let only its first characters stand."""
        self.texts[step].written = min(self.texts[step].written, length)
        for item in self.items:
            if isinstance(item, Piece) and item.step == step and item.stop > length:
                item.end = max(length, item.start)

    def _wake(self) -> None:
        for told in tuple(self.waiters):
            told()


class Reader:
    """One reader's place in a run's log."""

    def __init__(self, log: RunLog, id_: str = "") -> None:
        self._log = log
        self._news: asyncio.Future[bool] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._deadline = 0.0
        self._seq, self._offset = place_of(id_) if id_ else (log.begun if log.whole else 0, 0)
        log.waiters.add(self._told)

    @property
    def missed(self) -> bool:
        """Whether something that came after its place is not kept, or its place is of no event
        here: it has to be told how things stand.
        """
        return not self._log.after <= self._seq <= self._log.sequence.last

    def skip(self) -> str:
        """Go to the end of what was written to anybody; the place's id."""
        items = self._log.items
        last = items[-1] if items else None
        self._seq, self._offset = self._log.after if last is None else last.seq, 0
        if isinstance(last, Piece):
            self._offset = max(last.start, min(last.stop, last.text.written))
        return f"{self._seq}.{self._offset}" if self._offset else str(self._seq)

    def close(self) -> None:
        """Read no more. Idempotent."""
        self._log.waiters.discard(self._told)
        if self._alarm is not None:
            self._alarm.cancel()

    def next(self) -> Line | Said | None:
        """What comes next, None while nothing does. It counts as read once this is called again;
        what is written of a text is told by `took`.
        """
        items = self._log.items
        place = bisect_right(items, self._seq, key=_seq)
        current = items[place - 1] if place else None
        if isinstance(current, Piece) and current.seq == self._seq:
            said = self._rest(current)
            if said is not None:
                return said
        while place < len(items):
            item = items[place]
            self._seq, self._offset = item.seq, 0
            if isinstance(item, Line):
                return item
            self._offset = item.start
            said = self._rest(item)
            if said is not None:
                return said
            place += 1
        return None

    def took(self, said: Said) -> None:
        """The reader was written this."""
        grown = self._log.texts[said.step]
        end = said.offset + len(said.text)
        if not grown.cut and grown.text.startswith(said.text, said.offset):
            grown.written = max(grown.written, end)

    def _rest(self, piece: Piece) -> Said | None:
        start = max(self._offset, piece.start)
        if piece.stop <= start:
            return None
        self._offset = piece.stop
        text = piece.text.text[start : piece.stop]
        return Said(f"{piece.seq}.{piece.stop}", piece.step, start, text)

    async def wait(self, seconds: float) -> bool:
        """Wait for news; False where none came in time. Only after `next` has given nothing."""
        loop = asyncio.get_running_loop()
        self._deadline = loop.time() + seconds
        if self._alarm is None:
            self._alarm = loop.call_later(seconds, self._rang)
        self._news = loop.create_future()
        try:
            return await self._news
        finally:
            self._news = None

    def _told(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(True)

    def _rang(self) -> None:
        """One timer serves many waits: it is set anew only when it has run off."""
        loop = asyncio.get_running_loop()
        left = self._deadline - loop.time()
        self._alarm = loop.call_later(left, self._rang) if left > 0 else None
        if left <= 0 and self._news is not None and not self._news.done():
            self._news.set_result(False)


def place_of(id_: str) -> tuple[int, int]:
    """The place that an event's id stands for."""
    seq, _, offset = id_.partition(".")
    return int(seq), int(offset or 0)


def _seq(item: Item) -> int:
    return item.seq


def _common(one: str, other: str) -> int:
    """How many characters both begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
