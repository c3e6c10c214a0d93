"""What the agent says on a call, piece by piece: replies, questions, notices."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from gateway.core.interrupts import QuestionKind
from gateway.ports.channel import Delivery, Prompt, Shown, TextRef
from voice.core.clauses import Clause, Clauses
from voice.core.playout import Heard
from voice.core.speakable import speakable


@dataclass(slots=True, eq=False)
class Piece:
    """A text that is spoken from `start` on; `final` once no more of it will come.

    `generation` is the one in which it was spoken last, 0 until it is spoken (again).
    """

    text: str
    language: str
    final: bool = True
    generation: int = 0
    start: int = 0
    closed: bool = False
    _fed: int = 0
    _clauses: Clauses = field(default_factory=lambda: Clauses("en"))

    def begin(self, generation: int) -> None:
        """It is spoken in this generation, from `start` on."""
        self.generation, self.closed = generation, False
        self._fed, self._clauses = self.start, Clauses(self.language, start=self.start)

    def clauses(self) -> tuple[Clause, ...]:
        """Those that are complete and were not yet taken; `closed` once there are no more."""
        self._clauses, found = self._clauses.feed(self.text[self._fed :])
        self._fed = len(self.text)
        if not self.final or self.closed:
            return found
        self._clauses, last = self._clauses.close()
        self.closed = True
        return (*found, *last)

    def taken_to(self) -> int:
        """Where in the text the clauses that were taken end."""
        return self._clauses.start if self.generation else 0

    def hand_back(self, same_to: int) -> None:
        """The text is as it was up to there, behind what was taken: read what changed anew."""
        if same_to < self._fed:
            self._fed = self._clauses.start
            self._clauses = Clauses(self.language, start=self._fed)


@dataclass(slots=True, eq=False)
class Note(Piece):
    """Something the caller is told; it is never part of a reply."""

    ends_call: bool = False


@dataclass(slots=True, eq=False)
class Asking(Piece):
    """A question as it is spoken; `last_word` is where the last word of its message ends."""

    question: str = ""
    last_word: int = 0
    heard: bool = False


@dataclass(slots=True, eq=False)
class Reply(Piece):
    """The text of a step. `silent`: it is shown and not spoken from here on."""

    ref: TextRef = field(default_factory=lambda: TextRef("", "", 0))
    silent: bool = False
    cut: Shown | None = None
    _before_ms: int = 0
    _rest_ms: int = 0
    _spoken: tuple[int, int] | None = None

    def heard_to(self, heard: Heard) -> int:
        """Where in the text what was heard ends, by what was heard of the last generation."""
        if not self.generation:
            return self.start
        if heard.complete:
            return len(self.text)
        return max(self.start, self.start + len(heard.text))

    def shown(self, heard: Heard) -> Shown:
        """What of it reached the caller."""
        if self.silent:
            return Shown(self.text, *(self._spoken or (None, None)))
        end = self.heard_to(heard)
        if self.final and end > 0 and not self._words_behind(end):
            end = len(self.text)
        return Shown(self.text[:end], *(self._span(heard) or (None, None)))

    def fall_silent(self, heard: Heard) -> None:
        """From here on it is shown; how much of it was heard is kept."""
        self._spoken = self._span(heard)
        self.silent = True

    def _span(self, heard: Heard) -> tuple[int, int] | None:
        if self.generation:
            return self._before_ms + heard.heard_ms, self._before_ms + heard.total_ms
        return (self._before_ms, self._before_ms + self._rest_ms) if self._before_ms else None

    def rest(self, heard: Heard) -> bool:
        """Go on from the first word that was not heard; whether there is any, or may be. What was
        heard is counted now, once: until it is spoken again it belongs to no generation.
        """
        self.start = self.heard_to(heard)
        self._before_ms += heard.heard_ms
        self._rest_ms = heard.total_ms - heard.heard_ms
        self.generation = 0
        return not self.final or self._words_behind(self.start)

    def _words_behind(self, place: int) -> bool:
        return bool(speakable(self.text[place:], self.language, place).words)


@dataclass(slots=True, eq=False)
class Asked:
    """A question that is open to the caller. `seq` is when it was put, `heard` whether its message
    was, `keyed` whether keys were pressed for it; `confirming` while a second yes is awaited.
    """

    prompt: Prompt
    seq: int
    delivered: asyncio.Future[Delivery]
    heard: bool = False
    keyed: bool = False
    confirming: bool = False

    @property
    def id(self) -> str:
        """The question's."""
        return self.prompt.question.id

    @property
    def is_leave(self) -> bool:
        """Whether it asks for leave, not for a value."""
        return self.prompt.question.kind is not QuestionKind.INPUT

    def deliver(self, delivery: Delivery) -> None:
        """Tell whoever waits for it; the first word stands."""
        if not self.delivered.done():
            self.delivered.set_result(delivery)
