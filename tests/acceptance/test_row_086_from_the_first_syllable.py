"""Row 86: the words that interrupt reach the recogniser from their first syllable."""

from pathlib import Path

import numpy as np
import pytest

from gateway import Agent
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script
from tests.fakes.voice import RATE

pytestmark = CALLING

LONG = "I found three servers. All of them are idle since Monday. They cost ten dollars a day."


@pytest.mark.parametrize("words", ["not Monday but Tuesday", "не в понедельник а во вторник"])
async def test_with_the_sound_before_it(tmp_path: Path, words: str):
    async with CallDesk(tmp_path, Agent("a", Script([LONG], ["Fine."]), "")) as desk:
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        said = await ann.say(words)
        assert (said["text"], said["outcome"]) == (words, "input")
        fed = desk.engines.ears.heard[-1].sound()
        spoken = desk.engines.ears.say(words)
        first = int(np.flatnonzero(fed)[0])
        assert first >= RATE * 300 // 1000
        assert np.allclose(fed[first : first + len(spoken)], spoken, atol=1e-4)


async def test_words_close_behind_others_hear_nothing_of_them(tmp_path: Path):
    async with CallDesk(tmp_path, Agent("a", Script(["One."], ["Two."]), "")) as desk:
        ann = await desk.caller()
        ann.speak("first thing")
        ann.pause(720)
        ann.speak("second thing")
        await ann.until(lambda: len(ann.outcomes()) == 2, 12, "both are settled")
        assert [told["text"] for told in ann.outcomes()] == ["first thing", "second thing"]
