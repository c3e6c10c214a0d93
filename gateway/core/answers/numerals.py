"""Numbers in words: one number read as far as it goes, with falling scales and exact parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from gateway.core.answers.lexicons import NUMERALS
from gateway.core.answers.literals import Literal, read_literal, starts_literal
from gateway.core.answers.normalise import Token
from gateway.core.answers.roles import Phrases, match_at, phrases_of
from gateway.core.answers.spelling import Speller


@dataclass(frozen=True, slots=True)
class Found:
    """A number up to token `end`; `value` is None where what stands there is no clear number."""

    value: Decimal | Fraction | None
    end: int
    ordinal: bool = False
    words: bool = True
    plural: bool = False
    bad_grouping: bool = False
    repaired: bool = False
    part: bool = False


@dataclass(frozen=True, slots=True)
class Numbers:
    """The number words of some languages; how digits are written is the first one's matter."""

    words: Mapping[str, tuple[str, int]]
    plurals: frozenset[str]
    conjunctions: frozenset[str]
    articles: frozenset[str]
    minus: frozenset[str]
    plus: frozenset[str]
    points: frozenset[str]
    oh: frozenset[str]
    wholes: frozenset[str]
    half_groups: Mapping[str, str]
    alone: Phrases
    added: Phrases
    halved: Phrases
    denominators: Mapping[str, int]
    suffix_scales: Mapping[str, int]
    doubles: Mapping[str, int]
    percent: frozenset[str]
    marks: frozenset[str]
    ordinal_suffixes: frozenset[str]
    comma_decimal: bool
    speller: Speller


@lru_cache(maxsize=32)
def numbers_of(languages: tuple[str, ...]) -> Numbers:
    """The merged number words of the languages."""
    known = [NUMERALS[code] for code in languages if code in NUMERALS]
    words = {word: cls for one in known for word, cls in one.words.items()}
    return Numbers(
        words=words,
        plurals=frozenset().union(*(one.bare_plurals for one in known)),
        conjunctions=frozenset().union(*(one.conjunctions for one in known)),
        articles=frozenset().union(*(one.articles for one in known)),
        minus=frozenset().union(*(one.minus for one in known)),
        plus=frozenset().union(*(one.plus for one in known)),
        points=frozenset().union(*(one.points for one in known)),
        oh=frozenset().union(*(one.oh for one in known)),
        wholes=frozenset().union(*(one.wholes for one in known)),
        half_groups={word: part for one in known for word, part in one.half_groups.items()},
        alone=phrases_of({word: part for one in known for word, part in one.alone_parts.items()}),
        added=phrases_of({word: part for one in known for word, part in one.added_parts.items()}),
        halved=phrases_of({word: part for one in known for word, part in one.halved.items()}),
        denominators={word: power for one in known for word, power in one.denominators.items()},
        suffix_scales={word: by for one in known for word, by in one.suffix_scales.items()},
        doubles={word: by for one in known for word, by in one.doubles.items()},
        percent=frozenset().union(*(one.percent for one in known)),
        marks=frozenset().union(*(one.number_marks for one in known)),
        ordinal_suffixes=frozenset().union(*(one.ordinal_suffixes for one in known)),
        comma_decimal=bool(known) and known[0].comma_decimal,
        speller=Speller(word for word, (cls, _) in words.items() if cls[0] != "o"),
    )


_ROOM = {"z": 0, "u": 10, "t": 100, "T": 100, "H": 1000}
_LEFT = {"u": 1, "t": 1, "T": 10, "H": 100}


@dataclass(slots=True)
class _Sum:
    """The number so far: whole scales in `total`, the running group of three below them."""

    total: Decimal = Decimal(0)
    group: Decimal | None = None
    room: int = 1000
    scale: int = 10**18
    hundreds: bool = False
    scaled: bool = False

    def add(self, kind: str, value: int) -> bool:
        """Whether the word goes on with this number, and if so it is counted in."""
        if kind in _LEFT:
            if self.room < _ROOM[kind] or (self.scaled and self.scale <= value):
                return False
            self.group = (self.group or Decimal(0)) + value
            self.room = _LEFT[kind]
            return True
        if kind == "h":
            if self.hundreds or (self.group is not None and not self._countable()):
                return False
            self.group = (Decimal(1) if self.group is None else self.group) * 100
            self.room, self.hundreds = 100, True
            return True
        return kind == "s" and self._scale(value)

    def _countable(self) -> bool:
        return self.group is not None and 0 < self.group < 100

    def _scale(self, value: int) -> bool:
        if value >= self.scale or (self.group is None and self.scaled) or self.group == 0:
            return False
        self.total += (Decimal(1) if self.group is None else self.group) * value
        self.group, self.room, self.scale = None, 1000, value
        self.hundreds, self.scaled = False, True
        return True

    def value(self) -> Decimal:
        return self.total + (self.group or Decimal(0))


def _split_compound(word: str, numbers: Numbers) -> tuple[str, ...] | None:
    """Two or three number words written as one ("шестьсотпять", "twentyfive")."""
    for cut in range(3, len(word) - 2):
        head, tail = word[:cut], word[cut:]
        if numbers.words.get(head, ("", 0))[0] in ("T", "H", "s", "h"):
            if numbers.words.get(tail, ("", 0))[0] in ("u", "t", "T", "ou"):
                return head, tail
            rest = _split_compound(tail, numbers) if len(tail) > 6 else None
            if rest is not None:
                return head, *rest
    return None


class Reader:
    """Reads the number that starts at a token, as long as it gets (one per text)."""

    __slots__ = ("numbers", "repaired", "tokens")

    def __init__(self, tokens: Sequence[Token], numbers: Numbers) -> None:
        """Keep the tokens, hyphens between words already gone."""
        self.tokens = tokens
        self.numbers = numbers
        self.repaired = False

    def word(self, place: int) -> tuple[str, int] | None:
        """Class and value of a number word, misspelt ones included."""
        if place >= len(self.tokens) or self.tokens[place].kind != "w":
            return None
        text = self.tokens[place].text
        found = self.numbers.words.get(text)
        if found is None and len(text) > 3:
            fixed = self.numbers.speller.repair(text)
            if fixed is not None:
                self.repaired = True
                found = self.numbers.words.get(fixed)
        return found

    def at(self, place: int, *, grouped: bool = True) -> Found | None:
        """The number at a token, or None where none starts there."""
        tokens, numbers = self.tokens, self.numbers
        text = tokens[place].text
        if text in numbers.minus or text in ("-", "–", "−", "—"):
            return self._signed(place, grouped=grouped)
        if (text in numbers.plus or text == "+") and place + 1 < len(tokens):
            ahead = self._unsigned(place + 1, grouped=grouped)
            if ahead is None or (text == "+" and not tokens[place + 1].glued):
                return None
            return ahead
        return self._unsigned(place, grouped=grouped)

    def _signed(self, place: int, *, grouped: bool) -> Found | None:
        tokens = self.tokens
        if place + 1 >= len(tokens):
            return None
        if tokens[place].kind == "p" and (
            not tokens[place + 1].glued
            or tokens[place + 1].kind == "w"
            or (place > 0 and tokens[place].glued)
        ):
            return None
        found = self._unsigned(place + 1, grouped=grouped)
        if found is None or found.ordinal or found.value is None:
            return found
        return Found(-found.value, found.end, words=found.words, repaired=found.repaired)

    def _unsigned(self, place: int, *, grouped: bool) -> Found | None:
        tokens, numbers = self.tokens, self.numbers
        if starts_literal(tokens, place):
            return self._digits(place, grouped=grouped)
        if tokens[place].kind != "w":
            return None
        whole = match_at(tokens, place, numbers.halved)
        if whole is not None and not (whole[2] == 1 and whole[1] in numbers.words):
            return self._tail(Decimal(whole[0]), place + whole[2], None)
        part = match_at(tokens, place, numbers.alone)
        if part is not None and (part[2] > 1 or part[1] not in numbers.words):
            return self._part_alone(place, part)
        if tokens[place].text in numbers.articles:
            ahead = self.word(place + 1)
            if ahead is None or ahead[0] not in ("h", "s", "c"):
                return None
            place += 1
        if tokens[place].text in numbers.points:
            return self._point(Decimal(0), place)
        return self._words(place)

    def _part_alone(self, place: int, part: tuple[str, str, int]) -> Found:
        value, _, size = part
        end = place + size
        scale = self.word(end)
        exact = _exact(value)
        if scale is not None and scale[0] == "s":
            return Found(None, end + 1)
        return Found(exact, end, part=True)

    def _words(self, place: int) -> Found | None:
        self.repaired = False
        first = self.word(place)
        text = self.tokens[place].text
        if first is None:
            return self._compound_or_half(place)
        kind, value = first
        if kind == "z":
            return self._tail(Decimal(0), place + 1, None)
        if kind == "c":
            nothing = self.word(place + 1)
            return Found(None if nothing else Decimal(value), place + 1)
        if kind in ("b", "oS"):
            known = Decimal(value) if kind == "oS" else None
            return Found(known, place + 1, ordinal=kind == "oS", plural=kind == "b")
        if text in self.numbers.plurals:
            return Found(None, place + 1, plural=True)
        return self._sum(place, _Sum())

    def _compound_or_half(self, place: int) -> Found | None:
        text = self.tokens[place].text
        half = self.numbers.half_groups.get(text)
        if half is not None:
            so_far = _Sum(group=Decimal(half), room=1)
            ahead = self.word(place + 1)
            if ahead is not None and ahead[0] in ("s", "h"):
                return self._sum(place + 1, so_far)
            return Found(Decimal(half), place + 1)
        parts = _split_compound(text, self.numbers) if 6 < len(text) < 40 else None
        if parts is None:
            return None
        so_far = _Sum()
        for part in parts:
            kind, value = self.numbers.words[part]
            if kind == "ou" and so_far.add("u", value):
                return Found(so_far.value(), place + 1, ordinal=True, repaired=True)
            if not so_far.add(kind, value):
                return None
        return self._sum(place + 1, so_far, repaired=True)

    def _sum(self, place: int, so_far: _Sum, *, repaired: bool = False) -> Found | None:
        tokens, numbers = self.tokens, self.numbers
        while place < len(tokens):
            jump = self._joint(place, so_far)
            found = self.word(place + jump)
            if found is None:
                if jump or not self._group_in_digits(place, so_far):
                    break
                place += 1
                continue
            kind, value = found
            if kind[0] == "o" and kind != "oS":
                ordinal = self._ordinal(kind[1], value, so_far)
                if ordinal is None:
                    break
                return Found(ordinal, place + jump + 1, ordinal=True)
            if kind not in "utTHhs" or not so_far.add(kind, value):
                break
            place += jump + 1
        count = self.word(place)
        if count is not None and count == ("c", 12) and so_far.value() == so_far.value() // 1:
            return Found(so_far.value() * 12, place + 1)
        return self._tail(so_far.value(), place, numbers, repaired=repaired or self.repaired)

    def _ordinal(self, kind: str, value: int, so_far: _Sum) -> Decimal | None:
        return so_far.value() if so_far.add(kind, value) else None

    def _joint(self, place: int, so_far: _Sum) -> int:
        """1 where an "and" or a comma inside a falling number stands here, else 0."""
        text = self.tokens[place].text
        after = so_far.hundreds or so_far.scaled
        if text in self.numbers.conjunctions:
            ahead = self.word(place + 1)
            return 1 if after and ahead is not None and ahead[0] in "utTou" else 0
        ahead = self.word(place + 1) if text == "," else None
        ends_scale = so_far.scaled and so_far.group is None
        return 1 if ahead is not None and ends_scale and ahead[0] in "utTH" else 0

    def _group_in_digits(self, place: int, so_far: _Sum) -> bool:
        """Digits below a scale said in words ("5 тысяч 300"), counted in if they fit."""
        token = self.tokens[place]
        if token.kind != "d" or token.glued or not so_far.scaled or so_far.group is not None:
            return False
        if len(token.text) > 12 or int(token.text) >= so_far.scale:
            return False
        so_far.group, so_far.room = Decimal(token.text), 1
        return True

    def _digits(self, place: int, *, grouped: bool) -> Found:
        tokens = self.tokens
        literal = self._fraction(place) or read_literal(
            tokens, place, comma_decimal=self.numbers.comma_decimal, grouped=grouped
        )
        value, end = literal.value, literal.end
        if value is None:
            return Found(None, end, words=False, bad_grouping=True)
        scale, end = self._suffix(end)
        if scale == 0:
            return Found(None, end, words=False)
        if scale > 1:
            so_far = _Sum(group=value, room=1)
            so_far.add("s", scale)
            found = self._sum(end, so_far)
            assert found is not None
            return Found(found.value, found.end, words=found.end > end)
        ahead = self.word(end)
        if ahead is not None and ahead[0] in ("s", "h") and end < len(tokens):
            found = self._sum(end, _Sum(group=value, room=1))
            if found is not None:
                return Found(found.value, found.end, words=False)
        ordinal = self._ordinal_suffix(end)
        if ordinal:
            return Found(value, ordinal, ordinal=True, words=False)
        tail = self._tail(value, end, None)
        return Found(tail.value, tail.end, words=False)

    def _fraction(self, place: int) -> Literal | None:
        """`1/2`, and `2 1/2` with a space, where the slash is glued."""
        tokens = self.tokens
        whole = 0
        start = place
        if place + 3 < len(tokens) and tokens[place + 1].kind == "d" and tokens[place + 2].text == "/":
            whole, start = int(tokens[place].text[:9]), place + 1
            if tokens[start].glued:
                return None
        if start + 2 >= len(tokens) or tokens[start + 1].text not in ("/", "\u2044"):
            return None
        top, bottom = tokens[start], tokens[start + 2]
        if bottom.kind != "d" or len(top.text) > 4 or len(bottom.text) > 4:
            return Literal(None, start + 3)
        above, below = int(top.text), int(bottom.text)
        if above >= below or above == 0 or not (tokens[start + 1].glued and bottom.glued):
            return Literal(None, start + 3)
        value = Fraction(above, below) + whole
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        return Literal(exact, start + 3)

    def _suffix(self, place: int) -> tuple[int, int]:
        """The scale that a suffix names and where it ends; 0 where its meaning is not sure."""
        tokens = self.tokens
        if place >= len(tokens) or tokens[place].kind != "w":
            return 1, place
        token = tokens[place]
        if token.glued and token.cased in ("M", "М"):
            return 10**6, place + 1
        by = self.numbers.suffix_scales.get(token.text)
        if by is None:
            return (0, place + 1) if token.glued and token.text in ("m", "м") else (1, place)
        if not token.glued and len(token.text) == 1:
            return 0, place + 1
        end = place + 1
        if end < len(tokens) and tokens[end].text == "." and tokens[end].glued:
            end += 1
        return by, end

    def _ordinal_suffix(self, place: int) -> int:
        """Where an ordinal suffix ends (2nd, 3-я, 22-го), or 0."""
        tokens = self.tokens
        if place < len(tokens) and tokens[place].glued and tokens[place].text == "-":
            place += 1
        if place >= len(tokens) or not tokens[place].glued:
            return 0
        return place + 1 if tokens[place].text in self.numbers.ordinal_suffixes else 0

    def _tail(
        self, value: Decimal, place: int, numbers: Numbers | None, *, repaired: bool = False
    ) -> Found:
        """A part behind the number: "and a half", "point five", "целых пять десятых"."""
        tokens = self.tokens
        if place < len(tokens) and tokens[place].kind == "w":
            added = match_at(tokens, place, self.numbers.added)
            if added is not None:
                return self._with_part(value, _exact(added[0]), place + added[2])
            if tokens[place].text in self.numbers.points:
                return self._point(value, place)
            if tokens[place].text in self.numbers.wholes:
                return self._parts(value, place + 1)
        return Found(value, place, repaired=repaired)

    def _with_part(self, value: Decimal, part: Decimal | Fraction, place: int) -> Found:
        if isinstance(part, Fraction) or value != value.to_integral_value():
            return Found(None, place)
        scale = self.word(place)
        if scale is not None and scale[0] == "s":
            return Found((value + part) * scale[1], place + 1)
        return Found(value + part, place)

    def _point(self, value: Decimal, place: int) -> Found:
        """Digits after a spoken point, one by one or as one number without leading zeros."""
        start = place + 1
        text = ""
        while start < len(self.tokens):
            ahead = self.word(start)
            token = self.tokens[start]
            if ahead is not None and ahead[0] in ("z", "u"):
                text += str(ahead[1])
            elif token.text in self.numbers.oh:
                text += "0"
            elif ahead is not None and not text.strip("0") and ahead[0] in ("t", "T", "H"):
                found = self._sum(start, _Sum())
                if found is None or found.value is None or found.ordinal:
                    return Found(None, start + 1)
                return self._scaled(value, text + str(found.value), found.end)
            elif token.kind == "d" and not text:
                text = token.text
            else:
                break
            start += 1
        if not text:
            return Found(None, place + 1)
        return self._scaled(value, text, start)

    def _scaled(self, value: Decimal, digits: str, end: int) -> Found:
        if value != value.to_integral_value() or not digits.isdecimal():
            return Found(None, end)
        number = Decimal(f"{value:f}.{digits}")
        scale = self.word(end)
        if scale is not None and scale[0] == "s":
            return Found(number * scale[1], end + 1)
        return Found(number, end)

    def _parts(self, value: Decimal, place: int) -> Found:
        """Russian decimals by name: two whole, five tenths."""
        tokens = self.tokens
        if place < len(tokens) and tokens[place].text == "и":
            place += 1
        so_far = _Sum()
        start = place
        while (found := self.word(place)) is not None and found[0] in "zutTH":
            if found[0] != "z" and not so_far.add(*found):
                break
            place += 1
        if place >= len(tokens) or place == start:
            return Found(None, place)
        power = self.numbers.denominators.get(tokens[place].text)
        part = so_far.value()
        if power is None or part >= 10**power:
            return Found(None, place + 1)
        return Found(value + part.scaleb(-power), place + 1)


def _exact(text: str) -> Decimal | Fraction:
    return Fraction(text) if "/" in text else Decimal(text)
