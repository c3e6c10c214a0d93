"""Strings: free text kept as it is, digits in a row, e-mail addresses and links."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gateway.core.answers.context import Context, Got, Miss, Result
from gateway.core.answers.digits import join_digits, wants_digits
from gateway.core.answers.formats import FORMATS
from gateway.core.answers.lexicons import SPELLINGS
from gateway.core.answers.moments import TIME_FORMATS, read_time_format
from gateway.core.answers.normalise import Reading, Token
from gateway.core.answers.numerals import numbers_of
from gateway.core.answers.plan import Plan
from gateway.core.answers.roles import joined
from gateway.core.answers.schema import validates
from gateway.core.answers.shell import shell_of, trimmed
from gateway.core.answers.types import How, ProblemCode

_WORDS = re.compile(r"\S+")
_EDGES = ".,;:!<>()\"'«»"


def read_text(reading: Reading, plan: Plan, context: Context) -> Result:
    """The string that the text gives: by format, as a row of digits, or as it stands."""
    name = plan.schema.get("format")
    if name in TIME_FORMATS:
        return read_time_format(reading, plan, context)
    if any(token.kind == "u" for token in reading.tokens):
        return Miss(ProblemCode.UNHEARD)
    if name in ("email", "uri"):
        return _address(reading, str(name), context)
    if wants_digits(plan):
        found = _digits(reading, plan, context)
        if found is not None:
            return found
    text = reading.typed
    if not reading.raw:
        return Miss(ProblemCode.EMPTY)
    code = validates(text, plan.schema)
    return Got(text) if code is None else _unwrapped(reading, plan, ProblemCode(code))


def _unwrapped(reading: Reading, plan: Plan, code: ProblemCode) -> Result:
    """The text without quotes round it or a full stop, where only that fits the schema."""
    if plan.schema.get("pattern") or plan.schema.get("format"):
        for text in (reading.clean, reading.clean.rstrip(".!"), reading.raw.rstrip(".!")):
            if text and validates(text, plan.schema) is None:
                return Got(text, How.EXACT)
    return Miss(code)


def _digits(reading: Reading, plan: Plan, context: Context) -> Result | None:
    """The row of digits of the whole text under the schema's pattern."""
    if "?" in reading.clean:
        return Miss(ProblemCode.QUESTION)
    kept = numbers_of(context.languages).oh
    tokens = trimmed(joined(reading.tokens), context.languages, kept)
    text = join_digits(tokens, context)
    if text is None:
        return None
    code = validates(text, plan.schema)
    if code is not None and text.startswith("+"):
        text, code = text[1:], validates(text[1:], plan.schema)
    plain = text.isascii() and reading.raw == text
    return (
        Got(text, How.EXACT if plain else How.SPOKEN) if code is None else Miss(ProblemCode(code))
    )


def _address(reading: Reading, name: str, context: Context) -> Result:
    """The one e-mail address or link in the text, typed or spelt out by voice."""
    check = FORMATS[name]
    found = [
        part for word in _WORDS.findall(reading.raw) if (part := word.strip(_EDGES)) and check(part)
    ]
    rest = [word for word in _WORDS.findall(reading.raw) if word.strip(_EDGES) not in found]
    if len(found) == 1:
        clear = not rest or not _trimmed_words(rest, context)
        return Got(found[0]) if clear and "?" not in rest else Miss(ProblemCode.NOT_UNDERSTOOD)
    if found:
        return Miss(ProblemCode.AMBIGUOUS)
    spelt = _spelt(trimmed(joined(reading.tokens), context.languages), context)
    if spelt is not None and check(spelt):
        return Got(spelt, How.SPOKEN)
    return Miss(ProblemCode.BAD_FORMAT)


def _trimmed_words(words: Sequence[str], context: Context) -> bool:
    """Whether anything but fillers, carriers and politeness stands beside an address."""
    shell = shell_of(context.languages).roles
    text = " ".join(words).casefold().replace("ё", "е")
    plain = " ".join(word.strip(_EDGES) for word in text.split()).strip()
    if shell.get(plain, "") in ("f", "p", "K", "Y"):
        return False
    return any(shell.get(word, "U") not in ("f", "p", "K", "Y") for word in plain.split())


def _spelt(tokens: Sequence[Token], context: Context) -> str | None:
    """The words with the names of marks as marks, number words as digits, all run together."""
    marks: dict[str, str] = {}
    for code in reversed(context.languages):
        marks.update(SPELLINGS.get(code, _NONE))
    numbers = numbers_of(context.languages).words
    out: list[str] = []
    place = 0
    while place < len(tokens):
        pair = " ".join(token.text for token in tokens[place : place + 2])
        if pair in marks:
            out.append(marks[pair])
            place += 2
            continue
        text = tokens[place].text
        number = numbers.get(text)
        if tokens[place].kind == "u" or (tokens[place].kind == "p" and text not in "@.-_+/:"):
            return None
        out.append(marks.get(text) or (str(number[1]) if number and number[0] in "zut" else text))
        place += 1
    return "".join(out)


_NONE: Mapping[str, str] = {}
