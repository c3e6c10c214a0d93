"""Each line of the policy as a stream of what comes out, in both languages.

Numbers in the streams are milliseconds.
"""

import re

import pytest
from inline_snapshot import snapshot

from tests.voice.core.calls import Call, words
from voice.core import events as e
from voice.core.vad import VoiceEnded, VoiceStarted


def both(english, russian):
    """The same golden stream in both languages: a line that differs names its words itself."""
    return pytest.mark.parametrize("said", [english, russian], ids=["en", "ru"])


def hidden(call, *said, **named):
    """The stream with what was said named, so that it is the same in every language."""
    names = dict.fromkeys(said, "…") | {text: name for name, text in named.items()}
    return [re.sub("“(.*?)”", lambda m: f"“{names.get(m[1], m[1])}”", line) for line in call.stream]


def test_line_1_and_3_noise_ducks_holds_and_goes_on():
    call = Call().playing().voice(1_000, 1_300).at(6_000)
    assert call.stream == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1400 sound held",
            " 1980 sound ducked",
            " 2000 sound plain",
            " 5800 drop 1: noise",
        ]
    )


def test_line_1_a_click_is_quieter_for_a_blink():
    call = Call().playing().voice(1_000, 1_080).at(6_000)
    assert call.stream == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1176 sound plain",
            " 5580 drop 1: noise",
        ]
    )


def test_line_1_a_click_makes_nobody_wary():
    call = Call().playing().at(1_032, VoiceStarted(1_000)).at(1_128, VoiceEnded(1_032))
    call.at(8_000, VoiceStarted(7_968)).at(8_200)
    assert call.stream == snapshot(
        [
            " 1032 listen 1 from 1000",
            " 1100 sound ducked",
            " 1128 sound plain",
            " 5532 drop 1: noise",
            " 8000 listen 2 from 7968",
            " 8068 sound ducked",
        ]
    )


def test_line_1_a_voice_without_words_goes_on_quieter_once_the_hold_is_over():
    call = Call().playing().at(1_064, VoiceStarted(1_000)).at(3_000)
    assert call.stream == snapshot(
        [" 1064 listen 1 from 1000", " 1100 sound ducked", " 1400 sound held", " 1980 sound ducked"]
    )


@both("stop", "стоп")
def test_line_2_a_stop_word_stops(said):
    call = Call().playing().voice(1_000, 1_400).said(1_600, said).said(2_000, said, final=True)
    assert hidden(call, said) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1400 sound held",
            " 1600 stop 1: stop word",
            " 2000 take 1 “…” of 1000",
        ]
    )


@both("wait", "подожди")
def test_line_2_hold_words_pause_until_silence_is_long(said):
    call = Call().playing().voice(1_000, 1_400).said(1_600, said).said(2_000, said, final=True)
    call.at(20_000)
    assert hidden(call, said) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1400 sound held",
            " 2000 drop 1: hold “…”",
            " 8000 sound plain",
        ]
    )


@pytest.mark.parametrize(
    ("wait", "go_on"), [("hold on", "go on"), ("секунду", "продолжай")], ids=["en", "ru"]
)
def test_line_2_hold_words_pause_until_the_caller_says_so(wait, go_on):
    call = Call().playing().voice(1_000, 1_400).said(2_000, wait, final=True)
    call.voice(4_000, 4_500).said(5_000, go_on, final=True).at(20_000)
    assert hidden(call, wait, go_on) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1400 sound held",
            " 1980 sound ducked",
            " 2000 drop 1: hold “…”",
            " 2000 sound held",
            " 4064 listen 2 from 4000",
            " 5000 drop 2: resume “…”",
            " 5000 sound plain",
        ]
    )


@pytest.mark.parametrize(
    ("wait", "more"), [("wait", "wait do url2"), ("подожди", "подожди не туда")], ids=["en", "ru"]
)
def test_line_2_hold_words_and_more_stop(wait, more):
    call = Call().playing().voice(1_000, 2_000).said(2_050, wait).said(2_200, more)
    call.said(2_600, more, final=True)
    assert hidden(call, more) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1400 sound held",
            " 1980 sound ducked",
            " 2050 sound held",
            " 2200 stop 1: words",
            " 2600 take 1 “…” of 1000",
        ]
    )


@both("uh-huh", "угу")
def test_line_2_backchannels_are_talked_through(said):
    call = Call().playing().voice(1_000, 1_300).said(1_700, said).said(2_000, said, final=True)
    call.at(9_000)
    assert hidden(call, said) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1400 sound held",
            " 1700 sound plain",
            " 2000 drop 1: backchannel “…”",
        ]
    )


@pytest.mark.parametrize(
    ("hum", "more"), [("okay", "book it"), ("хорошо", "закажи билет")], ids=["en", "ru"]
)
def test_line_2_a_backchannel_is_no_part_of_the_next_input(hum, more):
    call = Call().playing().voice(1_000, 1_300).said(1_700, hum, final=True)
    call.voice(3_000, 3_500).said(3_700, more).said(4_000, more, final=True)
    assert hidden(call, more, hum=hum) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1400 sound held",
            " 1700 drop 1: backchannel “hum”",
            " 1700 sound plain",
            " 3064 listen 2 from 3000",
            " 3100 sound ducked",
            " 3400 sound held",
            " 3700 stop 1: words",
            " 4000 take 2 “…” of 3000",
        ]
    )


@both("not Monday", "не понедельник")
def test_line_2_two_content_words_stop(said):
    call = Call().playing().voice(1_000, 1_600).said(1_650, said).said(2_100, said, final=True)
    assert hidden(call, said) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1400 sound held",
            " 1650 stop 1: words",
            " 2100 take 1 “…” of 1000",
        ]
    )


@both("Monday", "понедельник")
def test_line_2_one_word_stops_once_voiced_for_900_ms(said):
    call = Call().playing().at(1_064, VoiceStarted(1_000)).said(1_500, said).at(2_500)
    assert hidden(call, said) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1400 sound held",
            " 1900 stop 1: voiced",
        ]
    )


@both("Monday", "понедельник")
def test_line_2_one_short_word_is_an_input_all_the_same(said):
    call = Call().playing().voice(1_000, 1_400).said(1_700, said).said(2_100, said, final=True)
    assert hidden(call, said) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1400 sound held",
            " 2100 stop 1: said",
            " 2100 take 1 “…” of 1000",
        ]
    )


@both("Paris", "Париж")
def test_line_2_one_word_stops_once_the_voice_has_paused_behind_it(said):
    call = Call().playing().at(1_064, VoiceStarted(1_000)).said(1_300, said)
    call.at(1_496, VoiceEnded(1_400)).said(1_700, said, paused=True).said(2_100, said, final=True)
    assert hidden(call, said) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1400 sound held",
            " 1700 stop 1: said",
            " 2100 take 1 “…” of 1000",
        ]
    )


@both("Paris", "Париж")
def test_line_2_a_voice_that_goes_on_behind_its_pause_is_waited_for(said):
    call = Call().playing().at(1_064, VoiceStarted(1_000)).at(1_496, VoiceEnded(1_400))
    call.at(1_600, VoiceStarted(1_550)).said(1_700, said, paused=True)
    assert hidden(call, said) == snapshot(
        [" 1064 listen 1 from 1000", " 1100 sound ducked", " 1400 sound held"]
    )


@both("Paris", "Париж")
def test_line_4_a_pause_behind_one_word_settles_no_question(said):
    call = Call().playing().asking(500).voice(1_200, 1_400).said(1_700, said, paused=True)
    assert hidden(call, said) == snapshot(
        [" 1264 listen 1 from 1200", " 1300 sound ducked", " 1600 sound held"]
    )


@pytest.mark.parametrize(("wait", "go_on"), [("wait", "go on"), ("секунду", "продолжай")])
def test_line_2_what_lets_the_prompt_go_on_is_no_yes_though_the_prompt_ends_meanwhile(wait, go_on):
    call = Call().playing().asking(500, approval=True).at(1_000, e.QuestionHeard("q", 1_000))
    call.voice(1_200, 1_600).said(2_000, wait, final=True)
    call.voice(4_000, 4_300).said(4_500, go_on).at(4_600, e.PlayEnded(1))
    call.said(4_900, go_on, final=True, answers=True, consent=True)
    assert hidden(call, wait, go_on) == snapshot(
        [
            " 1264 listen 1 from 1200",
            " 1300 sound ducked",
            " 1600 sound held",
            " 2000 drop 1: hold “…”",
            " 4064 listen 2 from 4000",
            " 4500 sound plain",
            " 4900 drop 2: resume “…”",
            " 4900 ask q again: backchannel “…”",
        ]
    )


@both("yes", "да")
def test_line_4_a_word_answers_a_question_that_was_heard(said):
    call = Call().playing().asking(500).at(1_000, e.QuestionHeard("q", 1_000))
    call.voice(1_200, 1_400).said(1_600, said).said(1_800, said, final=True, answers=True)
    assert hidden(call, said) == snapshot(
        [
            " 1264 listen 1 from 1200",
            " 1300 sound ducked",
            " 1600 sound plain",
            " 1800 stop 1: answer",
            " 1800 take 1 “…” of 1200 for q",
        ]
    )


@both("yes", "да")
def test_line_4_said_before_it_is_kept_and_asked_again_when_the_prompt_is_over(said):
    call = Call().playing().asking(500)
    call.voice(1_200, 1_400).said(1_800, said, final=True, answers=True)
    call.at(3_000, e.QuestionHeard("q", 2_900)).at(3_400, e.PlayEnded(1)).at(9_000)
    assert hidden(call, said) == snapshot(
        [
            " 1264 listen 1 from 1200",
            " 1300 sound ducked",
            " 1600 sound held",
            " 1800 drop 1: early “…”",
            " 1800 sound plain",
            " 3400 ask q again: early “…”",
        ]
    )


@both("yes do it", "да сделай это")
def test_line_4_a_sentence_before_stops_the_prompt_and_is_asked_again(said):
    call = Call().playing().asking(500)
    call.voice(1_200, 2_000).said(2_050, said).said(2_400, said, final=True, answers=True)
    assert hidden(call, said) == snapshot(
        [
            " 1264 listen 1 from 1200",
            " 1300 sound ducked",
            " 1600 sound held",
            " 2050 stop 1: words",
            " 2400 drop 1: early “…”",
            " 2400 ask q again: early “…”",
        ]
    )


@both("eu", "европа")
def test_line_4_nothing_plays_and_the_answer_is_taken(said):
    call = Call().asking(500).at(1_000, e.QuestionHeard("q", 1_000))
    call.voice(2_000, 2_300).said(2_700, said, final=True, answers=True)
    assert hidden(call, said) == snapshot(
        [" 2064 listen 1 from 2000", " 2700 take 1 “…” of 2000 for q"]
    )


@both("what do you mean", "что это значит")
def test_race_11_words_that_are_no_answer_stop_the_sound_and_go_to_the_question(said):
    call = Call().playing().asking(500).at(1_000, e.QuestionHeard("q", 1_000))
    call.voice(1_200, 2_200).said(2_300, said).said(2_600, said, final=True)
    assert hidden(call, said) == snapshot(
        [
            " 1264 listen 1 from 1200",
            " 1300 sound ducked",
            " 1600 sound held",
            " 2180 sound ducked",
            " 2300 stop 1: words",
            " 2600 take 1 “…” of 1200 for q",
        ]
    )
    assert call.floor.question is not None


@both("two", "два")
def test_line_5_keys_beat_speech(said):
    call = Call().playing().asking(500).at(1_000, e.QuestionHeard("q", 1_000))
    call.at(1_150, e.KeyPressed()).voice(1_200, 1_500)
    call.said(1_900, said, final=True, answers=True)
    assert hidden(call, said) == snapshot(
        [" 1150 stop 1: key", " 1264 listen 1 from 1200", " 1900 drop 1: keys “…”"]
    )


@both("stop", "стоп")
def test_line_5_a_stop_word_is_heard_all_the_same(said):
    call = Call().asking(500).at(1_000, e.QuestionHeard("q", 1_000), e.KeyPressed())
    call.voice(2_000, 2_300).said(2_700, said, final=True)
    assert hidden(call, said) == snapshot(
        [" 2064 listen 1 from 2000", " 2700 take 1 “…” of 2000 for q"]
    )


@both("two", "два")
def test_line_5_after_the_keys_speech_answers_again(said):
    call = Call().asking(500).at(1_000, e.QuestionHeard("q", 1_000), e.KeyPressed())
    call.voice(7_000, 7_300).said(7_700, said, final=True, answers=True)
    assert hidden(call, said) == snapshot(
        [" 7064 listen 1 from 7000", " 7700 take 1 “…” of 7000 for q"]
    )


def test_line_5_a_key_without_a_question_is_not_for_the_floor():
    assert Call().playing().at(1_000, e.KeyPressed()).stream == []


def played(call, text, start):
    """Our own words, 300 ms each."""
    for at, word in enumerate(text.split()):
        begins = start + 300 * at
        call.at(begins, e.WordPlayed(call.floor.generation, word, begins, begins + 300))
    return call


@both("three servers are idle", "три сервера сейчас простаивают")
def test_line_6_our_own_words_come_back_and_duck_once(said):
    call = played(Call().playing(), said, 1_000)
    call.at(2_000, VoiceStarted(1_900)).at(2_200, words(1, said, start=1_250))
    call.at(2_300, VoiceEnded(2_250)).at(2_700, words(1, said, start=1_250, final=True))
    played(call, said, 4_000).voice(5_100, 5_600).at(9_000)
    assert hidden(call, said) == snapshot(
        [
            " 2000 listen 1 from 1900",
            " 2000 sound ducked",
            " 2200 sound plain",
            " 2700 drop 1: echo",
            " 5164 listen 2 from 5100",
        ]
    )


@both("three servers are idle", "три сервера сейчас простаивают")
def test_line_6_the_same_words_later_are_no_echo(said):
    call = played(Call().playing(), said, 1_000)
    call.voice(3_000, 4_200).at(4_400, words(1, said, start=3_000))
    call.at(4_700, words(1, said, start=3_000, final=True))
    assert hidden(call, said) == snapshot(
        [
            " 3064 listen 1 from 3000",
            " 3100 sound ducked",
            " 3400 sound held",
            " 3980 sound ducked",
            " 4400 stop 1: words",
            " 4700 take 1 “…” of 3000",
        ]
    )


@pytest.mark.parametrize(("prompt", "said"), [("eu or us", "us"), ("европа или азия", "азия")])
def test_race_12_the_answer_may_be_a_word_just_spoken(prompt, said):
    call = played(Call().playing().asking(500), prompt, 1_000)
    call.at(1_610, e.QuestionHeard("q", 1_600)).at(1_900, e.PlayEnded(1))
    call.voice(2_000, 2_300).at(2_700, words(1, said, start=2_000, final=True, answers=True))
    assert hidden(call, said) == snapshot(
        [" 2064 listen 1 from 2000", " 2700 take 1 “…” of 2000 for q"]
    )


@pytest.mark.parametrize("prompt", ["eu or us", "европа или азия"])
def test_line_6_a_prompt_that_comes_back_is_no_answer_and_does_not_stop_itself(prompt):
    call = played(Call().playing().asking(500), prompt, 1_000)
    call.at(1_950, VoiceStarted(1_250)).at(2_000, words(1, prompt, start=1_250))
    call.at(2_300, VoiceEnded(2_150)).at(2_700, words(1, prompt, start=1_250, final=True))
    assert call.stream == snapshot(
        [" 1950 listen 1 from 1250", " 1950 sound held", " 2000 sound plain", " 2700 drop 1: echo"]
    )


@pytest.mark.parametrize(
    ("prompt", "said"), [("yes or no", "yes"), ("да или нет", "да")], ids=["en", "ru"]
)
@pytest.mark.parametrize("times", [True, False], ids=["times", "no times"])
def test_line_6_an_approval_takes_no_yes_near_ours(prompt, said, times):
    call = played(Call().playing().asking(500, approval=True), prompt, 1_000)
    call.at(1_610, e.QuestionHeard("q", 1_600)).voice(1_750, 2_000)
    start = 1_750 if times else None
    call.at(2_400, words(1, said, start=start, final=True, answers=True, consent=True))
    assert hidden(call, said) == snapshot(
        [
            " 1814 listen 1 from 1750",
            " 1850 sound ducked",
            " 2150 sound held",
            " 2400 stop 1: answer",
            " 2400 drop 1: near our yes “…”",
            " 2400 ask q again: near our yes “…”",
        ]
    )


@pytest.mark.parametrize(
    ("prompt", "said"), [("yes or no", "yes"), ("да или нет", "да")], ids=["en", "ru"]
)
def test_line_6_an_approval_takes_a_yes_later(prompt, said):
    call = played(Call().playing().asking(500, approval=True), prompt, 1_000)
    call.at(1_610, e.QuestionHeard("q", 1_600)).at(1_900, e.PlayEnded(1)).voice(1_950, 2_200)
    call.at(2_600, words(1, said, start=1_950, final=True, answers=True, consent=True))
    assert hidden(call, said) == snapshot(
        [" 2014 listen 1 from 1950", " 2600 take 1 “…” of 1950 for q"]
    )


@pytest.mark.parametrize(
    ("prompt", "said"), [("yes or no", "no"), ("да или нет", "нет")], ids=["en", "ru"]
)
def test_line_6_an_approval_takes_a_no_at_any_time(prompt, said):
    call = played(Call().playing().asking(500, approval=True), prompt, 1_000)
    call.at(1_610, e.QuestionHeard("q", 1_600)).voice(1_700, 1_950)
    call.at(2_400, words(1, said, start=1_700, final=True, answers=True))
    assert hidden(call, said) == snapshot(
        [
            " 1764 listen 1 from 1700",
            " 1800 sound ducked",
            " 2100 sound held",
            " 2400 stop 1: answer",
            " 2400 take 1 “…” of 1700 for q",
        ]
    )


@both("hello", "алло")
def test_line_7_a_presence_check_is_answered_and_stops_nothing(said):
    call = Call().at(0, e.RunChanged(running=True)).voice(1_000, 1_400)
    call.said(1_800, said, final=True)
    assert hidden(call, said) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1800 drop 1: presence “…”",
            " 1800 say what is going on: presence",
        ]
    )


@both("uh-huh", "угу")
def test_line_7_a_backchannel_while_the_agent_thinks(said):
    call = Call().at(0, e.RunChanged(running=True)).voice(1_000, 1_400)
    call.said(1_800, said, final=True)
    assert hidden(call, said) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1800 drop 1: backchannel “…”",
            " 1800 say what is going on: backchannel",
        ]
    )


@both("hello", "алло")
def test_line_7_a_presence_check_with_a_question_open_is_answered_by_the_question(said):
    call = Call().asking(500).at(1_000, e.QuestionHeard("q", 1_000)).voice(2_000, 2_400)
    call.said(2_800, said, final=True)
    assert hidden(call, said) == snapshot(
        [
            " 2064 listen 1 from 2000",
            " 2800 drop 1: presence “…”",
            " 2800 ask q again: presence “…”",
        ]
    )


@both("is it cheaper", "а дешевле есть")
def test_race_14_a_sentence_while_the_agent_thinks_is_an_input(said):
    call = Call().at(0, e.RunChanged(running=True)).voice(1_000, 2_000)
    call.said(1_900, said).said(2_600, said, final=True)
    assert hidden(call, said) == snapshot([" 1064 listen 1 from 1000", " 2600 take 1 “…” of 1000"])


@both("is it cheaper", "а дешевле есть")
def test_speech_that_starts_while_the_caller_speaks_is_held_at_once(said):
    call = Call().at(0, e.RunChanged(running=True)).at(1_064, VoiceStarted(1_000))
    call.playing(1_400).at(2_000, VoiceEnded(1_900)).said(2_500, said, final=True)
    assert hidden(call, said) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1400 sound held",
            " 2500 stop 1: words",
            " 2500 take 1 “…” of 1000",
        ]
    )


@both("yes", "да")
def test_a_yes_to_what_was_said_is_an_input_when_nothing_works(said):
    call = Call().playing().at(500, e.PlayEnded(1)).voice(1_000, 1_300)
    call.said(1_700, said, final=True)
    assert hidden(call, said) == snapshot([" 1064 listen 1 from 1000", " 1700 take 1 “…” of 1000"])


@both("cancel that order", "отмени этот заказ")
def test_line_8_each_stop_raises_the_generation_and_what_is_late_changes_nothing(said):
    call = Call().playing().voice(1_000, 1_900).said(1_950, said)
    assert call.floor.generation == 2
    before = call.floor
    for late in (e.PlayStarted(1), e.PlayEnded(1), e.WordPlayed(1, "late", 1_900, 2_000)):
        assert call.at(2_000, late).floor == before
    call.said(2_400, said, final=True).playing(3_000).at(3_100, e.CutRequested())
    assert hidden(call, said) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1400 sound held",
            " 1980 sound ducked",
            " 1950 stop 1: words",
            " 2400 take 1 “…” of 1000",
            " 3100 stop 2: cut",
        ]
    )


def test_line_8_the_late_end_of_a_generation_ends_no_later_one():
    call = Call().playing().voice(1_000, 1_300).said(1_500, "stop", final=True).playing(2_000)
    first = call.floor.generation - 1
    call.at(2_100, e.PlayEnded(first))
    assert call.floor.playing
    call.at(2_200, e.PlayEnded(first + 1))
    assert not call.floor.playing


def test_a_cut_ends_a_generation_whose_sound_has_not_begun():
    call = Call().at(100, e.CutRequested()).at(200, e.PlayStarted(1))
    assert call.stream == snapshot(["  100 stop 1: cut"])
    assert not call.floor.playing


@pytest.mark.parametrize("late_ms", [0, 700, 1_500, 2_900])
@both("book it", "закажи билет")
def test_a_late_final_is_one_input(said, late_ms):
    call = Call().playing().voice(1_000, 1_500).at(1_900, e.TurnEnded(1))
    call.at(1_901 + late_ms, words(1, said, final=True)).at(9_000)
    assert [line[6:] for line in call.stream if "take" in line or "stop" in line] == [
        "stop 1: words",
        f"take 1 “{said}” of 1000",
    ]


@both("book it", "закажи билет")
def test_a_final_that_never_comes_is_made_of_what_was_heard(said):
    call = Call().voice(1_000, 1_500).said(1_600, said).at(1_900, e.TurnEnded(1)).at(9_000)
    call.at(9_001, words(1, said, final=True))
    assert hidden(call, said) == snapshot([" 1064 listen 1 from 1000", " 6000 take 1 “…” of 1000"])


@both("yes", "да")
def test_a_final_that_never_comes_decides_no_question(said):
    call = Call().asking(500, approval=True).at(1_000, e.QuestionHeard("q", 1_000))
    call.voice(2_000, 2_300).said(2_400, said, answers=True, consent=True).at(9_000)
    assert hidden(call, said) == snapshot(
        [" 2064 listen 1 from 2000", " 6800 drop 1: unclear “…”", " 6800 ask q again: unclear “…”"]
    )


@both("book it", "закажи билет")
def test_a_final_that_takes_back_what_stopped_the_speech_is_told(said):
    call = Call().playing().voice(1_000, 1_500).said(1_600, said).said(2_000, "", final=True)
    assert hidden(call, said) == snapshot(
        [
            " 1064 listen 1 from 1000",
            " 1100 sound ducked",
            " 1400 sound held",
            " 1600 stop 1: words",
            " 2000 drop 1: unclear",
            " 2000 say that one listens: unclear",
        ]
    )


def test_silence_asks_again_twice_and_then_says_that_the_question_stays():
    call = Call().playing().asking(500).at(1_000, e.QuestionHeard("q", 1_000))
    call.at(1_500, e.PlayEnded(1)).at(7_500).playing(7_600, 2).at(9_000, e.PlayEnded(2))
    call.at(60_000)
    assert call.stream == snapshot(
        [" 7500 ask q again: silence", "15000 ask q again: silence", "21000 say that q stays open"]
    )


def test_silence_does_not_count_while_a_run_works_or_the_caller_asked_to_wait():
    call = Call().asking(500).at(1_000, e.RunChanged(running=True)).at(30_000)
    assert call.stream == []
    call.at(31_000, e.RunChanged(running=False)).voice(33_000, 33_400)
    call.said(34_000, "wait", final=True).at(47_000)
    assert call.stream == snapshot(
        ["33064 listen 1 from 33000", "34000 drop 1: hold “wait”", "46000 ask q again: silence"]
    )


@both("what was that", "что там было")
def test_words_begin_the_silence_anew(said):
    call = Call().asking(500).at(1_000, e.QuestionHeard("q", 1_000)).voice(8_000, 9_000)
    call.said(9_500, said, final=True).at(25_000)
    assert hidden(call, said) == snapshot(
        [
            " 6500 ask q again: silence",
            " 8064 listen 1 from 8000",
            " 9500 take 1 “…” of 8000 for q",
            "15500 ask q again: silence",
            "21500 ask q again: silence",
        ]
    )


def test_who_speaks_on_after_the_turn_says_something_new():
    call = Call().at(1_064, VoiceStarted(1_000)).at(31_000, e.TurnEnded(1))
    call.at(31_500, words(1, "and so on", final=True)).at(32_000, VoiceEnded(31_900))
    assert call.stream == snapshot(
        [
            " 1064 listen 1 from 1000",
            "31000 listen 2 from 31000",
            "31500 take 1 “and so on” of 1000",
        ]
    )


@pytest.mark.parametrize(
    ("event", "needs"),
    [
        (VoiceEnded(0), "a voice"),
        (words(9, "late words", final=True), "an utterance"),
        (e.TurnEnded(9), "an utterance"),
        (e.QuestionClosed("x"), "that question"),
        (e.QuestionHeard("x", 0), "that question"),
        (e.PlayEnded(1), "speech"),
        (e.PlayStarted(0), "a newer generation"),
        (e.WordPlayed(0, "x", 0, 1), "a newer generation"),
    ],
)
def test_an_event_that_lacks_what_it_needs_changes_nothing(event, needs):
    call = Call().asking(0)
    before = call.floor
    assert call.at(100, event).floor == before, needs
    assert call.stream == []
