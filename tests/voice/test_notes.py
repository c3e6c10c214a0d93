"""Recordings: what is decoded of them, and where in them somebody speaks."""

import numpy as np
import pytest

from gateway.core.errors import NoteTooLong, NoteUnreadable
from gateway.files import sniffed
from tests.corpus.recordings import ogg, wav
from tests.fakes.voice import Detector, FakeEngines, silence
from voice.core.pcm import Samples
from voice.engines.sound_files import decode
from voice.notes import RATE, Notes, voiced

TONE = (0.3 * np.sin(np.arange(RATE * 2) * 2 * np.pi * 440 / RATE)).astype(np.float32)


def test_opus_is_as_long_and_as_loud():
    heard = decode(ogg(TONE), RATE, 60)
    assert len(heard) == len(TONE)
    middle = slice(RATE // 2, RATE)
    assert np.sqrt(np.mean(heard[middle] ** 2)) == pytest.approx(0.3 / 2**0.5, rel=0.05)


@pytest.mark.parametrize("rate", [8_000, 44_100])
def test_other_rates(rate: int):
    assert len(decode(wav(TONE, rate), RATE, 60)) == pytest.approx(len(TONE) * RATE / rate, abs=40)


@pytest.mark.parametrize(
    "data",
    [b"", b"OggS" + bytes(100), b"words", ogg(TONE)[:40]],
    ids=["empty", "zeros", "words", "header"],
)
def test_what_is_no_recording(data: bytes):
    with pytest.raises(NoteUnreadable):
        decode(data, RATE, 60)


def test_one_that_breaks_off_counts_up_to_there():
    whole = ogg(np.tile(TONE, 4))
    heard = decode(whole[: len(whole) // 2], RATE, 60)
    assert RATE < len(heard) < 7 * RATE


@pytest.mark.parametrize(
    "data", [wav(TONE), ogg(TONE), ogg(TONE) * 3], ids=["wav", "ogg", "chained"]
)
def test_one_that_is_too_long(data: bytes):
    """By what it says, or (three in one file) by what comes out of it."""
    with pytest.raises(NoteTooLong):
        decode(data, RATE, 1.5)


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (wav(TONE), "audio/wav"),
        (ogg(TONE), "audio/ogg"),
        (b"ID3\x04", "audio/mpeg"),
        (b"\x1aE\xdf\xa3....webm....A_OPUS", "audio/webm"),
        (b"\x1aE\xdf\xa3....webm..V_VP8..A_OPUS", "application/octet-stream"),
        (b"RIFF....WEBP", "image/webp"),
    ],
)
def test_sound_is_told_by_its_first_bytes(data: bytes, media_type: str):
    assert sniffed(data + b"\xff") == media_type


def spans(*parts: Samples) -> list[tuple[float, float]]:
    return [
        (round(a * 1000 / RATE, -2), round(b * 1000 / RATE, -2))
        for a, b in voiced(np.concatenate(parts), Detector(RATE))
    ]


def test_where_somebody_speaks():
    loud = np.full(RATE, 0.3, dtype=np.float32)
    assert spans(silence(2000)) == []
    assert [round(b - a, -3) for a, b in spans(silence(1000), loud, silence(1000))] == [2000]
    assert len(spans(loud, silence(1000), loud)) == 1
    assert len(spans(loud, silence(4000), loud)) == 2
    long = [part for _ in range(30) for part in (loud, silence(500))]
    found = voiced(np.concatenate(long), Detector(RATE))
    assert len(found) == 2
    assert max(b - a for a, b in found) < 27 * RATE


async def test_each_stretch_is_an_utterance():
    engines = FakeEngines()
    say = engines.ears.say
    sound = np.concatenate([say("one two"), silence(3000), say("three")])
    written = await Notes(engines, 60, lambda: None).write_down(
        wav(sound), "en", {"type": "integer"}
    )
    assert written.text == "one two three"
    assert [heard.expected for heard in engines.ears.heard] == [None, None]
    assert all(heard.closed for heard in engines.ears.heard)


async def test_two_answers_that_may_have_been_said_are_both_told():
    engines = FakeEngines()
    engines.ears.alternatives["fifty"] = ("hm", "fifteen")
    sound = wav(engines.ears.say("fifty"))
    notes = Notes(engines, 60, lambda: None)
    assert (await notes.write_down(sound, "en", {"type": "integer"})).text == "fifty / fifteen"
    assert (await notes.write_down(sound, "en", None)).text == "fifty"
    assert (await notes.write_down(sound, "en", {"enum": ["fifty", "ten"]})).text == "fifty"
