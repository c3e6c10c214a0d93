"""Whole-message words: controls, stop and hold words, backchannels, corrections."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core.answers import (
    ControlKind,
    control_word,
    is_backchannel,
    is_hold_word,
    is_member,
    is_presence_check,
    is_resume_word,
    is_stop_word,
    now_text,
    opens_with_correction,
)

CONTROLS = [
    ("Stop!", ControlKind.STOP),
    ("стоп.", ControlKind.STOP),
    ("хватит", ControlKind.STOP),
    ("cancel", ControlKind.CANCEL),
    ("Отмени, пожалуйста", ControlKind.CANCEL),
    ("never mind", ControlKind.CANCEL),
    ("skip this question", ControlKind.SKIP),
    ("пропусти", ControlKind.SKIP),
    ("say it again please", ControlKind.REPEAT),
    ("Could you repeat the question?", ControlKind.REPEAT),
    ("ещё раз", ControlKind.REPEAT),
    ("help", ControlKind.HELP),
    ("помогите", ControlKind.HELP),
    ("СТОЙ", ControlKind.STOP),
]


@pytest.mark.parametrize(("text", "kind"), CONTROLS)
def test_a_control_is_the_whole_message(text: str, kind: ControlKind) -> None:
    assert control_word(text) is kind


@pytest.mark.parametrize("text", ["stop the server", "отмени заказ 5", "", "yes", "helpful", "???"])
def test_a_control_in_a_sentence_is_none(text: str) -> None:
    assert control_word(text) is None


def test_controls_are_those_of_the_languages_given() -> None:
    assert control_word("стоп", ("en",)) is None
    assert control_word("stop", ("ru", "en")) is ControlKind.STOP


@pytest.mark.parametrize("text", ["hold on", "Just a moment.", "секундочку", "Подождите немного"])
def test_a_hold_word_alone_only_waits(text: str) -> None:
    assert is_hold_word(text)
    assert now_text(text) is None
    assert not is_stop_word(text)


@pytest.mark.parametrize(
    "text",
    ["стоп, не туда", "hold on, do url2", "wait! use eu", "стой\nеще файл", "stop – go left"],
)
def test_a_stop_or_hold_word_and_a_mark_open_a_now(text: str) -> None:
    assert now_text(f" {text} ") == text


@pytest.mark.parametrize(
    "text", ["actually us", "ой нет", "стоп", "stop it now", "well, stop", "hello, world", "стоп,"]
)
def test_other_openings_are_no_now(text: str) -> None:
    assert now_text(text) is None


def test_corrections_backchannels_and_presence() -> None:
    assert opens_with_correction("actually us")
    assert opens_with_correction("ой нет, три")
    assert not opens_with_correction("use us")
    assert is_backchannel("Угу, понятно")
    assert is_backchannel("mm-hmm")
    assert not is_backchannel("mm stop")
    assert is_presence_check("Алло?")
    assert is_presence_check("are you still there?")
    assert not is_presence_check("hello world")
    assert is_resume_word("go on")
    assert is_resume_word("Продолжайте.")


def test_a_member_is_the_whole_text_in_any_case() -> None:
    schema = {"type": "string", "enum": ["continue", "stop"]}
    titled = {"oneOf": [{"const": "eu", "title": "Европа"}, {"const": "us", "title": "США"}]}
    assert is_member(" STOP ", schema)
    assert is_member("европа", titled)
    assert is_member("US", titled)
    assert not is_member("stop it", schema)
    assert not is_member("stop", {"type": "string"})
    assert not is_member("stop", {"type": "boolean"})


@given(st.text(max_size=500))
def test_any_text_is_looked_at(text: str) -> None:
    control_word(text)
    now_text(text)
    opens_with_correction(text)
    is_backchannel(text)
    is_presence_check(text)
    is_member(text, {"enum": ["a", 1, None, True]})


@pytest.mark.parametrize("text", ["wait in line", "wait 0", "hold on to it", "подожди пять минут"])
def test_a_hold_word_without_a_mark_corrects_nothing(text):
    assert not opens_with_correction(text)
    assert now_text(text) is None
