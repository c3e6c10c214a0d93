"""String formats that are checked: dates and times by the calendar, the rest by shape."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})?")
_DURATION = re.compile(
    r"P(?:[0-9]+W|(?:[0-9]+Y)?(?:[0-9]+M)?(?:[0-9]+D)?"
    r"(?:T(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9]+(?:\.[0-9]+)?S)?)?)"
)
_EMAIL = re.compile(
    r"[a-z0-9_%+'-]+(?:\.[a-z0-9_%+'-]+)*@"
    r"(?:[a-z0-9\u0430-\u044f](?:[a-z0-9\u0430-\u044f-]{0,62})\.)+[a-z\u0430-\u044f]{2,63}"
)
_URI = re.compile(r"[a-z][a-z0-9+.-]{0,30}:(?://)?[^\s<>\"{}|\\^`]+")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_PHONE = re.compile(r"\+?[0-9]{7,15}")
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,62})\.)*[a-z0-9](?:[a-z0-9-]{0,62})")
_IPV4 = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(?:\.|$)){4}")


def _fits(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: len(text) <= 2048 and pattern.fullmatch(text.casefold()) is not None


def is_date(text: str) -> bool:
    """Whether the text is a day of the calendar, YYYY-MM-DD."""
    if _DATE.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_time(text: str) -> bool:
    """Whether the text is HH:MM:SS, with or without an offset."""
    if _TIME.fullmatch(text) is None:
        return False
    try:
        time.fromisoformat(text.upper())
    except ValueError:
        return False
    return True


def is_date_time(text: str) -> bool:
    """Whether the text is a date, T, and a time with an offset."""
    if len(text) < 20 or text[10] not in "Tt " or not is_date(text[:10]):
        return False
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError:
        return False
    return moment.tzinfo is not None


def is_duration(text: str) -> bool:
    """Whether the text is an ISO 8601 duration that says something (PT90M, P2D)."""
    return text[-1:] not in ("P", "T", "") and _DURATION.fullmatch(text) is not None


FORMATS: Mapping[str, Callable[[str], bool]] = {
    "date": is_date,
    "time": is_time,
    "date-time": is_date_time,
    "duration": is_duration,
    "email": _fits(_EMAIL),
    "uri": _fits(_URI),
    "uuid": _fits(_UUID),
    "phone": _fits(_PHONE),
    "hostname": _fits(_HOST),
    "ipv4": _fits(_IPV4),
}
