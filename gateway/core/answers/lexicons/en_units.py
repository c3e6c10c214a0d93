"""English words that follow a number: measures, asides, counters, plurals that are no nouns."""

from __future__ import annotations

from collections.abc import Mapping

MEASURES: Mapping[str, str] = {
    "minut": "minute minutes min mins",
    "hour": "hour hours hr hrs",
    "second": "second seconds sec secs",
    "moment": "moment moments mo instant instants tick ticks jiffy jiff",
    "day": "day days",
    "week": "week weeks",
    "month": "month months",
    "year": "year years yr yrs",
    "dollar": "dollar dollars buck bucks usd",
    "euro": "euro euros eur",
    "pound": "pound pounds lbs lb gbp",
    "cent": "cent cents",
    "meter": "meter meters metre metres",
    "kilomet": "km kilometers kilometres",
    "mile": "mile miles",
    "kilo": "kg kilo kilos kilogram kilograms",
    "gram": "gram grams",
    "gigabyte": "gb gigs gig gigabyte gigabytes gib",
    "megabyte": "mb megs megabyte megabytes mib",
    "byte": "byte bytes",
    "degree": "degree degrees",
    "liter": "liter liters litre litres",
    "millisecond": "ms millisecond milliseconds",
    "inch": "inch inches",
    "feet": "foot feet",
    "ruble": "ruble rubles rouble roubles",
    "kilobyte": "kb kilobyte kilobytes",
    "terabyte": "tb terabyte terabytes",
    "bit": "bit bits",
    "millimet": "mm millimeter millimeters millimetre millimetres",
    "centimet": "cm centimeter centimeters centimetre centimetres",
    "yard": "yard yards",
    "ton": "ton tons tonne tonnes",
    "ounce": "oz ounce ounces",
    "gallon": "gallon gallons",
    "watt": "watt watts",
    "volt": "volt volts",
    "nanosecond": "ns nanosecond nanoseconds",
    "microsecond": "microsecond microseconds",
    "fortnight": "fortnight fortnights",
    "decade": "decade decades",
    "centur": "century centuries",
    "penn": "penny pennies pence",
    "pair": "pairs",
    "score": "scores",
    "lakh": "lakh lakhs",
    "crore": "crore crores",
    "mil": "mil mils mill mills",
}
ASIDES: Mapping[str, str] = {
    "question": "question questions",
    "word": "word words",
    "thing": "thing things",
    "reason": "reason reasons",
    "condition": "condition conditions",
    "problem": "problem problems",
    "issue": "issue issues",
    "caveat": "caveat caveats",
    "request": "request requests",
    "note": "note notes",
    "point": "point points",
    "idea": "idea ideas",
    "thought": "thought thoughts",
    "doubt": "doubt doubts",
    "worr": "worry worries",
    "concern": "concern concerns",
    "objection": "objection objections",
    "remark": "remark remarks",
    "comment": "comment comments",
    "correction": "correction corrections",
    "detail": "detail details",
    "fav": "favor favors favour favours",
    "wish": "wish wishes",
    "suggestion": "suggestion suggestions",
    "chance": "chance chances",
    "clue": "clue clues",
    "guess": "guess guesses",
    "mind": "mind minds",
    "cheer": "cheers",
    "priorit": "priority priorities",
    "side": "side sides",
    "hand": "hand hands",
    "voice": "voice voices",
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
