"""Row 81: a barge-in becomes NOW and the sound stops: how soon, 50 of them in each language."""

import random
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.calling import CALLING, CallDesk, Caller
from tests.acceptance.scripted import Script

pytestmark = CALLING

REPLY = "I found three servers in Frankfurt, and all of them have been idle since last Monday. " * 2
SAYINGS = {
    "en": ("not Monday but Tuesday", "stop", "delete the first one", "no wait I mean Paris"),
    "ru": (
        "не в понедельник а во вторник",
        "стоп",
        "удали первый сервер",
        "нет подожди я о Париже",
    ),
}


def percentile(spans: list[int], share: float) -> int:
    return sorted(spans)[min(len(spans) - 1, int(len(spans) * share))]


async def barge_in(ann: Caller, text: str) -> dict[str, int]:
    """Say it over the reply that plays: how long from the onset until each."""
    seen = len(ann.line.events)
    frames_before = ann.at_ms()
    said = await ann.say(text)
    assert said["outcome"] == "input"
    assert said["text"] == text
    after = ann.line.events[seen:]
    sounds = {data["sound"]: at for at, kind, data in reversed(after) if kind == "sound"}
    clears = [(at, data["generation"]) for at, kind, data in after if kind == "clear"]
    stopped, generation = clears[0]
    late = [at for at, sent, _, _ in ann.line.sent if sent <= generation and at > stopped]
    assert late == []
    silent = min(stopped, sounds.get("held", stopped))
    return {
        "ducked": min(sounds.get("ducked", silent), silent) - frames_before,
        "silent": silent - frames_before,
        "decided": stopped - frames_before,
    }


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_how_soon(tmp_path: Path, language: str):
    async with CallDesk(tmp_path, Agent("a", Script([REPLY]), "")) as desk:
        chance = random.Random(81)
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        spans: dict[str, list[int]] = {"ducked": [], "silent": [], "decided": []}
        for count in range(50):
            if not ann.playing():
                await ann.say("go there" if language == "en" else "иди туда")
            await ann.until(ann.playing, 5, "a reply")
            await ann.wait(chance.uniform(0.2, 1.5))
            measured = await barge_in(ann, SAYINGS[language][count % 4])
            for name, span in measured.items():
                spans[name].append(span)
        assert percentile(spans["ducked"], 0.5) <= 150
        assert percentile(spans["ducked"], 0.95) <= 300
        assert percentile(spans["silent"], 0.5) <= 450
        assert percentile(spans["silent"], 0.95) <= 700
        assert percentile(spans["decided"], 0.95) <= 1_200
        ended = page.find("run", state="ended")
        reasons = {run["reason"] for run in ended}
        assert reasons == {"NOW_PRIORITY_INPUT", "USER_SIGINT"}
