"""Objects: one field by its value alone, several fields in one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from gateway.core.answers.context import Context, Got, Miss, Result
from gateway.core.answers.money import purse_of, read_money
from gateway.core.answers.normalise import Reading, Token, fold, read
from gateway.core.answers.pieces import Piece, Scanner
from gateway.core.answers.plan import Field, Kind, Plan
from gateway.core.answers.roles import joined
from gateway.core.answers.schema import same
from gateway.core.answers.shell import shell_of, why_not
from gateway.core.answers.types import How, ProblemCode

Read = Callable[[Reading, Plan, Context], Result]
_AFTER_NAME = re.compile(r"\s*(?:=|:|-|–|—|\bis\b|\bto\b|это|\s)\s*", re.IGNORECASE)


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
    if len(plan.fields) < 2:
        return found or Miss(ProblemCode.BAD_JSON)
    several = _several(joined(reading.tokens), plan, context)
    if isinstance(found, Got):
        return several if isinstance(several, Got) and _says_more(several, found) else found
    if isinstance(several, Got) or found is None:
        return several
    return several if several.code is ProblemCode.MISSING_FIELD else found


def _says_more(several: Got, one: Got) -> bool:
    """Whether the fields read together are the one alone and others ("eu, one")."""
    more, less = several.value, one.value
    return (
        isinstance(more, dict)
        and isinstance(less, dict)
        and len(more) > len(less)
        and all(key in more and same(more[key], value) for key, value in less.items())
    )


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


_KEPT = "nv%NC"
_IGNORED = frozenset("fpKJ,Ao")


def _several(tokens: Sequence[Token], plan: Plan, context: Context) -> Result:
    """Every value to its field, by name or because only one field can take it."""
    if not tokens:
        return Miss(ProblemCode.EMPTY)
    pieces = Scanner(tokens, plan, context).pieces()
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


def _corrected(pieces: Sequence[Piece]) -> list[Piece] | None:
    """The pieces with a value before a correction replaced by the one behind it."""
    out: list[Piece] = []
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


def _assigned(pieces: Sequence[Piece], plan: Plan, names_first: bool) -> dict[str, object] | None:
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
