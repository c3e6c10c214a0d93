"""Notes, attempts, controls, several hearings, and what is said back."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.core.answers import (
    Control,
    ControlKind,
    How,
    Problem,
    ProblemCode,
    Value,
    answer_format,
    explain,
    parse_answer,
    read_back,
    render_problem,
    validates,
)

BOOLEAN: dict[str, Any] = {"type": "boolean"}
SMALL: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 5}
REGION: dict[str, Any] = {
    "oneOf": [{"const": "eu", "title": "Европа"}, {"const": "us", "title": "США"}]
}

CODES = [
    ("maybe", BOOLEAN, ProblemCode.HEDGED),
    ("yes but not now", BOOLEAN, ProblemCode.CONDITIONAL),
    ("later", BOOLEAN, ProblemCode.DEFERRED),
    ("yes?", BOOLEAN, ProblemCode.QUESTION),
    ("yes [unk]", BOOLEAN, ProblemCode.UNHEARD),
    ("yes no", BOOLEAN, ProblemCode.CONTRADICTION),
    ("7", SMALL, ProblemCode.OUT_OF_RANGE),
    ("2.5", SMALL, ProblemCode.NOT_WHOLE),
    ("1,23,45", {"type": "number"}, ProblemCode.BAD_GROUPING),
    ("about 5", SMALL, ProblemCode.APPROXIMATE),
    ("not 5", SMALL, ProblemCode.NEGATED),
    ("0.25", {"type": "number", "multipleOf": 0.1}, ProblemCode.WRONG_STEP),
    ("mars", REGION, ProblemCode.NOT_A_MEMBER),
    ("", BOOLEAN, ProblemCode.EMPTY),
    ("eu or us", REGION, ProblemCode.AMBIGUOUS),
    ("{", {"type": "object"}, ProblemCode.BAD_JSON),
]


@pytest.mark.parametrize(("text", "schema", "code"), CODES)
def test_a_problem_has_its_code(text: str, schema: dict[str, Any], code: ProblemCode) -> None:
    outcome = parse_answer(text, schema)
    assert isinstance(outcome, Problem)
    assert outcome.code is code


def test_a_condition_is_kept_as_a_note() -> None:
    outcome = parse_answer(" Yes, but only eu ", BOOLEAN)
    assert isinstance(outcome, Problem)
    assert (outcome.code, outcome.note) == (ProblemCode.CONDITIONAL, "Yes, but only eu")


@pytest.mark.parametrize(
    ("text", "attempt"),
    [
        ("how is the weather today", False),
        ("show me all the logs", False),
        ("blue cheese", True),
        ("deploy the whole thing now", False),
        ("покажи мне логи сервера", False),
        ("read this article for me", False),
        ("the second one or so maybe", True),
    ],
)
def test_a_sentence_without_any_answer_is_no_attempt(text: str, attempt: bool) -> None:
    outcome = parse_answer(text, BOOLEAN)
    assert isinstance(outcome, Problem)
    assert outcome.attempt is attempt


def test_a_member_beats_a_control_word_and_a_control_beats_the_rest() -> None:
    member = parse_answer("stop", {"enum": ["continue", "stop"]})
    assert isinstance(member, Value)
    assert member.value == "stop"
    assert parse_answer("stop", BOOLEAN) == Control(ControlKind.STOP)
    assert parse_answer("пропусти", {"type": "string"}) == Control(ControlKind.SKIP)
    form = parse_answer(
        "отменяй", {"oneOf": [{"const": 1, "title": "отменить"}, {"const": 2, "title": "принять"}]}
    )
    assert isinstance(form, Value)
    assert form.value == 1


def test_several_hearings_have_to_agree() -> None:
    agreed = parse_answer("пять", SMALL, channel="speech", alternatives=["пять", "пядьс"])
    assert isinstance(agreed, Value)
    assert isinstance(parse_answer("five", SMALL, alternatives=["four"]), Problem)
    filled = parse_answer("fibe", SMALL, channel="speech", alternatives=["five", "five"])
    assert isinstance(filled, Value)
    assert filled.how is How.REPAIRED


@pytest.mark.parametrize("text", ["maybe", "yes [unk]", "guess", "don't"])
def test_another_hearing_never_makes_a_yes(text: str) -> None:
    outcome = parse_answer(text, BOOLEAN, channel="speech", alternatives=["yes"])
    assert not (isinstance(outcome, Value) and outcome.value is True)


HOWS = [
    ("eu", REGION, How.EXACT),
    ("2", REGION, How.INDEX),
    ("evropa", REGION, How.REPAIRED),
    ("Европа, ой, США", REGION, How.CORRECTED),
    ("пять", SMALL, How.SPOKEN),
    ("gznm", SMALL, How.REPAIRED),
    ("5", SMALL, How.EXACT),
]


@pytest.mark.parametrize(("text", "schema", "how"), HOWS)
def test_a_value_says_how_it_was_read(text: str, schema: dict[str, Any], how: How) -> None:
    outcome = parse_answer(text, schema, languages=("ru", "en"))
    assert isinstance(outcome, Value)
    assert outcome.how is how


FORMS = [
    (BOOLEAN, "yes or no", "да или нет"),
    (SMALL, "a number from 1 to 5", "число от 1 до 5"),
    ({"enum": ["eu", "us"]}, "one of: eu, us", "одно из: eu, us"),
    (REGION, "one of: Европа, США", "одно из: Европа, США"),
    (
        {"enum": list("abcdefgh")},
        "one of: a, b, c, d, e and 3 more",
        "одно из: a, b, c, d, e и ещё 3 варианта",
    ),
    ({"type": "string", "pattern": "^[0-9]{4}$"}, "4 digits", "4 цифры"),
]


@pytest.mark.parametrize(("schema", "english", "russian"), FORMS)
def test_the_form_of_an_answer(schema: dict[str, Any], english: str, russian: str) -> None:
    assert answer_format(schema, "en") == english
    assert answer_format(schema, "ru") == russian


def test_a_problem_is_told_with_its_parts_and_the_form() -> None:
    outcome = parse_answer("7", SMALL)
    assert isinstance(outcome, Problem)
    said = render_problem(outcome, SMALL, "en")
    assert said == "7 is out of range. Please answer with a number from 1 to 5."
    both = {
        "type": "object",
        "required": ["size", "count"],
        "properties": {"size": {"enum": ["s", "m"]}, "count": {"type": "integer"}},
    }
    missing = parse_answer("m", both)
    assert isinstance(missing, Problem)
    assert missing.params == {"fields": ["count"]}
    assert "count" in render_problem(missing, both, "ru")


def test_a_value_is_said_back_in_the_language() -> None:
    assert read_back(True, BOOLEAN, "ru") == "да"
    assert read_back("eu", REGION, "ru") == "Европа"
    assert read_back(1234567.5, {"type": "number"}, "en") == "1,234,567.5"
    assert read_back("PT1H30M", {"type": "string", "format": "duration"}, "ru") == "1 час 30 минут"
    assert read_back([], {"type": "array"}, "en") == "nothing"


def test_an_explanation_names_each_role() -> None:
    explained = explain("ну да, но потом", BOOLEAN, languages=("ru", "en"))
    assert [(one.words, one.role) for one in explained.stretches] == [
        ("ну", "filler"),
        ("да", "yes"),
        (",", "pause"),
        ("но", "condition"),
        ("потом", "delay"),
    ]
    assert isinstance(explain("eu", REGION).outcome, Value)
    assert explain("hello", {"type": "string"}).stretches == ()


LIMITS = [
    (0.3, {"multipleOf": 0.1}, None),
    (5.0, {"type": "integer"}, None),
    (True, {"type": "integer"}, "not_understood"),
    (float("nan"), {"type": "number"}, "not_understood"),
    ([1, 1], {"uniqueItems": True}, "wrong_count"),
    ({"a": 1}, {"required": ["b"]}, "missing_field"),
    ({"a": 1}, {"properties": {}, "additionalProperties": False}, "unknown_field"),
    ("ab", {"maxLength": 1}, "wrong_length"),
    (None, {"type": ["integer", "null"]}, None),
    (2, {"$ref": "#/$defs/A", "$defs": {"A": {"enum": [1, 2]}}}, None),
    ("x", {"anyOf": [{"type": "integer"}, {"const": "x"}]}, None),
    ("2026-02-30", {"format": "date"}, "bad_format"),
]


@pytest.mark.parametrize(("value", "schema", "broken"), LIMITS)
def test_the_limits_of_a_schema(value: object, schema: dict[str, Any], broken: str | None) -> None:
    assert validates(value, schema) == broken


def test_a_long_free_text_is_kept_whole() -> None:
    text = "word " * 3000
    outcome = parse_answer(f" {text}", {"type": "string"})
    assert isinstance(outcome, Value)
    assert outcome.value == text.strip()


@pytest.mark.parametrize("tongues", [(), ("de",), ("en",), ("de", "en")])
def test_unknown_languages_understand_less_and_never_fail(tongues: tuple[str, ...]) -> None:
    for schema in (BOOLEAN, SMALL, REGION):
        for text in ("yes", "да", "5", "Европа", "lf", "maybe", "about five"):
            outcome = parse_answer(text, schema, languages=tongues)
            assert isinstance(outcome, Value | Problem | Control)
    assert isinstance(parse_answer("да", BOOLEAN, languages=("en",)), Problem)


PLACE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "region": {"enum": ["eu", "us"]},
        "replicas": {"type": "integer", "minimum": 1, "maximum": 10},
    },
    "required": ["region"],
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the eu one", {"region": "eu"}),
        ("eu, one", {"region": "eu", "replicas": 1}),
        ("one in eu", {"region": "eu", "replicas": 1}),
        ("the us one, three", {"region": "us", "replicas": 3}),
    ],
)
def test_one_is_a_number_or_stands_for_the_choice(text: str, value: dict[str, Any]) -> None:
    outcome = parse_answer(text, PLACE)
    assert isinstance(outcome, Value)
    assert outcome.value == value
