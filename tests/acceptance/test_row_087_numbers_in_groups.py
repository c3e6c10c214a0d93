"""Row 87: numbers in groups are one answer; a known length ends it, an open one waits."""

from pathlib import Path

import pytest

from tests.acceptance.asking import asking_agent, results
from tests.acceptance.calling import CALLING, CallDesk

pytestmark = CALLING

TEN = {"type": "string", "pattern": r"^\d{10}$"}
ANY = {"type": "string", "pattern": r"^\d+$"}
GROUPS = {
    "en": ("five five five", "one two three", "four five", "six seven"),
    "ru": ("пять пять пять", "один два три", "четыре пять", "шесть семь"),
}


async def number(tmp_path: Path, language: str, schema: object, last: int = 4):
    """Say the groups with 900 ms between them: the results, and how long after the last the answer
    was taken.
    """
    async with CallDesk(tmp_path, asking_agent(schema, message="Which number?")) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say("go" if language == "en" else "начни")
        await ann.hears("Which number?")
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        for group in GROUPS[language][:last]:
            ann.speak(group)
            ann.pause(900)
        await ann.until(lambda: len(ann.outcomes()) == 2, 20, "the answer")
        taken = ann.line.when("caller", lambda told: told["outcome"] == "answer")
        words = [t for at, k, t in ann.line.events if k == "caller" and t["outcome"] is None]
        complete = next(
            at
            for at, kind, told in ann.line.events
            if kind == "caller" and told["text"] == words[-1]["text"] and not told["final"]
        )
        await ann.hears("fine")
        return await results(page), taken - complete


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_a_known_length_ends_at_once(tmp_path: Path, language: str):
    found, waited_ms = await number(tmp_path, language, TEN)
    assert found == ["ask='5551234567'"]
    assert waited_ms <= 150


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_an_open_length_waits(tmp_path: Path, language: str):
    found, waited_ms = await number(tmp_path, language, ANY, last=2)
    assert found == ["ask='555123'"]
    assert 1_000 <= waited_ms <= 1_800
