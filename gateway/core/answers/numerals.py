"""Numbers in words and digits: one number read as far as it goes, with its sign and parts."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from gateway.core.answers.literals import Literal, read_literal, starts_literal
from gateway.core.answers.numberwords import Numbers, numbers_of
from gateway.core.answers.numeral_parts import Found, PartReader, exact
from gateway.core.answers.roles import match_at
from gateway.core.answers.sums import Sum, split_compound

__all__ = ["Found", "Numbers", "Reader", "numbers_of"]


class Reader(PartReader):
    """Reads the number that starts at a token, as long as it gets (one per text)."""

    __slots__ = ()

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
            return self.tail(Decimal(whole[0]), place + whole[2])
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
        amount = exact(value)
        if scale is not None and scale[0] == "s":
            return Found(None, end + 1)
        return Found(amount, end, part=True)

    def _words(self, place: int) -> Found | None:
        self.repaired = False
        first = self.word(place)
        text = self.tokens[place].text
        if first is None:
            return self._compound_or_half(place)
        kind, value = first
        if kind == "z":
            return self.tail(Decimal(0), place + 1)
        if kind == "c":
            nothing = self.word(place + 1)
            return Found(None if nothing else Decimal(value), place + 1)
        if kind in ("b", "oS"):
            known = Decimal(value) if kind == "oS" else None
            return Found(known, place + 1, ordinal=kind == "oS", plural=kind == "b")
        if text in self.numbers.plurals:
            return Found(None, place + 1, plural=True)
        return self.summed(place, Sum())

    def _compound_or_half(self, place: int) -> Found | None:
        text = self.tokens[place].text
        half = self.numbers.half_groups.get(text)
        if half is not None:
            so_far = Sum(group=Decimal(half), room=1)
            ahead = self.word(place + 1)
            if ahead is not None and ahead[0] in ("s", "h"):
                return self.summed(place + 1, so_far)
            return Found(Decimal(half), place + 1)
        parts = split_compound(text, self.numbers) if 6 < len(text) < 40 else None
        if parts is None:
            return None
        so_far = Sum()
        for part in parts:
            kind, value = self.numbers.words[part]
            if kind == "ou" and so_far.add("u", value):
                return Found(so_far.value(), place + 1, ordinal=True, repaired=True)
            if not so_far.add(kind, value):
                return None
        return self.summed(place + 1, so_far, repaired=True)

    def _digits(self, place: int, *, grouped: bool) -> Found:
        tokens = self.tokens
        fraction = self._fraction(place)
        if fraction is not None:
            bad = fraction.value is None
            return Found(fraction.value, fraction.end, words=False, bad_grouping=bad, part=True)
        literal = read_literal(
            tokens, place, comma_decimal=self.numbers.comma_decimal, grouped=grouped
        )
        value, end = literal.value, literal.end
        if value is None:
            return Found(None, end, words=False, bad_grouping=True)
        scale, end = self._suffix(end)
        if scale == 0:
            return Found(None, end, words=False)
        if scale > 1:
            so_far = Sum(group=value, room=1)
            so_far.add("s", scale)
            found = self.summed(end, so_far)
            return Found(found.value, found.end, words=found.end > end)
        ahead = self.word(end)
        if ahead is not None and ahead[0] in ("s", "h") and end < len(tokens):
            found = self.summed(end, Sum(group=value, room=1))
            return Found(found.value, found.end, words=False)
        ordinal = self._ordinal_suffix(end)
        if ordinal:
            return Found(value, ordinal, ordinal=True, words=False)
        tail = self.tail(value, end)
        return Found(tail.value, tail.end, words=False)

    def _fraction(self, place: int) -> Literal | None:
        """`1/2`, and `2 1/2` with a space, where the slash is glued."""
        tokens = self.tokens
        whole = 0
        start = place
        if (
            place + 3 < len(tokens)
            and tokens[place + 1].kind == "d"
            and tokens[place + 2].text == "/"
        ):
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
