"""Recordings that are none, or last an hour, while a question is open: told clearly, in little time
and memory, and the question stays. On Telegram and as a file on the page.
"""

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests.acceptance.asking import asked, asking_agent, results
from tests.acceptance.calling import CallDesk
from tests.acceptance.telegram import ANN, TelegramDesk
from tests.acceptance.test_row_040_recordings import send
from tests.corpus.recordings import ogg
from tests.fakes.voice import FakeEngines

pytestmark = [pytest.mark.looptime, pytest.mark.timeout(120)]
MINUTE = 16_000 * 60
LONGEST_SECONDS = 5.0
"""Of the processor, for what is refused."""
LARGEST_MIB = 48
NOT_OGG = b"OggS this is none" * 20
OPENED = """
import resource, sys
from pathlib import Path
from gateway.core.errors import NoteTooLong
from voice.engines.sound_files import decode
decode(Path(sys.argv[2]).read_bytes(), 16_000, 300)
data = Path(sys.argv[1]).read_bytes()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    decode(data, 16_000, 300)
except NoteTooLong:
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


@pytest.fixture(scope="module")
def minute() -> bytes:
    noise = np.random.default_rng(60).normal(0, 0.05, MINUTE)
    return ogg(noise.astype(np.float32))


@pytest.fixture(scope="module")
def hour(minute: bytes) -> bytes:
    """Sixty recordings in one file: each says of itself that it lasts a minute."""
    return minute * 60


def test_an_hour_takes_no_memory(tmp_path: Path, minute: bytes, hour: bytes):
    """In a process of its own that has read a minute before."""
    long, short = tmp_path / "hour.ogg", tmp_path / "minute.ogg"
    long.write_bytes(hour)
    short.write_bytes(minute)
    command = [sys.executable, "-c", OPENED, str(long), str(short)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert float(done.stdout) <= LARGEST_MIB


@pytest.mark.parametrize("kind", ["hour", "none"])
async def test_on_telegram(tmp_path: Path, hour: bytes, kind: str):
    engines = FakeEngines()
    agent = asking_agent(bool, ["fine"], message="Go on?")
    async with TelegramDesk(tmp_path, agent, engines=engines) as desk:
        ann = desk.private()
        ann.say("go")
        await ann.shows("Go on?")
        began = time.process_time()
        ann.voice(hour if kind == "hour" else NOT_OGG)
        told = "longer than 5 min" if kind == "hour" else "can't be played"
        await ann.shows(told, within=60)
        assert time.process_time() - began < LONGEST_SECONDS
        assert len(await desk.app.store.questions(open_only=True)) == 1
        assert engines.ears.heard == []
        ann.say("yes")
        await ann.shows("fine")
        assert [text for text, _ in await desk.inputs(f"telegram:{ANN}") if text] == ["go", "yes"]


@pytest.mark.parametrize(("kind", "code"), [("hour", "NOTE_TOO_LONG"), ("none", "NOTE_UNREADABLE")])
async def test_on_the_page(tmp_path: Path, hour: bytes, kind: str, code: str):
    async with CallDesk(tmp_path, asking_agent(bool)) as desk:
        ann = await desk.person("ann")
        question = await asked(ann)
        began = time.process_time()
        sending = send(desk, ann, hour if kind == "hour" else NOT_OGG)
        receipt = await asyncio.wait_for(sending, 60)
        assert time.process_time() - began < LONGEST_SECONDS
        assert receipt["code"] == code
        assert ("5 min" in receipt["text"]) is (kind == "hour")
        assert len(await desk.app.store.questions(open_only=True)) == 1
        assert desk.engines.ears.heard == []
        await ann.press(question, "yes")
        await ann.ended()
        assert await results(ann) == ["ask=True"]
