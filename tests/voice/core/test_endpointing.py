"""How much silence ends a turn."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.core.endpointing import Endpointing, Form, Turn, ends_at_ms, form_of, silence_ms

TIMES = Endpointing()


@pytest.mark.parametrize(
    ("schema", "form"),
    [
        ({"type": "boolean"}, Form.CLOSED),
        ({"type": "string", "enum": ["eu", "us"]}, Form.CLOSED),
        ({"type": "integer", "maximum": 10}, Form.CLOSED),
        ({"type": "integer"}, Form.OPEN),
        ({"type": "number", "maximum": 5}, Form.OPEN),
        ({"type": "string", "pattern": r"^\d{10}$"}, Form.COUNTED),
        ({"type": "string", "pattern": "^[0-9]{4}$"}, Form.COUNTED),
        ({"type": "string", "pattern": r"^\d+$", "minLength": 6, "maxLength": 6}, Form.COUNTED),
        ({"type": "string", "pattern": r"^\d{4,12}$"}, Form.OPEN),
        ({"type": "string", "format": "date"}, Form.CLOSED),
        ({"type": "string"}, Form.TALK),
        ({"type": "object", "properties": {}}, Form.TALK),
    ],
)
def test_the_form_of_an_answer(schema, form):
    assert form_of(schema) is form


@pytest.mark.parametrize(
    ("text", "complete", "form", "silence"),
    [
        ("yes", True, Form.CLOSED, 350),
        ("да", True, Form.CLOSED, 350),
        ("to the", False, Form.CLOSED, 1_200),
        ("двадцать", True, Form.OPEN, 1_200),
        ("five five five", False, Form.COUNTED, 1_200),
        ("отмена", False, Form.OPEN, 350),
        ("hold on", False, Form.COUNTED, 350),
        ("book it", False, Form.TALK, 600),
        ("book it and", False, Form.TALK, 1_200),
        ("закажи в", False, Form.TALK, 1_200),
        ("", False, Form.TALK, 700),
    ],
)
def test_silence_after_words(text, complete, form, silence):
    assert silence_ms(Turn(0, 1_000, text, complete), form) == silence


def test_ten_digits_in_groups_are_one_turn_and_end_it_at_once():
    form = form_of({"type": "string", "pattern": r"^\d{10}$"})
    groups = ["five five five", "one two three", "four five", "six seven"]
    said, now = "", 0
    for group in groups[:-1]:
        said, ended = f"{said} {group}".strip(), now + 1_000
        assert ends_at_ms(Turn(0, ended, said), form) > ended + 900
        now = ended + 900
    speaking_still = Turn(0, None, f"{said} {groups[-1]}", complete=True)
    assert ends_at_ms(speaking_still, form) <= now


def test_who_never_stops_speaking_is_cut_into_turns():
    assert ends_at_ms(Turn(500, None, "and then"), Form.TALK) == 30_500
    assert ends_at_ms(Turn(500, 22_499, "and then"), Form.TALK) == 23_099
    assert ends_at_ms(Turn(500, 22_500, "and then"), Form.TALK) == 22_500


TEXTS = st.sampled_from(["", "yes", "да", "and", "five five", "книга и", "стоп", "hold on", "eu"])


TURNS = st.builds(
    Turn,
    began_ms=st.just(0),
    ended_ms=st.none() | st.integers(0, 40_000),
    text=TEXTS,
    complete=st.booleans(),
)
NAMES = st.sampled_from([field.name for field in fields(Endpointing)])


@given(TURNS, st.sampled_from(Form), NAMES, st.integers(0, 5_000))
def test_raising_a_time_never_ends_a_turn_sooner(turn, form, name, more):
    patient = replace(TIMES, **{name: getattr(TIMES, name) + more})
    assert ends_at_ms(turn, form, patient) >= ends_at_ms(turn, form, TIMES)
