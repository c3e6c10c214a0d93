"""What is said about an answer: its expected form, and what is wrong with one."""

from __future__ import annotations

import re
from decimal import Decimal

from gateway.core.answers.digits import wants_digits
from gateway.core.answers.formats import FORMATS
from gateway.core.answers.money import Purse, purse_of
from gateway.core.answers.numbers import says_percent
from gateway.core.answers.plan import Kind, Plan, is_open_text, plan_of
from gateway.core.answers.readback import say_number
from gateway.core.answers.schema import decimal_of
from gateway.core.answers.sentences import sentences_of
from gateway.core.answers.sentences.kinds import Sentences
from gateway.core.answers.types import Problem, ProblemCode, Schema

MOST_NAMES = 5
MOST_DEPTH = 3
_EXACT_DIGITS = re.compile(r"\^?(?:\\d|\[0-9\])\{([0-9]{1,2})\}\$?")


def answer_format(schema: Schema, language: str) -> str:
    """What an answer looks like in the person's language, short enough to be spoken."""
    return _form(plan_of(schema), sentences_of(language), 0)


def render_problem(problem: Problem, schema: Schema, language: str) -> str:
    """What is wrong with an answer, and what is expected instead, in the person's language."""
    words = sentences_of(language)
    said = words.problems[problem.code].format_map(_Parts(problem, words))
    if problem.code is ProblemCode.DEFERRED:
        return said
    return f"{said} {words.expected.format(form=answer_format(schema, language))}"


class _Parts(dict[str, str]):
    """The parts of a problem's message; what is not known is left out."""

    def __init__(self, problem: Problem, words: Sentences) -> None:
        super().__init__()
        value = problem.params.get("value")
        number = decimal_of(value)
        self["value"] = say_number(number, words) if number is not None else str(value or "…")[:60]
        fields = problem.params.get("fields")
        self["fields"] = ", ".join(map(str, fields)) if isinstance(fields, list) else "…"


def _form(plan: Plan, words: Sentences, depth: int) -> str:
    if plan.kind is Kind.BOOLEAN:
        return words.forms["boolean"]
    if plan.kind is Kind.NUMBER:
        return _number(plan, words)
    if plan.kind is Kind.CHOICE:
        return words.forms["one_of"].format(names=_names(plan, words))
    if plan.kind is Kind.CONST:
        return words.forms["exactly"].format(name=plan.members[0].names[-1])
    if plan.kind is Kind.NULL:
        return words.forms["null"]
    if plan.kind is Kind.TEXT:
        return _text(plan, words)
    if depth >= MOST_DEPTH:
        return words.forms["json"]
    return _nested(plan, words, depth + 1)


def _nested(plan: Plan, words: Sentences, depth: int) -> str:
    if plan.kind is Kind.UNION:
        forms = dict.fromkeys(_form(one, words, depth) for one in plan.branches)
        return words.alternative.join(forms)
    if plan.kind is Kind.ARRAY:
        return _array(plan, words, depth)
    purse = purse_of(plan)
    if purse is not None:
        return words.forms["money"].format(example=_example(purse, words))
    fields = []
    for one in plan.fields:
        if one.required or len(plan.fields) == 1:
            form = _form(one.plan, words, depth)
            fields.append(words.forms["field"].format(name=one.names[0], form=form))
        else:
            fields.append(words.forms["optional"].format(name=one.names[0]))
    if len(plan.fields) == 1:
        return _form(plan.fields[0].plan, words, depth)
    return (
        words.forms["object"].format(fields=_listed(fields, words))
        if fields
        else words.forms["json"]
    )


def _example(purse: Purse, words: Sentences) -> str:
    code = min(purse.allowed) if len(purse.allowed) == 1 else purse.currency.plan.members[0].value
    return f"5 {code}"


def _array(plan: Plan, words: Sentences, depth: int) -> str:
    items = plan.items
    if items is not None and items.kind is Kind.CHOICE:
        least = plan.schema.get("minItems")
        key = "several" if isinstance(least, int) and least > 0 else "some"
        return words.forms[key].format(names=_names(items, words))
    inner = _form(items, words, depth) if items is not None else words.forms["text"]
    return words.forms["list"].format(item=inner)


def _names(plan: Plan, words: Sentences) -> str:
    return _listed([member.names[0] for member in plan.members], words)


def _listed(names: list[str], words: Sentences) -> str:
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    more = words.count("more", len(names) - MOST_NAMES)
    return words.forms["shortened"].format(names=", ".join(names[:MOST_NAMES]), more=more)


def _number(plan: Plan, words: Sentences) -> str:
    forms = words.forms
    text = forms["integer" if plan.integer else "number"]
    low, high = _say(plan.minimum, words), _say(plan.maximum, words)
    opened_low = "exclusiveMinimum" in plan.schema and "minimum" not in plan.schema
    opened_high = "exclusiveMaximum" in plan.schema and "maximum" not in plan.schema
    if low and high:
        text = forms["range"].format(low=low, high=high)
    elif low:
        text = forms["above" if opened_low else "least"].format(low=low)
    elif high:
        text = forms["below" if opened_high else "most"].format(high=high)
    if says_percent(plan):
        text = f"{text} {forms['percent']}"
    step = decimal_of(plan.schema.get("multipleOf"))
    if step is not None and not (plan.integer and step == 1):
        text = f"{text} {forms['step'].format(step=say_number(step, words))}"
    return text


def _say(number: Decimal | None, words: Sentences) -> str:
    return "" if number is None else say_number(number, words)


def _text(plan: Plan, words: Sentences) -> str:
    forms = words.forms
    name = str(plan.schema.get("format"))
    if name in FORMATS and name in forms:
        return forms[name]
    pattern = plan.schema.get("pattern")
    if isinstance(pattern, str):
        exact = _EXACT_DIGITS.fullmatch(pattern)
        if exact is not None:
            return forms["digits"].format(count=words.count("digit", int(exact.group(1))))
        digits = wants_digits(plan)
        return forms["some_digits"] if digits else forms["pattern"].format(pattern=pattern[:60])
    return _length(plan, words) if is_open_text(plan) else forms["text"]


def _length(plan: Plan, words: Sentences) -> str:
    least, most = plan.schema.get("minLength"), plan.schema.get("maxLength")
    low = least if isinstance(least, int) and least > 1 else None
    high = most if isinstance(most, int) else None
    if low is not None and high is not None:
        return words.forms["length"].format(low=low, high=high)
    if low is not None:
        return words.forms["length_least"].format(count=words.count("character", low))
    if high is not None:
        return words.forms["length_most"].format(count=words.count("character", high))
    return words.forms["text"]
