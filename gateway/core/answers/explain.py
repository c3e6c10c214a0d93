"""Why a text was read as it was: each stretch of it with its role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from gateway.core.answers.context import Context
from gateway.core.answers.cores import finder_of
from gateway.core.answers.normalise import Token, read
from gateway.core.answers.parse import parse_answer
from gateway.core.answers.plan import Kind, Plan, plan_of
from gateway.core.answers.roles import joined, tag
from gateway.core.answers.shell import shell_of, survey
from gateway.core.answers.types import Channel, Outcome, Schema
from gateway.core.answers.yesno import consent

SIDE_ROLES: Mapping[str, str] = {
    "y": "yes",
    "u": "yes",
    "a": "yes, strongly",
    "s": "strengthener",
    "v": "consent",
    "r": "refusal",
    "n": "no",
    "x": "not",
    "e": "not",
    "z": "don't",
    "g": "softener",
    "i": "subject",
    "o": "object",
    "f": "filler",
    "p": "politeness",
    "t": "confirmation",
    "k": "restatement",
    "c": "correction",
    "j": "apology",
    "h": "hedge",
    "b": "idiom",
    "q": "condition",
    "d": "delay",
    "m": "mention",
    "w": "question word",
    "#": "number",
    "U": "unknown",
    "?": "question mark",
    "!": "not heard",
    ",": "pause",
}
VALUE_ROLES: Mapping[str, str] = {
    "M": "value",
    "%": "unusable value",
    "f": "filler",
    "p": "politeness",
    "Y": "yes",
    "K": "carrier",
    "J": "only",
    "N": "no",
    "C": "correction",
    "j": "apology",
    "X": "not",
    "B": "but",
    "A": "and",
    "O": "or",
    "E": "except",
    "L": "all",
    "0": "none",
    "R": "approximation",
    "Z": "relative",
    "H": "hedge",
    "Q": "condition",
    "D": "delay",
    "W": "question word",
    "m": "mention",
    "o": "object",
    "U": "unknown",
    "#": "number",
    "?": "question mark",
    "!": "not heard",
    ",": "pause",
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some words of the text and the part they play."""

    words: str
    role: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """The outcome of a text with the roles that led to it; none where the text is not cut up."""

    outcome: Outcome
    stretches: tuple[Stretch, ...]


def explain(
    text: str,
    schema: Schema,
    *,
    languages: Sequence[str] = ("en", "ru"),
    channel: Channel = "text",
    now: datetime | None = None,
) -> Explanation:
    """What `parse_answer` says, and the role of every stretch of the text as it was typed."""
    outcome = parse_answer(text, schema, languages=languages, channel=channel, now=now)
    context = Context(tuple(languages), channel == "speech", now)
    return Explanation(outcome, _stretches(joined(read(text).tokens), plan_of(schema), context))


def _stretches(tokens: Sequence[Token], plan: Plan, context: Context) -> tuple[Stretch, ...]:
    if plan.kind is Kind.BOOLEAN:
        items = tag(tokens, consent(context.languages).known)
        return tuple(
            Stretch(_words(tokens, item.start, item.end), SIDE_ROLES[item.role]) for item in items
        )
    inner = plan.items if plan.kind is Kind.ARRAY and plan.items is not None else plan
    finder = finder_of(inner, tokens, context)
    if finder is None:
        return ()
    cells = survey(tokens, finder.at, shell_of(context.languages))
    return tuple(
        Stretch(_words(tokens, cell.start, cell.end), VALUE_ROLES[cell.role]) for cell in cells
    )


def _words(tokens: Sequence[Token], start: int, end: int) -> str:
    return " ".join(token.cased for token in tokens[start:end])
