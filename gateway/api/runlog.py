"""What a run's readers are told, in one order for all of them: events, and texts that grow.

A reader holds its place by an id: `seq` of the last event it got whole, or `seq.offset` inside a
text. Ids only grow, across restarts too.
"""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias

from gateway.api.growth import Grown, Piece
from gateway.core.messages import Json
from gateway.wire import Sequence

MAX_ITEMS: Final = 4_096
"""How many events of a run are kept; a reader who missed more gets a snapshot."""
WORDS_AT_ONCE: Final = 512
"""Of how many words a reader is given a text at once at most."""


@dataclass(frozen=True, slots=True)
class Line:
    """One event. `last`: a reader's stream ends with it, for now."""

    seq: int
    type: str
    data: Mapping[str, Json]
    last: bool = False


Item: TypeAlias = Line | Piece


@dataclass(frozen=True, slots=True)
class Said:
    """More of a step's text for one reader: it reads on from `offset` with `text`. `ends` is where
    each word of that ends, as a place in the whole text.
    """

    seq: int
    step: int
    offset: int
    text: str
    ends: array[int]

    @property
    def words(self) -> Iterator[str]:
        """The text, word by word."""
        places = [end - self.offset for end in self.ends]
        return (self.text[start:end] for start, end in pairwise([0, *places]))

    @property
    def end(self) -> int:
        """Where it ends in the whole text."""
        return self.offset + len(self.text)


@dataclass(slots=True, eq=False)
class RunLog:
    """One run's events since it was begun. `whole`: nothing of the run came before them. `inputs`
    are the messages to it, by their numbers; `text` is its last one that is in the thread's log;
    `resting`: it has ended or asks, and that was told.
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
    over: bool = False
    begun: int = 0
    after: int = 0
    _tip: Piece | None = None

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
        known = grown.text
        if grown.cut or text == known:
            return
        if not text.startswith(known):
            self._shorten(step, _common(known, text))
        rest = text[len(grown.text) :]
        if rest:
            self.more(step, rest)

    def more(self, step: int, word: str) -> None:
        """The step's text, begun before, goes on with a word."""
        tip = self._tip
        if tip is None or tip.step != step:
            grown = self.texts.get(step)
            if grown is None or grown.cut:
                return
            tip = Piece(self.sequence.next(), step, len(grown.text), grown)
            self._append(tip)
            self._tip = tip
        tip.text.add(word)
        if self.waiters:
            self._wake()

    def cut(self, step: int) -> str:
        """Reveal no more of a text than some reader was written; that part."""
        grown = self.texts.setdefault(step, Grown())
        if not grown.cut:
            grown.cut = True
            self._shorten(step, grown.written)
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
        self._close()
        self.items.append(item)
        if len(self.items) > MAX_ITEMS:
            gone = self.items[: -MAX_ITEMS // 2]
            self.items = self.items[-MAX_ITEMS // 2 :]
            self.after = gone[-1].seq
        self._wake()

    def _shorten(self, step: int, length: int) -> None:
        """Of what is told of a text, let only its first characters stand."""
        self._close()
        for item in self.items:
            if isinstance(item, Piece) and item.step == step and item.stop > length:
                item.end = max(length, item.start)
        self.texts[step].shorten(length)

    def _close(self) -> None:
        """The last item grows no more."""
        if self._tip is not None:
            self._tip.end = self._tip.stop
            self._tip = None

    def _wake(self) -> None:
        for told in self.waiters:
            told()


class Reader:
    """One reader's place in a run's log."""

    def __init__(self, log: RunLog, id_: str = "") -> None:
        self._log = log
        self._news: asyncio.Future[bool] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._deadline = 0.0
        self._seq, self._offset = place_of(id_) if id_ else (log.begun if log.whole else 0, 0)

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
        if not grown.cut and grown.text.startswith(said.text, said.offset):
            grown.written = max(grown.written, said.end)

    def _rest(self, piece: Piece) -> Said | None:
        start = max(self._offset, piece.start)
        stop = piece.stop
        if stop <= start:
            return None
        ends = piece.text.ends(start, stop)[:WORDS_AT_ONCE]
        self._offset = ends[-1]
        text = piece.text.text[start : self._offset]
        return Said(piece.seq, piece.step, start, text, ends)

    async def wait(self, seconds: float) -> bool:
        """Wait for news; False where none came in time. Only after `next` has given nothing."""
        loop = asyncio.get_running_loop()
        self._deadline = loop.time() + seconds
        if self._alarm is None:
            self._alarm = loop.call_later(seconds, self._rang)
        self._news = loop.create_future()
        self._log.waiters.add(self._told)
        try:
            return await self._news
        finally:
            self._log.waiters.discard(self._told)
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
