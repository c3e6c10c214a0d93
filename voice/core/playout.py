"""The ledger of what was played: one for a call.

Each generation is a row of items (clauses), each item its samples and its words; positions count
the samples of a generation from its first. Samples are taken to be sent, then acknowledged by
whoever plays them; `heard` answers from what was acknowledged, never from what was made or sent.

What is late changes nothing: samples, marks and reports of a generation that was cut or is not the
newest, marks of a flight that was recalled, positions that go back or lie beyond what was sent.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from voice.core.changing import replace
from voice.core.clauses import Clause
from voice.core.speakable import PlacedWord

SLOWEST_CHARS_PER_SECOND = 12
"""How slowly a clause is taken to be spoken while its length is not known."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A voice began to say what stands at `place` of the spoken text at `sample` of its item."""

    place: int
    sample: int


@dataclass(frozen=True, slots=True)
class Item:
    """A clause as sound. `starts` are the samples at which its words begin, None while unknown."""

    clause: Clause
    samples: int = 0
    complete: bool = False
    marks: tuple[Mark, ...] = ()
    starts: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """Samples `first`…`last` (not included) of an item, to be sent now."""

    item: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class HeardWord:
    """A written word at `start`…`end` of the reply, and the samples that say it."""

    start: int
    end: int
    first_sample: int
    last_sample: int


@dataclass(frozen=True, slots=True)
class Heard:
    """What of a reply reached the ear: `text` is the beginning of it, up to the last word whose
    sound started; `complete` says that it is all of it. `total_ms` is what exists of the sound.
    """

    text: str
    complete: bool
    heard_ms: int
    total_ms: int


@dataclass(frozen=True, slots=True)
class Track:
    """One generation. `flight` counts how often sent samples were recalled to be sent again."""

    generation: int
    items: tuple[Item, ...] = ()
    sent: int = 0
    acknowledged: int = 0
    flight: int = 0
    closed: bool = False
    cut: bool = False
    cleared: bool = False

    @property
    def made(self) -> int:
        """How many samples exist."""
        return sum(item.samples for item in self.items)


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every generation of a call that was not forgotten, the newest last. `rate` is in Hz."""

    rate: int
    tracks: tuple[Track, ...] = ()

    def begin(self, generation: int) -> Ledger:
        """A new generation, later than every other; an earlier one is late and changes nothing."""
        if self.tracks and generation <= self.tracks[-1].generation:
            return self
        return replace(self, tracks=(*self.tracks, Track(generation)))

    def forget(self, generation: int) -> Ledger:
        """Without the generations up to this one, whose end was saved; the newest stays."""
        kept = tuple(track for track in self.tracks[:-1] if track.generation > generation)
        return replace(self, tracks=(*kept, *self.tracks[-1:]))

    def say(self, generation: int, clause: Clause) -> Ledger:
        """A further clause; its number among the items of its generation counts from 0."""
        return self._live(
            generation, lambda track: replace(track, items=(*track.items, Item(clause)))
        )

    def synthesised(
        self, generation: int, item: int, samples: int, marks: Sequence[Mark] = ()
    ) -> Ledger:
        """So many further samples of an item exist, and the marks that the voice gave."""

        def grown(old: Item) -> Item:
            ordered = sorted((*old.marks, *marks), key=lambda mark: (mark.place, mark.sample))
            return replace(old, samples=old.samples + samples, marks=tuple(ordered))

        return self._item(generation, item, grown)

    def finished(self, generation: int, item: int) -> Ledger:
        """The item has all its samples."""
        return self._item(generation, item, lambda old: replace(old, complete=True))

    def closed(self, generation: int) -> Ledger:
        """No further clause will come."""
        return self._live(generation, lambda track: replace(track, closed=True))

    def take(self, generation: int, samples: int) -> tuple[Ledger, tuple[Span, ...]]:
        """Up to so many of the next samples, to be sent now; none of a generation that was cut."""
        track = self._find(generation)
        if track is None or track.cut or track is not self.tracks[-1]:
            return self, ()
        spans = _spans(track.items, track.sent, samples)
        sent = track.sent + sum(span.last - span.first for span in spans)
        return self._with(replace(track, sent=sent)), spans

    def acknowledge(self, generation: int, flight: int, position: int) -> Ledger:
        """Whoever plays has played up to `position`."""
        track = self._find(generation)
        if track is None or track.cut or track.flight != flight:
            return self
        played = max(track.acknowledged, min(position, track.sent))
        return self._with(replace(track, acknowledged=played))

    def recall(self, generation: int) -> Ledger:
        """What was sent and not played was thrown away, to be taken again: a hold where the other
        side can't hold. Acknowledge what it has played before.
        """
        return self._live(
            generation,
            lambda track: replace(track, sent=track.acknowledged, flight=track.flight + 1),
        )

    def cut(self, generation: int) -> Ledger:
        """Nothing of it and of earlier ones is sent or played any more."""
        tracks = tuple(
            replace(track, cut=True) if track.generation <= generation else track
            for track in self.tracks
        )
        return replace(self, tracks=tracks)

    def cleared(self, generation: int, position: int) -> Ledger:
        """After a cut, whoever played says once where the sound ended."""
        track = self._find(generation)
        if track is None or not track.cut or track.cleared:
            return self
        played = max(track.acknowledged, min(position, track.sent))
        return self._with(replace(track, acknowledged=played, cleared=True))

    def heard(self, generation: int) -> Heard:
        """What of this generation was heard; nothing of one that is not known."""
        track = self._find(generation)
        if track is None:
            return Heard("", complete=False, heard_ms=0, total_ms=0)
        text = "".join(item.clause.text for item in track.items)
        complete = track.closed and _all_played(track)
        base = track.items[0].clause.start if track.items else 0
        end = len(text) if complete else _heard_end(track) - base
        shown = text[:end] if complete else text[:end].rstrip()
        heard_ms, total_ms = (n * 1000 // self.rate for n in (track.acknowledged, track.made))
        return Heard(shown, complete, heard_ms, total_ms)

    def words(self, generation: int) -> tuple[HeardWord, ...]:
        """The words of it whose sound started, in order."""
        track = self._find(generation)
        return () if track is None else tuple(_heard_words(track))

    def track(self, generation: int) -> Track | None:
        """The generation as it stands."""
        return self._find(generation)

    def _find(self, generation: int) -> Track | None:
        return next((track for track in self.tracks if track.generation == generation), None)

    def _with(self, track: Track) -> Ledger:
        tracks = tuple(track if old.generation == track.generation else old for old in self.tracks)
        return replace(self, tracks=tracks)

    def _live(self, generation: int, change: Callable[[Track], Track]) -> Ledger:
        """With this track changed, if it was not cut and is the newest."""
        track = self._find(generation)
        if track is None or track.cut or track is not self.tracks[-1]:
            return self
        return self._with(change(track))

    def _item(self, generation: int, number: int, change: Callable[[Item], Item]) -> Ledger:
        def changed(track: Track) -> Track:
            if number >= len(track.items) or track.items[number].complete:
                return track
            item = change(track.items[number])
            item = replace(item, starts=_starts(item, self.rate))
            return replace(track, items=(*track.items[:number], item, *track.items[number + 1 :]))

        return self._live(generation, changed)


def _spans(items: Sequence[Item], sent: int, samples: int) -> tuple[Span, ...]:
    spans: list[Span] = []
    offset, wanted = 0, samples
    for number, item in enumerate(items):
        first = max(0, sent - offset)
        last = min(item.samples, first + wanted)
        if last > first:
            spans.append(Span(number, first, last))
            wanted -= last - first
        if not item.complete or wanted <= 0:
            break
        offset += item.samples
    return tuple(spans)


def _all_played(track: Track) -> bool:
    return all(item.complete for item in track.items) and track.acknowledged == track.made


def _heard_end(track: Track) -> int:
    """Where in the reply what was heard ends."""
    offset, end = 0, track.items[0].clause.start if track.items else 0
    for item in track.items:
        played = track.acknowledged - offset
        if played <= 0:
            break
        if not item.complete or played < item.samples:
            return max((word.end for word, _ in _started(item, played)), default=end)
        end = item.clause.end
        offset += item.samples
    return end


def _heard_words(track: Track) -> list[HeardWord]:
    found: list[HeardWord] = []
    offset = 0
    for item in track.items:
        for place, (word, at) in enumerate(_started(item, track.acknowledged - offset)):
            after = item.starts[place + 1] if place + 1 < len(item.starts) else None
            last = item.samples if after is None else after
            found.append(HeardWord(word.start, word.end, offset + at, offset + max(at, last)))
        offset += item.samples
    return found


def _started(item: Item, played: int) -> Iterator[tuple[PlacedWord, int]]:
    """The words of an item, from its first, whose sound started within so many samples."""
    for word, at in zip(item.clause.spoken.words, item.starts, strict=False):
        if at is None or at >= played:
            return
        yield word, at


def _starts(item: Item, rate: int) -> tuple[int | None, ...]:
    """When each word begins: by its mark, else by its share of the characters between marks."""
    length = len(item.clause.spoken.text)
    end = Mark(length, item.samples) if item.complete else None
    if end is None and not item.marks:
        end = Mark(length, max(item.samples, length * rate // SLOWEST_CHARS_PER_SECOND))
    return tuple(_start(word, item.marks, end) for word in item.clause.spoken.words)


def _start(word: PlacedWord, marks: Sequence[Mark], end: Mark | None) -> int | None:
    at = bisect_left(marks, word.spoken_start, key=lambda mark: mark.place)
    after = marks[at] if at < len(marks) else end
    if after is None:
        return None
    if at < len(marks) and after.place < word.spoken_end:
        return after.sample
    before = marks[at - 1] if at else Mark(0, 0)
    way = (word.spoken_start - before.place) / max(1, after.place - before.place)
    return before.sample + max(0, ceil((after.sample - before.sample) * way))
