"""English words of dates, clock times and durations."""

from __future__ import annotations

from collections.abc import Mapping

DAYS: Mapping[str, int] = {
    "today": 0,
    "tomorrow": 1,
    "yesterday": -1,
    "day after tomorrow": 2,
    "the day after tomorrow": 2,
    "overmorrow": 2,
    "day before yesterday": -2,
    "the day before yesterday": -2,
    "tmrw": 1,
    "tmr": 1,
    "tomorow": 1,
    "tommorow": 1,
    "tommorrow": 1,
    "2morrow": 1,
    "todays date": 0,
}
WEEKDAYS: Mapping[str, int] = {
    word: number
    for number, words in enumerate(
        (
            "monday mon",
            "tuesday tue tues",
            "wednesday wed weds wednsday",
            "thursday thu thur thurs",
            "friday fri",
            "saturday sat",
            "sunday sun",
        )
    )
    for word in words.split()
}
MONTHS: Mapping[str, int] = {
    word: number
    for number, words in enumerate(
        (
            "january jan",
            "february feb febuary",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for word in words.split()
}
UNITS: Mapping[str, int] = {
    **dict.fromkeys("second seconds sec secs s".split(), 1),
    **dict.fromkeys("minute minutes min mins m".split(), 60),
    **dict.fromkeys("hour hours hr hrs h".split(), 3600),
    **dict.fromkeys("day days d".split(), 86400),
    **dict.fromkeys("week weeks wk wks w".split(), 604800),
    **dict.fromkeys("fortnight fortnights".split(), 1209600),
}
MONTH_UNITS: Mapping[str, int] = {
    **dict.fromkeys("month months".split(), 1),
    **dict.fromkeys("year years".split(), 12),
}
BARE_UNITS: frozenset[str] = frozenset()
AHEAD = frozenset({"in"})
AFTER = frozenset({"from now", "from today", "later", "hence"})
AGO = frozenset({"ago", "back"})
THIS = frozenset({"this", "this coming", "coming", "the coming", "on", "on this"})
NEXT = frozenset({"next"})
JOINTS = frozenset({"of", "the", ",", "in"})
_AM = {12: 0, **{hour: hour for hour in range(1, 12)}}
_PM = {12: 12, **{hour: hour + 12 for hour in range(1, 12)}}
_AFTERNOON = {12: 12, **{hour: hour + 12 for hour in range(1, 7)}}
_EVENING = {hour: hour + 12 for hour in range(4, 12)}
_NIGHT = {12: 0, **{hour: hour + 12 for hour in range(7, 12)}, **{h: h for h in range(1, 5)}}
_MORNING = {hour: hour for hour in range(1, 12)}
PARTS: Mapping[str, Mapping[int, int]] = {
    "am": _AM,
    "pm": _PM,
    "in the morning": _MORNING,
    "this morning": _MORNING,
    "in the afternoon": _AFTERNOON,
    "this afternoon": _AFTERNOON,
    "in the evening": _EVENING,
    "this evening": _EVENING,
    "at night": _NIGHT,
    "in the night": _NIGHT,
    "tonight": _EVENING,
    "a m": _AM,
    "p m": _PM,
    "in the early morning": _MORNING,
}
OCLOCK = frozenset({"o'clock", "oclock", "o clock", "hours", "hundred hours", "sharp"})
NOONS: Mapping[str, int] = {
    "noon": 12,
    "midday": 12,
    "12 noon": 12,
    "twelve noon": 12,
    "high noon": 12,
    "at noon": 12,
    "midnight": 0,
    "12 midnight": 0,
    "twelve midnight": 0,
    "at midnight": 0,
}
HALF_PAST = frozenset({"half past", "half"})
PAST = frozenset({"past", "after"})
BEFORE = frozenset({"to", "till", "before"})
QUARTERS = frozenset({"quarter", "a quarter"})
HALF_TO: frozenset[str] = frozenset()
LESS: frozenset[str] = frozenset()
HALF_HOURS: Mapping[str, int] = {}
HALVES: Mapping[str, str] = {
    "[a|one] half [an|a] (hour|hr)": "1800",
    "half (a|an) day": "43200",
    "half (a|an) minute": "30",
    "[a] quarter [of] [an|a] (hour|hr)": "900",
    "three quarters of (an|a) hour": "2700",
    "half (a|an) week": "302400",
}
AT = frozenset({"at", "for", "the"})
HOUR_AT = frozenset({"at"})
CONJUNCTIONS = frozenset({"and", ","})
DAY_FIRST = False
TWELVE_HOURS = True
