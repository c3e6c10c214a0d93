"""Row 97 by voice: what an MCP server asks in a call of its tool is said and answered by speech."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent
from tests.acceptance.calling import CALLING, CallDesk, Caller
from tests.acceptance.scripted import Script, call, messages
from tests.fakes.voice import FakeEngines, Voice
from tests.mcp.air import Air
from tests.mcp.pay import page_server
from tests.mcp.serving import eventually, old, served

GENERATIONS = pytest.mark.parametrize("legacy", [True, False], ids=["2025-11-25", "2026-07-28"])


@asynccontextmanager
async def calling(
    tmp_path: Path, model: Script, **mcp: Any
) -> AsyncIterator[tuple[CallDesk, Any, Caller]]:
    """A desk with these servers; ann is on a call, in Russian, with her page open."""
    engines = FakeEngines(mouth=Voice(ms_a_letter=20))
    async with CallDesk(tmp_path, Agent("tester", model), mcp=mcp, engines=engines) as desk:
        await eventually(lambda: bool(desk.app.servers.tools()), within=50)
        page = await desk.person("ann", language="ru")
        yield desk, page, await desk.caller(language="ru")


@asynccontextmanager
async def flying(
    tmp_path: Path, model: Script, *, legacy: bool
) -> AsyncIterator[tuple[Air, Any, Caller]]:
    """The same, with the server of flights over HTTP."""
    air = Air()
    async with (
        served(old(air.server) if legacy else air.server) as site,
        calling(tmp_path, model, air={"url": site.url}) as (_, page, ann),
    ):
        yield air, page, ann


async def asked(ann: Caller, words: str) -> None:
    """The question was said, to its end."""
    await ann.until(lambda: words in ann.caption(), 20, f"hears “{words}”")
    await ann.until(lambda: ann.state() == "asking" and not ann.playing(), 20, "it was asked")


async def takes_the_seat(page: Any, ann: Caller, model: Script) -> None:
    assert (await ann.say("забронируй место"))["outcome"] == "input"
    await asked(ann, "Which seat for Ann?")
    await ann.say("посередине")
    await ann.until(lambda: len(ann.captions()) == 2, 20, "it is asked again")
    await asked(ann, "Which seat for Ann?")
    assert not page.find("decided")
    assert (await ann.say("window"))["outcome"] == "answer"
    card = (await page.frame("decided"))["data"]
    assert (card["value"], card["how"], card["by"]) == ({"seat": "window"}, "voice", "ann")
    await ann.hears("Готово")
    assert messages(model.requests[1])[-1] == ("result", "Ann sits at the window")


@CALLING
@GENERATIONS
async def test_over_http(tmp_path: Path, legacy: bool):
    model = Script([call("air_book", passenger="Ann")], ["Готово."])
    async with flying(tmp_path, model, legacy=legacy) as (air, page, ann):
        await takes_the_seat(page, ann, model)
        assert air.done == [("Ann", "window")]


@pytest.mark.process
@GENERATIONS
async def test_over_stdio(tmp_path: Path, legacy: bool):
    """A program of its own, in real time."""
    args = ["-m", "tests.mcp.air", *(["--old"] if legacy else [])]
    air = {"command": sys.executable, "args": args, "directory": Path.cwd()}
    model = Script([call("air_book", passenger="Ann")], ["Готово."])
    async with calling(tmp_path, model, air=air) as (_, page, ann):
        await takes_the_seat(page, ann, model)


@CALLING
@GENERATIONS
async def test_one_question_after_the_other(tmp_path: Path, legacy: bool):
    model = Script([call("air_check_in")], ["Готово."])
    async with flying(tmp_path, model, legacy=legacy) as (air, _, ann):
        await ann.say("зарегистрируй меня")
        await asked(ann, "How many bags?")
        assert (await ann.say("три"))["outcome"] == "answer"
        await asked(ann, "Which seat, with 3 bags?")
        assert (await ann.say("aisle"))["outcome"] == "answer"
        await ann.hears("Готово")
        assert air.done == [(3, "aisle")]


@CALLING
@GENERATIONS
async def test_who_declines_books_nothing(tmp_path: Path, legacy: bool):
    model = Script([call("air_book", passenger="Ann")], ["Готово."])
    async with flying(tmp_path, model, legacy=legacy) as (air, page, ann):
        await ann.say("забронируй место")
        await asked(ann, "Which seat for Ann?")
        await ann.say("отмена")
        assert (await page.ended())["end"] == "interrupted"
        await ann.until(lambda: ann.state() == "listening", 20, "nothing is asked")
        assert air.done == []


@CALLING
@pytest.mark.parametrize(("word", "action"), [("да", "accept"), ("нет", "decline")])
async def test_a_page_to_open(tmp_path: Path, word: str, action: str):
    """Its address is for the eyes: it is on the page, of which only the site is said."""
    server, done = page_server()
    model = Script([call("pay_pay")], ["Готово."])
    async with served(old(server)) as site:
        pay = {"url": site.url, "approval": "never"}
        async with calling(tmp_path, model, pay=pay) as (desk, page, ann):
            await ann.say("оплати")
            await asked(ann, "Pay here")
            question = (await page.frame("question"))["data"]["question"]
            assert question["details"]["url"] == "https://pay.example/1"
            said = [clause.spoken.text for clause, _ in desk.engines.mouth.made]
            assert said[-1] == "pay точка example"
            await ann.wait(1)
            await ann.say(word)
            await ann.hears("Готово")
    assert done == [action]
