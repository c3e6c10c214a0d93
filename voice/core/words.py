"""What a caller's words are, as far as the floor is concerned.

The lists are those of `gateway.core.answers`, in every language, for a caller may hum in another
language than the agent speaks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from gateway.core.answers import Value, folded, parse_answer
from gateway.core.answers.lexicons import TALK

ECHO_MS = 500
CONSENT_ECHO_MS = 600
_LAG_SPREAD_MS = 200
_MANY_WORDS = 12


class Kind(StrEnum):
    """What the words are as a whole. WORDS has at least one that is none of the others."""

    NOTHING = "nothing"
    ECHO = "echo"
    BACKCHANNEL = "backchannel"
    RESUME = "resume"
    PRESENCE = "presence"
    HOLD = "hold"
    STOP = "stop"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Reading:
    """What some words are; `content` counts those that say something of their own."""

    kind: Kind = Kind.NOTHING
    content: int = 0


NOTHING = Reading()


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """A word of the caller's, and when it began, where the recogniser knows."""

    text: str
    start_ms: int | None = None


@dataclass(frozen=True, slots=True)
class PlayedWord:
    """A word of ours, folded, and when the caller heard it."""

    text: str
    start_ms: int
    end_ms: int


_STRONGEST = (Kind.STOP, Kind.HOLD, Kind.PRESENCE, Kind.RESUME, Kind.BACKCHANNEL)
_UNKNOWN = frozenset({"[unk]", "<unk>"})
_PHRASES: Mapping[str, Kind] = {
    phrase: kind
    for talk in TALK.values()
    for kind, phrases in (
        (Kind.PRESENCE, talk.presence),
        (Kind.BACKCHANNEL, talk.backchannels),
        (Kind.RESUME, talk.resume),
        (Kind.HOLD, talk.hold),
        (Kind.STOP, talk.controls["stop"]),
    )
    for phrase in phrases
}
_LONGEST_PHRASE = max(phrase.count(" ") for phrase in _PHRASES) + 1
_END_OF_WAIT = frozenset(phrase for talk in TALK.values() for phrase in (*talk.resume, *talk.ready))
_SETTLED = frozenset(phrase for talk in TALK.values() for phrase in talk.settled)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Lower case without marks; a recogniser's question mark is a guess and is left out too."""
    return folded(text.replace("?", " "))


def read(text: str) -> Reading:
    """What these words are. Marks of a recogniser for what it did not know are no words."""
    words = tuple(word for word in plain(text).split() if word not in _UNKNOWN)
    return _read(words[:_MANY_WORDS])


@lru_cache(maxsize=512)
def lets_go_on(text: str) -> bool:
    """Whether words are among them that let a held speaker go on, or say that whoever asked to wait
    is ready: "go on, please", "okay, let's go", «можно продолжать»; or nothing but "okay".
    """
    words = plain(text).split()
    return " ".join(words) in _SETTLED or any(
        " ".join(words[at : at + length]) in _END_OF_WAIT
        for at in range(len(words))
        for length in range(1, _LONGEST_PHRASE + 1)
    )


@lru_cache(maxsize=2048)
def _read(words: tuple[str, ...]) -> Reading:
    if not words:
        return NOTHING
    kinds: set[Kind] = set()
    content, stops = 0, 0
    for kind, length in _parts(words):
        if kind is None:
            content += 1
        else:
            kinds.add(kind)
            stops += length if kind is Kind.STOP else 0
    if content:
        return Reading(Kind.WORDS, content + stops)
    return Reading(next(kind for kind in _STRONGEST if kind in kinds))


def _parts(words: Sequence[str]) -> Iterator[tuple[Kind | None, int]]:
    at = 0
    while at < len(words):
        kind, length = _longest(words, at)
        at += length
        yield kind, length


def _longest(words: Sequence[str], at: int) -> tuple[Kind | None, int]:
    for length in range(min(_LONGEST_PHRASE, len(words) - at), 0, -1):
        kind = _PHRASES.get(" ".join(words[at : at + length]))
        if kind is not None:
            return kind, length
    return None, 1


def without_echo(
    words: Sequence[SpokenWord],
    played: Sequence[PlayedWord],
    span_ms: tuple[int, int],
    *,
    asking: bool,
) -> tuple[SpokenWord, ...]:
    """The words that are not our own, come back.

    A word is ours only if we played the same in the 500 ms before it; one whose time is not known
    may have begun anywhere in `span_ms`. While a question is open (`asking`) that is not enough,
    for a caller may repeat an option: then only two words or more in a row, in our order and
    equally late, are ours.
    """
    starts = [word.start_ms for word in words if word.start_ms is not None]
    first = min([*starts, span_ms[0]]) - ECHO_MS
    last = max([*starts, span_ms[1]])
    near = _between(played, first, last)
    if not near:
        return tuple(words)
    lags = [_lags(word, near, span_ms) for word in words]
    if not asking:
        return tuple(word for word, lag in zip(words, lags, strict=True) if not lag)
    ours = [
        any(_goes_on(lags, at, step) for step in (-1, 1) if 0 <= at + step < len(words))
        for at in range(len(words))
    ]
    return tuple(word for word, mine in zip(words, ours, strict=True) if not mine)


def _between(
    played: Sequence[PlayedWord], first_ms: int, last_ms: int
) -> list[tuple[int, PlayedWord]]:
    """The words that began in this time, with their places; they stand in the order played."""
    near: list[tuple[int, PlayedWord]] = []
    for place in range(len(played) - 1, -1, -1):
        word = played[place]
        if word.start_ms < first_ms:
            break
        if word.start_ms <= last_ms:
            near.append((place, word))
    return near[::-1]


def _lags(
    word: SpokenWord, played: Sequence[tuple[int, PlayedWord]], span_ms: tuple[int, int]
) -> dict[int, int | None]:
    """By place among the played words: how much later the caller's word began, if that is known."""
    start = word.start_ms
    first, last = span_ms if start is None else (start, start)
    text = plain(word.text)
    return {
        place: None if start is None else start - ours.start_ms
        for place, ours in played
        if first - ECHO_MS <= ours.start_ms <= last and ours.text == text
    }


def _goes_on(lags: Sequence[Mapping[int, int | None]], at: int, step: int) -> bool:
    """Whether the word beside is ours too, the one that we played beside it, equally late."""
    beside = lags[at + step]
    return any(
        place + step in beside and _equally_late(lag, beside[place + step])
        for place, lag in lags[at].items()
    )


def _equally_late(one: int | None, other: int | None) -> bool:
    return one is None or other is None or abs(one - other) <= _LAG_SPREAD_MS


def near_our_yes(began_ms: int, until_ms: int, played: Sequence[PlayedWord]) -> bool:
    """Whether we played a yes and the caller's words began less than 600 ms after it.

    They began between `began_ms` and `until_ms`; a possible nearness counts.
    """
    return any(
        word.start_ms <= until_ms
        and began_ms <= word.end_ms + CONSENT_ECHO_MS
        and is_consent(word.text)
        for word in played
    )


@lru_cache(maxsize=512)
def is_consent(word: str) -> bool:
    """Whether this word alone is a yes."""
    outcome = parse_answer(plain(word), {"type": "boolean"}, channel="speech")
    return isinstance(outcome, Value) and outcome.value is True
