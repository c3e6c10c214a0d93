"""The product on a loopback port, and people at real browsers.

    async def test_it(site):
        await site.start(Agent("a", Script(["Hello"])))
        ann = await site.page()                       # a new browser context: a person's own
        await ann.say("hi")
        await ann.sees(".reply", "Hello")

`ann.tab()` opens a second tab of the same person; `site.terminal()` is a client of the unix socket.
Nothing sleeps: `sees`, `gone` and playwright's `expect` wait for a state. Every error that a page
logs fails the test, but those named in `may_log`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page, Playwright, expect

from gateway import Agent
from gateway.app import App
from gateway.channels.callers import MakeEngines
from gateway.channels.local import local_user
from gateway.settings import Settings
from tests.acceptance.people import Person
from tests.web.chromium import CHROMIUM, FLAGS
from tests.web.relay import Relay
from voice.calls import Calls

WITHIN_MS = 30_000
expect.set_options(timeout=WITHIN_MS)
ME = local_user()
HOME = f"local:{ME}"
GUARD_SECONDS = 0.45
"""A card takes no answer in the moment in which it appears."""


UNPLUG = """() => {
  const real = WebSocket;
  window.plug = () => { window.WebSocket = real; dispatchEvent(new Event('online')); };
  window.WebSocket = class { static OPEN = 1; readyState = 0; close() {} };
}"""
"""From now on no WebSocket of the page finds its server, until it calls `plug()`."""


async def voiced(playwright: Playwright, sound: Path | None = None) -> Browser:
    """A browser with a microphone: it beeps, or hears what is in a file, once."""
    arguments = [*FLAGS, "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    if sound is not None:
        arguments.append(f"--use-file-for-fake-audio-capture={sound}%noloop")
    return await playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)


class Tab:
    """One page in a browser, with what people do to it."""

    def __init__(self, page: Page, site: Site) -> None:
        self.page = page
        self.site = site
        self.logged: list[str] = []
        page.set_default_timeout(WITHIN_MS)
        page.on("console", lambda m: self.logged.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: self.logged.append(f"{error}"))

    async def open(self, path: str = "/") -> Tab:
        """Go to the page and wait until it is ready."""
        await self.page.goto(self.site.address + path)
        await expect(self.page.locator("body[data-ready]")).to_be_attached(timeout=WITHIN_MS)
        return self

    async def reload(self) -> None:
        await self.page.reload()
        await expect(self.page.locator("body[data-ready]")).to_be_attached(timeout=WITHIN_MS)

    async def tab(self) -> Tab:
        """A second tab of the same browser."""
        return await Tab(await self.page.context.new_page(), self.site).keep().open()

    def keep(self) -> Tab:
        self.site.tabs.append(self)
        return self

    # -- doing

    async def type(self, text: str) -> None:
        await self.page.fill("#message", text)

    async def say(self, text: str, *, now: bool = False) -> None:
        """Type it and press Enter (Ctrl+Enter for now); a question is read first."""
        if await self.page.locator(".card.open").count():
            await asyncio.sleep(GUARD_SECONDS)
        await self.type(text)
        await self.page.locator("#message").press("Control+Enter" if now else "Enter")

    async def key(self, key: str) -> None:
        await self.page.keyboard.press(key)

    async def press(self, name: str, within: str = ".card.open") -> None:
        """Press a button by its words, once it has stood there for a moment."""
        button = self.page.locator(within).get_by_role("button", name=name).first
        await expect(button).to_be_visible(timeout=WITHIN_MS)
        await asyncio.sleep(GUARD_SECONDS)
        await button.click()

    async def mode(self, mode: str) -> None:
        """Set the thread's mode by the switch, and wait until it holds."""
        await self.page.select_option("select.mode", mode)
        await expect(self.page.locator("select.mode")).to_have_value(mode)
        await self.site.mode_holds(mode)

    # -- seeing

    def all(self, selector: str) -> Any:
        return self.page.locator(selector)

    async def sees(self, selector: str, text: str = "", count: int | None = None) -> None:
        """Wait until it is there, with this text; `count` of them."""
        found = self.page.locator(selector)
        if text:
            found = found.filter(has_text=text)
        if count is None:
            await expect(found.first).to_be_visible(timeout=WITHIN_MS)
        else:
            await expect(found).to_have_count(count, timeout=WITHIN_MS)

    async def gone(self, selector: str, text: str = "") -> None:
        await self.sees(selector, text, count=0)

    async def hint(self, text: str) -> None:
        """Wait until this is what Enter will do."""
        await expect(self.page.locator("#hint")).to_contain_text(text, timeout=WITHIN_MS)

    async def flow(self) -> list[str]:
        """The conversation, one line an item: its kind and its words."""
        lines: list[str] = await self.page.evaluate(
            "() => [...document.querySelectorAll('#flow > .item')].map(n => "
            "`${n.dataset.kind}: ${n.innerText.replace(/\\s+/g, ' ').trim()}`)"
        )
        return lines


class Site:
    """One database file, the product on it, and its visitors."""

    def __init__(self, directory: Path, browser: Browser) -> None:
        self.directory = directory
        self.browser = browser
        self.log = StringIO()
        self.tabs: list[Tab] = []
        self.contexts: list[BrowserContext] = []
        self.people: list[Person] = []
        self.may_log: list[str] = []
        self.address = ""
        self.app: App | None = None
        self.relay: Relay | None = None
        self.port = 0

    async def start(
        self,
        agent: Agent | None = None,
        *,
        calls: Calls | None = None,
        engines: MakeEngines | None = None,
        wrap: Callable[[Any], Any] = lambda store: store,
        **settings: Any,
    ) -> App:
        """Start the product; on the same port as before where it ran before. Callers are answered
        by `calls`, or with `engines`; `wrap` puts something around the store.
        """
        http = {"port": self.port, **settings.pop("http", {})}
        given = {"database": self.directory / "a.db", "http": http, **settings}
        self.agent = agent or getattr(self, "agent", None)
        self.app = App(
            Settings(**given),
            agent=self.agent,
            wrap=wrap,
            log=self.log,
            calls=calls,
            engines=engines,
        )
        await self.app.start()
        self.address = self.app.address
        self.port = int(self.address.rsplit(":", 1)[1])
        return self.app

    async def between(self) -> Relay:
        """From now on pages are opened through a relay."""
        self.relay = Relay(self.port)
        self.address = await self.relay.start()
        return self.relay

    def cut(self) -> None:
        """Every page's connection is lost."""
        assert self.app is not None
        for connection in list(self.app.front.sockets._open):
            connection.transport.abort()

    async def stop(self) -> None:
        if self.app is not None:
            app, self.app = self.app, None
            await app.stop()

    async def page(
        self,
        path: str = "/",
        *,
        language: str = "en-US",
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        **context: Any,
    ) -> Tab:
        """Somebody opens the page in a browser of their own."""
        made = await self.browser.new_context(
            locale=language,
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            **context,
        )
        self.contexts.append(made)
        return await Tab(await made.new_page(), self).keep().open(path)

    async def terminal(self, name: str = ME, thread: str = HOME, language: str = "en") -> Person:
        """Somebody at a terminal."""
        assert self.app is not None
        person = Person(name, self.app.socket.path)
        self.people.append(person)
        await person.connect(thread, language)
        return person

    async def mode_holds(self, mode: str, thread: str = HOME) -> None:
        """Wait until the server has the thread's mode."""
        assert self.app is not None
        async with asyncio.timeout(WITHIN_MS / 1000):
            while True:
                row = await self.app.store.thread(thread)
                if row is not None and row.settings.get("mode") == mode:
                    return
                await asyncio.sleep(0.01)

    async def close(self) -> None:
        for person in self.people:
            await person.leave()
        logged = [line for tab in self.tabs for line in tab.logged]
        for context in self.contexts:
            await context.close()
        if self.relay is not None:
            await self.relay.close()
        await self.stop()
        bad = [line for line in logged if not _allowed(line, self.may_log)]
        assert not bad, bad

    def failures(self) -> list[dict[str, Any]]:
        """The operator's error lines."""
        lines = [json.loads(line) for line in self.log.getvalue().splitlines()]
        return [line for line in lines if line["level"] == "error"]


def _allowed(line: str, named: Iterable[str]) -> bool:
    return any(part in line for part in (*named, "TrustedScript"))
