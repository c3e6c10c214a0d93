"""Answers that sound alike: where the model can't tell them apart, neither is taken."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

from gateway.core.answers import Problem, Value, parse_answer
from voice.core.words import SpokenWord
from voice.engines.whisper_answers import answers_of
from voice.engines.whisper_model import Encoded, Model
from voice.engines.whisper_rivals import APART, contested
from voice.ports import Expected, Hypothesis

SOUND = Encoded(None, 1.0)
UNLIKELY = -20.0
NUMBER = {"type": "integer", "minimum": 0, "maximum": 99}
LARGE = {"type": "integer", "minimum": 0, "maximum": 99_999}
DAYS = {"enum": ["воскресенье", "вторник", "четверг"]}


class Scripted:
    """A model whose tokens are letters, and to which these texts are so likely."""

    end = 0

    def __init__(self, likely: Mapping[str, float]) -> None:
        self.likely = likely

    def tokens(self, text: str) -> list[int]:
        return [ord(char) for char in text]

    def text(self, tokens: Sequence[int]) -> str:
        return "".join(map(chr, tokens))

    def likelihoods(
        self, encoded: Encoded, language: str, texts: Sequence[Sequence[int]]
    ) -> list[float]:
        return [self.likely.get(self.text(text).strip(), UNLIKELY) for text in texts]


def read(
    text: str, schema: Mapping[str, Any], language: str, others: Sequence[str], **likely: float
) -> tuple[str, ...]:
    model = cast(Model, Scripted({f"{said}.": part for said, part in likely.items()}))
    answers = answers_of(model, Expected(dict(schema), (language,)), language)
    assert answers is not None
    free = Hypothesis(tuple(map(SpokenWord, text.split())), tuple(others))
    heard = answers.read(text)
    assert isinstance(heard, Value)
    return contested(model, SOUND, answers, free, heard).alternatives


def rival_of(text: str, schema: Mapping[str, Any], language: str, **likely: float) -> str | None:
    return next(iter(read(text, schema, language, (), **likely)), None)


@pytest.mark.parametrize(
    ("text", "schema", "language", "likely", "other"),
    [
        ("50.", NUMBER, "en", {"50": -1.0, "15": -2.0}, "fifteen"),
        ("50.", NUMBER, "en", {"50": -1.0, "Fifteen": -2.0}, "fifteen"),
        ("60", NUMBER, "en", {"Sixty": -1.0, "16": -1.5}, "sixteen"),
        ("Двенадцать", NUMBER, "ru", {"12": -2.0, "Двадцать": -3.0}, "двадцать"),
        ("Три нации.", NUMBER, "ru", {"Три": -6.8, "13": -1.9}, "тринадцать"),
        ("47", LARGE, "ru", {"47": -1.0, "Сорок восемь": -2.0}, "сорок восемь"),
        ("Вторник", DAYS, "ru", {"Вторник": -2.0, "Четверг": -3.0}, "четверг"),
    ],
)
def test_what_is_nearly_as_likely_is_told(
    text: str, schema: Mapping[str, Any], language: str, likely: dict[str, float], other: str
):
    assert rival_of(text, schema, language, **likely) == other
    outcome = parse_answer(
        text, schema, languages=(language,), channel="speech", alternatives=(other,)
    )
    assert isinstance(outcome, Problem)
    said, *_ = likely
    assert rival_of(text, schema, language, **{said: likely[said]}) is None


def test_how_far_apart_they_have_to_be():
    near, far = -1.0 - APART + 0.1, -1.0 - APART - 0.1
    assert rival_of("50", NUMBER, "en", **{"50": -1.0, "15": near}) == "fifteen"
    assert rival_of("50", NUMBER, "en", **{"50": -1.0, "15": far}) is None


@pytest.mark.parametrize(
    ("text", "schema"), [("yes", {"type": "boolean"}), ("4567", LARGE), ("1", {"const": 1})]
)
def test_what_has_no_rival(text: str, schema: Mapping[str, Any]):
    """Yes and no have rules of their own, rows of figures are read back."""
    assert rival_of(text, schema, "en") is None


def test_what_else_was_read_is_weighed_and_not_only_counted():
    """A name that is far likelier than what "5." is the place of; a number far from the four."""
    names = {"Пятница": -2.5}
    days = {"enum": [*DAYS["enum"], "пятница"]}
    assert read("Пятница", days, "ru", ("4.", "4ница"), **names) == ()
    assert read("3", NUMBER, "en", ("90", "hm"), **{"3": -1.0, "90": -2.0}) == ("ninety",)
    assert read("3", NUMBER, "en", ("90", "hm"), **{"3": -1.0}) == ()


def test_where_answers_cannot_be_compared_the_readings_stand():
    ten = {"type": "string", "pattern": r"^\d{4}$"}
    assert read("4567", ten, "en", ("4568",)) == ("4568",)
    assert read("4567", LARGE, "en", ("4568",)) == ("4568",)
    assert read("no", {"type": "boolean"}, "en", ("yes",)) == ("yes",)
