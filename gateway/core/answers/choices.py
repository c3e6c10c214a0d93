"""One of several members: by name, by position, or by yes and no where those are the members."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from gateway.core.answers.context import Context, Got, Miss, Result
from gateway.core.answers.lexicons import SHELLS
from gateway.core.answers.members import MemberCores, names_of, whole_member
from gateway.core.answers.normalise import Reading, Token
from gateway.core.answers.numerals import Reader, numbers_of
from gateway.core.answers.plan import Plan
from gateway.core.answers.roles import joined
from gateway.core.answers.schema import decimal_of, same
from gateway.core.answers.shell import Core, settle, shell_of, survey
from gateway.core.answers.types import How, ProblemCode
from gateway.core.answers.yesno import consent, read_side


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the list: 1 is the first, -1 the last."""

    number: int
    ordinal: bool


class PositionCores:
    """Finds positions: "second choice", "option 3", «последний вариант»."""

    __slots__ = ("_last", "_marks", "_nouns", "_reader", "tokens")

    def __init__(self, tokens: Sequence[Token], context: Context) -> None:
        """Keep the words that name positions in the person's languages."""
        known = [SHELLS[code] for code in context.languages if code in SHELLS]
        self.tokens = tokens
        self._reader = Reader(tokens, numbers_of(context.languages))
        self._marks = frozenset().union(*(words.position_marks for words in known))
        self._nouns = frozenset().union(*(words.position_nouns for words in known))
        self._last = frozenset().union(*(words.last for words in known))

    def at(self, place: int) -> Core | None:
        """The position that starts at a token, its noun included."""
        tokens = self.tokens
        marked = tokens[place].text in self._marks or tokens[place].text == "#"
        start = place + 1 if marked else place
        if marked and len(tokens[place].text) == 2 and self._in_words(start):
            return None
        if marked and start < len(tokens) and tokens[start].text in (*self._marks, "."):
            start += 1
        if start >= len(tokens):
            return None
        if tokens[start].text in self._last:
            return Core(Position(-1, ordinal=True), self._noun(start + 1))
        found = self._reader.at(start, grouped=False)
        if found is not None and (found.part or self._counts(start, found.end)):
            return Core(None, found.end, code=ProblemCode.AMBIGUOUS)
        if found is None or not isinstance(found.value, Decimal) or (found.words and found.plural):
            return None
        value = found.value
        if value != value.to_integral_value() or abs(value) > 1000:
            return None
        ordinal = found.ordinal or marked
        end = self._noun(found.end) if ordinal else found.end
        return Core(Position(int(value), ordinal), end)

    def _counts(self, start: int, end: int) -> bool:
        """Whether a word says how many, never which one ("a couple", «дюжина»)."""
        kinds = (self._reader.word(place) for place in range(start, end))
        return any(kind is not None and kind[0] == "c" for kind in kinds)

    def _in_words(self, place: int) -> bool:
        after = (
            place + 1
            if self.tokens[place : place + 1] and self.tokens[place].text == "."
            else place
        )
        return after < len(self.tokens) and self.tokens[after].kind != "d"

    def _noun(self, place: int) -> int:
        tokens = self.tokens
        if place < len(tokens) and tokens[place].text in self._nouns:
            return place + 1
        return place


_BARE = re.compile(r"[fp,]*M[fp,]*")


def read_position(tokens: Sequence[Token], plan: Plan, context: Context) -> Result | None:
    """The member at the position that the whole text names, or None where it names none."""
    cores = PositionCores(tokens, context)
    cells = survey(tokens, cores.at, shell_of(context.languages))
    settled = settle(cells, repeats=True)
    if settled.core is None or not isinstance(settled.core.value, Position):
        return None
    position = settled.core.value
    roles = "".join(cell.role for cell in cells)
    if not position.ordinal and not _BARE.fullmatch(roles):
        return None
    return member_at(position, plan, context)


def member_at(position: Position, plan: Plan, context: Context) -> Result | None:
    """The member at a position; a bare number never names one where members are numbers."""
    count = len(plan.members)
    names = names_of(plan, context.languages)
    number = count if position.number == -1 and position.ordinal else position.number
    if names.numeric and not position.ordinal:
        return None
    if names.numeric and _elsewhere(number, plan):
        return Miss(ProblemCode.AMBIGUOUS)
    if not 1 <= number <= count:
        return Miss(ProblemCode.NOT_A_MEMBER)
    return Got(plan.members[number - 1].value, How.INDEX)


def _elsewhere(number: int, plan: Plan) -> bool:
    """Whether a member that is this number stands at another position."""
    return any(
        _as_number(member.value) == number and place != number
        for place, member in enumerate(plan.members, 1)
    )


def _as_number(value: object) -> Decimal | None:
    if isinstance(value, str) and value.replace(".", "", 1).isdecimal():
        return Decimal(value)
    return decimal_of(value)


class _ValueCores:
    """Members that are numbers, found by value ("twenty", "30.0")."""

    __slots__ = ("_members", "_plan", "_reader")

    def __init__(self, members: MemberCores, plan: Plan, context: Context) -> None:
        self._members = members
        self._plan = plan
        self._reader = Reader(members.tokens, numbers_of(context.languages))

    def at(self, place: int) -> Core | None:
        named = self._members.at(place)
        found = self._reader.at(place)
        if found is None or not isinstance(found.value, Decimal) or found.ordinal:
            return named
        if named is not None and named.end > found.end:
            return named
        for member in self._plan.members:
            if _as_number(member.value) == found.value:
                return Core(member.value, found.end, How.EXACT)
        return named if named is not None and named.end >= found.end else None


def choice_cores(
    tokens: Sequence[Token], plan: Plan, context: Context
) -> MemberCores | _ValueCores:
    """What finds the members of a plan in a text, by name or, where they are numbers, by value."""
    members = MemberCores(tokens, plan, context)
    return _ValueCores(members, plan, context) if members.names.numeric else members


def read_choice(reading: Reading, plan: Plan, context: Context) -> Result:
    """The one member that the text commits to."""
    whole = whole_member(reading.raw, plan)
    if whole is not None:
        return Got(plan.members[whole].value, How.EXACT)
    tokens = joined(reading.tokens)
    if not tokens:
        return Miss(ProblemCode.EMPTY)
    cores = choice_cores(tokens, plan, context)
    settled = settle(survey(tokens, cores.at, shell_of(context.languages)), repeats=True)
    if settled.core is not None:
        how = How.CORRECTED if settled.corrected else settled.core.how
        return Got(settled.core.value, how)
    if settled.code in (ProblemCode.NOT_UNDERSTOOD, ProblemCode.NEGATED, ProblemCode.AMBIGUOUS):
        other = read_position(tokens, plan, context) or _by_side(reading, plan, context)
        if other is not None:
            return other
    code = settled.code
    return Miss(ProblemCode.NOT_A_MEMBER if code is ProblemCode.NOT_UNDERSTOOD else code)


def _by_side(reading: Reading, plan: Plan, context: Context) -> Result | None:
    """The member that is a yes or a no, where both are members."""
    roles = consent(context.languages).known.roles
    sides: dict[bool, list[object]] = {True: [], False: []}
    for member in plan.members:
        for name in member.names:
            role = roles.get(" ".join(name.casefold().replace("ё", "е").split()))
            if role in ("y", "n", "u") and not any(
                same(member.value, x) for x in sides[role != "n"]
            ):
                sides[role != "n"].append(member.value)
    if len(sides[True]) != 1 or len(sides[False]) != 1:
        return None
    side = read_side(reading.tokens, context.languages, spoken=context.spoken)
    return None if side.yes is None else Got(sides[side.yes][0], How.EXACT)
