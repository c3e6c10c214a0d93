"""Every integer up to a trillion, in words, is read as itself."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.core.answers import Value, parse_answer
from tests.core.answers.numberwords import CASES, english, russian

INTEGER = {"type": "integer"}
NUMBERS = st.integers(-(10**12), 10**12) | st.integers(-2100, 2100)


def read(text: str) -> object:
    """The integer that the words give."""
    outcome = parse_answer(text, INTEGER, channel="speech")
    assert isinstance(outcome, Value), (text, outcome)
    return outcome.value


@settings(deadline=None, max_examples=300)
@given(NUMBERS, st.booleans())
def test_english_words(number: int, joined: bool) -> None:
    assert read(english(number, joined=joined)) == number


@settings(deadline=None, max_examples=600)
@given(NUMBERS, st.integers(0, len(CASES) - 1))
def test_russian_words_in_every_case(number: int, case: int) -> None:
    words = russian(number, case)
    outcome = parse_answer(words, INTEGER, languages=("ru", "en"), channel="speech")
    assert isinstance(outcome, Value), (words, outcome)
    assert outcome.value == number


def test_small_numbers_one_by_one() -> None:
    for number in range(1001):
        assert read(english(number)) == number
        assert read(russian(number, 0)) == number
