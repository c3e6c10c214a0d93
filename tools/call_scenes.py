"""The scenes of a call for `tools/screenshots.py`: a caller's side that the script plays."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from playwright.async_api import Page, Playwright, expect

from gateway import Agent, ToolContext, tool
from gateway.agents.scripted import concierge
from gateway.app import App
from gateway.channels.callers import engines_of
from gateway.core.messages import ToolCall
from gateway.ports.model import CallDelta, Finished, TextDelta
from gateway.settings import HttpSettings, Settings
from tests.fakes.calls import ScriptedCall, ScriptedCalls
from tests.web.recorded import microphone
from tests.web.site import UNPLUG, voiced
from tests.web.test_call_end_to_end import TEXTS, script

PIECE = 441
SAY = {
    "en": {
        "asked": "Read me the quarterly report",
        "reply": "Here is the quarterly report. Revenue grew by twelve percent to four million, "
        "mostly in",
        "rest": " the south. Costs stayed where they were.",
        "cut": "stop, only the risks",
        "question": "How many replicas?",
        "number": "twenty five",
        "nod": "mm-hmm",
    },
    "ru": {
        "asked": "Прочитай квартальный отчёт",
        "reply": "Вот квартальный отчёт. Выручка выросла на двенадцать процентов, до четырёх "
        "миллионов, больше всего",
        "rest": " на юге. Расходы остались прежними.",
        "cut": "стоп, только риски",
        "question": "Сколько реплик?",
        "number": "двадцать пять",
        "nod": "угу",
    },
}


@tool
async def replicas(context: ToolContext, question: str) -> str:
    """Ask how many."""
    return str(await context.interrupt(message=question, response_schema=int))


class Asker:
    """A model that asks at once."""

    def __init__(self, question: str) -> None:
        self._question = question

    @asynccontextmanager
    async def stream(self, request: Any) -> AsyncIterator[AsyncIterator[Any]]:
        yield self._play(request)

    async def _play(self, request: Any) -> AsyncIterator[Any]:
        if getattr(request.messages[-1], "text", ""):
            yield CallDelta(ToolCall("call-1", "replicas", {"question": self._question}))
        else:
            yield TextDelta("OK.")
        yield Finished()


def voice(call: ScriptedCall, seconds: float = 8) -> None:
    """A tone that rises and falls as speech does."""
    at = np.arange(int(seconds * call.line.rate)) / call.line.rate
    shape = 0.55 + 0.45 * np.sin(at * 9) * np.sin(at * 3.7)
    sound = (0.35 * shape * np.sin(at * 900)).astype(np.float32)
    for first in range(0, len(sound), PIECE):
        call.line.play(0, 0, first, sound[first : first + PIECE])


async def state(page: Page, name: str) -> None:
    await expect(page.locator("#call")).to_have_attribute("data-state", name, timeout=20_000)


async def states(studio: Any) -> None:
    words = SAY[studio.language]
    calls = ScriptedCalls("espeak", "whisper")
    async with studio.stage(concierge(), calls=calls) as page:
        await page.click("#talk")
        await state(page, "loading")
        await studio.shoot(page, "30-call-loading")
        calls.parts = ()
        call = await calls.came()
        await state(page, "listening")
        await studio.shoot(page, "31-call-listening")
        call.tell("caller", utterance=0, text=words["asked"], final=True, outcome="input")
        call.tell("state", state="thinking")
        await studio.shoot(page, "32-call-thinking")
        voice(call)
        call.tell("state", state="speaking")
        call.tell("agent", text=words["reply"])
        await asyncio.sleep(3.2)
        await studio.shoot(page, "33-call-speaking")
        call.tell("caller", utterance=1, text=words["nod"], final=True, outcome="backchannel")
        await studio.shoot(page, "34-call-backchannel")
        call.line.clear(0)
        call.tell("caller", utterance=2, text=words["cut"], final=True, outcome="input")
        await studio.shoot(page, "35-call-cut")
        await ends(studio, page, calls, call)


async def ends(studio: Any, page: Page, calls: ScriptedCalls, call: ScriptedCall) -> None:
    await page.locator(".voice-push").click()
    await page.locator(".voice-buttons .voice-keypad").click()
    await studio.shoot(page, "36-call-keypad")
    await page.locator(".voice-buttons .voice-keypad").click()
    await page.locator(".voice-push").click()
    await page.evaluate(UNPLUG)
    call.line.cut_off()  # type: ignore[attr-defined]
    await state(page, "lost")
    await asyncio.sleep(1.2)
    await studio.shoot(page, "37-call-lost")
    await page.evaluate("plug()")
    await calls.came()
    calls.end("elsewhere")
    await state(page, "over")
    await studio.shoot(page, "38-call-elsewhere")


async def asking(studio: Any) -> None:
    words = SAY[studio.language]
    calls = ScriptedCalls()
    agent = Agent("cast", Asker(words["question"]), "", [replicas])
    async with studio.stage(agent, calls=calls) as page:
        await page.fill("#message", words["asked"])
        await page.press("#message", "Enter")
        await page.locator(".card.open").wait_for()
        await page.click("#talk")
        call = await calls.came()
        await state(page, "listening")
        call.tell("state", state="asking")
        call.tell("agent", text=words["question"])
        call.tell("caller", utterance=0, text=words["number"], final=True, outcome="answer")
        call.tell("understood", question="q", said=words["number"], value="25")
        await studio.shoot(page, "39-call-asking")


async def refused(studio: Any) -> None:
    async with studio.stage(concierge(), calls=ScriptedCalls()) as page:
        for number, error in ((40, "NotAllowedError"), (41, "NotFoundError")):
            await page.evaluate(
                "(name) => (navigator.mediaDevices.getUserMedia = () =>"
                " Promise.reject(new DOMException('', name)))",
                error,
            )
            await page.click("#talk" if number == 40 else "#call .option")
            await page.locator(".voice-trouble strong").wait_for()
            await studio.shoot(page, f"{number}-call-{error.lower()}")


async def picture(playwright: Playwright, target: Path) -> None:
    """A real call: a reply that was talked over, and the question after it."""
    with tempfile.TemporaryDirectory() as folder:
        sound = Path(folder) / "microphone.wav"
        first, second, _ = TEXTS["en"]["said"]
        microphone(sound, "en", [3.0, first, 9.0, second, 20.0])
        browser = await voiced(playwright, sound)
        settings = Settings(database=Path(folder) / "a.db", http=HttpSettings(port=0))
        engines = engines_of(settings)
        app = App(settings, agent=script(TEXTS["en"]), log=StringIO(), engines=engines)
        await app.start()
        async with asyncio.timeout(120):
            while app.calls is None or app.calls.loading():  # noqa: ASYNC110 - no event says so
                await asyncio.sleep(0.1)
        page = await browser.new_page(viewport={"width": 1100, "height": 760})
        await page.goto(app.address)
        await page.locator("#talk").click()
        await page.locator(".reply.cut .unheard").wait_for(timeout=60_000)
        await page.locator(".card.open h3").wait_for(timeout=60_000)
        await state(page, "asking")
        await asyncio.sleep(1.5)
        await page.screenshot(path=target)
        await browser.close()
        await app.stop()


async def calling(studio: Any) -> None:
    """Every state of a call."""
    await states(studio)
    await asking(studio)
    await refused(studio)
