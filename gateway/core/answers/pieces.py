"""What the sentence of an object is cut into: names of fields, values, what stands round them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gateway.core.answers.context import Context
from gateway.core.answers.cores import Finder, finder_of
from gateway.core.answers.lexicons import NAMES
from gateway.core.answers.normalise import Token
from gateway.core.answers.numberwords import numbers_of
from gateway.core.answers.plan import Kind, Plan
from gateway.core.answers.roles import Phrases, match_at, phrases_of
from gateway.core.answers.schema import validates
from gateway.core.answers.shell import Core, mark_role, shell_of
from gateway.core.answers.timewords import times_of
from gateway.core.answers.types import ProblemCode

STEM = 4
_CLOCKED = frozenset({"date", "time", "date-time"})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Piece:
    """A name of a field, values by field, or a role from the shell."""

    role: str
    field: int = -1
    values: Mapping[int, object] | None = None
    code: ProblemCode | None = None


class Scanner:
    """Cuts a sentence into names of fields, values and what stands round them."""

    __slots__ = (
        "_context",
        "_finders",
        "_hour_at",
        "_names",
        "_pronouns",
        "_shell",
        "plan",
        "tokens",
    )

    def __init__(self, tokens: Sequence[Token], plan: Plan, context: Context) -> None:
        self.tokens = tokens
        self.plan = plan
        self._context = context
        self._shell = shell_of(context.languages)
        self._finders = [finder_of(one.plan, tokens, context) for one in plan.fields]
        self._pronouns = numbers_of(context.languages).pronouns
        self._names = _field_names(plan, context)
        timed = any(one.plan.schema.get("format") in _CLOCKED for one in plan.fields)
        self._hour_at = times_of(context.languages).sets["hour_at"] if timed else frozenset()

    def pieces(self) -> list[Piece]:
        """Every token in exactly one piece."""
        found: list[Piece] = []
        place = 0
        while place < len(self.tokens):
            piece, end = self._piece(place)
            if found and self._stands_for(found[-1], piece, place, end):
                piece = Piece("o")
            found.append(piece)
            place = end
        return found

    def _piece(self, place: int) -> tuple[Piece, int]:
        name = self._name(place)
        value, end = self._value(place)
        phrase = match_at(self.tokens, place, self._shell)
        size = phrase[2] if phrase is not None else 0
        if name is not None and name[1] >= max(end, place + 1):
            return Piece("n", name[0]), name[1]
        if end and end - place >= size:
            return value, end
        if phrase is not None:
            return Piece(phrase[0]), place + size
        text = self.tokens[place].text
        return Piece("," if text == "=" else mark_role(self.tokens[place])), place + 1

    def _stands_for(self, choice: Piece, piece: Piece, place: int, end: int) -> bool:
        """Whether a number word right behind a choice stands for it ("the eu one")."""
        fields = choice.values or ()
        return (
            piece.role == "v"
            and end == place + 1
            and self.tokens[place].text in self._pronouns
            and any(self.plan.fields[number].plan.kind is Kind.CHOICE for number in fields)
            and (end == len(self.tokens) or not (self._name(end) or self._value(end)[1]))
        )

    def _name(self, place: int) -> tuple[int, int] | None:
        found = match_at(self.tokens, place, self._names)
        if found is not None:
            return int(found[0]), place + found[2]
        text = self.tokens[place].text
        fitting = {
            int(number)
            for name, number in self._names.roles.items()
            if " " not in name and len(name) >= STEM and _same_stem(name, text)
        }
        return (fitting.pop(), place + 1) if len(fitting) == 1 else None

    def _value(self, place: int) -> tuple[Piece, int]:
        """What the fields can take here, the longest only."""
        best: dict[int, object] = {}
        end = 0
        code = None
        for number, finder in enumerate(self._finders):
            core = finder.at(place) if finder is not None else None
            if core is None or finder is None:
                continue
            plan = self.plan.fields[number].plan
            core_end = self._without_name(core.end, place, plan)
            if core_end < end:
                continue
            if core_end > end:
                best, code, end = {}, None, core_end
            bad = core.code if core_end == core.end else None
            bad = bad or _unfit(core, finder, plan)
            if plan.kind is Kind.NUMBER and self._is_no_count(core, place, number):
                bad = ProblemCode.AMBIGUOUS
            if bad is None:
                best[number] = finder.write(core.value)
            else:
                code = bad
        return Piece("v" if best else "%", values=best, code=code), end

    def _is_no_count(self, core: Core, place: int, number: int) -> bool:
        """Whether a bare number is an hour ("tomorrow at two") or an ordinal far from the field's
        name ("small first").
        """
        if core.ordinal:
            places = (place - 1, core.end - 1, core.end)
            beside = [self._name(at) for at in places if 0 <= at < len(self.tokens)]
            return all(name is None or name[0] != number for name in beside)
        before = self.tokens[place - 1].text if place else ""
        return core.end == place + 1 and before in self._hour_at

    def _without_name(self, end: int, place: int, plan: Plan) -> int:
        """The end of a value without what was taken for its unit: a field's name, or a choice
        ("one small").
        """
        unit = end - 2 if self.tokens[end - 1].text == "." else end - 1
        if unit <= place:
            return end
        counts = plan.kind is Kind.NUMBER
        taken = self._name(unit) is not None or (counts and self._is_choice(unit))
        return unit if taken else end

    def _is_choice(self, place: int) -> bool:
        """Whether a member of some field's choice stands at a token."""
        return any(
            finder is not None and one.plan.kind is Kind.CHOICE and finder.at(place) is not None
            for one, finder in zip(self.plan.fields, self._finders, strict=True)
        )


def _unfit(core: Core, finder: Finder, plan: Plan) -> ProblemCode | None:
    code = validates(finder.write(core.value), plan.schema)
    return None if code is None else ProblemCode(code)


def _same_stem(name: str, word: str) -> bool:
    """Whether a word is another form of a field's name (реплик, реплики; replica, replicas)."""
    if len(word) < STEM or name.isascii() != word.isascii():
        return False
    if name.isascii():
        return word in (name + "s", name + "es") or name in (word + "s", word + "es")
    stem = max(STEM, min(len(name), len(word)) - 2)
    return name[:stem] == word[:stem] and abs(len(name) - len(word)) <= 3


def _field_names(plan: Plan, context: Context) -> Phrases:
    names: dict[str, str] = {}
    for number, one in enumerate(plan.fields):
        for name in one.names:
            names[" ".join(name.replace("-", " ").split())] = str(number)
    for code in context.languages:
        for name, number_text in list(names.items()):
            for form in NAMES[code].forms(name) if code in NAMES and " " not in name else ():
                names.setdefault(form, number_text)
    return phrases_of(names)
