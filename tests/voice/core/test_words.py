"""What a caller's words are for the floor, in both languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core.answers import (
    is_backchannel,
    is_hold_word,
    is_presence_check,
    is_resume_word,
    is_stop_word,
)
from gateway.core.answers.lexicons import TALK
from voice.core.words import (
    Kind,
    PlayedWord,
    Reading,
    SpokenWord,
    near_our_yes,
    read,
    without_echo,
)


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("", Reading()),
        ("[unk]", Reading()),
        ("Uh-huh.", Reading(Kind.BACKCHANNEL)),
        ("угу, понятно", Reading(Kind.BACKCHANNEL)),
        ("Ha.", Reading(Kind.BACKCHANNEL)),
        ("ха-ха", Reading(Kind.BACKCHANNEL)),
        ("Stop!", Reading(Kind.STOP)),
        ("okay stop", Reading(Kind.STOP)),
        ("ну всё хватит", Reading(Kind.STOP)),
        ("wait stop", Reading(Kind.STOP)),
        ("стоп, не туда", Reading(Kind.WORDS, 3)),
        ("hold on", Reading(Kind.HOLD)),
        ("угу подожди", Reading(Kind.HOLD)),
        ("Минуточку", Reading(Kind.HOLD)),
        ("go on", Reading(Kind.RESUME)),
        ("да продолжай", Reading(Kind.RESUME)),
        ("okay, you can go on", Reading(Kind.RESUME)),
        ("we may continue", Reading(Kind.RESUME)),
        ("можно продолжать", Reading(Kind.RESUME)),
        ("ладно, можно дальше", Reading(Kind.RESUME)),
        ("можно", Reading(Kind.WORDS, 1)),
        ("let's go", Reading(Kind.WORDS, 2)),
        ("Really?", Reading(Kind.BACKCHANNEL)),
        ("правда?", Reading(Kind.BACKCHANNEL)),
        ("алло?", Reading(Kind.PRESENCE)),
        ("да алло", Reading(Kind.PRESENCE)),
        ("Monday", Reading(Kind.WORDS, 1)),
        ("wait Monday", Reading(Kind.WORDS, 1)),
        ("да, в понедельник", Reading(Kind.WORDS, 2)),
        ("book it [unk]", Reading(Kind.WORDS, 2)),
    ],
)
def test_reading(text, reading):
    assert read(text) == reading


@pytest.mark.parametrize("languages", [("en",), ("ru",)])
def test_the_floor_and_the_router_know_the_same_words(languages):
    talk = TALK[languages[0]]
    for phrases, kind, knows in (
        (talk.controls["stop"], Kind.STOP, is_stop_word),
        (talk.hold, Kind.HOLD, is_hold_word),
        (talk.resume, Kind.RESUME, is_resume_word),
        (talk.backchannels, Kind.BACKCHANNEL, is_backchannel),
        (talk.presence, Kind.PRESENCE, is_presence_check),
    ):
        for phrase in phrases:
            assert knows(phrase, languages)
            assert read(phrase).kind is kind, phrase


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    reading = read(text)
    assert (reading.kind is Kind.WORDS) == (reading.content > 0)


def spoken(text, start=None, gap=300):
    return tuple(
        SpokenWord(word, None if start is None else start + gap * at)
        for at, word in enumerate(text.split())
    )


PLAYED = tuple(
    PlayedWord(word, 1_000 + 300 * at, 1_300 + 300 * at)
    for at, word in enumerate(["move", "them", "to", "eu", "or", "us"])
)


@pytest.mark.parametrize(
    ("words", "asking", "left"),
    [
        (spoken("eu or", 2_050), False, ""),
        (spoken("Eu, or?", 2_050), False, ""),
        (spoken("eu", 2_500), False, "eu"),
        (spoken("eu now", 2_050), False, "now"),
        (spoken("eu", 2_050), True, "eu"),
        (spoken("eu or us", 2_050), True, ""),
        (spoken("us or eu", 2_050), True, "us or eu"),
        (spoken("eu or", 2_050, gap=700), True, "eu or"),
        (spoken("eu or"), False, ""),
        (spoken("eu or us"), True, ""),
        (spoken("us"), True, "us"),
    ],
)
def test_echo(words, asking, left):
    kept = without_echo(words, PLAYED, (2_000, 2_600), asking=asking)
    assert " ".join(word.text for word in kept) == left


@given(st.integers(0, 5_000), st.integers(0, 5_000))
def test_a_word_before_ours_is_never_its_echo(start, later):
    ours = (PlayedWord("eu", start + 1 + later, start + 300 + later),)
    assert without_echo(spoken("eu", start), ours, (start, start), asking=False)


def test_a_yes_of_ours_reaches_600_ms():
    yes = (PlayedWord("да", 1_000, 1_200), PlayedWord("servers", 2_000, 2_300))
    assert near_our_yes(1_799, 1_799, yes)
    assert not near_our_yes(1_801, 1_801, yes)
    assert near_our_yes(1_700, 2_500, yes)
    assert not near_our_yes(900, 999, yes)
