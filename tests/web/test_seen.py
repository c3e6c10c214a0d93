"""Row 16 of RACES: what counts as seen by who answers."""

import asyncio
import json
from typing import Any

import pytest

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.web.site import HOME, Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

QUICK = """async (other) => {
  const pause = (ms) => new Promise((go) => setTimeout(go, ms));
  document.dispatchEvent(new Event("visibilitychange"));
  await pause(150);
  location.hash = other;
  await pause(150);
  const field = document.getElementById("message");
  field.value = "quick";
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
}"""
"""Looks elsewhere within the moment that it takes to read, and says something within the next."""


async def test_row_16_what_was_read_of_one_conversation_is_not_read_of_another(site: Site) -> None:
    await site.start(Agent("a", Script(["One."], ["Two."], ["Three."], ["Four."]), ""))
    sent: list[Any] = []

    def note(frame: str | bytes) -> None:
        sent.append(json.loads(frame))

    tab = await site.page()
    tab.page.on("websocket", lambda line: line.on("framesent", note))
    await tab.page.get_by_role("button", name="New conversation").click()
    await tab.say("hi")
    await tab.sees(".reply", "One.")
    other = tab.page.url.partition("#")[2]
    await tab.page.goto(f"{site.address}/#{HOME}")
    await tab.reload()
    await tab.say("hello")
    await tab.sees(".reply", "Two.")
    await tab.say("hello again")
    await tab.sees(".reply", "Three.")
    await asyncio.sleep(1)
    read = max(frame["seq"] for frame in sent if frame["type"] == "ack")
    await tab.page.evaluate(QUICK, other)
    await tab.sees(".reply", "Four.")
    (quick,) = [frame for frame in sent if frame.get("text") == "quick"]
    assert quick["seen"] < read, "numbers of the longer conversation"
