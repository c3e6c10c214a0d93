import numpy as np
import pytest

from voice.core.words import SpokenWord
from voice.engines.whisper_gate import Evidence, placed, said, voiced_ms, without_loops

SURE = Evidence(no_speech=0.02, log_probability=-0.2)
WEAK = Evidence(no_speech=0.3, log_probability=-0.9)


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "Thank you."), ("en", "Yes."), ("en", "25."), ("ru", "Спасибо."), ("ru", "Да!")],
)
def test_what_was_said_clearly_is_kept(language: str, text: str):
    assert said(text, language, SURE) == text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Thanks for watching!"),
        ("en", "Subtitles by the Amara.org community"),
        ("ru", "Редактор субтитров А.Синецкая Корректор А.Егорова"),
        ("ru", "Субтитры сделал DimaTorzok"),
        ("ru", "Продолжение следует..."),
        ("ru", "ТРЕВОЖНАЯ МУЗЫКА"),
        ("ru", "ВЫСТРЕЛ"),
        ("en", "[Music]"),
        ("en", "(coughs) ♪♪"),
        ("en", "..."),
        ("en", ""),
    ],
)
def test_what_nobody_says_is_dropped_however_sure_it_is(language: str, text: str):
    assert said(text, language, SURE) == ""


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "Thank you."), ("en", " you"), ("ru", "Спасибо."), ("ru", "Пока!")],
)
def test_a_phrase_that_is_often_invented_needs_evidence(language: str, text: str):
    assert said(text, language, WEAK) == ""


def test_other_words_with_weak_evidence_are_kept():
    assert said("Stop.", "en", WEAK) == "Stop."
    assert said("Да.", "ru", WEAK) == "Да."
    assert said("OK", "en", WEAK) == "OK"


@pytest.mark.parametrize(
    "evidence", [Evidence(0.62, -0.3), Evidence(0.1, -2.6), Evidence(0.5, -1.6)]
)
def test_where_nobody_spoke_nothing_was_said(evidence: Evidence):
    assert said("Delete the servers.", "en", evidence) == ""


def test_directions_go_and_words_stay():
    assert said("[sighs] Yes, please. ♪", "en", SURE) == "Yes, please."


@pytest.mark.parametrize(
    ("text", "expected", "looped"),
    [
        ("yes yes", "yes yes", False),
        ("no, no, no", "no, no, no", False),
        ("День, день, день, день, день, день,", "День,", True),
        ("call the shop and the bank and the bank and the bank and the bank", None, True),
        ("5 5 5 5 1 2", "5 5 5 5 1 2", False),
        ("five five five five one", "five five five five one", False),
        ("пять пять пять пять", "пять пять пять пять", False),
        ("", "", False),
    ],
)
def test_loops_are_said_once_and_numbers_in_full(text: str, expected: str | None, looped: bool):
    words, found = without_loops(text.split())
    assert " ".join(words) == (expected if expected is not None else "call the shop and the bank")
    assert found is looped


def test_words_share_the_voiced_part_by_their_letters():
    assert placed(("No,", "not", "Monday"), (200, 1_700)) == (
        SpokenWord("No,", 200),
        SpokenWord("not", 200 + 1_500 * 4 // 15),
        SpokenWord("Monday", 200 + 1_500 * 8 // 15),
    )
    assert placed((), (0, 100)) == ()


def test_the_voiced_part_of_a_sound():
    sound = np.zeros(16_000, dtype=np.float32)
    assert voiced_ms(sound, 16_000) is None
    assert voiced_ms(sound[:10], 16_000) is None
    sound[4_800:8_000] = 0.2
    assert voiced_ms(sound, 16_000) == (300, 500)
    assert voiced_ms(sound * np.float32(1e-3), 16_000) is None
