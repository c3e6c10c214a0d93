"""What a message says: the power it asks for, the facts in it, small talk; by word lists alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.agents.concierge.english import ENGLISH
from gateway.agents.concierge.russian import RUSSIAN
from gateway.agents.concierge.texts import Power, Talk, Texts, Words

LANGUAGES: Mapping[str, Texts] = {"en": ENGLISH, "ru": RUSSIAN}
SHORT = 4
"""A message of at most so many words may name a number by a word alone."""
Fact = str | int


@dataclass(frozen=True, slots=True)
class Reading:
    """What was understood of one message; `talk` is OUTSIDE where nothing was.

    `asks`: it begins as a question does, so its facts correct nothing.
    """

    power: Power | None
    talk: Talk
    facts: Mapping[str, Fact] = field(default_factory=dict)
    asks: bool = False


def language_of(text: str, person: str) -> str:
    """The language of the words typed; the person's where the text doesn't show it."""
    if re.search("[а-яё]", text, re.IGNORECASE):
        return "ru"
    words = ENGLISH.words
    english = [*words.powers.values(), *words.talk.values(), words.before, r"\b(?:the|is|only)\b"]
    if any(_found(pattern, text) for pattern in english):
        return "en"
    return person if person in LANGUAGES else "en"


def read(text: str) -> Reading:
    """What the message says, in either language."""
    folded = " ".join(text.replace("ё", "е").replace("Ё", "Е").split())
    words = (RUSSIAN if re.search("[а-я]", folded, re.IGNORECASE) else ENGLISH).words
    power = next((p for p, pattern in words.powers.items() if _found(pattern, folded)), None)
    talk = next((t for t, pattern in words.talk.items() if _found(pattern, folded)), Talk.OUTSIDE)
    asks = _found(words.asks, folded) is not None
    return Reading(power, talk, _facts(folded, words, power), asks)


def _found(pattern: str, text: str) -> re.Match[str] | None:
    return re.search(pattern, text, re.IGNORECASE)


def _facts(text: str, words: Words, power: Power | None) -> dict[str, Fact]:
    region = _last_meant(text, words.regions, words.refused)
    section = _last_meant(text, words.sections, words.refused)
    number = _number(text, words)
    found = {
        "region": region,
        "section": section,
        "number": number,
        "service": _service(text, words) if power is Power.DEPLOY else None,
        "query": _topic(text, words) if power is Power.SEARCH else None,
    }
    return {name: value for name, value in found.items() if value is not None}


def _last_meant(text: str, patterns: Mapping[str, str], refused: str) -> str | None:
    """Which of these is named last, without those that are named to be left out."""
    named = [
        (match.start(), name)
        for name, pattern in patterns.items()
        for match in re.finditer(pattern, text, re.IGNORECASE)
        if not _found(refused, text[: match.start()])
    ]
    return max(named)[1] if named else None


def _number(text: str, words: Words) -> int | None:
    digits = [
        match
        for match in re.finditer(r"(?<![\w.,:/-])\d{1,6}(?![\w/-]|[.,:]\d)", text)
        if not _found(words.refused, text[: match.start()])
    ]
    if digits:
        return int(digits[-1].group())
    spelled = "|".join(words.numbers)
    alone = rf"\b({spelled})\b"
    patterns = [rf"\b({spelled})\s+{words.unit}", rf"{words.before}\s+({spelled})\b"]
    for pattern in [*patterns, alone] if len(text.split()) <= SHORT else patterns:
        if match := _found(pattern, text):
            return words.numbers[match.group(1).lower()]
    return None


def _service(text: str, words: Words) -> str | None:
    match = _found(words.service, text)
    name = match["fact"].strip(".-").lower() if match else ""
    return name if name and name not in words.not_a_service and not name.isdigit() else None


def _topic(text: str, words: Words) -> str | None:
    match = _found(words.topic, text)
    if match is None:
        return None
    topic = re.sub(words.after_topic, "", match["fact"].strip(" .,!?\"'«»"), flags=re.IGNORECASE)
    return topic.strip(" ,") or None
