"""What stands round a value: fillers, carriers, corrections; every token has a role or it asks.

Roles: M a value · % a value that can't be taken · f filler · p politeness · Y a yes first ·
K carrier ("set it to") · J only · N no · C correction · j apology · X not · B but · A and · O or ·
E except · L all · 0 none · R about, at least · Z more, each · H hedge · Q condition · D delay ·
W question word · m mention · U unknown · # stray digits · ? · ! not heard · , pause.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gateway.core.answers.lexicons import CONSENT, EMOJI, SHELLS
from gateway.core.answers.lexicons.patterns import table
from gateway.core.answers.normalise import Token, separator
from gateway.core.answers.roles import Phrases, match_at, phrases_of
from gateway.core.answers.schema import same
from gateway.core.answers.types import How, ProblemCode
from gateway.core.answers.yesno import consent


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Core:
    """A value that ends at token `end`, or why what stands there is none."""

    value: object
    end: int
    how: How = How.EXACT
    code: ProblemCode | None = None
    ordinal: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cell:
    """A stretch of tokens with its role; `core` is set where the role is M or %."""

    role: str
    start: int
    end: int
    core: Core | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Settled:
    """The one value that the cells commit to, or the reason why there is none."""

    core: Core | None
    code: ProblemCode = ProblemCode.NOT_UNDERSTOOD
    corrected: bool = False


CoreAt = Callable[[int], Core | None]

_FROM_CONSENT = {
    "f": "f",
    "p": "p",
    "c": "C",
    "j": "j",
    "h": "H",
    "w": "W",
    "m": "m",
    "y": "Y",
    "u": "Y",
    "k": "K",
}


@lru_cache(maxsize=32)
def shell_of(languages: tuple[str, ...]) -> Phrases:
    """The merged phrases that may stand round a value."""
    roles = {one: role for one, role in table(EMOJI).items() if role in "fh"}
    roles = {one: _FROM_CONSENT[role] for one, role in roles.items()}
    for code in reversed(languages):
        if code not in SHELLS:
            continue
        for phrase, role in table(CONSENT[code].roles).items():
            if role in _FROM_CONSENT:
                roles[phrase] = _FROM_CONSENT[role]
        roles.update(table(SHELLS[code].roles))
    return phrases_of(roles)


@lru_cache(maxsize=32)
def homophones_of(languages: tuple[str, ...]) -> dict[str, str]:
    """Words that a recogniser writes for a lone spoken number."""
    found: dict[str, str] = {}
    for code in languages:
        if code in SHELLS:
            found.update(SHELLS[code].homophones)
    return found


_BULLETS = "-–—"
_MARKS = {
    "?": "?",
    "/": "O",
    "~": "R",
    "≈": "R",
    "±": "R",
    "(": ",",
    ")": ",",
    "&": "A",
    '"': "m",
    "«": "m",
    "“": "m",
}


def mark_role(token: Token) -> str:
    """The role of a token that no phrase and no value holds."""
    if token.kind == "u":
        return "!"
    if token.kind == "d":
        return "#"
    if separator(token) is not None or (token.text == "-" and not token.glued):
        return ","
    return _MARKS.get(token.text, "U")


def survey(
    tokens: Sequence[Token], core_at: CoreAt, shell: Phrases, *, delays_win: bool = False
) -> list[Cell]:
    """Every token in exactly one cell; a value wins over a shorter or equal phrase.

    `delays_win` lets a phrase of waiting ("one minute") win over a value of the same words.
    """
    cells: list[Cell] = []
    place = 0
    while place < len(tokens):
        phrase = match_at(tokens, place, shell)
        size = phrase[2] if phrase is not None else 0
        core = core_at(place)
        waits = delays_win and phrase is not None and phrase[0] == "D"
        if core is not None and core.end - place >= size + waits:
            role = "M" if core.code is None else "%"
            cells.append(Cell(role, place, core.end, core))
            place = core.end
        elif phrase is not None:
            cells.append(Cell(phrase[0], place, place + size))
            place += size
        else:
            bullet = place == 0 and tokens[0].text in _BULLETS and len(tokens) > 1
            role = "U" if bullet else mark_role(tokens[place])
            cells.append(Cell(role, place, place + 1))
            place += 1
    return cells


def says_how_long(
    tokens: Sequence[Token], cells: Sequence[Cell], languages: tuple[str, ...]
) -> bool:
    """Whether a value may be how long to wait: right behind a first "wait", without a pause."""
    said = [cell for cell in cells if cell.role not in "fpY,"]
    if len(said) < 2 or said[0].role != "C" or said[1].start != said[0].end:
        return False
    words = " ".join(token.text for token in tokens[said[0].start : said[0].end])
    return words in consent(languages).halts


def trimmed(
    tokens: Sequence[Token], languages: tuple[str, ...], kept: frozenset[str] = frozenset()
) -> Sequence[Token]:
    """The tokens without fillers and carriers before and politeness behind them.

    `kept` are words that are never mere fillers here, such as the "oh" of a row of digits.
    """
    shell = shell_of(languages)
    start, end = 0, len(tokens)
    while start < end and tokens[start].text not in kept:
        found = match_at(tokens, start, shell)
        if found is None or found[0] not in "fpKY":
            if mark_role(tokens[start]) != "," or tokens[start].text == "(" or start == 0:
                break
            start += 1
            continue
        start += found[2]
    while end > start and tokens[end - 1].text not in kept:
        if shell.roles.get(tokens[end - 1].text) not in ("p", "f") and (
            tokens[end - 1].text not in ".,!"
        ):
            break
        end -= 1
    return tokens[start:end]


_REASONS: tuple[tuple[str, ProblemCode], ...] = (
    ("!", ProblemCode.UNHEARD),
    ("?", ProblemCode.QUESTION),
    ("H", ProblemCode.HEDGED),
    ("Q", ProblemCode.CONDITIONAL),
    ("D", ProblemCode.DEFERRED),
    ("W", ProblemCode.QUESTION),
    ("R", ProblemCode.APPROXIMATE),
    ("Z", ProblemCode.APPROXIMATE),
    ("O", ProblemCode.AMBIGUOUS),
    ("m", ProblemCode.MENTION),
)
_BEFORE = "fpYKJ,"
_ONE = re.compile(r"[fpYKJo,]*M[fpoJ,]*")
_AFTER_MARK = re.compile(r"[fpYKj,]*C[fpYKjC,]*M[fp,]*|[fp]*j[fpYKj,]*M[fp,]*")
_TURN = r"[fp,]*(?:[CNj][fpKNCj,]*)+"
_TURNED = re.compile(rf"[fpYKJ,]*M(?:{_TURN}M)+[fp,]*")
_NOT_BUT = re.compile(r"[fpK,]*XK*M(?:[fp]*,[fp]*[BNC]?|[fp]*[BC])[fpKJ,]*M[fp,]*")
_THIS_NOT = re.compile(r"[fpYKJ,]*M[,fp]*B?[,fp]*XK*M[fp,]*")
_NOT_JUST = re.compile(r"[fpK,]*XK*[UZK],?[JB]K*M[fp,]*")
_NEGATED = re.compile(r"[fpK,]*[XE][KJf]*(?:M|K).*|.*MX.*|[XN].*|.*X.*")
_AGAIN = re.compile(r"[fpYKJ,]*M(?:[fp,]*M)+[fp,]*")


def why_not(roles: str) -> ProblemCode:
    """The most telling reason why these roles hold no value to take."""
    for role, code in _REASONS:
        if role in roles:
            return code
    if "A" in roles or "L" in roles or "0" in roles:
        return ProblemCode.WRONG_COUNT
    if _NEGATED.fullmatch(roles):
        return ProblemCode.NEGATED
    if "M" not in roles:
        return ProblemCode.NOT_UNDERSTOOD
    if "U" in roles:
        return ProblemCode.MENTION
    return ProblemCode.AMBIGUOUS if roles.count("M") > 1 else ProblemCode.NOT_UNDERSTOOD


def settle(cells: Sequence[Cell], *, repeats: bool) -> Settled:
    """The value of the whole; `repeats` lets the same value be said twice ("eu, eu")."""
    roles = "".join(cell.role for cell in cells)
    values = [cell.core for cell in cells if cell.role == "M"]
    broken = [cell.core for cell in cells if cell.role == "%"]
    if broken and not set(roles) & set("!?HRDQ"):
        first = broken[0]
        return Settled(
            None, first.code or ProblemCode.NOT_UNDERSTOOD if first else ProblemCode.NOT_UNDERSTOOD
        )
    if not values:
        return Settled(None, why_not(roles))
    if _ONE.fullmatch(roles):
        return Settled(values[0])
    if (
        _AFTER_MARK.fullmatch(roles)
        or _TURNED.fullmatch(roles)
        or _NOT_BUT.fullmatch(roles)
        or (_NOT_JUST.fullmatch(roles))
    ):
        return Settled(values[-1], corrected=True)
    if _THIS_NOT.fullmatch(roles):
        first, last = values[0], values[-1]
        if first and last and not same(first.value, last.value):
            return Settled(first)
    if (
        repeats
        and _AGAIN.fullmatch(roles)
        and all(one and values[0] and same(one.value, values[0].value) for one in values)
    ):
        return Settled(values[0])
    return Settled(None, why_not(roles))
