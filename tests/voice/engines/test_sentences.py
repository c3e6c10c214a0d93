"""hibari and piper: voices that make a sentence at a time."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gateway.core.errors import EngineFailed
from tests.voice.engines.sounds import at_rate, clause, in_a_room, supervisor
from voice.core.pcm import Samples
from voice.core.words import plain
from voice.engines.sentences import SentenceVoice
from voice.engines.whisper_model import Model, read_freely

pytestmark = pytest.mark.timeout(180)  # loading takes a second where nothing else runs
TEXT = "Your three servers are in Frankfurt. Shall I stop them?"
PIPER_VOICE = os.environ.get("PIPER_VOICE")


class Tin:
    """A voice that says a sentence as so many samples as it has letters."""

    def sentences(self, text: str) -> Iterator[Samples]:
        for sentence in text.split(". "):
            if sentence == "broken":
                raise ZeroDivisionError
            yield np.full(len(sentence), 0.5, dtype=np.float32)


async def test_sentences_come_one_by_one_without_marks():
    voice = SentenceVoice("tin", 8_000, Tin, supervisor())
    pieces = [piece async for piece in voice.speak(clause("One. Three. Five"), "en")]
    assert [len(piece.samples) for piece in pieces] == [3, 5, 4]
    assert not voice.word_times
    assert not any(piece.marks for piece in pieces)
    assert [piece async for piece in voice.speak(clause("---\n"), "en")] == []


async def test_a_sentence_that_fails_ends_the_clause_and_not_the_voice():
    voice = SentenceVoice("tin", 8_000, Tin, supervisor())
    speech = voice.speak(clause("One. broken. Five"), "en")
    assert len((await anext(speech)).samples) == 3
    with pytest.raises(EngineFailed, match="tin: ZeroDivisionError"):
        await anext(speech)
    assert len([piece async for piece in voice.speak(clause("One"), "en")]) == 1


async def heard(voice: SentenceVoice, model: Model) -> str:
    await voice.load()
    pieces = [piece.samples async for piece in voice.speak(clause(TEXT), "en")]
    assert len(pieces) == 2
    sound = at_rate(np.concatenate(pieces), voice.rate, 16_000)
    return plain(read_freely(model, in_a_room(sound, 16_000), "en", beam=5).text)


async def test_hibari_can_be_understood(model: Model):
    pytest.importorskip("hibari", reason="needs the extra hibari")
    from voice.engines.hibari import hibari_voice  # noqa: PLC0415 - the extra may be missing

    voice = hibari_voice(supervisor())
    assert voice.rate == 24_000
    assert "servers are in frankfurt" in await heard(voice, model)


async def test_piper_can_be_understood(model: Model):
    pytest.importorskip("piper", reason="needs the extra piper")
    from voice.engines.piper import piper_voice  # noqa: PLC0415 - the extra may be missing

    if PIPER_VOICE is None:
        pytest.skip("needs PIPER_VOICE, the path of an English voice")
    voice = piper_voice(Path(PIPER_VOICE), supervisor())
    assert "servers are in frankfurt" in await heard(voice, model)


@pytest.mark.parametrize("config", [None, "{", '{"audio": {}}', "[]"])
def test_a_piper_voice_that_is_none_is_named(tmp_path: Path, config: str | None):
    pytest.importorskip("piper", reason="needs the extra piper")
    from voice.engines.piper import piper_voice  # noqa: PLC0415 - the extra may be missing

    path = tmp_path / "voice.onnx"
    with pytest.raises(EngineFailed, match="there is no voice"):
        piper_voice(path, supervisor())
    path.write_bytes(b"onnx")
    if config is not None:
        (tmp_path / "voice.onnx.json").write_text(config)
    with pytest.raises(EngineFailed, match=r"voice\.onnx\.json is no voice's configuration"):
        piper_voice(path, supervisor())


async def test_a_damaged_piper_voice_fails_when_it_is_loaded(tmp_path: Path):
    pytest.importorskip("piper", reason="needs the extra piper")
    from voice.engines.piper import piper_voice  # noqa: PLC0415 - the extra may be missing

    path = tmp_path / "voice.onnx"
    path.write_bytes(b"no onnx at all")
    (tmp_path / "voice.onnx.json").write_text('{"audio": {"sample_rate": 22050}}')
    with pytest.raises(EngineFailed, match="piper: "):
        await piper_voice(path, supervisor()).load()
