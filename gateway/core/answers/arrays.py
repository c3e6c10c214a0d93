"""Lists: several values with and without joints, all, all except, none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, takewhile

from gateway.core.answers.choices import Position, PositionCores, member_at
from gateway.core.answers.context import Context, Got, Miss, Result
from gateway.core.answers.cores import Finder, finder_of
from gateway.core.answers.lexicons import SHELLS
from gateway.core.answers.members import names_of
from gateway.core.answers.normalise import Reading, Token, tokenise
from gateway.core.answers.numerals import Reader, numbers_of
from gateway.core.answers.plan import Kind, Plan, is_open_text
from gateway.core.answers.roles import joined
from gateway.core.answers.schema import same
from gateway.core.answers.shell import Cell, says_how_long, settle, shell_of, survey, why_not
from gateway.core.answers.types import How, ProblemCode

_LIST = re.compile(r"[fpYKJ,C]*M(?:[fp,AK]*M)*[fpo,]*")
_LESS = re.compile(r"[fpYKJ,]*M(?:[fp,AK]*M)*[fp,A]*(?:E|B?,?X|,B?X)K*M(?:[fp,AK]*M)*[fp,]*")
_ALL = re.compile(r"[fpYKJ,]*L+[fpo,]*")
_ALL_BUT = re.compile(r"[fpYKJ,]*L[fpo,]*[EB][fK,X]*M(?:[fp,AKX]*M)*[fp,]*")
_NONE = re.compile(r"[fpYKJ,]*0[fpo,]*")
_RANGE = re.compile(r"M[fp,]*K+M")
_UP_TO = re.compile(r"[-–—:]|\.{2,}")
_TIGHT = re.compile(r"[0-9],[0-9]")
_GROUPED = re.compile(r"(?<![0-9,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])")
_SPLIT = re.compile(r"[,;\n]|\s&\s")


def read_array(reading: Reading, plan: Plan, context: Context) -> Result:
    """The list that the whole text gives."""
    items = plan.items
    if items is None or is_open_text(items):
        return _strings(reading, context)
    tokens = _listed(reading, items, context)
    if tokens is None:
        return Miss(ProblemCode.BAD_GROUPING)
    if not tokens:
        return Miss(ProblemCode.EMPTY)
    finder = finder_of(items, tokens, context, grouped=False)
    if finder is None:
        return Miss(ProblemCode.BAD_JSON)
    cells = survey(tokens, finder.at, shell_of(context.languages))
    if _is_span(tokens, cells):
        return Miss(ProblemCode.APPROXIMATE)
    if items.kind is Kind.NUMBER and says_how_long(tokens, cells, context.languages):
        return Miss(ProblemCode.DEFERRED)
    found = _from_cells(cells, finder, plan, tokens, context)
    if isinstance(found, Got) or items.kind is not Kind.CHOICE:
        return found
    return _positions(tokens, items, context) or found


def _listed(reading: Reading, items: Plan, context: Context) -> Sequence[Token] | None:
    """The tokens, in a list of numbers with the commas between digits as joints."""
    if items.kind is not Kind.NUMBER or not _TIGHT.search(reading.clean):
        return joined(reading.tokens)
    decimal = numbers_of(context.languages).comma_decimal
    if (decimal and reading.clean.count(",") < 2) or _GROUPED.search(reading.clean):
        return None
    return joined(tokenise(reading.clean.replace(",", ", ")))


def _from_cells(
    cells: Sequence[Cell], finder: Finder, plan: Plan, tokens: Sequence[Token], context: Context
) -> Result:
    roles = "".join(cell.role for cell in cells)
    values = [finder.write(cell.core.value) for cell in cells if cell.core and cell.role == "M"]
    assert plan.items is not None
    members = [member.value for member in plan.items.members]
    if plan.items.kind is Kind.NUMBER and _RANGE.search(roles):
        return Miss(ProblemCode.APPROXIMATE)
    if _LIST.fullmatch(roles):
        return Got(_unrepeated(values, plan), _how(cells))
    if _NONE.fullmatch(roles):
        return Got([], How.EXACT)
    if members and _ALL.fullmatch(roles):
        fits = _count_fits(cells, tokens, len(members), context)
        return Got(members) if fits else Miss(ProblemCode.WRONG_COUNT)
    if members and _ALL_BUT.fullmatch(roles):
        return Got([one for one in members if not any(same(one, out) for out in values)])
    if _LESS.fullmatch(roles):
        return _without(roles, values)
    settled = settle(cells, repeats=False)
    if settled.core is not None and settled.corrected and len(values) == 2:
        return Got([finder.write(settled.core.value)], How.CORRECTED)
    return Miss(settled.code if settled.core is None else why_not(roles))


def _how(cells: Sequence[Cell]) -> How:
    hows = [cell.core.how for cell in cells if cell.core is not None]
    return hows[0] if len(set(hows)) == 1 else How.SPOKEN


def _unrepeated(values: list[object], plan: Plan) -> list[object]:
    """The values as said; a value said twice counts once where they must differ."""
    if plan.schema.get("uniqueItems") is not True:
        return values
    found: list[object] = []
    for value in values:
        if not any(same(value, one) for one in found):
            found.append(value)
    return found


def _without(roles: str, values: list[object]) -> Result:
    """In "A but not B", what is named before the exception, none of it excepted."""
    cut = min(place for place, role in enumerate(roles) if role in "EX")
    kept = roles[:cut].count("M")
    taken, out = values[:kept], values[kept:]
    if any(same(one, other) for one in taken for other in out):
        return Miss(ProblemCode.CONTRADICTION)
    return Got(taken)


def _count_fits(
    cells: Sequence[Cell], tokens: Sequence[Token], count: int, context: Context
) -> bool:
    """Whether a number inside "all three" or a "both" is the number of members."""
    reader = Reader(tokens, numbers_of(context.languages))
    pairs = {word for code in context.languages if code in SHELLS for word in SHELLS[code].pairs}
    for cell in cells:
        for place in range(cell.start, cell.end) if cell.role == "L" else ():
            word = reader.word(place)
            if word is not None and word[1] != count:
                return False
            if tokens[place].text in pairs and count != 2:
                return False
    return True


def _positions(tokens: Sequence[Token], items: Plan, context: Context) -> Result | None:
    """Members by their positions ("2 and 4", "first and last")."""
    cores = PositionCores(tokens, context)
    cells = survey(tokens, cores.at, shell_of(context.languages))
    roles = "".join(cell.role for cell in cells)
    if not _LIST.fullmatch(roles) or says_how_long(tokens, cells, context.languages):
        return None
    if _is_span(tokens, cells):
        return Miss(ProblemCode.APPROXIMATE)
    several = _several_at_an_end(cells, items)
    if several is not None:
        return several
    values: list[object] = []
    for cell in cells:
        position = cell.core.value if cell.core is not None else None
        if not isinstance(position, Position):
            continue
        found = member_at(position, items, context)
        if not isinstance(found, Got):
            return found
        values.append(found.value)
    bare = "K" in roles and not names_of(items, context.languages).numeric
    return Got(values, How.INDEX) if not bare or _ordinals(cells) else None


def _is_span(tokens: Sequence[Token], cells: Sequence[Cell]) -> bool:
    """Whether two values are parted by what may mean all between them ("1–3", "eu...asia")."""
    for one, other in pairwise(cell for cell in cells if cell.role == "M"):
        marks = list(takewhile(lambda token: token.kind == "p", tokens[one.end :]))
        alone = one.end + len(marks) >= other.start
        if alone and _UP_TO.fullmatch("".join(mark.text for mark in marks)):
            return True
    return False


def _several_at_an_end(cells: Sequence[Cell], items: Plan) -> Result | None:
    """Members counted from an end ("the first two", «последние три»), None where none are."""
    said = [
        (cell, cell.core.value)
        for cell in cells
        if cell.core is not None and isinstance(cell.core.value, Position)
    ]
    if not any(
        one.ordinal and not other.ordinal and cell.end == beside.start
        for (cell, one), (beside, other) in pairwise(said)
    ):
        return None
    end, count = said[0][1].number, said[1][1].number
    if len(said) > 2 or end not in (1, -1):
        return Miss(ProblemCode.AMBIGUOUS)
    members = [member.value for member in items.members]
    if not 1 <= count <= len(members):
        return Miss(ProblemCode.NOT_A_MEMBER)
    return Got(members[:count] if end == 1 else members[-count:], How.INDEX)


def _ordinals(cells: Sequence[Cell]) -> bool:
    return all(
        cell.core.value.ordinal
        for cell in cells
        if cell.core is not None and isinstance(cell.core.value, Position)
    )


@lru_cache(maxsize=32)
def _conjunctions(languages: tuple[str, ...]) -> frozenset[str]:
    """The single words that join two values."""
    roles = shell_of(languages).roles
    return frozenset(word for word, role in roles.items() if role == "A" and word.isalpha())


def _strings(reading: Reading, context: Context) -> Result:
    """Free strings between commas, line breaks and "and"."""
    if any(token.kind == "u" for token in reading.tokens):
        return Miss(ProblemCode.UNHEARD)
    shell = shell_of(context.languages)
    if shell.roles.get(reading.plain) == "0":
        return Got([])
    conjunctions = _conjunctions(context.languages)
    pieces = [part.strip() for part in _SPLIT.split(reading.clean)]
    marks = len(pieces) > 1
    out: list[str] = []
    for piece in pieces:
        out += _joined_pieces(piece, conjunctions, last=marks)
    found = [piece.strip(" .\"'«»") for piece in out if piece.strip(" .\"'«»")]
    if not found:
        return Miss(ProblemCode.EMPTY)
    loose = len(found) > 1 and not marks and any(" " in piece for piece in found)
    return Miss(ProblemCode.AMBIGUOUS) if loose else Got(found)


def _joined_pieces(piece: str, conjunctions: frozenset[str], *, last: bool) -> list[str]:
    words = piece.split(" ")
    if last and words and words[0].casefold() in conjunctions:
        words = words[1:]
    out: list[list[str]] = [[]]
    for word in words:
        if word.casefold() in conjunctions:
            out.append([])
        else:
            out[-1].append(word)
    return [" ".join(part) for part in out]
