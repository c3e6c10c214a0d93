"""A choice goes by its titles in other languages too (`x-titles`)."""

import pytest

from gateway.core.answers import Problem, Value, answer_format, parse_answer

REGION = {
    "type": "string",
    "oneOf": [
        {"const": "eu", "title": "Europe", "x-titles": {"en": "Europe", "ru": "Европа"}},
        {"const": "asia", "title": "Asia", "x-titles": {"en": "Asia", "ru": "Азия"}},
    ],
}


@pytest.mark.parametrize(
    ("text", "value"),
    [("Europe", "eu"), ("в европу", "eu"), ("давай в азию", "asia"), ("asia", "asia")],
)
def test_each_title_names_its_choice(text, value):
    answer = parse_answer(text, REGION)
    assert isinstance(answer, Value)
    assert answer.value == value


@pytest.mark.parametrize("text", ["европа или азия", "не в европу", "в африку"])
def test_they_make_no_answer_of_what_is_none(text):
    assert isinstance(parse_answer(text, REGION), Problem)


def test_the_form_keeps_to_the_first_titles():
    assert answer_format(REGION, "en") == "one of: Europe, Asia"
