"""Row 78: what a lost connection costs: nothing. A real server is killed and comes back."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from gateway import Agent
from gateway.agents.scripted import concierge
from tests.acceptance.scripted import Gate, Script
from tests.web.site import GUARD_SECONDS, Site, Tab

pytestmark = [pytest.mark.asyncio(loop_scope="session")]


async def test_a_reconnect_goes_on_where_it_was(site: Site) -> None:
    gate = Gate()
    await site.start(Agent("a", Script(["Before ", gate, "after."]), ""))
    site.may_log += ["WebSocket", "ERR_"]
    page = await site.page()
    await page.say("go")
    await page.sees('.reply[data-live="true"]', "Before")
    await page.page.context.set_offline(True)
    site.cut()
    await page.sees("#banner", "No connection to the server for")
    await page.hint("send when the server is back")
    gate.open()
    await page.say("typed while it was gone")
    await page.sees(".said .mark", "sent when the server is back")
    await page.page.context.set_offline(False)
    await page.gone("#banner:not([hidden])")
    await page.sees(".reply", "Before after.")
    await page.sees(".said", "typed while it was gone", count=1)
    await page.gone(".said .mark", "sent when the server is back")
    assert (await page.flow())[:2] == ["said: go", "reply: Before after."]


async def test_a_draft_outlives_reload_and_thread(site: Site) -> None:
    await site.start(Agent("a", Script(["Hello."]), ""))
    page = await site.page()
    await page.type("half a thou")
    await page.reload()
    await expect(page.all("#message")).to_have_value("half a thou")
    await page.page.get_by_role("button", name="New conversation").click()
    await expect(page.all("#message")).to_have_value("")
    await page.page.go_back()
    await expect(page.all("#message")).to_have_value("half a thou")


async def test_what_is_typed_before_the_page_knows_where_it_goes_gets_there(site: Site) -> None:
    await site.start(Agent("a", Script(["Hello."], ["Got it."]), ""))
    page = await site.page()
    await page.type("a draft")
    told = asyncio.Event()

    async def late(asked: Any) -> None:
        await told.wait()
        await asked.continue_()

    await page.page.route("**/me", late)
    await page.page.reload()
    await page.say("sent early")
    await page.type("typed early")
    file: Any = [{"name": "a.txt", "mimeType": "text/plain", "buffer": b"early, too"}]
    await page.all("#composer input[type=file]").set_input_files(file)
    told.set()
    await page.sees(".reply", "Hello.")
    await page.sees(".said", "sent early", count=1)
    await expect(page.all("#message")).to_have_value("a draft\ntyped early")
    await page.hint("Enter: send")
    await page.all("#message").press("Enter")
    await page.sees(".said .file", "a.txt")
    await page.sees(".reply", "Got it.")


async def test_who_looks_elsewhere_before_the_welcome_is_there_and_not_where_they_were(
    site: Site,
) -> None:
    """What they say there is said there."""
    await site.start(Agent("a", Script(["At home."], ["Elsewhere."]), ""))
    page = await site.page()
    await page.say("first")
    await page.sees(".reply", "At home.")
    welcome, held = asyncio.Event(), asyncio.Event()

    def route(socket: Any) -> None:
        server = socket.connect_to_server()

        async def later(message: Any) -> None:
            held.set()
            await welcome.wait()
            socket.send(message)

        server.on_message(later)

    await page.page.route_web_socket("**/ws", route)
    await page.page.reload()
    await held.wait()
    await page.key("Alt+n")
    welcome.set()
    await page.hint("Enter: send")
    await page.say("second")
    await page.sees(".reply", "Elsewhere.")
    await page.gone(".said", "first")
    inputs = (await (await site.terminal()).export())["inputs"]
    assert [one["text"] for one in inputs] == ["first"]


class Server:
    """`bargein serve` as a process of its own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.port = "0"
        self.process: subprocess.Popen[str] | None = None

    def _spawn(self) -> subprocess.Popen[str]:
        serve = "from gateway.cli import main; main()"
        return subprocess.Popen(
            [sys.executable, "-c", serve, "serve", "--port", self.port],
            cwd=self.directory,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )

    async def start(self) -> str:
        self.process = self._spawn()
        assert self.process.stdout is not None
        line = await asyncio.to_thread(self.process.stdout.readline)
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, line
        self.port = found[1]
        return found[0]

    async def end(self, number: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(number)
            await asyncio.to_thread(self.process.wait, 15)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None


@pytest.mark.process
@pytest.mark.timeout(180)
async def test_kill_9_leaves_the_question_and_what_was_typed(site: Site) -> None:
    """The last of the five offers: nothing is lost, the answer goes on from there."""
    site.agent = concierge()
    server = Server(site.directory)
    site.address = await server.start()
    site.may_log += ["WebSocket", "ERR_", "Failed to load"]
    try:
        page: Tab = await site.page()
        await page.all('[data-offer="kill"]').click()
        await page.sees('.card.open input[type="date"]')
        await server.end(signal.SIGKILL)
        await page.sees("#banner", "No connection to the server for")
        await page.type("a draft")
        await server.start()
        await page.gone("#banner:not([hidden])")
        await page.sees('.card.open input[type="date"]')
        await expect(page.all("#message")).to_have_value("a draft")
        await page.reload()
        await page.sees('.card.open input[type="date"]')
        await page.all('.card.open input[type="date"]').fill("2027-03-15")
        await page.press("Answer")
        await page.sees(".card.folded .answer", "2027")
        await page.sees(".card.open .stepper")
        await page.sees(".card.open .timeline:not([hidden])")
        await asyncio.sleep(GUARD_SECONDS)
        await server.end(signal.SIGKILL)
        await page.sees("#banner", "No connection to the server for")
        await page.say("four")
        await page.sees(".card.open .pending", "four")
        await page.page.goto("about:blank")
        await server.start()
        await page.open()
        await page.sees(".reply", "Booked at")
        await page.sees(".card.folded .answer", "4")
    finally:
        await server.end(signal.SIGTERM)


@pytest.mark.process
@pytest.mark.timeout(180)
async def test_an_orderly_restart_offers_retry(site: Site) -> None:
    server = Server(site.directory)
    site.address = await server.start()
    site.may_log += ["WebSocket", "ERR_"]
    try:
        page: Tab = await site.page()
        await page.say("the quarterly report")
        await page.sees('.reply[data-live="true"]', "Here is")
        await server.end(signal.SIGTERM)
        await page.sees("#banner", "No connection to the server for")
        await server.start()
        await page.sees(".end", "the server was shut down")
        await page.sees(".reply.cut .bar")
        await page.press("Retry", ".end")
        await page.sees('.reply[data-live="true"]', "Here is")
        await page.gone(".reply.cut")
        await page.key("Escape")
        await page.sees(".end", "stopped by you")
    finally:
        await server.end(signal.SIGTERM)


async def test_each_tab_keeps_its_own_draft(site: Site) -> None:
    await site.start(Agent("a", Script(["Hello."]), ""))
    one = await site.page()
    two = await one.tab()
    await one.type("in one")
    await two.type("in two")
    await two.all("#message").press("Enter")
    await two.sees(".reply", "Hello.")
    await one.reload()
    await expect(one.all("#message")).to_have_value("in one")
    await one.all("#message").press("Enter")
    await one.sees(".said", "in one")
    for tab in (one, two, await one.tab()):
        await tab.reload()
        await tab.sees(".said", "in one")
        await expect(tab.all("#message")).to_have_value("")


async def test_a_page_older_than_the_server_says_so(site: Site) -> None:
    await site.start(Agent("a", Script(["Hello."]), ""))
    site.may_log += ["WebSocket", "ERR_"]
    page = await site.page()
    await page.type("kept")
    file: Any = [{"name": "a.txt", "mimeType": "text/plain", "buffer": b"also kept"}]
    await page.all("#composer input[type=file]").set_input_files(file)
    await page.sees(".drafts .chip", "a.txt")
    told = await page.page.evaluate("() => fetch('/me').then(answer => answer.json())")
    other = {**told, "build": "another"}
    await page.page.route("**/me", lambda route: route.fulfill(json=other))
    await site.stop()
    await page.sees("#banner", "No connection")
    await site.start()
    await page.sees("#banner", "newer version of this page")
    await page.page.unroute("**/me")
    await page.press("Reload", "#banner")
    await expect(page.all("#message")).to_have_value("kept")
    await page.gone("#banner:not([hidden])")
    await page.sees(".drafts .chip", "a.txt")
    await page.say("kept")
    await page.sees(".said .file", "a.txt")


async def test_a_page_older_than_the_server_says_so_though_it_was_not_answered_at_first(
    site: Site,
) -> None:
    await site.start(Agent("a", Script(["Hello."]), ""))
    site.may_log += ["WebSocket", "ERR_", "Failed to load"]
    page = await site.page()
    await page.type("kept")
    told = await page.page.evaluate("() => fetch('/me').then(answer => answer.json())")
    asked: list[str] = []

    async def answer(route: Any) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            await route.abort()
        else:
            await route.fulfill(json={**told, "build": "another"})

    await page.page.route("**/me", answer)
    await site.stop()
    await page.sees("#banner", "No connection")
    await site.start()
    await page.sees("#banner", "newer version of this page")
    assert len(asked) == 2
    await expect(page.all("#message")).to_have_value("kept")


async def test_a_page_of_another_protocol_asks_to_be_reloaded_and_keeps_the_text(
    site: Site,
) -> None:
    await site.start(Agent("a", Script(["Hello."]), ""))
    site.may_log += ["WebSocket", "ERR_"]
    page = await site.page()

    def older(socket: Any) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda data: server.send(data.replace('"v":1', '"v":0')))

    await page.page.route_web_socket("**/ws", older)
    await page.reload()
    await page.type("kept")
    await page.sees("#banner", "This page is older than the server")
    await page.say("kept too")
    await page.type("a draft")
    await page.page.unroute_all()
    fresh = await page.tab()
    await fresh.sees(".said", "kept too")
    await fresh.sees(".reply", "Hello.")
    await expect(fresh.all("#message")).to_have_value("a draft")


async def test_a_stop_that_gets_there_late_stops_no_later_run(site: Site) -> None:
    first, second = Gate(), Gate()
    await site.start(Agent("a", Script(["One ", first, "done."], ["Two ", second, "done."]), ""))
    site.may_log += ["WebSocket", "ERR_"]
    page = await site.page()
    ann = await site.terminal()
    await page.say("first")
    await page.sees('.reply[data-live="true"]', "One")
    await page.page.context.set_offline(True)
    site.cut()
    await page.sees("#banner", "No connection to the server for")
    await page.key("Escape")
    first.open()
    await ann.shows("One done.")
    said = await ann.say("second")
    await second.reached.wait()
    await page.page.context.set_offline(False)
    await page.sees('.reply[data-live="true"]', "Two")
    await page.gone("#banner:not([hidden])")
    second.open()
    assert await ann.outcome(said) == ("answered", "")
    await page.sees(".reply", "Two done.")
