"""What a recogniser listens for: every form is an answer, and nothing else is listed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core.answers import (
    Control,
    Value,
    in_words,
    parse_answer,
    sayable,
    small_talk,
)

LANGUAGES = pytest.mark.parametrize("language", ["en", "ru"])
SCHEMAS = (
    {"type": "boolean"},
    {"type": "integer", "minimum": 1, "maximum": 5},
    {"type": "integer", "minimum": 0, "maximum": 99},
    {"type": "integer", "minimum": -3, "maximum": 3},
    {"enum": ["eu-west", "us-east-1"]},
    {"enum": ["Европа", "Северная Америка"]},
    {"const": "delete"},
    {"anyOf": [{"enum": ["small", "large"]}, {"type": "integer", "minimum": 1, "maximum": 9}]},
    {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
    {"type": "array", "items": {"enum": ["red", "blue"]}},
    {"type": "object", "properties": {"size": {"enum": ["s", "m"]}}, "required": ["size"]},
)


@LANGUAGES
@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_every_whole_form_is_an_answer_or_a_control(schema, language):
    found = sayable(schema, (language,))
    assert found is not None
    read = [
        parse_answer(form, schema, languages=(language,), channel="speech") for form in found.whole
    ]
    assert any(isinstance(outcome, Value) for outcome in read)
    assert any(isinstance(outcome, Control) for outcome in read)
    assert all(isinstance(outcome, Value | Control) for outcome in read)
    assert len(set(found.whole)) == len(found.whole)


@given(st.lists(st.text(alphabet="abcdefgабвгд", min_size=3, max_size=9), min_size=2, unique=True))
def test_every_name_is_listed(names):
    found = sayable({"enum": names}, ("en", "ru"))
    assert found is not None
    for name in names:
        outcome = parse_answer(name, {"enum": names}, channel="speech")
        assert not isinstance(outcome, Value) or name in found.whole


@pytest.mark.parametrize(
    ("schema", "language", "forms"),
    [
        ({"type": "boolean"}, "en", {"yes", "no", "yeah", "cancel", "stop", "help"}),
        ({"type": "boolean"}, "ru", {"да", "нет", "ага", "стоп", "повтори"}),
        ({"type": "integer", "minimum": 1, "maximum": 30}, "en", {"7", "twenty one"}),
        ({"type": "integer", "minimum": 1, "maximum": 30}, "ru", {"7", "двадцать один"}),
        ({"enum": ["eu-west", "us-east"]}, "en", {"eu west", "second", "first one", "2"}),
        ({"enum": ["январь", "май"]}, "ru", {"января", "мая", "первый", "два"}),
    ],
)
def test_what_people_say_is_listed(schema, language, forms):
    found = sayable(schema, (language,))
    assert found is not None
    assert forms <= set(found.whole)


@pytest.mark.parametrize(
    ("schema", "language", "words"),
    [
        ({"type": "integer"}, "en", {"7", "seven", "twenty", "hundred", "minus", "and"}),
        ({"type": "string", "pattern": r"^\d{10}$"}, "en", {"five", "oh", "double"}),
        ({"type": "string", "pattern": r"^\d{10}$"}, "ru", {"пять", "ноль", "двести"}),
        ({"type": "string", "format": "date"}, "ru", {"завтра", "пятого", "мая"}),
        ({"type": "array", "items": {"enum": ["red", "blue"]}}, "en", {"red", "and", "all"}),
    ],
)
def test_what_no_list_can_hold_is_made_of_words(schema, language, words):
    found = sayable(schema, (language,))
    assert found is not None
    assert words <= set(found.words)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "string", "format": "email"},
        {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}}},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    ],
    ids=str,
)
def test_where_anything_may_be_said_nothing_is_listed(schema):
    assert sayable(schema, ("en", "ru")) is None


@LANGUAGES
def test_numbers_are_said_as_they_are_read(language):
    for number in range(1_000):
        said = parse_answer(in_words(number, language), {"type": "integer"}, channel="speech")
        assert isinstance(said, Value)
        assert said.value == number, in_words(number, language)


def test_small_talk_is_short_and_in_both_languages():
    found = small_talk()
    assert {"uh huh", "hold on", "stop", "угу", "подожди", "алло"} <= set(found)
    assert max(text.count(" ") for text in found) <= 1
