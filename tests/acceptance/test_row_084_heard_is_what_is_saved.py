"""Row 84: saved text is what was heard: 1,000 random cuts a language, lines that are 0 to 3 s late.

With the real espeak where it is installed, whose own word events are the truth; a voice that tells
no word times is the same one with them hidden.
"""

import importlib.util

import pytest

from gateway.supervise import Supervisor
from tests.fakes.voice import Voice
from tests.voice.call.playing import REPLIES, Cut, cuts

pytestmark = pytest.mark.looptime

DELAYS_MS = ((0, 500, 2_000), (200, 1_000, 3_000))
"""Of the lines that play the one reply, and the other."""
CUTS = 168
HAS_ESPEAK = importlib.util.find_spec("espeakng_loader") is not None


async def voices():
    """The fake voice, and the real one."""
    yield Voice(ms_a_letter=55)
    if HAS_ESPEAK:
        espeak = importlib.import_module("voice.engines.espeak")
        voice = espeak.EspeakVoice(Supervisor(lambda where, error: None))
        await voice.load()
        yield voice
        await voice.stop(2)


async def all_cuts(language: str, *, hides: bool) -> dict[str, list[Cut]]:
    found: dict[str, list[Cut]] = {}
    async for voice in voices():
        for text, delays_ms in zip(REPLIES[language], DELAYS_MS, strict=True):
            for delay_ms in delays_ms:
                found.setdefault(voice.name, []).extend(
                    await cuts(
                        voice,
                        language,
                        text,
                        delay_ms=delay_ms,
                        hides=hides,
                        count=CUTS,
                        seed=delay_ms,
                    )
                )
    return found


def error(found: list[Cut]) -> float:
    return sum(abs(cut.told - cut.truly) for cut in found) / len(found)


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_with_word_times(language: str):
    for name, found in (await all_cuts(language, hides=False)).items():
        assert len(found) >= 1_000
        assert sum(cut.unheard for cut in found) == 0, name
        assert error(found) <= 0.15, name


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_without_word_times(language: str):
    for name, found in (await all_cuts(language, hides=True)).items():
        assert error(found) <= 0.6, name
