"""Whole-message words that are no answer: controls, stop and hold words, backchannels.

Used by the router, the queue and the voice. Everything here looks at the whole message,
in any case, with or without closing punctuation, in every language given.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from gateway.core.answers.lexicons import TALK
from gateway.core.answers.lexicons.kinds import Talk
from gateway.core.answers.types import ControlKind

ALL_LANGUAGES: tuple[str, ...] = tuple(TALK)

_SHORT = 2
_EDGE = " \t\r\n.,!…;:–—-\"'«»“”„`*()"
_SPLIT = re.compile(r"[,.!…;:–—\n]| - ")
_SPACES = re.compile(r"[\s,.!…;:–—]+|(?<=\w)-(?=\w)")


def folded(text: str) -> str:
    """Lower case, `ё` as `е`, one space between words, no punctuation at the edges."""
    plain = unicodedata.normalize("NFKC", text[:400]).casefold().replace("ё", "е")
    plain = plain.replace("’", "'").replace("\u200b", "").replace("\ufeff", "")
    return _SPACES.sub(" ", plain).strip(_EDGE)


@lru_cache(maxsize=64)
def _words(languages: tuple[str, ...], pick: Callable[[Talk], Iterable[str]]) -> frozenset[str]:
    return frozenset(
        word for code, talk in TALK.items() if code in languages for word in pick(talk)
    )


def _stop_words(talk: Talk) -> Iterable[str]:
    return talk.controls["stop"]


def _hold_words(talk: Talk) -> Iterable[str]:
    return talk.hold


def _resume_words(talk: Talk) -> Iterable[str]:
    return talk.resume


def _backchannels(talk: Talk) -> Iterable[str]:
    return talk.backchannels


def _presence(talk: Talk) -> Iterable[str]:
    return talk.presence


def _corrections(talk: Talk) -> Iterable[str]:
    return talk.corrections


def control_word(text: str, languages: Sequence[str] = ALL_LANGUAGES) -> ControlKind | None:
    """The control that the whole message is, or None ("stop", "пропусти", "say that again")."""
    if len(text) > 60 or "?" in text.rstrip()[:-1]:
        return None
    key = folded(text.rstrip().rstrip("?"))
    for code in languages:
        talk = TALK.get(code)
        for kind, words in talk.controls.items() if talk else ():
            if key in words:
                return ControlKind(kind)
    return None


def _is(text: str, pick: Callable[[Talk], Iterable[str]], languages: Sequence[str]) -> bool:
    return len(text) <= 60 and folded(text) in _words(tuple(languages), pick)


def is_stop_word(text: str, languages: Sequence[str] = ALL_LANGUAGES) -> bool:
    """Whether the whole message says stop."""
    return _is(text, _stop_words, languages)


def is_hold_word(text: str, languages: Sequence[str] = ALL_LANGUAGES) -> bool:
    """Whether the whole message only asks to wait ("hold on", «минутку»)."""
    return _is(text, _hold_words, languages)


def is_resume_word(text: str, languages: Sequence[str] = ALL_LANGUAGES) -> bool:
    """Whether the whole message lets a held speaker go on ("go on", «продолжай»)."""
    return _is(text, _resume_words, languages)


def is_backchannel(text: str, languages: Sequence[str] = ALL_LANGUAGES) -> bool:
    """Whether the whole message only shows that one listens ("uh huh", «угу»)."""
    known = _words(tuple(languages), _backchannels)
    key = folded(text) if len(text) <= 60 else ""
    return bool(key) and (key in known or all(word in known for word in key.split()))


def is_presence_check(text: str, languages: Sequence[str] = ALL_LANGUAGES) -> bool:
    """Whether the whole message asks if anybody is there ("hello?", «алло»)."""
    return _is(text.rstrip("? "), _presence, languages)


def small_talk(languages: Sequence[str] = ALL_LANGUAGES) -> tuple[str, ...]:
    """What is said about a conversation while it goes on: words that stop, hold and resume it, that
    hum along and ask who is there. The short ones, sorted.
    """
    found: set[str] = set()
    for pick in (_stop_words, _hold_words, _resume_words, _backchannels, _presence):
        found |= _words(tuple(languages), pick)
    return tuple(sorted(text for text in found if text.count(" ") < _SHORT))


def _leading(text: str, pick: Callable[[Talk], Iterable[str]], languages: Sequence[str]) -> bool:
    cut = _SPLIT.search(text.lstrip())
    if cut is None:
        return False
    body = text.lstrip()
    rest = body[cut.end() :]
    known = _words(tuple(languages), pick)
    return any(c.isalnum() for c in rest) and folded(body[: cut.start()]) in known


def now_text(text: str, languages: Sequence[str] = ALL_LANGUAGES) -> str | None:
    """The whole message, trimmed, where a stop or hold word followed by a mark opens it.

    "стоп, не туда" and "hold on, do url2" are NOW; a stop or hold word alone is not.
    """
    if _leading(text, _stop_words, languages) or _leading(text, _hold_words, languages):
        return text.strip()
    return None


def opens_with_correction(text: str, languages: Sequence[str] = ALL_LANGUAGES) -> bool:
    """Whether a correction marker opens the message ("actually us", «ой нет, три»).

    A hold word corrects only behind a mark (`now_text`): "wait in line" is no correction.
    """
    tongues = tuple(languages)
    known = _words(tongues, _corrections) - _words(tongues, _hold_words)
    words = folded(text).split()
    return any(" ".join(words[:count]) in known for count in (1, 2, 3, 4))
