"""A value said back in words that the same grammar reads as the same value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal

from gateway.core.answers.money import purse_of
from gateway.core.answers.plan import Kind, Plan, plan_of
from gateway.core.answers.schema import decimal_of, same
from gateway.core.answers.sentences import sentences_of
from gateway.core.answers.sentences.kinds import Sentences
from gateway.core.answers.types import Schema

GROUP_FROM, GROUP_TO = 5, 30
_LENGTH = re.compile(
    r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?"
)
_PARTS = ("year", "month", "week", "day", "hour", "minute", "second")


def read_back(value: object, schema: Schema, language: str) -> str:
    """The value in the person's language; a number, date or sum parses to itself again."""
    return say(value, plan_of(schema), sentences_of(language))


def say(value: object, plan: Plan, words: Sentences) -> str:
    """The value in words, by the plan that it was read with."""
    if plan.kind is Kind.UNION:
        return say(value, _branch(value, plan), words)
    title = _title(value, plan)
    if title is not None:
        return title
    if isinstance(value, bool):
        return words.yes if value else words.no
    if value is None:
        return words.nothing
    if isinstance(value, list):
        inner = plan.items or plan
        return ", ".join(say(one, inner, words) for one in value) or words.nothing
    if isinstance(value, dict):
        return _say_object(value, plan, words)
    number = decimal_of(value)
    return say_number(number, words) if number is not None else _say_text(value, plan, words)


def _branch(value: object, plan: Plan) -> Plan:
    """The branch whose kind a value of a union has."""
    for one in plan.branches:
        if any(same(member.value, value) for member in one.members):
            return one
    kinds = {
        bool: Kind.BOOLEAN,
        int: Kind.NUMBER,
        float: Kind.NUMBER,
        str: Kind.TEXT,
        list: Kind.ARRAY,
        dict: Kind.OBJECT,
    }
    kind = kinds.get(type(value), Kind.NULL)
    return next((one for one in plan.branches if one.kind is kind), plan.branches[0])


def _title(value: object, plan: Plan) -> str | None:
    for member in plan.members:
        if same(member.value, value):
            return member.names[0]
    return None


def _say_object(value: Mapping[str, object], plan: Plan, words: Sentences) -> str:
    purse = purse_of(plan)
    if purse is not None and {purse.amount.key, purse.currency.key} <= value.keys():
        amount = decimal_of(value[purse.amount.key])
        if amount is not None:
            return f"{say_number(amount, words)} {value[purse.currency.key]}"
    known = {one.key: one for one in plan.fields}
    said = []
    for key, inner in value.items():
        field = known.get(key)
        name = field.names[0] if field is not None else key
        said.append(f"{name}: {say(inner, field.plan if field is not None else plan, words)}")
    return ", ".join(said) or words.nothing


def say_number(number: Decimal, words: Sentences) -> str:
    """A number in the digits of the language, never with a fraction that reads as a group."""
    text = f"{number.normalize():f}"
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, _, part = digits.partition(".")
    if len(part) == 3:
        part += "0"
    if GROUP_FROM <= len(whole) <= GROUP_TO:
        whole = f"{int(whole):,}".replace(",", words.group_mark)
    return sign + whole + (words.decimal_mark + part if part else "")


def _say_text(value: object, plan: Plan, words: Sentences) -> str:
    text = str(value)
    name = plan.schema.get("format")
    if name == "duration":
        return _say_length(text, words)
    try:
        if name == "date":
            return words.day(date.fromisoformat(text))
        if name == "time" and len(text) == 8:
            return words.clock(time.fromisoformat(text))
        if name == "date-time":
            moment = datetime.fromisoformat(text.upper())
            return (
                f"{words.day(moment.date())}, {words.clock(moment.timetz().replace(tzinfo=None))}"
            )
    except ValueError:
        return text
    return text


def _say_length(text: str, words: Sentences) -> str:
    found = _LENGTH.fullmatch(text)
    if found is None:
        return text
    said = []
    for noun, amount in zip(_PARTS, found.groups(), strict=True):
        if amount is None:
            continue
        count = int(amount) * (7 if noun == "week" else 1)
        said.append(words.count("day" if noun == "week" else noun, count))
    return " ".join(said) or text
