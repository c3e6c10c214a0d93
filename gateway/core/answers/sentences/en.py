"""What is said about answers in English."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time

from gateway.core.answers.sentences.kinds import Sentences
from gateway.core.answers.types import ProblemCode as P

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
NOUNS: Mapping[str, tuple[str, str]] = {
    "year": ("year", "years"),
    "month": ("month", "months"),
    "day": ("day", "days"),
    "hour": ("hour", "hours"),
    "minute": ("minute", "minutes"),
    "second": ("second", "seconds"),
    "digit": ("digit", "digits"),
    "character": ("character", "characters"),
    "item": ("item", "items"),
    "more": ("more", "more"),
}


def _count(noun: str, number: int) -> str:
    return f"{number} {NOUNS[noun][number != 1]}"


def _day(day: date) -> str:
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year:04}"


def _clock(clock: time) -> str:
    seconds = f":{clock.second:02}" if clock.second else ""
    half = "am" if clock.hour < 12 else "pm"
    return f"{(clock.hour - 1) % 12 + 1}:{clock.minute:02}{seconds} {half}"


SENTENCES = Sentences(
    yes="yes",
    no="no",
    nothing="nothing",
    everything="all",
    forms={
        "boolean": "yes or no",
        "number": "a number",
        "integer": "a whole number",
        "range": "a number from {low} to {high}",
        "least": "a number of at least {low}",
        "most": "a number of at most {high}",
        "above": "a number above {low}",
        "below": "a number below {high}",
        "step": "in steps of {step}",
        "percent": "in percent",
        "one_of": "one of: {names}",
        "exactly": "exactly: {name}",
        "several": "one or more of: {names}",
        "some": "any of: {names}, or none",
        "list": "a list: {item}",
        "shortened": "{names} and {more}",
        "text": "some text",
        "date": "a date, such as tomorrow or March 15",
        "time": "a time, such as 15:30 or 3:30 pm",
        "date-time": "a day and a time, such as tomorrow at 9 am",
        "duration": "a length of time, such as 20 minutes",
        "email": "an e-mail address",
        "uri": "a link",
        "phone": "a phone number",
        "digits": "{count}",
        "some_digits": "digits",
        "pattern": "text of the form {pattern}",
        "length": "text of {low} to {high} characters",
        "length_least": "text of at least {count}",
        "length_most": "text of at most {count}",
        "money": "an amount with its currency, such as {example}",
        "object": "all of: {fields}",
        "field": "{name} ({form})",
        "optional": "{name} (optional)",
        "null": "nothing",
        "json": "JSON",
    },
    problems={
        P.EMPTY: "There was no answer in that.",
        P.NOT_UNDERSTOOD: "I did not understand that.",
        P.UNHEARD: "I did not hear all of that.",
        P.AMBIGUOUS: "That can be understood in more than one way.",
        P.CONTRADICTION: "That says both yes and no.",
        P.HEDGED: "That sounds unsure, so I won't take it as an answer.",
        P.CONDITIONAL: "That comes with a condition, so I won't take it as an answer.",
        P.DEFERRED: "All right, the question stays open.",
        P.NEGATED: "That says what it should not be.",
        P.MENTION: "That mentions an answer without giving it.",
        P.QUESTION: "That is a question, so I won't take it as an answer.",
        P.APPROXIMATE: "I need an exact value.",
        P.OUT_OF_RANGE: "{value} is out of range.",
        P.WRONG_STEP: "{value} does not fit the steps.",
        P.NOT_WHOLE: "I need a whole number.",
        P.NOT_A_MEMBER: "That is not one of the choices.",
        P.WRONG_COUNT: "That is not the right number of choices.",
        P.BAD_GROUPING: "I can't tell which number that is.",
        P.BAD_FORMAT: "That does not have the right form.",
        P.BAD_DATE: "There is no such date or time.",
        P.INCOMPLETE: "A part of the answer is missing.",
        P.MISSING_FIELD: "This is missing: {fields}.",
        P.UNKNOWN_FIELD: "There is a field too many.",
        P.BAD_JSON: "That is no JSON of the right form.",
        P.WRONG_UNIT: "The unit does not fit.",
        P.WRONG_LENGTH: "That has the wrong length.",
    },
    expected="Please answer with {form}.",
    conjunction="and",
    alternative=", or ",
    decimal_mark=".",
    group_mark=",",
    count=_count,
    day=_day,
    clock=_clock,
)
