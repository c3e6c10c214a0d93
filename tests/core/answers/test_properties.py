"""What holds for every text: closed outcomes, no crash, no yes out of a negation."""

from __future__ import annotations

import json
import time
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.core.answers import (
    Control,
    Problem,
    ProblemCode,
    SchemaError,
    Value,
    parse_answer,
    read_back,
    render_problem,
    unsupported,
    validates,
)
from gateway.core.answers.normalise import read
from gateway.core.answers.roles import joined, tag
from gateway.core.answers.yesno import consent
from tests.core.answers.rows import DATA, NOW, own

SCHEMAS: dict[str, dict[str, Any]] = json.loads((DATA / "schemas.json").read_text("utf-8"))
TONGUES = st.sampled_from([("en", "ru"), ("ru", "en")])
CHANNELS = st.sampled_from(["text", "speech"])
WORDS = sorted(
    {
        word
        for name in ("yesno", "number", "enum", "mixed")
        for row in own(name)
        for word in row.text.split()
    }
)
SALAD = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck))


def told(text: str, schema: dict[str, Any], tongues: Any, channel: Any) -> Any:
    """The outcome, which has to be one of the three, with a message for every problem."""
    outcome = parse_answer(text, schema, languages=tongues, channel=channel, now=NOW)
    assert isinstance(outcome, Value | Problem | Control)
    if isinstance(outcome, Value):
        assert validates(outcome.value, schema) is None
    if isinstance(outcome, Problem):
        assert render_problem(outcome, schema, tongues[0])
    return outcome


@SLOW
@given(st.text(max_size=200), st.sampled_from(sorted(SCHEMAS)), TONGUES, CHANNELS)
def test_any_text_has_an_outcome(text: str, name: str, tongues: Any, channel: Any) -> None:
    told(text, SCHEMAS[name], tongues, channel)


@SLOW
@given(SALAD, st.sampled_from(sorted(SCHEMAS)), TONGUES, CHANNELS)
def test_any_salad_of_known_words_has_an_outcome(
    text: str, name: str, tongues: Any, channel: Any
) -> None:
    told(text, SCHEMAS[name], tongues, channel)


LONG = [
    "a" * 10_000,
    "да " * 5_000,
    "1" * 10_000,
    "[" * 10_000,
    "{" * 5_000,
    "не " * 4_000,
    "1," * 5_000,
    "eu and " * 2_000,
    "\u0301" * 10_000,
    "👍" * 10_000,
    "1e" + "9" * 5_000,
    '{"a":' * 3_000,
    "двадцать" * 1_200,
    "one hundred " * 900,
    "\ud800",
    "\x00",
    "٣" * 9_000,
]


@pytest.mark.parametrize("place", range(len(LONG)))
def test_long_and_deep_texts_are_quick(place: int) -> None:
    for schema in SCHEMAS.values():
        parse_answer(LONG[place], schema, now=NOW)
        best = min(_spent(LONG[place], schema) for _ in range(3))
        assert best < 0.02


def _spent(text: str, schema: dict[str, Any]) -> float:
    start = time.thread_time()
    parse_answer(text, schema, now=NOW)
    return time.thread_time() - start


@SLOW
@given(st.integers(-(10**15), 10**15), st.sampled_from(["en", "ru"]))
def test_an_integer_read_back_is_the_same(number: int, language: str) -> None:
    schema = {"type": "integer"}
    other = ("en", "ru") if language == "en" else ("ru", "en")
    outcome = parse_answer(read_back(number, schema, language), schema, languages=other)
    assert isinstance(outcome, Value)
    assert outcome.value == number


@SLOW
@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["en", "ru"]))
def test_a_number_read_back_is_the_same(number: float, language: str) -> None:
    schema = {"type": "number"}
    other = ("en", "ru") if language == "en" else ("ru", "en")
    said = read_back(number, schema, language)
    outcome = parse_answer(said, schema, languages=other)
    assert isinstance(outcome, Value) or len(said) > 390
    if isinstance(outcome, Value):
        assert isinstance(outcome.value, int | float)
        assert float(outcome.value) == number


@SLOW
@given(st.dates(date(1900, 1, 1), date(2199, 12, 31)), st.sampled_from(["en", "ru"]))
def test_a_date_read_back_is_the_same(day: date, language: str) -> None:
    schema = {"type": "string", "format": "date"}
    other = ("en", "ru") if language == "en" else ("ru", "en")
    said = read_back(day.isoformat(), schema, language)
    outcome = parse_answer(said, schema, languages=other, now=NOW)
    assert isinstance(outcome, Value)
    assert outcome.value == day.isoformat()


@SLOW
@given(st.integers(0, 86399), st.sampled_from(["en", "ru"]))
def test_a_time_and_a_moment_read_back_are_the_same(second: int, language: str) -> None:
    other = ("en", "ru") if language == "en" else ("ru", "en")
    moment = NOW.replace(hour=0, minute=0) + timedelta(seconds=second)
    for name, value in (("time", moment.time().isoformat()), ("date-time", moment.isoformat())):
        schema = {"type": "string", "format": name}
        said = read_back(value, schema, language)
        outcome = parse_answer(said, schema, languages=other, now=NOW)
        assert isinstance(outcome, Value), said
        assert outcome.value == value


@SLOW
@given(
    st.decimals(min_value="0.01", max_value="99999999", places=2),
    st.sampled_from(["USD", "EUR", "GBP", "RUB"]),
    st.sampled_from(["en", "ru"]),
)
def test_money_read_back_is_the_same(amount: Any, currency: str, language: str) -> None:
    schema = SCHEMAS["money"]
    other = ("en", "ru") if language == "en" else ("ru", "en")
    value = {"amount": float(amount), "currency": currency}
    outcome = parse_answer(read_back(value, schema, language), schema, languages=other)
    assert isinstance(outcome, Value)
    assert outcome.value == value


YES = [row for row in own("yesno") if row.expected == (True,)]
PLAIN_YES = [
    row
    for row in YES
    if row.kind in ("plain", "phrase", "repeat", "filler") and "ой" not in row.text
]
NEGATIONS = {
    "en": ("not {}", "no, not {}", "don't {}", "{} not", "{}, no", "never {}"),
    "ru": ("не {}", "нет, не {}", "{} не надо", "{}, нет", "ни за что {}", "не надо {}"),
}


@pytest.mark.parametrize("row", PLAIN_YES, ids=lambda row: row.text)
def test_a_negation_added_to_a_yes_is_no_yes(row: Any) -> None:
    tongues = ("en", "ru") if row.lang == "en" else ("ru", "en")
    for shape in NEGATIONS[row.lang]:
        text = shape.format(row.text.strip())
        outcome = parse_answer(text, row.schema, languages=tongues, channel=row.channel)
        assert not (isinstance(outcome, Value) and outcome.value is True), text


@pytest.mark.parametrize("name", ["yesno", "number", "enum", "mixed"])
def test_case_a_full_stop_and_double_spaces_change_nothing(name: str) -> None:
    for row in own(name):
        free = row.kind in ("string", "email", "uri", "union", "array", "digits", "const", "json")
        if row.expected is None or free or row.channel == "speech" or row.kind == "layout":
            continue
        tongues = ("en", "ru") if row.lang == "en" else ("ru", "en")
        changed = [row.text.replace(" ", "  "), f"  {row.text}\n"]
        if row.text[-1:].isalpha() and not any(c.isdigit() for c in row.text):
            changed += [row.text + ".", row.text.upper(), row.text.capitalize()]
        for text in changed:
            outcome = parse_answer(text, row.schema, languages=tongues, now=NOW)
            assert isinstance(outcome, Value), text
            assert outcome.value == parse_value(row, tongues), text


def parse_value(row: Any, tongues: Any) -> Any:
    """The value of the row's own text."""
    outcome = parse_answer(row.text, row.schema, languages=tongues, now=NOW)
    assert isinstance(outcome, Value), row.text
    return outcome.value


@pytest.mark.parametrize("name", ["number", "enum"])
def test_politeness_changes_no_value(name: str) -> None:
    for row in own(name):
        if row.expected is None or row.kind in ("fraction", "percent", "layout", "asr"):
            continue
        tongues = ("en", "ru") if row.lang == "en" else ("ru", "en")
        word = "please" if row.lang == "en" else "пожалуйста"
        before = parse_answer(row.text, row.schema, languages=tongues, channel=row.channel, now=NOW)
        after = parse_answer(
            f"{row.text}, {word}", row.schema, languages=tongues, channel=row.channel, now=NOW
        )
        if isinstance(after, Value) and isinstance(before, Value):
            assert after.value == before.value, row.text
        else:
            assert row.text[0] in "([«\"'*" or row.kind == "translit", row.text


def test_every_title_and_value_is_its_own_member() -> None:
    for schema in SCHEMAS.values():
        for branch in schema.get("oneOf", []):
            for text in (branch["title"], branch["const"]):
                outcome = parse_answer(text, schema)
                assert isinstance(outcome, Value)
                assert outcome.value == branch["const"]


BAD_SCHEMAS: list[Any] = [
    {"type": "strin"},
    {"$ref": "#/$defs/None"},
    {"$ref": "http://example.com/x"},
    {"properties": []},
    {"$defs": {"A": {"$ref": "#/$defs/A"}}, "$ref": "#/$defs/A"},
    {"type": "array", "items": {"$ref": "#"}},
]


@pytest.mark.parametrize("schema", BAD_SCHEMAS)
def test_what_is_no_schema_is_said_when_the_question_is_made(schema: Any) -> None:
    with pytest.raises(SchemaError):
        unsupported(schema)


def test_what_a_schema_uses_and_cannot_be_read_is_named() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "string", "pattern": "^(a+)+$"},
            "b": {"not": {"type": "null"}},
        },
    }
    assert unsupported(schema) == ("/a: pattern repeats a repeat", "/b: not")


@SLOW
@given(st.text(max_size=30), st.text(max_size=12))
def test_a_pattern_of_any_kind_never_crashes(text: str, pattern: str) -> None:
    outcome = parse_answer(text, {"type": "string", "pattern": pattern})
    assert isinstance(outcome, Value | Problem | Control)


def test_every_problem_has_a_text_in_every_language() -> None:
    for code in ProblemCode:
        for language in ("en", "ru"):
            assert render_problem(Problem(code), {"type": "boolean"}, language)


ROLES = consent(("en", "ru")).known.roles
BY_ROLE = {
    tongue: {
        role: [one for one, its in ROLES.items() if its == role and one.isascii() is latin]
        for role in sorted(set(ROLES.values()))
    }
    for tongue, latin in (("en", True), ("ru", False))
}
DOUBTS = "xzehqbdmnrwg"


@settings(deadline=None, max_examples=400)
@given(st.sampled_from(["en", "ru"]), st.data())
def test_a_doubt_anywhere_is_no_yes_without_a_correction(tongue: str, data: Any) -> None:
    table = BY_ROLE[tongue]
    roles = data.draw(st.lists(st.sampled_from("yuavsiofpt" + DOUBTS), min_size=2, max_size=5))
    phrases = [data.draw(st.sampled_from(table[role])) for role in roles if table.get(role)]
    if not any(ROLES[one] in DOUBTS for one in phrases):
        return
    text = " ".join(phrases)
    tongues = ("en", "ru") if tongue == "en" else ("ru", "en")
    words = consent(tongues).known
    taken = [item.role for item in tag(joined(read(text).tokens), words)]
    if not set(taken) & set(DOUBTS) or set(taken) & set("cjk"):
        return
    outcome = parse_answer(text, {"type": "boolean"}, languages=tongues)
    assert not (isinstance(outcome, Value) and outcome.value is True), text
