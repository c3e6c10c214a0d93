"""What a failed run and a mistyped command say, in words a person can act on."""

import pytest

from gateway.channels.notices import notice_text
from gateway.entering import command_of
from gateway.ports.rows import InputKind, NewInput


@pytest.mark.parametrize(
    ("error", "en", "ru"),
    [
        ("MODEL_AUTH", "does not accept this server's key", "не принимает ключ"),
        ("MODEL_UNAVAILABLE", "can't be reached", "недоступна"),
        ("MODEL_CONTEXT_TOO_LONG", "too long for the model", "слишком длинным"),
    ],
)
def test_a_failure_of_the_model_is_told_in_words(error, en, ru):
    params = {"error": error, "errorId": "ab12cd34"}
    assert en in notice_text("RUN_FAILED", params, "en")
    assert ru in notice_text("RUN_FAILED", params, "ru")


def test_any_other_failure_names_its_code_and_id():
    said = notice_text("RUN_FAILED", {"error": "CRASHED", "errorId": "ab12cd34"}, "en")
    assert "CRASHED" in said
    assert "ab12cd34" in said


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("/stpo", InputKind.COMMAND),
        ("/помошь", InputKind.COMMAND),
        ("/stop", InputKind.STOP),
        ("/tmp is full, clean it", InputKind.TEXT),
        ("/usr/bin/env", InputKind.TEXT),
        ("1/2", InputKind.TEXT),
    ],
)
def test_a_slash_and_one_word_is_no_message(text, kind):
    said = NewInput(dedup="a", thread="t", channel="local", principal="ann", text=text)
    assert command_of(said).kind is kind
