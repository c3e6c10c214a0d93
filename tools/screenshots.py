"""Pictures of every state of the page, from the running product.

`python -m tools.screenshots DIRECTORY`: each state at 1280 and 390 px, light and dark, in English
and Russian. With `--docs` the pictures of the README are written to docs/images.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import Browser, Page, async_playwright, expect
from pydantic import BaseModel, Field

from gateway import Agent, ToolContext, tool
from gateway.agents.scripted import Pace, ScriptedModel, concierge
from gateway.app import App
from gateway.core.errors import ModelFailed
from gateway.core.messages import ToolCall
from gateway.ports.model import CallDelta, Finished, TextDelta
from gateway.settings import HttpSettings, QueueSettings, Settings
from tools.call_scenes import calling, picture
from voice.calls import Calls

ARGUMENTS = [
    "--no-sandbox",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
]
ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
SIZES = {"wide": (1280, 800), "narrow": (390, 780)}
LANGUAGES = {"en": "en-US", "ru": "ru-RU"}
CARD_SECONDS = 0.5

SAY = {
    "en": {
        "report": "Read me the quarterly report",
        "cut": "stop, only the risks",
        "deploy": "Deploy web",
        "full": "Deploy web to Europe with 2 replicas",
        "region": "to Europe",
        "not_yes": "no problem",
        "plan": "plan the move",
        "table": "book a table",
        "wait": ["and the weather in Kazan", "then a summary in three lines, please"],
    },
    "ru": {
        "report": "Прочитай квартальный отчёт",
        "cut": "стоп, только риски",
        "deploy": "Разверни web",
        "full": "Разверни web в Европе, 2 реплики",
        "region": "в европу",
        "not_yes": "нет проблем",
        "plan": "спланируй переезд",
        "table": "забронируй столик",
        "wait": ["и погоду в Казани", "а потом итог в трёх строках, пожалуйста"],
    },
}


class Trip(BaseModel):
    """Where a trip goes."""

    to: str = Field(title="Where to / Куда")
    people: int = Field(ge=1, le=9, title="People / Человек")
    day: date = Field(title="Day / День")
    meals: bool = Field(title="With meals / С питанием")


MONEY = {
    "type": "object",
    "properties": {
        "amount": {"type": "number", "minimum": 0, "maximum": 500},
        "currency": {"enum": ["EUR", "USD", "RUB"]},
    },
    "required": ["amount", "currency"],
}
FRUIT = {
    "type": "array",
    "minItems": 1,
    "items": {
        "anyOf": [
            {"const": "a", "title": "Apples"},
            {"const": "b", "title": "Bread"},
            {"const": "c", "title": "Cheese"},
        ]
    },
}


@tool
async def travel(context: ToolContext) -> str:
    """Ask for the details of a trip."""
    return str(await context.interrupt(message="Where shall it go?", response_schema=Trip))


@tool
async def shop(context: ToolContext) -> str:
    """Ask what to buy."""
    return str(await context.interrupt(message="What shall I buy?", response_schema=FRUIT))


@tool
async def refund(context: ToolContext) -> str:
    """Ask how much to give back."""
    return str(await context.interrupt(message="How much back?", response_schema=MONEY))


@tool
async def name_it(context: ToolContext) -> str:
    """Ask for a name."""
    return str(await context.interrupt(message="What is it called?", response_schema=str))


@tool
async def pick(context: ToolContext) -> str:
    """Ask for a colour."""
    colours = Literal["red", "green", "blue"]
    question = await context.interrupt(message="Which?", response_schema=colours, expires_in=600)
    return str(question)


MARKDOWN = """# What I found
Three things, **in this order**:

1. Backups run at *two at night*.
2. A restore is tried with `restore --dry`.
3. See https://example.org/restore for more.

```
$ restore --dry --from 02:00
ok 12 tables
```
> Keep it for thirty days.
"""


class Cast:
    """A model that plays what the last message names."""

    @asynccontextmanager
    async def stream(self, request: Any) -> AsyncIterator[AsyncIterator[Any]]:
        yield self._play(request)

    async def _play(self, request: Any) -> AsyncIterator[Any]:
        last = request.messages[-1]
        word = getattr(last, "text", "").split(" ")[0]
        number = len(request.messages)
        if word in ("travel", "shop", "refund", "name_it", "pick"):
            yield TextDelta("One thing I need from you. ")
            yield CallDelta(ToolCall(f"call-{number}", word, {}))
        elif word == "fail":
            yield TextDelta("I'll look that ")
            raise ModelFailed("MODEL_UNAVAILABLE", "down")
        elif word == "long":
            for _ in range(400):
                yield TextDelta("Still at it, word by word. ")
                await asyncio.sleep(0.05)
        else:
            yield TextDelta(MARKDOWN)
        yield Finished()


class Studio:
    """The product, and the camera before it."""

    def __init__(self, browser: Browser, target: Path, look: str, language: str, size: str) -> None:
        self.browser = browser
        self.target = target
        self.look, self.language, self.size = look, language, size
        self.words: dict[str, Any] = SAY[language]

    @asynccontextmanager
    async def stage(
        self, agent: Agent, calls: Calls | None = None, **settings: Any
    ) -> AsyncIterator[Page]:
        """A page on a product of its own; `calls` answer who talks."""
        width, height = SIZES[self.size]
        with tempfile.TemporaryDirectory() as folder:
            given: dict[str, Any] = {"http": HttpSettings(port=0), **settings}
            self.app = App(
                Settings(database=Path(folder) / "a.db", **given),
                agent=agent,
                log=StringIO(),
                calls=calls,
            )
            await self.app.start()
            self.stopped = False
            context = await self.browser.new_context(
                locale=LANGUAGES[self.language],
                viewport={"width": width, "height": height},
                color_scheme="dark" if self.look == "dark" else "light",
            )
            page = await context.new_page()
            await page.goto(self.app.address)
            await expect(page.locator("body[data-ready]")).to_be_attached()
            yield page
            await context.close()
            if not self.stopped:
                await self.app.stop()

    async def shoot(self, page: Page, name: str) -> None:
        await asyncio.sleep(0.25)
        file = self.target / f"{name}-{self.size}-{self.look}-{self.language}.png"
        await page.screenshot(path=file)


async def say(page: Page, text: str, key: str = "Enter") -> None:
    if await page.locator(".card.open").count():
        await asyncio.sleep(CARD_SECONDS)
    await page.fill("#message", text)
    await page.locator("#message").press(key)


async def see(page: Page, selector: str, text: str = "") -> None:
    found = page.locator(selector)
    await expect((found.filter(has_text=text) if text else found).first).to_be_visible(
        timeout=20_000
    )


def demo(words_a_second: float) -> Agent:
    return concierge(ScriptedModel(Pace(0.02, words_a_second)))


async def talk(studio: Studio) -> None:
    words = studio.words
    async with studio.stage(demo(16)) as page:
        await see(page, ".offer")
        await studio.shoot(page, "01-empty")
        await page.click('[data-offer="interrupt"]')
        await see(page, '.reply[data-live="true"]')
        await asyncio.sleep(1.6)
        await page.fill("#message", words["cut"])
        await page.keyboard.press("Alt+1")
        await studio.shoot(page, "02-streaming")
        await page.locator("#message").press("Enter")
        await see(page, ".bar")
        await asyncio.sleep(1.8)
        await studio.shoot(page, "03-interrupted")
        await page.keyboard.press("Escape")
        await see(page, ".end .link")
        await studio.shoot(page, "04-stopped")


async def ask(studio: Studio) -> None:
    words = studio.words
    async with studio.stage(demo(300)) as page:
        await say(page, words["deploy"])
        await see(page, ".card.open .option")
        await studio.shoot(page, "05-choice")
        await say(page, words["region"])
        await see(page, ".card.open .stepper")
        await studio.shoot(page, "06-number")
        await say(page, "3")
        await see(page, ".card.open .approval")
        await studio.shoot(page, "07-approval")
        await say(page, words["not_yes"])
        await see(page, ".card.open .problem:not(:empty)")
        await studio.shoot(page, "08-no-problem")
        await page.locator(".card.open .foot .link").nth(1).click()
        await page.locator(".card.open .foot .link").nth(0).click()
        await studio.shoot(page, "09-edit-arguments")
        await asyncio.sleep(CARD_SECONDS)
        await page.click('[data-option="approve"]')
        await see(page, '.call[data-state="started"]', "deploy")
        await studio.shoot(page, "10-working")
        await see(page, '.call[data-state="returned"]')
        await page.locator(".call summary").last.click()
        await asyncio.sleep(6)
        await studio.shoot(page, "11-done")


async def more_questions(studio: Studio) -> None:
    async with studio.stage(demo(300)) as page:
        await say(page, studio.words["plan"])
        await see(page, ".card.open .plan")
        await studio.shoot(page, "12-plan")
    async with studio.stage(demo(300)) as page:
        await say(page, studio.words["table"])
        await see(page, ".card.open input[type=date]")
        await studio.shoot(page, "13-date")
    for number, name in enumerate(("travel", "shop", "refund", "name_it", "pick"), 14):
        agent = Agent("cast", Cast(), "", [travel, shop, refund, name_it, pick])
        async with studio.stage(agent) as page:
            await say(page, name)
            await see(page, ".card.open h3")
            await studio.shoot(page, f"{number}-{name.replace('_', '-')}")


async def ends(studio: Studio) -> None:
    agent = Agent("cast", Cast(), "", [pick])
    async with studio.stage(agent, queue_mode="enqueue", queue=QueueSettings(cap=2)) as page:
        await see(page, "#empty")
        await studio.shoot(page, "19-empty-own")
        await waiting(studio, page)
        await say(page, "fail")
        await see(page, ".end.failed")
        await studio.shoot(page, "23-failed")
        await say(page, "markdown")
        await see(page, ".reply pre")
        await studio.shoot(page, "24-markdown")
        await page.keyboard.press("Alt+t")
        await asyncio.sleep(0.3)
        await studio.shoot(page, "25-threads")
        await page.keyboard.press("Alt+t")
        await page.locator("#keys-button").click()
        await studio.shoot(page, "26-keys")
        await page.keyboard.press("Escape")
        await studio.app.stop()
        studio.stopped = True
        await see(page, "#banner")
        await say(page, studio.words["report"])
        await studio.shoot(page, "27-offline")


async def waiting(studio: Studio, page: Page) -> None:
    await say(page, "long")
    await see(page, '.reply[data-live="true"]')
    for text in (*studio.words["wait"], studio.words["report"]):
        await say(page, text)
    await see(page, "#queue li")
    await see(page, ".said .mark .link")
    await page.locator("#queue li .queue-buttons .link").nth(0).click()
    await studio.shoot(page, "20-queue-edit")
    await page.keyboard.press("Escape")
    await page.locator("#queue li .queue-buttons .link").nth(2).click()
    await see(page, ".undo")
    await studio.shoot(page, "21-queue-undo")
    await page.keyboard.press("Escape")
    await see(page, ".end")
    await studio.shoot(page, "22-not-sent")


async def doors(studio: Studio) -> None:
    async with studio.stage(demo(300)) as page:
        await page.route("**/me", lambda route: route.fulfill(status=401, json={"code": "NO"}))
        await page.reload()
        await see(page, "#banner")
        await studio.shoot(page, "28-not-let-in")


SCENES: tuple[Callable[[Studio], Awaitable[None]], ...] = (
    talk,
    ask,
    more_questions,
    ends,
    doors,
    calling,
)


async def docs(browser: Browser) -> None:
    """The README's pictures: a reply that was cut, and an approval that no idiom gives."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    for scene, name in ((talk, "03-interrupted"), (ask, "08-no-problem")):
        with tempfile.TemporaryDirectory() as folder:
            studio = Studio(browser, Path(folder), "light", "en", "wide")
            await scene(studio)
            picture = Path(folder) / f"{name}-wide-light-en.png"
            shutil.copy(picture, IMAGES / f"{name.partition('-')[2]}.png")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", nargs="?", type=Path, default=Path("screenshots"))
    parser.add_argument("--docs", action="store_true", help="only the pictures of the README")
    parser.add_argument("--look", choices=["light", "dark"])
    parser.add_argument("--language", choices=list(LANGUAGES))
    parser.add_argument("--size", choices=list(SIZES))
    parser.add_argument("--scene", choices=[scene.__name__ for scene in SCENES])
    given = parser.parse_args()
    chromium = shutil.which("chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        if given.docs:
            await docs(browser)
            await picture(playwright, IMAGES / "call.png")
            return
        given.directory.mkdir(parents=True, exist_ok=True)
        for size in [given.size] if given.size else SIZES:
            for look in [given.look] if given.look else ("light", "dark"):
                for language in [given.language] if given.language else LANGUAGES:
                    studio = Studio(browser, given.directory, look, language, size)
                    for scene in SCENES:
                        if given.scene in (None, scene.__name__):
                            await scene(studio)


if __name__ == "__main__":
    asyncio.run(main())
