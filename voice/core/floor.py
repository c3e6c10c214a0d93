"""The floor of a call: who speaks, how soon a caller gets it, what is being said.

`barge_in.step` is the only one that makes a new `Floor`. Times are milliseconds of one clock that
never goes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from voice.core.words import NOTHING, PlayedWord, Reading, SpokenWord


class Phase(StrEnum):
    """What the agent does; each has its `Profile`."""

    LISTENING = "listening"
    THINKING = "thinking"
    SPEAKING = "speaking"
    ASKING = "asking"


class Sound(StrEnum):
    """How the agent's speech is let out."""

    PLAIN = "plain"
    DUCKED = "ducked"
    HELD = "held"


@dataclass(frozen=True, slots=True)
class Profile:
    """How soon a caller who begins to speak in some phase gets the floor.

    Raising any of `duck_ms`, `hold_ms`, `content_words` and `voiced_ms` never stops speech sooner.
    """

    duck_ms: int = 100
    """So long voiced: quieter."""
    hold_ms: int = 400
    """So long after the onset, still undecided: silent, to be taken back."""
    hold_limit_ms: int = 580
    """A hold without any word lasts no longer."""
    content_words: int = 2
    """So many words with a meaning of their own stop at once."""
    voiced_ms: int = 900
    """So long voiced, one such word stops."""
    noise_ms: int = 700
    """No word so long after the voice's end: it was noise."""


PROFILES: Mapping[Phase, Profile] = {
    Phase.LISTENING: Profile(hold_ms=120, hold_limit_ms=3_000),
    Phase.THINKING: Profile(hold_ms=120, hold_limit_ms=3_000),
    Phase.SPEAKING: Profile(),
    Phase.ASKING: Profile(voiced_ms=600),
}


@dataclass(frozen=True, slots=True)
class Policy:
    """Every time and threshold of the floor."""

    profiles: Mapping[Phase, Profile] = field(default_factory=lambda: PROFILES)
    duck_decibels: float = -15.0
    """How much louder ducked speech is; below 0 is quieter."""
    pause_ms: int = 6_000
    """A caller who asked to wait is waited for so long in silence."""
    keys_ms: int = 5_000
    """After a key, speech is no answer for so long."""
    silence_ms: int = 6_000
    """A question that nobody answers is asked again after so long."""
    silences: int = 2
    """So many times; then the caller is told that it stays open."""
    final_ms: int = 4_500
    """A recogniser has so long for its last word after the voice's end."""


@dataclass(frozen=True, slots=True)
class Question:
    """The open question. `heard_ms` is when the last word of its message began to be heard;
    `early` is an answer that was given before; `silences` counts how often nothing was said to it.
    `waits`: the caller asked to wait, and it was neither put again nor heard to its end since.
    """

    id: str
    approval: bool = False
    heard_ms: int | None = None
    keys_until_ms: int | None = None
    early: str | None = None
    quiet_since_ms: int | None = None
    silences: int = 0
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something the caller says, from its first sound until its words are settled.

    `voice_since_ms` is set while the voice lasts; `ended_ms` is its last end. `over` says that the
    turn ended and only the last words are awaited, `waited` that the question waited meanwhile.
    """

    number: int
    began_ms: int
    phase: Phase
    voice_since_ms: int | None
    voiced_before_ms: int = 0
    ended_ms: int | None = None
    words: tuple[SpokenWord, ...] = ()
    reading: Reading = NOTHING
    over: bool = False
    stopped: bool = False
    noise: bool = False
    waited: bool = False

    def voiced_ms(self, now_ms: int) -> int:
        """How long the voice lasted, pauses left out."""
        going = 0 if self.voice_since_ms is None else max(0, now_ms - self.voice_since_ms)
        return self.voiced_before_ms + going


@dataclass(frozen=True, slots=True)
class Floor:
    """All that the policy remembers of a call.

    `generation` is that of the speech that plays or will play next; `playing` lasts from its first
    sound to its last. `running` says that a run works for the caller. `wary`: a voice without words
    was let pass in this generation, so from now on only words act on it.
    """

    generation: int = 1
    playing: bool = False
    running: bool = False
    sound: Sound = Sound.PLAIN
    question: Question | None = None
    utterance: Utterance | None = None
    awaited: tuple[Utterance, ...] = ()
    last_number: int = 0
    paused_until_ms: int | None = None
    wary: bool = False
    played: tuple[PlayedWord, ...] = ()

    @property
    def open_utterances(self) -> tuple[Utterance, ...]:
        """What is not settled yet, the newest last."""
        return self.awaited if self.utterance is None else (*self.awaited, self.utterance)

    @property
    def phase(self) -> Phase:
        """What the agent does now."""
        if self.question is not None:
            return Phase.ASKING
        if self.playing:
            return Phase.SPEAKING
        return Phase.THINKING if self.running else Phase.LISTENING
