"""How fast sound is sent, where it waits, and which words have begun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from voice.core.events import WordPlayed
from voice.core.pcm import Samples
from voice.core.playout import Track

SLACK_MS = 100
"""A line that falls further behind than at its best, by so much, has stalled."""


@dataclass(slots=True)
class Pace:
    """The place that plays now, as far as it can be told without a report each moment.

    It goes with time from the first sample that is sent, stands while sound is held and waits where
    nothing was sent. A line may play later than it is sent (a phone network holds seconds): what it
    reports then sets back only what has stalled.
    """

    rate: int
    lead_ms: int
    at: int = 0
    since_ms: int | None = None
    behind: int | None = None

    def place(self, sent: int, now_ms: int) -> int:
        """The sample that plays at `now_ms`, of those that were sent."""
        if self.since_ms is None:
            return min(self.at, sent)
        return min(sent, self.at + (now_ms - self.since_ms) * self.rate // 1000)

    def due(self, sent: int, now_ms: int) -> int:
        """How many samples may be sent now."""
        place = self.place(sent, now_ms)
        if self.since_ms is None or place == sent:
            self.at, self.since_ms = place, now_ms
        return place + self.lead_ms * self.rate // 1000 - sent

    def wait_ms(self, sent: int, samples: int, now_ms: int, longest_ms: int) -> int:
        """In how long so many samples beyond `sent` are due, 1…`longest_ms`; the longest where none
        are wanted, or it stands.
        """
        if self.since_ms is None or not samples:
            return longest_ms
        until = sent + samples - self.lead_ms * self.rate // 1000
        passes_ms = -((self.at - until) * 1000 // self.rate)
        return max(1, min(longest_ms, self.since_ms + passes_ms - now_ms))

    def hold(self, now_ms: int) -> None:
        """Stand still."""
        if self.since_ms is not None:
            self.at += (now_ms - self.since_ms) * self.rate // 1000
            self.since_ms = None

    def go_on(self, now_ms: int) -> None:
        """Go on from where it stood."""
        if self.since_ms is None:
            self.since_ms = now_ms

    def restart(self, at: int, now_ms: int) -> None:
        """Stand at `at`: what was sent beyond was thrown away."""
        self.at, self.since_ms, self.behind = at, None, None

    def reported(self, played: int, sent: int, now_ms: int) -> None:
        """The line has played so far."""
        place = self.place(sent, now_ms)
        if place >= sent:
            return  # everything that was sent may have been played: that tells nothing
        behind = place - played
        if self.behind is None or behind < self.behind:
            self.behind = behind
        elif behind - self.behind > SLACK_MS * self.rate // 1000:
            self.at, self.since_ms = played + self.behind, now_ms


@dataclass(slots=True)
class Reel:
    """The sound of one clause, as it grows."""

    parts: list[Samples] = field(default_factory=list)

    def add(self, samples: Samples) -> None:
        """Further samples at its end."""
        if len(samples):
            self.parts.append(samples)

    def cut(self, first: int, last: int) -> Samples:
        """The samples `first`…`last`, not included."""
        if len(self.parts) > 1:
            self.parts = [self.joined(self.parts)]
        return self.parts[0][first:last] if self.parts else _NONE

    @staticmethod
    def joined(parts: Sequence[Samples]) -> Samples:
        """Pieces one behind the other."""
        if len(parts) == 1:
            return parts[0]
        return np.concatenate(parts) if parts else _NONE


_NONE: Samples = np.zeros(0, dtype=np.float32)


@dataclass(slots=True)
class WordCursor:
    """The next word of a generation whose sound has not begun yet."""

    item: int = 0
    word: int = 0
    offset: int = 0

    def forward(self, track: Track, rate: int, now_ms: int) -> list[WordPlayed]:
        """The words that have begun since; `now_ms` is when what was acknowledged is heard."""
        found: list[WordPlayed] = []
        while self.item < len(track.items):
            item = track.items[self.item]
            words, played = item.clause.spoken.words, track.acknowledged - self.offset
            while self.word < min(len(words), len(item.starts)):
                start = item.starts[self.word]
                if start is None or start >= played:
                    break
                after = item.starts[self.word + 1 : self.word + 2]
                until = item.samples if not after or after[0] is None else after[0]
                word = words[self.word]
                text = item.clause.spoken.text[word.spoken_start : word.spoken_end]
                found.append(
                    WordPlayed(
                        track.generation,
                        text,
                        now_ms - (played - start) * 1000 // rate,
                        now_ms - (played - max(start, until)) * 1000 // rate,
                    )
                )
                self.word += 1
            if not item.complete or played < item.samples:
                break
            self.offset += item.samples
            self.item, self.word = self.item + 1, 0
        return found
