"""Enter while a file is still on its way: the message goes as soon as the file is there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Route

from gateway import Agent
from tests.acceptance.scripted import Gate, Script, call
from tests.web.asks import ask
from tests.web.site import Site, Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

FILE: Any = [{"name": "a.txt", "mimeType": "text/plain", "buffer": b"text"}]


@asynccontextmanager
async def slowly(page: Tab) -> AsyncIterator[asyncio.Event]:
    """A file that waits on its way until the event is set."""
    there = asyncio.Event()

    async def hold(route: Route) -> None:
        await there.wait()
        await route.continue_()

    await page.page.route("**/files?*", hold)
    await page.all("#composer input[type=file]").set_input_files(FILE)
    await page.sees(".drafts .chip", "uploading")
    yield there
    there.set()
    await page.page.unroute("**/files?*")


async def test_enter_waits_for_the_file(site: Site) -> None:
    await site.start(Agent("a", Script(["Got it."]), ""))
    page = await site.page()
    async with slowly(page) as there:
        await page.say("see the file")
        await page.sees("#hint", "as soon as the file is uploaded")
        await page.gone(".said")
        there.set()
        await page.sees(".said .file", "a.txt")
        await page.sees(".reply", "Got it.")
        await page.gone(".drafts .chip")


async def test_what_is_typed_on_takes_the_enter_back(site: Site) -> None:
    await site.start(Agent("a", Script(["Got it."]), ""))
    page = await site.page()
    async with slowly(page) as there:
        await page.say("see the file")
        await page.type("see the file, no,")
        await page.sees("#hint", "Enter: send")
        there.set()
        await page.sees(".drafts .chip", "1 kB")
        await page.gone(".said")
        await page.say("see the file, now")
        await page.sees(".said", "see the file, now")


async def test_it_never_answers_a_question_that_came_meanwhile(site: Site) -> None:
    gate = Gate()
    await site.start(Agent("a", Script([gate, call("ask")], ["Thanks."]), "", [ask]))
    page = await site.page()
    await page.say("go")
    await gate.reached.wait()
    async with slowly(page) as there:
        await page.say("80")
        await page.sees("#hint", "as soon as the file is uploaded")
        gate.open()
        await page.sees(".card.open", "Which port?")
        await page.sees('#composer[data-will="answer"]')
        there.set()
        await page.sees(".drafts .chip", "1 kB")
        await page.sees("#hint", "Enter: answer the question")
        await page.sees(".card.open", "Which port?")
        await page.gone(".said", "80")
