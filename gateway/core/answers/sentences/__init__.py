"""The one registry of what is said about answers, by language."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.core.answers.sentences import en, ru
from gateway.core.answers.sentences.kinds import Sentences

SENTENCES: Mapping[str, Sentences] = {"en": en.SENTENCES, "ru": ru.SENTENCES}


def sentences_of(language: str) -> Sentences:
    """The sentences of a language, the first known ones where it has none."""
    return SENTENCES.get(language) or next(iter(SENTENCES.values()))
