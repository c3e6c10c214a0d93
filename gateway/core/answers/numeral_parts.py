"""Number words one after another, and the parts behind a number: halves, decimals, fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from gateway.core.answers.normalise import Token
from gateway.core.answers.numberwords import Numbers
from gateway.core.answers.roles import match_at
from gateway.core.answers.sums import Sum


@dataclass(frozen=True, slots=True, eq=False, repr=False)
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


class PartReader:
    """Reads number words in a row, with what may stand behind them as a part."""

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

    def summed(self, place: int, so_far: Sum, *, repaired: bool = False) -> Found:
        """The number whose words go on from here, with the part behind it."""
        end, ordinal = self._run(place, so_far)
        if ordinal is not None:
            return Found(ordinal, end, ordinal=True)
        dozens = self.word(end) == ("c", 12)
        if dozens and so_far.value() == int(so_far.value()):
            return Found(so_far.value() * 12, end + 1)
        return self.tail(so_far.value(), end, repaired=repaired or self.repaired)

    def _run(self, place: int, so_far: Sum) -> tuple[int, Decimal | None]:
        """Where the words that fit end, and the ordinal that closes them if one does."""
        while place < len(self.tokens):
            jump = self._joint(place, so_far)
            found = self.word(place + jump)
            if found is None:
                if jump or not self._group_in_digits(place, so_far):
                    break
                place += 1
                continue
            kind, value = found
            if kind[0] == "o" and kind != "oS":
                fits = so_far.add(kind[1], value)
                return (place + jump + 1, so_far.value()) if fits else (place, None)
            if kind not in "utTHhs" or not so_far.add(kind, value):
                break
            place += jump + 1
        return place, None

    def _joint(self, place: int, so_far: Sum) -> int:
        """1 where an "and" or a comma inside a falling number stands here, else 0."""
        text = self.tokens[place].text
        after = so_far.hundreds or so_far.scaled
        if text in self.numbers.conjunctions:
            ahead = self.word(place + 1)
            return 1 if after and ahead is not None and ahead[0] in "utTou" else 0
        ahead = self.word(place + 1) if text == "," else None
        ends_scale = so_far.scaled and so_far.group is None
        return 1 if ahead is not None and ends_scale and ahead[0] in "utTH" else 0

    def _group_in_digits(self, place: int, so_far: Sum) -> bool:
        """Digits below a scale said in words ("5 тысяч 300"), counted in if they fit."""
        token = self.tokens[place]
        if token.kind != "d" or token.glued or not so_far.scaled or so_far.group is not None:
            return False
        if len(token.text) > 12 or int(token.text) >= so_far.scale:
            return False
        so_far.group, so_far.room = Decimal(token.text), 1
        return True

    def tail(self, value: Decimal, place: int, *, repaired: bool = False) -> Found:
        """A part behind the number: "and a half", "point five", "целых пять десятых"."""
        tokens = self.tokens
        if place < len(tokens) and tokens[place].kind == "w":
            added = match_at(tokens, place, self.numbers.added)
            if added is not None:
                return self._with_part(value, exact(added[0]), place + added[2])
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
                found = self.summed(start, Sum())
                if found.value is None or found.ordinal:
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
        if place < len(tokens) and tokens[place].text in self.numbers.part_joints:
            place += 1
        so_far = Sum()
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


def exact(text: str) -> Decimal | Fraction:
    """The part that a word list writes, as a fraction where no decimal ends."""
    return Fraction(text) if "/" in text else Decimal(text)
