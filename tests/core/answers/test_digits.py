"""Rows of digits as they are said: in groups with pauses, with corrections."""

from collections.abc import Mapping
from typing import Literal

import pytest

from gateway.core.answers import Value, parse_answer

TEN = {"type": "string", "pattern": r"^\d{10}$"}
ANY = {"type": "string", "pattern": r"^\d+$"}
NUMBER = "5551234567"


def digits(
    text: str, schema: Mapping[str, object] = TEN, channel: Literal["text", "speech"] = "speech"
) -> object:
    outcome = parse_answer(text, schema, channel=channel)
    return outcome.value if isinstance(outcome, Value) else None


@pytest.mark.parametrize(
    "text",
    [
        "555 123 45 67",
        "5, 5, 5, 1, 2, 3, 4, 5, 6, 7.",
        "555, 123, 45, 67",
        "555-123-45-67",
        "five five five, one two three, four five, six seven",
        "пять пять пять, один два три, сорок пять, шестьдесят семь",
        "555 123 4568, no, 555 123 4567",
        "5551234560 sorry 5551234567",
        "555 123 45 66, no, 67",
        "пять пять пять один два три четыре пять шесть шесть, нет, пять пять пять один два три "
        "четыре пять шесть семь",
    ],
)
def test_groups_and_corrections(text: str):
    assert digits(text) == NUMBER


@pytest.mark.parametrize(
    "text",
    [
        "555 123 4567 no",
        "no 555 123",
        "555 123 45 66, no, 6",
        "555 123 45, no, 46 67",
        "555 123 four five, maybe 67",
        "555 123 45 67 89",
    ],
)
def test_what_is_not_clear_is_asked_again(text: str):
    assert digits(text) is None


def test_a_typed_comma_is_no_pause():
    assert digits("555, 123, 45, 67", channel="text") is None


def test_an_open_length_takes_what_was_said():
    assert digits("555, 123", ANY) == "555123"
    assert digits("555, no, 556", ANY) == "556"
