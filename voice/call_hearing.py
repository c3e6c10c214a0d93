"""One utterance on its way through a recogniser: partials while it lasts, its last words at its
end. One partial at a time; what comes late, or after the end, is told to nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from gateway.supervise import Caught, Supervisor, guarded_await
from voice.core.pcm import Resampler, Samples
from voice.core.words import SpokenWord
from voice.ports import Hypothesis, Listening

FIRST_MS, PARTIAL_MS = 250, 200
"""So long after its onset an utterance is looked at, and so often while the voice lasts; once when
it pauses.
"""


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a recogniser made of an utterance (`Hypothesis`); `failed` where it could not."""

    utterance: int
    words: tuple[SpokenWord, ...] = ()
    alternatives: tuple[str, ...] = ()
    final: bool = False
    paused: bool = False
    confirm: bool = False
    failed: Exception | None = None

    @property
    def text(self) -> str:
        """The words in one line."""
        return " ".join(word.text for word in self.words)


@dataclass(slots=True, eq=False)
class Hearing:
    """The recogniser's side of an utterance. `base_ms` is when its first sample was taken,
    `began_ms` when the voice began.
    """

    utterance: int
    listening: Listening
    resampler: Resampler
    base_ms: int
    began_ms: int
    supervisor: Supervisor
    told: Callable[[Recognised], None]
    latest: Recognised = field(init=False)
    over: bool = False
    closed: bool = False
    fed_to: int = 0
    ended_at: int | None = None
    _next_ms: int = 0
    _asking: bool = False
    _paused: bool = False
    _pauses: int = 0
    _failed: bool = False

    def __post_init__(self) -> None:
        self.latest = Recognised(self.utterance)
        self._next_ms = self.began_ms + FIRST_MS

    def feed(self, samples: Samples, end: int) -> None:
        """Further sound, up to sample `end` of the line."""
        if not self.over and len(samples):
            self.resampler, there = self.resampler.apply(samples)
            self.listening.feed(there)
            self.fed_to = end

    def look(self, now_ms: int, voiced: bool) -> None:
        """Ask for what was said so far, where that is due."""
        if voiced and now_ms >= self._next_ms:
            self._ask(now_ms)

    def due_ms(self, voiced: bool) -> int | None:
        """When to `look`."""
        idle = not (self._asking or self.over or self._failed)
        return self._next_ms if voiced and idle else None

    def voice_began(self) -> None:
        """It goes on: what was said up to the pause is not all."""
        self._paused = False

    def voice_ended(self) -> None:
        """All words may be there: let the recogniser prepare its last words."""
        if not (self.over or self._failed):
            self._paused, self._pauses = True, self._pauses + 1
            self.supervisor.spawn(self._pause(self._pauses), name=f"pause {self.utterance}")

    def finish(self) -> None:
        """The utterance is over: ask for its last words."""
        if not (self.over or self.closed):
            self.over = True
            self.supervisor.spawn(self._final(), name=f"final {self.utterance}")

    def close(self) -> None:
        """It was settled; nobody waits any more."""
        if not self.closed:
            self.closed = self.over = True
            self.listening.close()

    def _ask(self, now_ms: int) -> None:
        if not (self._asking or self.over or self._failed):
            self._asking, self._next_ms = True, now_ms + PARTIAL_MS
            self.supervisor.spawn(self._partial(), name=f"partial {self.utterance}")

    async def _partial(self) -> None:
        found = await guarded_await(self.listening.partial())
        self._asking = False
        if isinstance(found, Caught):
            self._failed = True  # its last words may come all the same
        elif not (self.over or self._paused):
            self._tell(found)

    async def _pause(self, number: int) -> None:
        found = await guarded_await(self.listening.pause())
        if isinstance(found, Caught):
            self._failed = True
        elif self._paused and not self.over and number == self._pauses:
            self._tell(found, paused=found.whole)

    async def _final(self) -> None:
        found = await guarded_await(self.listening.final(paused=self._paused))
        if self.closed:
            return
        if isinstance(found, Caught):
            failed = Recognised(self.utterance, self.latest.words, final=True, failed=found.error)
            self.told(failed)
        else:
            self._tell(found, final=True)

    def _tell(self, found: Hypothesis, *, final: bool = False, paused: bool = False) -> None:
        words = tuple(
            SpokenWord(w.text, None if w.start_ms is None else w.start_ms + self.base_ms)
            for w in found.words
        )
        self.latest = Recognised(
            self.utterance,
            words,
            found.alternatives,
            final=final,
            paused=paused,
            confirm=found.confirm,
        )
        self.told(self.latest)
