"""Sound as numbers: nothing lost, nothing doubled, no clicks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.core.pcm import (
    Fader,
    Resampler,
    from_mulaw,
    from_pcm16,
    gain_of,
    louder,
    to_mulaw,
    to_pcm16,
)


def tone(hertz, rate, seconds=0.5):
    return np.sin(2 * np.pi * hertz * np.arange(int(rate * seconds)) / rate).astype(np.float32) / 2


def pieces(samples, sizes):
    at = 0
    for size in sizes:
        yield samples[at : at + size]
        at += size
    yield samples[at:]


@given(st.binary(max_size=400).filter(lambda data: len(data) % 2 == 0))
def test_pcm16_comes_back_as_it_was(data):
    assert to_pcm16(from_pcm16(data)) == data


def test_half_a_sample_is_an_error():
    with pytest.raises(ValueError, match="3 bytes"):
        from_pcm16(b"abc")


def test_too_loud_is_clipped_and_no_number_is_silence():
    loud = np.array([2, -2, np.nan, np.inf], dtype=np.float32)
    assert np.frombuffer(to_pcm16(loud), dtype="<i2").tolist() == [32767, -32768, 0, 32767]


def test_every_mulaw_code_comes_back():
    codes = bytes(range(256))
    back = to_mulaw(from_mulaw(codes))
    assert back.replace(b"\x7f", b"\xff") == codes.replace(b"\x7f", b"\xff")  # both zeros are one


def test_mulaw_follows_g711():
    # 0, −1, +8, full scale: values of the standard's table.
    whole = np.array([0, -1, 8, 32767, -32768], dtype=np.int16).astype("<i2").tobytes()
    assert to_mulaw(from_pcm16(whole)).hex() == "ff7ffe8000"
    assert np.max(np.abs(from_mulaw(to_mulaw(tone(440, 8000))) - tone(440, 8000))) < 0.02


RATES = [(8000, 16000), (16000, 8000), (8000, 24000), (24000, 8000), (16000, 24000), (22050, 16000)]


@pytest.mark.parametrize(("source", "target"), RATES)
@given(st.lists(st.integers(0, 700), max_size=8))
def test_resampling_in_pieces_is_resampling_the_whole(source, target, sizes):
    line = tone(440, source, 0.2)
    _, whole = Resampler(source, target).apply(line)
    state, parts = Resampler(source, target), []
    for piece in pieces(line, sizes):
        state, part = state.apply(piece)
        parts.append(part)
    assert len(whole) == -(-len(line) * target // source)
    np.testing.assert_allclose(np.concatenate(parts), whole, atol=1e-6)


@pytest.mark.parametrize(("source", "target"), RATES)
def test_resampling_keeps_a_tone_and_its_loudness(source, target):
    _, out = Resampler(source, target).apply(tone(440, source))
    middle = out[len(out) // 4 : -len(out) // 4]
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle))))
    hertz = np.argmax(spectrum) * target / len(middle)
    assert abs(hertz - 440) < 8
    assert abs(np.sqrt(np.mean(middle**2)) - 0.5 / np.sqrt(2)) < 0.01


@pytest.mark.parametrize(("source", "target"), RATES)
def test_resampling_delays_by_twelve_samples_of_the_source(source, target):
    click = np.zeros(source // 10, np.float32)
    click[source // 20] = 1
    _, out = Resampler(source, target).apply(click)
    late = np.argmax(out) / target - (source // 20) / source
    assert abs(late - 12 / source) <= 1 / min(source, target)


def test_what_the_lower_rate_cannot_hold_is_taken_away():
    _, out = Resampler(16000, 8000).apply(tone(6000, 16000))
    assert np.sqrt(np.mean(out[200:-200] ** 2)) < 0.01


def test_the_same_rate_is_left_alone():
    before = Resampler(8000, 8000)
    state, out = before.apply(tone(440, 8000))
    assert state is before
    np.testing.assert_array_equal(out, tone(440, 8000))


def test_fifteen_decibels_down():
    assert gain_of(-15) == pytest.approx(0.1778, abs=1e-4)
    np.testing.assert_allclose(louder(np.ones(3, np.float32), -20), 0.1, atol=1e-6)


@given(
    st.lists(st.tuples(st.integers(1, 400), st.sampled_from([0.0, gain_of(-15), 1.0])), min_size=1)
)
def test_a_fader_never_steps(moves):
    fader, heard = Fader(8000, ramp_ms=10), [np.ones(1, np.float32)]
    for size, gain in moves:
        fader, out = fader.to(gain).apply(np.ones(size, np.float32))
        assert len(out) == size
        heard.append(out)
    assert np.max(np.abs(np.diff(np.concatenate(heard)))) <= 1 / 80 + 1e-6


def test_a_fader_arrives_and_stays():
    fader, out = Fader(8000, ramp_ms=10).to(0.0).apply(np.ones(160, np.float32))
    assert fader.settled
    assert out[79] == pytest.approx(0, abs=1e-6)
    assert not out[80:].any()
    same, rest = fader.apply(np.ones(10, np.float32))
    assert same == fader
    assert not rest.any()
