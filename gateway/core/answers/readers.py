"""One reader a kind of schema, and unions over them."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.core.answers.arrays import read_array
from gateway.core.answers.choices import read_choice
from gateway.core.answers.context import Context, Got, Miss, Result
from gateway.core.answers.members import whole_member
from gateway.core.answers.normalise import Reading, fold
from gateway.core.answers.numbers import read_number
from gateway.core.answers.objects import Read, read_object
from gateway.core.answers.plan import Kind, Plan, is_open_text
from gateway.core.answers.schema import same, validates
from gateway.core.answers.shell import shell_of
from gateway.core.answers.texts import read_text
from gateway.core.answers.types import How, ProblemCode
from gateway.core.answers.yesno import read_side


def _read_boolean(reading: Reading, plan: Plan, context: Context) -> Result:
    if not reading.tokens:
        return Miss(ProblemCode.EMPTY)
    side = read_side(
        reading.tokens, context.languages, spoken=context.spoken, closed=context.closed
    )
    if side.yes is None:
        return Miss(side.code)
    how = How.CORRECTED if side.corrected else How.REPAIRED if side.repaired else How.EXACT
    return Got(side.yes, how)


def _read_const(reading: Reading, plan: Plan, context: Context) -> Result:
    """The exact word, in any case; nothing may stand beside it."""
    value = plan.members[0].value
    if fold(reading.raw) in {fold(name) for name in plan.members[0].names}:
        return Got(value)
    return Miss(ProblemCode.NOT_A_MEMBER)


def _read_null(reading: Reading, plan: Plan, context: Context) -> Result:
    """A word for nothing, as the whole text."""
    role = shell_of(context.languages).roles.get(reading.plain.strip(" .!"))
    if reading.plain == "null" or role == "0":
        return Got(None)
    return Miss(ProblemCode.NOT_UNDERSTOOD)


def _read_object(reading: Reading, plan: Plan, context: Context) -> Result:
    return read_object(reading, plan, context, read_plan)


def _fits(reading: Reading, branch: Plan, plan: Plan, context: Context) -> Result:
    """What one branch takes; a yes is no filler and a number no position beside such branches."""
    found = read_plan(reading, branch, context)
    if not isinstance(found, Got):
        return found
    kinds = {one.kind for one in plan.branches}
    if Kind.BOOLEAN in kinds and branch.kind is Kind.NUMBER and _has_yes(reading, context):
        return Miss(ProblemCode.AMBIGUOUS)
    if Kind.NUMBER in kinds and found.how is How.INDEX:
        return Miss(ProblemCode.NOT_A_MEMBER)
    code = validates(found.value, branch.schema)
    return found if code is None else Miss(ProblemCode(code))


def _has_yes(reading: Reading, context: Context) -> bool:
    roles = shell_of(context.languages).roles
    return any(roles.get(token.text) in ("Y", "N") for token in reading.tokens)


def _read_union(reading: Reading, plan: Plan, context: Context) -> Result:
    """The first branch that the whole text fits; different values of closed branches ask."""
    misses: list[Miss] = []
    taken: Got | None = None
    for branch in plan.branches:
        found = _fits(reading, branch, plan, context)
        if isinstance(found, Miss):
            misses.append(found)
        elif taken is None:
            taken = found
        elif _rival(branch) and not same(found.value, taken.value):
            return Miss(ProblemCode.AMBIGUOUS)
    if taken is not None:
        return taken
    plain = (ProblemCode.NOT_UNDERSTOOD, ProblemCode.NOT_A_MEMBER, ProblemCode.BAD_FORMAT)
    telling = [miss for miss in misses if miss.code not in plain]
    return (telling or misses or [Miss(ProblemCode.NOT_UNDERSTOOD)])[0]


def _rival(branch: Plan) -> bool:
    """Whether a second reading by this branch makes the first unsure."""
    return branch.kind not in (Kind.ARRAY, Kind.OBJECT) and not is_open_text(branch)


_READERS: Mapping[Kind, Read] = {
    Kind.BOOLEAN: _read_boolean,
    Kind.NUMBER: read_number,
    Kind.CHOICE: read_choice,
    Kind.CONST: _read_const,
    Kind.NULL: _read_null,
    Kind.TEXT: read_text,
    Kind.ARRAY: read_array,
    Kind.OBJECT: _read_object,
    Kind.UNION: _read_union,
}


def read_plan(reading: Reading, plan: Plan, context: Context) -> Result:
    """What the whole text commits to under a plan."""
    if reading.too_long and plan.kind is not Kind.TEXT:
        return Miss(ProblemCode.NOT_UNDERSTOOD)
    return _READERS[plan.kind](reading, plan, context)


def named_member(text: str, plan: Plan) -> tuple[bool, object]:
    """Whether a whole text is a member of the plan or of one of its branches, and which."""
    for one in (plan, *plan.branches, *(field.plan for field in plan.fields)):
        place = whole_member(text, one) if one.members else None
        if place is not None:
            return True, one.members[place].value
    return False, None
