"""What happens on the floor, and what has to be done about it.

Events are past; actions are what the call does next, in their order. Times as in `floor`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from voice.core.floor import Sound
from voice.core.vad import VoiceEnded, VoiceStarted
from voice.core.words import SpokenWord


@dataclass(frozen=True, slots=True)
class Tick:
    """Time went on. Due at `due_ms`, or as often as one likes."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a recogniser has of an utterance so far; `final` is its last word on it.

    `paused`: the voice fell silent behind them, and no word is missing that was said before.
    `answers` says that the schema of the open question takes them, `consent` that they are a yes to
    it; both count only on a final.
    """

    utterance: int
    words: tuple[SpokenWord, ...]
    final: bool = False
    paused: bool = False
    answers: bool = False
    consent: bool = False


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """Endpointing: the utterance is over, its final words are on their way."""

    utterance: int


@dataclass(frozen=True, slots=True)
class PlayStarted:
    """The first sound of a generation goes out. An older one than the floor's is late."""

    generation: int


@dataclass(frozen=True, slots=True)
class PlayEnded:
    """The last sound of a generation was heard; it put this question, or none."""

    generation: int
    question: str | None = None


@dataclass(frozen=True, slots=True)
class WordPlayed:
    """The caller heard a word of ours."""

    generation: int
    text: str
    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class RunChanged:
    """A run began to work for the caller, or none does any more."""

    running: bool


@dataclass(frozen=True, slots=True)
class QuestionOpened:
    """A question is put to the caller; another one that was open is not any more."""

    question: str
    approval: bool = False


@dataclass(frozen=True, slots=True)
class QuestionHeard:
    """The last word of the question's message began to be heard at `at_ms`."""

    question: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class QuestionClosed:
    """The question was answered or is not asked any more."""

    question: str


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key of the phone or of the page's keypad."""


@dataclass(frozen=True, slots=True)
class CutRequested:
    """The speech has to end for a reason that was not heard: a stop by button or in chat."""


Event = (
    VoiceStarted | VoiceEnded | Tick | Words | TurnEnded | PlayStarted | PlayEnded | WordPlayed
    | RunChanged | QuestionOpened | QuestionHeard | QuestionClosed | KeyPressed | CutRequested
)  # fmt: skip


class StopReason(StrEnum):
    """Why speech was stopped."""

    STOP_WORD = "stop word"
    WORDS = "words"
    VOICED = "voiced"
    SAID = "said"
    ANSWER = "answer"
    KEY = "key"
    CUT = "cut"


class DropReason(StrEnum):
    """Why an utterance is no input, a question is asked again, a status is said."""

    NOISE = "noise"
    ECHO = "echo"
    BACKCHANNEL = "backchannel"
    HOLD = "hold"
    RESUME = "resume"
    PRESENCE = "presence"
    KEYS = "keys"
    EARLY = "early"
    NEAR_OUR_YES = "near our yes"
    UNCLEAR = "unclear"
    SILENCE = "silence"


@dataclass(frozen=True, slots=True)
class Listen:
    """A recogniser takes this utterance, from `since_ms` (and what lies before it) on."""

    utterance: int
    since_ms: int


@dataclass(frozen=True, slots=True)
class SetSound:
    """The speech goes on quieter, is held where it is, or goes on in full from where it was."""

    sound: Sound


@dataclass(frozen=True, slots=True)
class Stop:
    """Nothing of this generation leaves any more; what follows is the next and plays in full."""

    generation: int
    reason: StopReason


@dataclass(frozen=True, slots=True)
class Take:
    """The words are an input, said at `began_ms`; `question` is the one they may answer."""

    utterance: int
    text: str
    began_ms: int
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Drop:
    """The utterance is no input."""

    utterance: int
    reason: DropReason
    text: str = ""


@dataclass(frozen=True, slots=True)
class AskAgain:
    """The question is put once more from its message on; `text` was heard instead of an answer."""

    question: str
    reason: DropReason
    text: str = ""


@dataclass(frozen=True, slots=True)
class SayStatus:
    """Say what is going on: the caller asks whether anybody is there, or was not understood."""

    running: bool
    reason: DropReason


@dataclass(frozen=True, slots=True)
class SayWaiting:
    """Nobody answers: say that the question stays open."""

    question: str


Action = Listen | SetSound | Stop | Take | Drop | AskAgain | SayStatus | SayWaiting
Actions = tuple[Action, ...]
