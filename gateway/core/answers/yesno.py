"""Yes or no: every stretch of the text has a role, and the roles have to form one clear side.

Roles: y yes · u yeah · a "of course" · s "really" · v "approve" · r "refuse" · n no · x "not" ·
e a "не" that alone is a no · z "don't" · g "rather" · i "I" · o "it" · f filler · p politeness ·
t "I'm sure" · k "I said" · c correction · j apology · h hedge · b idiom · q condition · d delay ·
m mention · w question word · # number · U unknown · ? question mark · ! not heard · , pause.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from gateway.core.answers.lexicons import CONSENT, EMOJI
from gateway.core.answers.lexicons.patterns import phrases, table
from gateway.core.answers.normalise import Token
from gateway.core.answers.roles import PAUSE, Item, Phrases, joined, phrases_of, tag
from gateway.core.answers.spelling import Speller, respelled
from gateway.core.answers.types import ProblemCode


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Side:
    """A yes or a no, or why there is neither."""

    yes: bool | None
    code: ProblemCode = ProblemCode.NOT_UNDERSTOOD
    corrected: bool = False
    repaired: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Consent:
    """The words of consent of some languages, the person's own first."""

    known: Phrases
    starts: frozenset[str]
    blocks: frozenset[str]
    homophones: dict[str, str]
    speller: Speller
    plain: frozenset[str]
    leads: frozenset[str]
    turns: frozenset[str]
    apart: frozenset[str]
    halts: frozenset[str]


_SPELT = frozenset("yuavnr")


@lru_cache(maxsize=32)
def consent(languages: tuple[str, ...]) -> Consent:
    """The merged word lists; the shorthand of chats ("+") counts in the person's language only."""
    roles: dict[str, str] = dict(table(EMOJI))
    starts: set[str] = set()
    plain: set[str] = set()
    leads: set[str] = set()
    turns: set[str] = set()
    apart: set[str] = set()
    halts: set[str] = set()
    blocks: set[str] = set()
    homophones: dict[str, str] = {}
    for code in reversed([code for code in languages if code in CONSENT]):
        words = CONSENT[code]
        roles.update(table(words.roles))
        if code == languages[0]:
            roles.update(table(words.chat))
        plain.update(words.plain.split())
        leads.update(phrases(words.leads))
        turns.update(phrases(words.turns))
        apart.update(phrases(words.apart))
        halts.update(phrases(words.halts))
        starts.update(words.reason_starts.split())
        blocks.update(words.reason_blocks.split())
        homophones.update(words.homophones)
    speller = Speller(
        {word: role for word, role in roles.items() if role in _SPELT and " " not in word}
    )
    return Consent(
        phrases_of(roles),
        frozenset(starts),
        frozenset(blocks),
        homophones,
        speller,
        frozenset(plain),
        frozenset(leads),
        frozenset(turns),
        frozenset(apart),
        frozenset(halts),
    )


_SIDES = re.compile(
    r"(?P<D>[io]*[asg]*(?:[xze][asio]*)+[rnxz][ou]*)"
    r"|(?P<M>[as]+,?(?:n|[xe](?![vyuarniog]))o*)"
    r"|(?P<N>[io]*(?:g,?|[as])*[io]*(?:z[asioe]*[vyu]?[asvo]*|[xe][as]*[io]*[vyu][aso]*|[nr](?:[so]|,?a(?!,?[xezvyu]))*)"
    r"|g,?[xe]o*(?![vyuarn])|e(?=,|$))"
    r"|(?P<Y>[io]*[as]*[io]*[vyu][asvo]*|a[as]*o*)"
    r"|(?P<T>t)"
)
_DROPPED = re.compile(r"[fpk]")
_YES = re.compile(r"T*Y[YT]*")
_NO = re.compile(r"T*[NM][NMT]*")
_TURNED = re.compile(r"[YT]+M[NMT]*")
_TORN = re.compile(r"[xe][fp]+[as]*[yuv]")
_SAID_YES = re.compile(r"[fp,]*k,?[yu],?[xe]n")
_YEAH_NO = re.compile(r"^u,?(?=[as]*n)")
_NO_BUT_THANKS = re.compile(r"[fp,]*[as]*n[p,]*q,?p[p,]*")
_THANKS_BUT = re.compile(r"^[fp,]*p[fp,]*q(?=,?[as]*n)")
_BLOCKING: tuple[tuple[str, ProblemCode], ...] = (
    ("!", ProblemCode.UNHEARD),
    ("?", ProblemCode.QUESTION),
    ("w", ProblemCode.QUESTION),
    ("m", ProblemCode.MENTION),
    ("q", ProblemCode.CONDITIONAL),
    ("d", ProblemCode.DEFERRED),
    ("h", ProblemCode.HEDGED),
    ("b", ProblemCode.AMBIGUOUS),
    ("#", ProblemCode.NOT_UNDERSTOOD),
    ("U", ProblemCode.NOT_UNDERSTOOD),
)


def sides_of(roles: str) -> str:
    """The roles of one part reduced to its sides: Y, N, M (a strengthened no), T, D (double)."""
    plain = _DROPPED.sub("", roles)
    plain = _YEAH_NO.sub("", plain)
    return _SIDES.sub(lambda found: found.lastgroup or "", plain).replace(",", "")


def _verdict(roles: str) -> Side:
    """The side of a part in which every role is known."""
    sides = sides_of(roles)
    if _YES.fullmatch(sides):
        return Side(True)
    if len(sides) > 1 and set(roles) <= _ONLY_NOT:
        return Side(False)
    if _NO.fullmatch(sides):
        return Side(False)
    if _TURNED.fullmatch(sides):
        return Side(False, corrected=True)
    if "D" in sides or set(sides) <= {"e", "x", "g"} - {""}:
        return Side(None, ProblemCode.NEGATED)
    if "Y" in sides and ("N" in sides or "M" in sides):
        return Side(None, ProblemCode.CONTRADICTION)
    return Side(None, ProblemCode.HEDGED if "g" in sides else ProblemCode.NOT_UNDERSTOOD)


def blocked(roles: str) -> ProblemCode | None:
    """The most telling reason in the roles why this is no plain answer."""
    return next((code for role, code in _BLOCKING if role in roles), None)


_ONLY_NOT = frozenset("e,fp")
SHORT_NO = 4
_REASON = frozenset("iosxeznrfptUjkg,")


def _reasoned_no(items: Sequence[Item], words: Consent) -> bool:
    """Whether a clear no opens the part and only a reason follows it."""
    roles = "".join(item.role for item in items)
    opened = re.match(r"[fp,]*(?:u,?)?[as]*(n|r|z[vo]*|[xe][vy]o*)[as]*[np,]*", roles)
    if opened is None or opened.end() >= len(items) or not set(roles[opened.end() :]) <= _REASON:
        return False
    rest = items[opened.end() :]
    if any(word in words.blocks for item in rest for word in item.words.split()):
        return False
    paused = "," in roles[: opened.end()] or opened.group().endswith("p")
    short = all(len(item.words) <= SHORT_NO for item in items[: opened.end()])
    starts = rest[0].words.split()[0] in words.starts or rest[0].role == "j"
    return paused or (short and starts)


def _part(items: Sequence[Item], words: Consent) -> Side:
    roles = "".join(item.role for item in items)
    if _NO_BUT_THANKS.fullmatch(roles):
        return Side(False)
    if _THANKS_BUT.match(roles):
        roles = roles.replace("q", "", 1)
    roles = roles.rstrip(",")
    if roles.endswith("j") and sides_of(roles[:-1]) in ("N", "M", "NN"):
        return Side(False)
    code = blocked(roles)
    if _reasoned_no(items, words):
        return Side(False)
    if code is not None:
        return Side(None, code)
    if _TORN.search(roles):
        return Side(None, ProblemCode.CONTRADICTION)
    if _SAID_YES.fullmatch(roles) and len(items[len(roles) - 1].words) <= SHORT_NO:
        return Side(True)
    return Side(None, ProblemCode.CONTRADICTION) if "j" in roles else _verdict(roles)


_LEFT = frozenset("yuasvrnxezgiofptkjc,h")


def _settled(items: Sequence[Item], words: Consent) -> Side:
    """The last side after an explicit correction, else the one side of the whole."""
    marks = [place for place, item in enumerate(items) if item.role in "cj"]
    whole = "".join(item.role for item in items)
    if "?" in whole or "!" in whole:
        return Side(None, blocked(whole) or ProblemCode.QUESTION)
    for place in reversed(marks):
        after = _part(items[place + 1 :], words)
        before = whole[:place]
        if after.yes is None or not set(before) <= _LEFT:
            continue
        if after.yes and ("h" in before or "g" in before):
            return Side(None, ProblemCode.HEDGED)
        if after.yes and _halts(items[: place + 1], words):
            return Side(None, ProblemCode.DEFERRED)
        return Side(after.yes, corrected=bool(before.strip("fp,")))
    if any(items[place].role == "c" for place in marks):
        rest = "".join(role for role in whole if role not in "cj")
        return Side(None, blocked(rest) or ProblemCode.DEFERRED)
    return _part(items, words)


_NO_SIDE = frozenset("fpkiocj,")


def _halts(items: Sequence[Item], words: Consent) -> bool:
    """Whether a yes behind these corrects nothing, but was asked to wait for ("stop, yes")."""
    marks = {item.words for item in items if item.role == "c"}
    said = {item.role for item in items}
    return said <= _NO_SIDE and not words.halts.isdisjoint(marks)


def read_side(
    tokens: Sequence[Token], languages: tuple[str, ...], *, spoken: bool, closed: bool = False
) -> Side:
    """The side that the whole text takes; `tokens` as the tokeniser gave them.

    `closed` refuses misspellings and free reasons: the text was repaired already.
    """
    words = consent(languages)
    ready: Sequence[Token] = joined(tokens)
    repaired = False
    if not closed:
        ready, repaired = respelled(ready, words.known, words.speller)
    items = tag(ready, words.known)
    if closed and any(item.role == "U" for item in items):
        return Side(None)
    if spoken and words.homophones:
        items = _heard(items, words)
    side = _settled(items, words)
    if side.yes and is_unfinished(items, words):
        return Side(None)
    if side.yes and is_unclear(items, words):
        return Side(None, ProblemCode.AMBIGUOUS)
    if repaired and side.yes is not None:
        return Side(side.yes, corrected=side.corrected, repaired=True)
    return side


def is_unfinished(items: Sequence[Item], words: Consent) -> bool:
    """Whether the last word only announces more ("yes and …", «да вот …»)."""
    said = [item for item in items if item.role != PAUSE]
    return bool(said) and said[-1].words in words.leads


def is_unclear(items: Sequence[Item], words: Consent) -> bool:
    """Whether a yes may be meant the other way round.

    It was said of a change of mind, which may be all that the yes affirms («передумал, да»), or
    it is an idiom whose words a pause parts («ага, конечно», "yeah, right"): whoever means it
    types a comma or doesn't. The same word said twice is no idiom, nor is what a pause makes a
    confirmation («да так», but «да, так»).
    """
    said = [item for item in items if item.role != PAUSE]
    if not words.turns.isdisjoint(item.words for item in said):
        return True
    return any(
        words.known.roles.get(idiom) == "b"
        and not (idiom in words.apart and left.end < right.start)
        for left, right in pairwise(said)
        for idiom in _across(left.words, right.words)
    )


def _across(left: str, right: str) -> list[str]:
    """What the end of one phrase and the next phrase say together."""
    return [f"{tail} {right}" for tail in _tails(left) if tail != right]


def _tails(phrase: str) -> list[str]:
    parts = phrase.split()
    return [" ".join(parts[place:]) for place in range(len(parts))]


def _heard(items: list[Item], words: Consent) -> list[Item]:
    """A lone homophone as the word that was meant; inside a sentence it stays what it is."""
    content = [item for item in items if item.role not in "fp"]
    if len(content) != 1 or content[0].words not in words.homophones:
        return items
    meant = words.homophones[content[0].words]
    role = words.known.roles[meant]
    return [
        Item(role, meant, item.start, item.end) if item is content[0] else item for item in items
    ]
