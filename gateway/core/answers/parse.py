"""From a text to a value, a problem or a control word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from gateway.core.answers.context import Context, Got, Miss, Result
from gateway.core.answers.jsontext import looks_like_json, read_json, unfenced
from gateway.core.answers.lexical import ALL_LANGUAGES, control_word, opens_with_correction
from gateway.core.answers.members import names_of
from gateway.core.answers.normalise import Reading, Token, read
from gateway.core.answers.numerals import numbers_of
from gateway.core.answers.plan import Kind, Plan, is_open_text, plan_of
from gateway.core.answers.readback import read_back
from gateway.core.answers.readers import named_member, read_plan
from gateway.core.answers.repair import repairs
from gateway.core.answers.schema import same, validates
from gateway.core.answers.shell import shell_of
from gateway.core.answers.types import (
    Channel,
    Control,
    How,
    Outcome,
    Problem,
    ProblemCode,
    Schema,
    Value,
)
from gateway.core.answers.yesno import consent

_OPEN = frozenset(
    {
        ProblemCode.NOT_UNDERSTOOD,
        ProblemCode.NOT_A_MEMBER,
        ProblemCode.MENTION,
        ProblemCode.BAD_FORMAT,
        ProblemCode.AMBIGUOUS,
        ProblemCode.WRONG_COUNT,
        ProblemCode.MISSING_FIELD,
        ProblemCode.EMPTY,
        ProblemCode.NEGATED,
        ProblemCode.HEDGED,
    }
)
_UNSEEN = frozenset(
    {
        ProblemCode.NOT_UNDERSTOOD,
        ProblemCode.NOT_A_MEMBER,
        ProblemCode.MENTION,
        ProblemCode.BAD_FORMAT,
        ProblemCode.EMPTY,
    }
)
_NOTED = frozenset({ProblemCode.CONDITIONAL, ProblemCode.DEFERRED, ProblemCode.HEDGED})
SENTENCE_WORDS = 4


def parse_answer(
    text: str,
    schema: Schema,
    *,
    languages: Sequence[str] = ("en", "ru"),
    channel: Channel = "text",
    now: datetime | None = None,
    alternatives: Sequence[str] = (),
) -> Outcome:
    """What the whole text commits to under the schema, and never more than that.

    `languages[0]` is the person's: it decides how numbers and dates are written. `now` has to
    know its zone; without it, days relative to today ask. `alternatives` are a recogniser's other
    hearings: a value is taken only if every one that parses gives the same. Raises SchemaError
    where the schema is no JSON Schema.
    """
    plan = plan_of(schema)
    context = Context(tuple(languages) or ALL_LANGUAGES, channel == "speech", now)
    outcome = _outcome(text, plan, context)
    return _agreed(outcome, alternatives, plan, context) if alternatives else outcome


def _agreed(outcome: Outcome, alternatives: Sequence[str], plan: Plan, context: Context) -> Outcome:
    """The outcome of several hearings: they may fill in for noise, never overrule a doubt."""
    if isinstance(outcome, Control):
        return outcome
    if isinstance(outcome, Problem) and outcome.code not in _UNSEEN:
        return outcome
    others = [_outcome(one, plan, context) for one in alternatives]
    values = [one for one in (outcome, *others) if isinstance(one, Value)]
    if any(not same(one.value, values[0].value) for one in values):
        return Problem(ProblemCode.AMBIGUOUS)
    if isinstance(outcome, Value) or not values or values[0].value is True:
        return outcome
    return replace(values[0], how=How.REPAIRED)


def _outcome(text: str, plan: Plan, context: Context) -> Outcome:
    is_named, member = named_member(text, plan)
    single = plan.kind in (Kind.CHOICE, Kind.UNION)
    if is_named and single and plan.schema.get("type") != "array":
        return _valued(Got(member), plan, text, context)
    control = control_word(text, context.languages)
    reading = read(text)
    if control is not None and not is_named:
        return _named_after_all(reading, plan, context) or Control(control)
    json_text = unfenced(reading.typed.strip("\ufeff\u200b"))
    unheard = any(token.kind == "u" for token in reading.tokens)
    if looks_like_json(json_text) and not unheard and _may_be_json(json_text, plan):
        value, code = read_json(json_text)
        found: Result = Miss(code) if code is not None else Got(value)
        return _valued(found, plan, text, context)
    if not reading.tokens:
        return Problem(ProblemCode.EMPTY)
    found = read_plan(reading, plan, context)
    if isinstance(found, Miss) and found.code in _OPEN and not context.spoken:
        found = _repaired(reading, plan, context) or found
    elif isinstance(found, Got) and reading.repaired and found.how is How.EXACT:
        found = Got(found.value, How.REPAIRED)
    return _valued(found, plan, text, context, reading)


def _named_after_all(reading: Reading, plan: Plan, context: Context) -> Value | None:
    """The member that a control word is a form of («отменяй» for «отменить»)."""
    if plan.kind is not Kind.CHOICE:
        return None
    found = read_plan(reading, plan, context)
    if not isinstance(found, Got) or found.how is How.INDEX:
        return None
    outcome = _valued(found, plan, reading.raw, context)
    return outcome if isinstance(outcome, Value) else None


def _may_be_json(text: str, plan: Plan) -> bool:
    """Whether a bracket begins JSON here: `[no]` to a yes/no question is a bracketed no."""
    kinds = {one.kind for one in (plan, *plan.branches)}
    return not is_open_text(plan) and (text[0] == "{" or bool(kinds & {Kind.ARRAY, Kind.OBJECT}))


def _repaired(reading: Reading, plan: Plan, context: Context) -> Got | None:
    """The value of the text in another layout or script, where all of it is a known answer."""
    closed = replace(context, closed=True)
    for text in repairs(reading, plan, context):
        found = read_plan(read(text), plan, closed)
        if isinstance(found, Got) and validates(found.value, plan.root) is None:
            return Got(found.value, How.REPAIRED)
    return None


def _valued(
    found: Result, plan: Plan, text: str, context: Context, reading: Reading | None = None
) -> Outcome:
    """The value, checked once more against the whole schema, or the problem with its parts."""
    if isinstance(found, Got):
        code = validates(found.value, plan.root)
        if code is None:
            said = read_back(found.value, plan.root, context.languages[0])
            return Value(found.value, found.how, said)
        found = Miss(ProblemCode(code), {"value": found.value})
    note = text.strip()[:500] if found.code in _NOTED else None
    attempt = reading is None or _is_attempt(found, reading, plan, context)
    return Problem(found.code, found.params, note, attempt)


_DOUBTS = frozenset("xzehcj")
_LIST_WORDS = frozenset("L0E")


def _is_attempt(found: Miss, reading: Reading, plan: Plan, context: Context) -> bool:
    """Whether the text looks like a try: short, or with any word that answers are made of."""
    words = [token for token in reading.tokens if token.kind in "wd"]
    if len(words) < SENTENCE_WORDS or found.code is ProblemCode.UNHEARD:
        return True
    if opens_with_correction(reading.clean, context.languages):
        return True
    return any(_is_answer_word(token, plan, context) for token in words)


def _is_answer_word(token: Token, plan: Plan, context: Context) -> bool:
    """Whether a word is a value, a yes or no, a negation, a hedge, a correction or a control."""
    text = token.text
    consents = consent(context.languages)
    if text in consents.plain or consents.known.roles.get(text, "U") in _DOUBTS:
        return True
    if control_word(text, context.languages) is not None:
        return True
    if plan.kind is not Kind.BOOLEAN:
        number = numbers_of(context.languages).words.get(text)
        if token.kind == "d" or (number is not None and number != ("u", 1)):
            return True
    if plan.kind is Kind.ARRAY and shell_of(context.languages).roles.get(text) in _LIST_WORDS:
        return True
    return any(_names(text, one, context) for one in _choices(plan))


def _choices(plan: Plan) -> list[Plan]:
    inner = (plan.items,) if plan.items is not None else ()
    every = (plan, *inner, *plan.branches, *(one.plan for one in plan.fields))
    return [one for one in every if one.members]


def _names(text: str, plan: Plan, context: Context) -> bool:
    names = names_of(plan, context.languages)
    return text in names.formed or text in names.parts


def is_member(text: str, schema: Schema) -> bool:
    """Whether the whole text is a const, a value or a title of the schema, in any case.

    A free string has no members. A member beats stop and control words.
    """
    return named_member(text, plan_of(schema))[0]
