"""Row 57 by voice: a call's interrupted run is retried from the page, on one clean trail."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script

pytestmark = CALLING

LONG = "I found three servers. All of them are idle since Monday."


@pytest.mark.parametrize(("language", "stop"), [("en", "stop"), ("ru", "стоп")])
async def test_retry_after_a_spoken_stop(tmp_path: Path, language: str, stop: str):
    model = Script([LONG], ["Second try."])
    async with CallDesk(tmp_path, Agent("a", model, "")) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say("show my servers")
        await ann.hears("All of")
        assert (await ann.say(stop))["outcome"] == "input"
        ended = await page.ended()
        assert (ended["end"], ended["reason"]) == ("interrupted", "USER_SIGINT")
        await page.say("/retry")
        await page.shows("Second try.")
        await page.ended()
        await asyncio.sleep(1)
        log = await page.export()
        leaf = log["entries"][-1]["branch"]
        said = [e for e in log["entries"] if e["branch"] == leaf and "text" in e["body"]]
        trail = [entry["body"]["text"] for entry in said]
        assert trail == ["show my servers", "Second try."]
        assert not any("Second" in text for text in ann.captions())
