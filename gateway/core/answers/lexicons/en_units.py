"""English words that follow a number: measures, asides, counters, plurals that are no nouns."""

from __future__ import annotations

from collections.abc import Mapping

MEASURES: Mapping[str, str] = {
    "minut|минут": "minute minutes min mins",
    "hour|час": "hour hours hr hrs",
    "second|секунд": "second seconds sec secs",
    "moment|момент": "moment moments mo instant instants tick ticks jiffy jiff",
    "day|дн": "day days",
    "week|недел": "week weeks",
    "month|месяц": "month months",
    "year|год": "year years yr yrs",
    "dollar|доллар": "dollar dollars buck bucks usd",
    "euro|евро": "euro euros eur",
    "pound": "pound pounds lbs lb gbp",
    "cent|цент": "cent cents",
    "meter|метр": "meter meters metre metres",
    "kilomet|километр": "km kilometers kilometres",
    "mile|мил": "mile miles",
    "kilo|килограмм": "kg kilo kilos kilogram kilograms",
    "gram|грамм": "gram grams",
    "gigabyte|гигабайт": "gb gigs gig gigabyte gigabytes gib",
    "megabyte|мегабайт": "mb megs megabyte megabytes mib",
    "byte|байт": "byte bytes",
    "degree|градус": "degree degrees",
    "liter|литр": "liter liters litre litres",
    "millisecond|миллисекунд": "ms millisecond milliseconds",
    "inch|дюйм": "inch inches",
    "feet": "foot feet",
    "ruble|рубл": "ruble rubles rouble roubles",
    "kilobyte": "kb kilobyte kilobytes",
    "terabyte": "tb terabyte terabytes",
    "bit": "bit bits",
    "millimet|миллиметр": "mm millimeter millimeters millimetre millimetres",
    "centimet|сантиметр": "cm centimeter centimeters centimetre centimetres",
    "yard": "yard yards",
    "ton|тонн": "ton tons tonne tonnes",
    "ounce": "oz ounce ounces",
    "gallon": "gallon gallons",
    "watt": "watt watts",
    "volt": "volt volts",
    "nanosecond": "ns nanosecond nanoseconds",
    "microsecond": "microsecond microseconds",
    "fortnight": "fortnight fortnights",
    "decade|декад": "decade decades",
    "centur|век": "century centuries",
    "penn": "penny pennies pence",
    "pair|пар": "pairs",
    "score": "scores",
    "lakh": "lakh lakhs",
    "crore": "crore crores",
    "mil": "mil mils mill mills",
}
ASIDES: Mapping[str, str] = {
    "question|вопрос": "question questions",
    "word|слов": "word words",
    "thing|вещ": "thing things",
    "reason|причин": "reason reasons",
    "condition|услови": "condition conditions",
    "problem|проблем": "problem problems",
    "issue": "issue issues",
    "caveat": "caveat caveats",
    "request|просьб": "request requests",
    "note": "note notes",
    "point": "point points",
    "idea|иде": "idea ideas",
    "thought|мысл": "thought thoughts",
    "doubt|сомнени": "doubt doubts",
    "worr": "worry worries",
    "concern": "concern concerns",
    "objection|возражени": "objection objections",
    "remark|замечани": "remark remarks",
    "comment|комментари": "comment comments",
    "correction": "correction corrections",
    "detail|детал": "detail details",
    "fav": "favor favors favour favours",
    "wish|пожелани": "wish wishes",
    "suggestion|предложени": "suggestion suggestions",
    "chance|шанс": "chance chances",
    "clue": "clue clues",
    "guess": "guess guesses",
    "mind": "mind minds",
    "cheer": "cheers",
    "priorit|приоритет": "priority priorities",
    "side|сторон": "side sides",
    "hand": "hand hands",
    "voice|голос": "voice voices",
    "sense": "sense senses",
    "hell": "hell",
}
COUNTERS = frozenset("pcs pieces piece items item units unit people persons person pax".split())
PLURALS = frozenset(
    "people children men women mice teeth geese oxen data media criteria cpus gpus vms".split()
)
NO_NOUNS = frozenset(
    """
    always perhaps sometimes yes this plus less does was has its as besides afterwards towards
    nowadays others ours yours theirs hers unless across regardless minus thus previous various
    serious obvious instead works is goes says sounds looks seems needs wants hours thanks please
    tops halves quarters thirds fifths tenths hundredths thousandths digits percents thereabouts
    """.split()
)
NO_NOUN_ENDINGS = ("ss", "ous", "ly", "ing", "ed", "ish")
NOUN_ENDINGS = ("s",)
ONE_NOUN_ENDINGS = ("",)
LEAST_LETTERS = 4


def agrees(word: str, count: int | None) -> bool:
    """Whether the word can be what is counted: a plural, or anything nounlike after one."""
    if not word.isascii():
        return False
    if word in COUNTERS or word in PLURALS:
        return True
    if word in NO_NOUNS or len(word) < LEAST_LETTERS or word.endswith(NO_NOUN_ENDINGS):
        return False
    return count == 1 or word.endswith(NOUN_ENDINGS)


DIGIT_HINTS = (
    "pin",
    "phone",
    "order",
    "account",
    "card",
    "zip",
    "postal",
    "passport",
    "ticket",
    "tracking",
    "invoice",
    "number(?! of)",
    "code",
    "telephone",
    "mobile",
    "otp",
    "serial",
)
PERCENT_HINTS = ("percent", "pct", "per cent")
SPELLINGS: Mapping[str, str] = {
    "at": "@",
    "at sign": "@",
    "dot": ".",
    "period": ".",
    "point": ".",
    "underscore": "_",
    "under score": "_",
    "dash": "-",
    "hyphen": "-",
    "minus": "-",
    "plus": "+",
    "slash": "/",
    "forward slash": "/",
    "colon": ":",
}
