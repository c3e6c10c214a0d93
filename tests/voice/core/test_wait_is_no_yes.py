"""A caller who asked to wait and then lets the voice go on has allowed nothing."""

import pytest

from tests.voice.core.calls import Call, words
from voice.core import events as e
from voice.core.vad import VoiceEnded, VoiceStarted

YES = {"final": True, "answers": True, "consent": True}
WORDS = pytest.mark.parametrize(
    ("wait", "go_on"), [("wait", "go on"), ("секунду", "продолжай")], ids=["en", "ru"]
)


def asked():
    """An approval that was heard to its end."""
    call = Call().playing().asking(500, approval=True).at(1_000, e.QuestionHeard("q", 1_000))
    return call.at(1_100, e.PlayEnded(1, "q"))


def taken(call):
    return [line for line in call.stream if " take " in line]


@WORDS
def test_though_the_last_words_of_the_wait_come_after_the_go_on_began(wait, go_on):
    call = asked().voice(1_200, 1_600).at(2_300, e.TurnEnded(1)).at(2_464, VoiceStarted(2_400))
    call.at(2_600, words(1, wait, final=True)).at(2_900, VoiceEnded(2_800))
    call.at(3_500, words(2, go_on, **YES))
    assert call.stream[-2:] == [
        f" 3500 drop 2: resume “{go_on}”",
        f" 3500 ask q again: backchannel “{go_on}”",
    ]


@WORDS
def test_though_it_is_one_utterance_and_its_last_words_are_the_go_on_alone(wait, go_on):
    call = asked().voice(1_200, 1_600).said(1_900, wait, paused=True)
    call.at(2_000, VoiceStarted(1_950)).at(2_500, VoiceEnded(2_400)).said(3_000, go_on, **YES)
    assert not taken(call)


@pytest.mark.parametrize(
    "go_on", ["go on please", "so go on", "go on then", "продолжай пожалуйста", "так продолжайте"]
)
def test_though_it_is_put_politely(go_on):
    call = asked().voice(1_200, 1_600).said(1_900, "wait", final=True)
    assert not taken(call.voice(3_000, 3_500).said(4_000, go_on, **YES))


@pytest.mark.parametrize(
    "go_on",
    [
        *("you can go on", "okay, go on", "we may continue", "okay, let's go", "go for it"),
        *("okay, all good", "good to go", "ok, now", "go right ahead", "press on"),
        *("можно продолжать", "можешь продолжать", "ладно, продолжай", "спасибо, можно продолжать"),
        *("давай", "так, давай", "можно", "да, можно", "готов", "поехали", "ну давайте", "вперёд"),
        *("okay", "ok then", "alright", "fine", "ладно", "хорошо", "ну ладно", "окей"),
    ],
)
def test_whatever_says_that_the_wait_is_over_is_no_yes(go_on):
    call = asked().voice(1_200, 1_600).said(1_900, "wait", final=True)
    assert not taken(call.voice(3_000, 3_500).said(4_000, go_on, **YES))


@WORDS
def test_though_something_else_was_said_to_its_end_meanwhile(wait, go_on):
    call = asked().voice(1_200, 1_600).said(1_900, wait, final=True)
    call.at(8_500, e.PlayStarted(2)).at(9_500, e.PlayEnded(2))
    assert not taken(call.voice(10_000, 10_400).said(10_800, go_on, **YES))


@WORDS
def test_once_the_question_was_heard_to_its_end_it_is_a_yes(wait, go_on):
    call = Call().playing().asking(500, approval=True).voice(600, 900).said(1_000, wait, final=True)
    call.at(8_000, e.QuestionHeard("q", 8_000)).at(9_000, e.PlayEnded(1, "q"))
    call.voice(10_000, 10_400).said(10_800, go_on, **YES)
    assert len(taken(call)) == 1


@pytest.mark.parametrize("said", ["yes", "да", "i approve", "одобряю", "да, согласен"])
def test_a_plain_yes_allows_all_the_same(said):
    call = asked().voice(1_200, 1_600).said(1_900, "wait", final=True)
    assert len(taken(call.voice(3_000, 3_500).said(4_000, said, **YES))) == 1
