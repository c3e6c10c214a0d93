"""The one registry of languages: adding a language is adding modules and a line in each table."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from gateway.core.answers.lexicons import (
    emoji,
    en,
    en_forms,
    en_numerals,
    en_shell,
    en_time,
    en_units,
    en_words,
    en_yesno,
    ru,
    ru_forms,
    ru_numerals,
    ru_shell,
    ru_time,
    ru_units,
    ru_words,
    ru_yesno,
)
from gateway.core.answers.lexicons.kinds import (
    ConsentWords,
    NameWords,
    NumeralWords,
    ShellWords,
    Talk,
    TimeWords,
    UnitWords,
)
from gateway.core.answers.lexicons.patterns import expand, phrases


def _set(text: str) -> frozenset[str]:
    return frozenset(phrases(text))


TALK: Mapping[str, Talk] = {
    code: Talk(
        {kind: _set(words) for kind, words in module.CONTROLS.items()},
        _set(module.HOLD),
        _set(module.RESUME),
        _set(module.READY),
        _set(module.SETTLED),
        _set(module.BACKCHANNELS),
        _set(module.PRESENCE),
        _set(module.CORRECTIONS),
    )
    for code, module in (("en", en), ("ru", ru))
}
EMOJI: Mapping[str, str] = emoji.ROLES
CONSENT: Mapping[str, ConsentWords] = {
    code: ConsentWords(
        module.ROLES,
        module.CHAT,
        module.HOMOPHONES,
        module.REASON_STARTS,
        module.REASON_BLOCKS,
        module.PLAIN,
        module.LEADS,
        module.TURNS,
        module.APART,
        module.HALTS,
    )
    for code, module in (("en", en_yesno), ("ru", ru_yesno))
}
SHELLS: Mapping[str, ShellWords] = {
    code: ShellWords(
        module.ROLES,
        module.HOMOPHONES,
        module.POSITION_MARKS,
        module.POSITION_NOUNS,
        module.LAST,
        module.PAIRS,
    )
    for code, module in (("en", en_shell), ("ru", ru_shell))
}


def _numeral_forms(
    forms: Mapping[tuple[str, str], str],
    ordinals: Mapping[tuple[str, str], tuple[str, str]],
) -> dict[str, tuple[str, int]]:
    words = {
        word: (kind, int(value)) for (kind, value), text in forms.items() for word in text.split()
    }
    for (kind, value), (stem, endings) in ordinals.items():
        words.update({stem + ending: (kind, int(value)) for ending in endings.split()})
    return words


def _numerals(
    module: ModuleType,
    ordinals: Mapping[tuple[str, str], tuple[str, str]],
    bare_plurals: frozenset[str],
    *,
    comma_decimal: bool,
) -> NumeralWords:
    return NumeralWords(
        words=_numeral_forms(module.NUMERALS, ordinals),
        bare_plurals=bare_plurals,
        conjunctions=module.AND,
        articles=module.ARTICLES,
        minus=module.MINUS,
        plus=module.PLUS,
        points=module.POINTS,
        oh=module.OH,
        wholes=module.WHOLES,
        part_joints=module.PART_JOINTS,
        half_groups=module.HALF_GROUPS,
        alone_parts=module.ALONE_PARTS,
        added_parts=module.ADDED_PARTS,
        denominators=module.DENOMINATORS,
        halved={one: part for key, part in module.HALVED.items() for one in expand(key)},
        suffix_scales=module.SUFFIX_SCALES,
        doubles=module.DOUBLES,
        percent=module.PERCENT,
        number_marks=module.NUMBER_MARKS,
        ordinal_suffixes=module.ORDINAL_SUFFIXES,
        pronouns=module.PRONOUNS,
        pronoun_leads=module.PRONOUN_LEADS,
        comma_decimal=comma_decimal,
    )


NUMERALS: Mapping[str, NumeralWords] = {
    "en": _numerals(en_numerals, {}, frozenset(), comma_decimal=False),
    "ru": _numerals(
        ru_numerals, ru_numerals.ORDINALS, ru_numerals.BARE_PLURALS, comma_decimal=True
    ),
}


def _stems(forms: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {
        word: tuple(stems.split("|")) for stems, words in forms.items() for word in words.split()
    }


UNITS: Mapping[str, UnitWords] = {
    code: UnitWords(
        _stems(module.MEASURES),
        _stems(module.ASIDES),
        module.agrees,
        module.DIGIT_HINTS,
        module.PERCENT_HINTS,
    )
    for code, module in (("en", en_units), ("ru", ru_units))
}
NAMES: Mapping[str, NameWords] = {
    code: NameWords(
        module.forms, module.head, module.ABBREVIATIONS, module.LETTER_NAMES, module.SPOKEN, latin
    )
    for code, module, latin in (("en", en_forms, True), ("ru", ru_forms, False))
}
TIMES: Mapping[str, TimeWords] = {
    code: TimeWords(
        days=module.DAYS,
        weekdays=module.WEEKDAYS,
        months=module.MONTHS,
        units=module.UNITS,
        month_units=module.MONTH_UNITS,
        bare_units=module.BARE_UNITS,
        ahead=module.AHEAD,
        after=module.AFTER,
        ago=module.AGO,
        this=module.THIS,
        next=module.NEXT,
        joints=module.JOINTS,
        parts=module.PARTS,
        oclock=module.OCLOCK,
        noons=module.NOONS,
        half_past=module.HALF_PAST,
        past=module.PAST,
        before=module.BEFORE,
        quarters=module.QUARTERS,
        half_to=module.HALF_TO,
        less=module.LESS,
        half_hours=module.HALF_HOURS,
        halves={one: part for key, part in module.HALVES.items() for one in expand(key)},
        at=module.AT,
        hour_at=module.HOUR_AT,
        conjunctions=module.CONJUNCTIONS,
        day_first=module.DAY_FIRST,
        twelve_hours=module.TWELVE_HOURS,
    )
    for code, module in (("en", en_time), ("ru", ru_time))
}
SPELLINGS: Mapping[str, Mapping[str, str]] = {
    "en": en_units.SPELLINGS,
    "ru": ru_units.SPELLINGS,
}
ALPHABETS: Mapping[str, str] = {"en": "latin", "ru": "cyrillic"}
OTHER_WORDS: frozenset[str] = frozenset((en_words.WORDS + ru_words.WORDS).split())
