"""Written text as it is said: markdown taken away, lists, numbers and signs made words.

Every spoken word keeps the place of what is written, so that what was heard can be cut out of the
written text. Digits are left to the voice, which knows its language's numerals; only what it would
misread is rewritten.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from voice.core.spoken_words import EN, SAYINGS, Sayings, form_for

LONG_NUMBER = 7


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A written word at `start`…`end`, said at `spoken_start`…`spoken_end` of the spoken text."""

    start: int
    end: int
    spoken_start: int
    spoken_end: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """What is said, and its words in order. What is not said has no word."""

    text: str
    words: tuple[PlacedWord, ...]


_NUMBER = (
    r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d-])(?:[.,]\d+)?"
    r"|\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)?"
)
_PIECES = (
    ("fence", r"```.*?(?:```|\Z)"),
    ("silent", r"^[ \t]*(?:[-*_][ \t]*){3,}$|^[ \t]*\|?[ \t]*:?-{2,}[-:| \t]*$"),
    ("item", r"^[ \t]*\d{1,3}[.)](?=\s)"),
    ("silent", r"^[ \t]*(?:#{1,6}|[-*+•]|>+)(?=\s)"),
    ("silent", r"!?\[(?=[^\]\n]*\]\()|\]\([^)\s]*\)|\*\*\*?|~~|`+|</?[a-z][a-z0-9]*/?>"),
    ("url", r"(?:https?://|www\.)[^\s)\]>]*[^\s)\]>.,;:!?]"),
    ("email", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    ("phone", r"(?<!\w)\+\d[\d ()-]{6,}\d"),
    ("date", r"(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-])"),
    ("time", r"(?<![\d:])\d{1,2}:\d{2}(?![\d:])"),
    ("chain", r"(?<![\d-])\d+(?:-\d+){2,}(?![\d-])"),
    (
        "range",
        r"(?<![\d.,-])\d+(?:[.,]\d+)?[–—]\d+(?:[.,]\d+)?|(?<![\d.,-])\d{1,3}-\d{1,3}(?![\d-])",
    ),
    ("money", rf"[$€£₽][ \u00a0]?(?:{_NUMBER})"),
    ("amount", rf"(?<!\w)[-−]?(?:{_NUMBER})[ \u00a0\u202f]?(?:%|°[CFС]?|[$€£₽])"),
    ("number", rf"(?<!\w)(?:[-−](?=\d))?(?:{_NUMBER})"),
    ("silent", r"\*(?=\S)|(?<=\S)\*|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)"),
    ("comma", r"\||(?<!\S)[—–]+(?!\S)"),
    ("blank", r"(?<=\w)[_/](?=\w)"),
    ("sign", r"[&+=<>≤≥≈~±×÷№#§@→]"),
    ("plain", r"[^\W\d_]+(?:['’-][^\W\d_]+)*|."),
)
_MASTER = re.compile(
    "|".join(f"(?P<{name}_{at}>{pattern})" for at, (name, pattern) in enumerate(_PIECES)),
    re.MULTILINE | re.DOTALL,
)


def speakable(text: str, language: str, start: int = 0) -> Spoken:
    """What is said for `text`, which stands at `start` of the whole text.

    A language without sayings of its own has the English ones. The spoken text has single spaces,
    no markdown and no emoji; it is empty if nothing is to say.
    """
    said = ""
    words: list[PlacedWord] = []
    for first, last, spoken in _written_words(text, SAYINGS.get(language, EN)):
        clean = " ".join(spoken.split())
        if not any(c.isalnum() for c in clean):
            said += clean if said and not said.endswith(tuple(".,;:!?…")) else ""
            continue
        said += " " if said else ""
        words.append(PlacedWord(start + first, start + last, len(said), len(said) + len(clean)))
        said += clean
    return Spoken(said, tuple(words))


def _written_words(text: str, sayings: Sayings) -> Iterator[tuple[int, int, str]]:
    """Pieces that no space divides, as one: their place and what is said."""
    first, last, spoken = 0, 0, ""
    for match in _MASTER.finditer(text):
        if match.group().isspace():
            if last > first:
                yield first, last, spoken
            first = last = match.end()
            spoken = ""
            continue
        lead = len(match.group()) - len(match.group().lstrip())
        first = match.start() + lead if last <= first else first
        kind = (match.lastgroup or "plain").partition("_")[0]
        spoken += _SAY[kind](match.group().strip(), sayings)
        last = match.end()
    if last > first:
        yield first, last, spoken


def _plain(text: str, sayings: Sayings) -> str:
    return "" if unicodedata.category(text[0]) in ("So", "Sk", "Cf", "Cn", "Co") else text


def _number(text: str, sayings: Sayings) -> str:
    """A number without grouping; its decimals one by one; a long one digit by digit in threes."""
    sign, digits = _signed(text, sayings)
    whole, mark, decimals = _parts(digits, sayings)
    long = len(whole) >= LONG_NUMBER and whole == digits
    if long or (whole[0] == "0" and len(whole) > 1):
        whole = in_groups(whole)
    tail = f" {sayings.point} {' '.join(decimals)}" if mark else ""
    return f"{sign}{whole}{tail}"


def in_groups(digits: str) -> str:
    """Digits one by one, with a pause after each three; never one alone at the end."""
    size, last = 3, len(digits)
    starts = list(range(0, last, size))
    if len(starts) > 1 and last - starts[-1] == 1:
        starts.pop()
    ends = [*starts[1:], last]
    return ", ".join(" ".join(digits[a:b]) for a, b in zip(starts, ends, strict=True))


def _signed(text: str, sayings: Sayings) -> tuple[str, str]:
    return (f"{sayings.minus} ", text[1:]) if text[0] in "-−" else ("", text)


def _parts(digits: str, sayings: Sayings) -> tuple[str, str, str]:
    bare = re.sub(r"[ \u00a0\u202f]", "", digits)
    if sayings.comma_decimal:
        whole, mark, decimals = bare.replace(".", ",").partition(",")
        return (bare, "", "") if "," in decimals else (whole, mark, decimals)
    grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", bare)
    bare = bare.replace(",", "") if grouped else bare.replace(",", ".")
    return bare.partition(".")


def _amount(text: str, sayings: Sayings) -> str:
    digits = re.match(r"[-−\d.,\u00a0\u202f ]*", text)
    number = digits.group().strip() if digits else ""
    return _with_unit(number, text[len(number) :].strip().replace("С", "C"), sayings)


def _money(text: str, sayings: Sayings) -> str:
    return _with_unit(text[1:].strip(), text[0], sayings)


def _with_unit(number: str, unit: str, sayings: Sayings) -> str:
    _, digits = _signed(number, sayings)
    whole, mark, _ = _parts(digits, sayings)
    counted = f"{whole}." if mark else whole
    form = form_for(counted, sayings.units[unit], slavic=sayings.comma_decimal)
    return f"{_number(number, sayings)} {form}"


def _range(text: str, sayings: Sayings) -> str:
    low, high = re.split("[–—-]", text)
    said = f"{_number(low, sayings)} {sayings.to} {_number(high, sayings)}"
    return f"{sayings.before_range} {said}".strip()


def _date(text: str, sayings: Sayings) -> str:
    year, month, day = (int(part) for part in text.split("-"))
    if not 1 <= month <= 12:
        return _chain(text, sayings)
    return sayings.date.format(day=day, month=sayings.months[month - 1], year=year)


def _time(text: str, sayings: Sayings) -> str:
    hour, minute = text.split(":")
    return f"{int(hour)} {' '.join(minute) if minute[0] == '0' else minute}"


def _chain(text: str, sayings: Sayings) -> str:
    return ", ".join(_number(part, sayings) for part in text.split("-"))


def _phone(text: str, sayings: Sayings) -> str:
    groups = (" ".join(group) for group in re.findall(r"\d+", text))
    return f"{sayings.signs['+']} {', '.join(groups)}"


def _url(text: str, sayings: Sayings) -> str:
    host = re.sub(r"^(?:https?://)?(?:www\.)?", "", text).partition("/")[0]
    return f" {sayings.dot} ".join(host.split("."))


def _email(text: str, sayings: Sayings) -> str:
    return text.replace("@", f" {sayings.at} ").replace(".", f" {sayings.dot} ")


_SAY: Mapping[str, Callable[[str, Sayings], str]] = {
    "fence": lambda text, sayings: f"{sayings.code}.",
    "silent": lambda text, sayings: "",
    "item": lambda text, sayings: f"{text[:-1]},",
    "url": _url,
    "email": _email,
    "phone": _phone,
    "date": _date,
    "time": _time,
    "chain": _chain,
    "range": _range,
    "money": _money,
    "amount": _amount,
    "number": _number,
    "comma": lambda text, sayings: ",",
    "blank": lambda text, sayings: " ",
    "sign": lambda text, sayings: f" {sayings.signs[text]} ",
    "plain": _plain,
}
