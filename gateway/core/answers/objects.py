"""Objects: one field by its value alone, several fields in one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gateway.core.answers.context import Context, Got, Miss, Result
from gateway.core.answers.cores import Finder, finder_of
from gateway.core.answers.lexicons import NAMES
from gateway.core.answers.money import purse_of, read_money
from gateway.core.answers.normalise import Reading, Token, fold, read
from gateway.core.answers.plan import Field, Kind, Plan
from gateway.core.answers.roles import Phrases, joined, match_at, phrases_of
from gateway.core.answers.schema import same, validates
from gateway.core.answers.shell import Core, mark_role, shell_of, why_not
from gateway.core.answers.timewords import times_of
from gateway.core.answers.types import How, ProblemCode

Read = Callable[[Reading, Plan, Context], Result]
_AFTER_NAME = re.compile(r"\s*(?:=|:|-|–|—|\bis\b|\bto\b|это|\s)\s*", re.IGNORECASE)
STEM = 4
_CLOCKED = frozenset({"date", "time", "date-time"})


def read_object(reading: Reading, plan: Plan, context: Context, read_plan: Read) -> Result:
    """The object that the whole text gives, or which field is missing."""
    purse = purse_of(plan)
    if purse is not None:
        return read_money(reading, plan, purse, context)
    required = [one for one in plan.fields if one.required]
    alone = required[0] if len(required) == 1 else None
    if alone is None and len(plan.fields) == 1:
        alone = plan.fields[0]
    found = _one(reading, alone, context, read_plan) if alone is not None else None
    if isinstance(found, Got) and found.how is How.INDEX and len(plan.fields) > 1:
        found = Miss(ProblemCode.AMBIGUOUS)
    if isinstance(found, Got) or len(plan.fields) < 2:
        return found or Miss(ProblemCode.BAD_JSON)
    several = _several(joined(reading.tokens), plan, context)
    if isinstance(several, Got) or found is None:
        return several
    return several if several.code is ProblemCode.MISSING_FIELD else found


def _one(reading: Reading, only: Field, context: Context, read_plan: Read) -> Result:
    """The one field that has to be there, with or without its name before the value."""
    rest = _behind_name(reading.clean, only, context)
    if rest:
        found = read_plan(read(rest), only.plan, context)
        if isinstance(found, Got):
            return Got({only.key: found.value}, found.how)
    found = read_plan(reading, only.plan, context)
    return Got({only.key: found.value}, found.how) if isinstance(found, Got) else found


def _behind_name(text: str, only: Field, context: Context) -> str:
    """What stands behind the field's name ("the region is …", "region=…"), or nothing."""
    roles = shell_of(context.languages).roles
    plain = fold(text)
    for name in sorted(only.names, key=len, reverse=True):
        start = plain.find(name)
        if start < 0 or any(
            roles.get(word) not in ("K", "f", "p") for word in plain[:start].split()
        ):
            continue
        mark = _AFTER_NAME.match(text, start + len(name))
        if mark is not None and mark.end() > start + len(name):
            return text[mark.end() :]
    return ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Piece:
    """A name of a field, values by field, or a role from the shell."""

    role: str
    field: int = -1
    values: Mapping[int, object] | None = None
    code: ProblemCode | None = None


class _Scanner:
    """Cuts a sentence into names of fields, values and what stands round them."""

    __slots__ = ("_context", "_finders", "_hour_at", "_names", "_shell", "plan", "tokens")

    def __init__(self, tokens: Sequence[Token], plan: Plan, context: Context) -> None:
        self.tokens = tokens
        self.plan = plan
        self._context = context
        self._shell = shell_of(context.languages)
        self._finders = [finder_of(one.plan, tokens, context) for one in plan.fields]
        self._names = _field_names(plan, context)
        timed = any(one.plan.schema.get("format") in _CLOCKED for one in plan.fields)
        self._hour_at = times_of(context.languages).sets["hour_at"] if timed else frozenset()

    def pieces(self) -> list[_Piece]:
        """Every token in exactly one piece."""
        found: list[_Piece] = []
        place = 0
        while place < len(self.tokens):
            piece, place = self._piece(place)
            found.append(piece)
        return found

    def _piece(self, place: int) -> tuple[_Piece, int]:
        name = self._name(place)
        value, end = self._value(place)
        phrase = match_at(self.tokens, place, self._shell)
        size = phrase[2] if phrase is not None else 0
        if name is not None and name[1] >= max(end, place + 1):
            return _Piece("n", name[0]), name[1]
        if end and end - place >= size:
            return value, end
        if phrase is not None:
            return _Piece(phrase[0]), place + size
        text = self.tokens[place].text
        return _Piece("," if text == "=" else mark_role(self.tokens[place])), place + 1

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

    def _value(self, place: int) -> tuple[_Piece, int]:
        """What the fields can take here, the longest only."""
        best: dict[int, object] = {}
        end = 0
        code = None
        for number, finder in enumerate(self._finders):
            core = finder.at(place) if finder is not None else None
            if core is None or finder is None:
                continue
            core_end = self._without_name(core.end, place)
            if core_end < end:
                continue
            if core_end > end:
                best, code, end = {}, None, core_end
            plan = self.plan.fields[number].plan
            bad = core.code or _unfit(core, finder, plan)
            if plan.kind is Kind.NUMBER and core.end == place + 1 and self._is_hour(place):
                bad = ProblemCode.AMBIGUOUS
            if bad is None:
                best[number] = finder.write(core.value)
            else:
                code = bad
        return _Piece("v" if best else "%", values=best, code=code), end

    def _is_hour(self, place: int) -> bool:
        """Whether a bare number here is an hour ("tomorrow at two") and counts nothing."""
        return place > 0 and self.tokens[place - 1].text in self._hour_at

    def _without_name(self, end: int, place: int) -> int:
        """The end of a value without the name of a field that was taken for its unit."""
        return end - 1 if end - place > 1 and self._name(end - 1) is not None else end


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


_KEPT = "nv%NC"
_IGNORED = frozenset("fpKJ,Ao")


def _several(tokens: Sequence[Token], plan: Plan, context: Context) -> Result:
    """Every value to its field, by name or because only one field can take it."""
    if not tokens:
        return Miss(ProblemCode.EMPTY)
    pieces = _Scanner(tokens, plan, context).pieces()
    stray = "".join(piece.role for piece in pieces if piece.role not in _IGNORED)
    if set(stray) - set(_KEPT):
        return Miss(_stray_code(stray))
    broken = [piece.code for piece in pieces if piece.role == "%" and piece.code is not None]
    if broken:
        return Miss(broken[0])
    kept = _corrected([piece for piece in pieces if piece.role in _KEPT])
    if kept is None:
        return Miss(ProblemCode.AMBIGUOUS)
    found = [one for names_first in (True, False) if (one := _assigned(kept, plan, names_first))]
    if not found or any(not same(found[0], other) for other in found[1:]):
        return Miss(ProblemCode.AMBIGUOUS)
    missing = [one.names[0] for one in plan.fields if one.required and one.key not in found[0]]
    if missing:
        return Miss(ProblemCode.MISSING_FIELD, {"fields": missing})
    how = How.CORRECTED if any(piece.role in "NC" for piece in pieces) else How.EXACT
    return Got(found[0], how)


def _stray_code(roles: str) -> ProblemCode:
    code = why_not(roles.replace("v", "M").replace("n", "K"))
    return ProblemCode.NOT_UNDERSTOOD if code is ProblemCode.WRONG_COUNT else code


def _corrected(pieces: Sequence[_Piece]) -> list[_Piece] | None:
    """The pieces with a value before a correction replaced by the one behind it."""
    out: list[_Piece] = []
    place = 0
    while place < len(pieces):
        piece = pieces[place]
        if piece.role not in "NC":
            out.append(piece)
            place += 1
            continue
        while place < len(pieces) and pieces[place].role in "NC":
            place += 1
        if place >= len(pieces) or pieces[place].role != "v":
            return None
        fields = set(pieces[place].values or ())
        old = next(
            (
                i
                for i in range(len(out) - 1, -1, -1)
                if out[i].role == "v" and set(out[i].values or ()) & fields
            ),
            None,
        )
        if old is None:
            return None
        out[old] = pieces[place]
        place += 1
    return out


def _assigned(pieces: Sequence[_Piece], plan: Plan, names_first: bool) -> dict[str, object] | None:
    """Values by key, names standing before (or behind) their values; None where it can't be."""
    found: dict[int, object] = {}
    order = list(pieces) if names_first else list(reversed(pieces))
    waiting: int | None = None
    loose: list[Mapping[int, object]] = []
    for piece in order:
        if piece.role == "n":
            if waiting is not None or piece.field in found:
                return None
            waiting = piece.field
            continue
        values = piece.values or {}
        if waiting is None:
            loose.append(values)
            continue
        if waiting not in values:
            return None
        found[waiting] = values[waiting]
        waiting = None
    if waiting is not None or not _loose(loose, found, plan):
        return None
    return {plan.fields[number].key: found[number] for number in sorted(found)}


def _loose(loose: Sequence[Mapping[int, object]], found: dict[int, object], plan: Plan) -> bool:
    """Values without a name, each to the one free field that can take it.

    A yes or no that needs not be given goes by its field's name only: beside other values a bare
    one may as well begin or close the sentence ("ok, eu, three", "no, three").
    """
    for values in loose:
        free = [number for number in values if number not in found]
        if len(free) != 1:
            return False
        field = plan.fields[free[0]]
        if field.plan.kind is Kind.BOOLEAN and not field.required:
            return False
        found[free[0]] = values[free[0]]
    return True
