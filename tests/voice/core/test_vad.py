"""A voice's edges, from probabilities."""

from math import nan

from hypothesis import given
from hypothesis import strategies as st

from voice.core.vad import Gate, Gating, VoiceEnded, VoiceStarted

WINDOW_MS = 32
USUAL = Gating()


def edges(probabilities, gating=USUAL):
    gate, found = Gate(gating), []
    for at, probability in enumerate(probabilities, start=1):
        gate, edge = gate.window(probability, WINDOW_MS, at * WINDOW_MS)
        if edge is not None:
            found.append((at * WINDOW_MS, edge))
    return found


def test_one_window_opens_and_three_silent_ones_close():
    assert edges([0.05, 0.9, 0.9, 0.4, 0.1, 0.1, 0.1]) == [
        (64, VoiceStarted(32)),
        (224, VoiceEnded(128)),
    ]


def test_a_longer_onset_takes_one_window_for_a_click():
    longer = Gating(onset_ms=60)
    assert edges([0.9, 0.1, 0.9, 0.1, 0.9], longer) == []
    assert edges([0.05, 0.9, 0.9], longer) == [(96, VoiceStarted(32))]


def test_a_soft_beginning_belongs_to_the_voice():
    """A quiet Russian sentence was known 0.16 s after it began, and counted from there."""
    assert edges([0.03, 0.12, 0.18, 0.29, 0.52]) == [(160, VoiceStarted(32))]
    assert edges([0.3, 0.05, 0.2, 0.9]) == [(128, VoiceStarted(64))]


def test_a_murmur_that_never_rises_is_no_voice_and_lends_a_later_one_little():
    assert edges([0.4] * 40) == []
    assert edges([*[0.4] * 40, 0.9]) == [(1312, VoiceStarted(1120))]


def test_what_led_up_before_a_gap_in_the_stream_is_no_beginning():
    gate, _ = Gate().window(0.3, 32, 32)
    _, edge = gate.window(0.9, 32, 5_000)
    assert edge == VoiceStarted(4_968)


def test_a_short_gap_does_not_end_a_voice():
    assert edges([0.9, 0.9, 0.1, 0.1, 0.9, 0.9]) == [(32, VoiceStarted(0))]


def test_no_number_is_silence():
    assert edges([nan, 0.9, 0.9]) == [(64, VoiceStarted(32))]
    assert edges([0.9, 0.9, nan, nan, nan])[-1] == (160, VoiceEnded(64))


def test_a_window_that_came_twice_or_late_is_dropped():
    gate, _ = Gate().window(0.9, 32, 32)
    same, edge = gate.window(0.9, 32, 32)
    assert (same, edge) == (gate, None)


def test_a_gap_in_the_stream_makes_no_voice_of_two_clicks():
    gate, _ = Gate(Gating(onset_ms=60)).window(0.9, 32, 32)
    gate, edge = gate.window(0.9, 32, 5_000)
    assert edge is None


def test_frames_that_stop_end_the_voice_within_a_second():
    gate, edge = Gate().window(0.9, 32, 32)
    assert edge == VoiceStarted(0)
    gate, _ = gate.window(0.9, 32, 64)
    assert gate.watch(500) == (gate, None)
    gate, edge = gate.watch(900)
    assert edge == VoiceEnded(64)
    assert gate.watch(5_000)[1] is None


PROBABILITIES = st.lists(st.floats(0, 1) | st.sampled_from([0.0, 0.34, 0.4, 0.6, 1.0]), max_size=60)


@given(PROBABILITIES)
def test_edges_take_turns_and_lie_in_the_past(probabilities):
    found = edges(probabilities)
    kinds = [type(edge) for _, edge in found]
    assert kinds == [VoiceStarted, VoiceEnded] * (len(kinds) // 2) + [VoiceStarted] * (
        len(kinds) % 2
    )
    assert all(edge.at_ms < now for now, edge in found)
    times = [edge.at_ms for _, edge in found]
    assert times == sorted(times)


def spoken_windows(probabilities, gating):
    gate, spoken = Gate(gating), set()
    for at, probability in enumerate(probabilities, start=1):
        gate, _ = gate.window(probability, WINDOW_MS, at * WINDOW_MS)
        if gate.speaking:
            spoken.add(at)
    return spoken


@given(PROBABILITIES, st.floats(0, 0.5), st.integers(0, 200))
def test_raising_a_threshold_never_hears_a_voice_sooner(probabilities, more, longer):
    strict = Gating(onset_probability=0.5 + more, onset_ms=60 + longer)
    assert spoken_windows(probabilities, strict) <= spoken_windows(probabilities, USUAL)
