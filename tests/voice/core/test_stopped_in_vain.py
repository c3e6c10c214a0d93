"""A reply that words stopped at a pause, which then are none: it is for it to go on."""

import pytest

from tests.voice.core.calls import Call
from voice.core import events as e
from voice.core.vad import VoiceEnded, VoiceStarted


def stopped(*, running=False):
    """By one word at a pause, behind which the voice goes on."""
    call = Call().playing().at(500, e.RunChanged(running)).voice(1_000, 1_400)
    call.said(1_700, "em", paused=True).at(1_800, VoiceStarted(1_750))
    assert call.stream[-1] == " 1700 stop 1: said"
    return call.at(2_096, VoiceEnded(2_000))


@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize("said", ["mm-hmm", "got it", "угу", "вот как"])
def test_a_hum_is_no_input(said, running):
    call = stopped(running=running).said(2_700, said, final=True)
    assert call.stream[-1] == f" 2700 drop 1: backchannel “{said}”"


@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize("said", ["go on", "говори дальше"])
def test_what_lets_go_on_is_no_input(said, running):
    call = stopped(running=running).said(2_700, said, final=True)
    assert call.stream[-1] == f" 2700 drop 1: resume “{said}”"


@pytest.mark.parametrize("said", ["mm-hmm", "угу"])
def test_a_prompt_that_a_hum_stopped_is_put_again(said):
    call = Call().playing().asking(500).voice(1_000, 1_900).said(2_000, "em em")
    call.said(2_700, said, final=True)
    assert call.stream[-2:] == [
        f" 2700 drop 1: backchannel “{said}”",
        f" 2700 ask q again: backchannel “{said}”",
    ]


def test_the_whole_of_what_goes_on_behind_the_pause_is_one_input_and_stops_once():
    call = stopped().at(2_200, e.Tick()).said(2_300, "em delete", paused=True)
    call.said(2_700, "em delete the first", final=True)
    assert [line for line in call.stream if " stop " in line] == [" 1700 stop 1: said"]
    assert call.stream[-1] == " 2700 take 1 “em delete the first” of 1000"
