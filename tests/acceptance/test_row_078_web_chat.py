"""Row 78: web chat in a real Chromium, on a real server: a reconnect keeps thread, stream and
question; Stop, answer buttons and keys work; roles, live regions and focus stand in the
accessibility tree; two tabs stay in step.
"""

import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.real_server import Server
from tests.web.relay import Relay

CHROMIUM = shutil.which("chromium")
playwright = pytest.importorskip("playwright.async_api", reason="playwright is not installed")
expect = playwright.expect

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium (`make packages`)"),
]
WITHIN_MS = 30_000
expect.set_options(timeout=WITHIN_MS)
GUARD_MS = 500
"""A card takes no press in the moment in which it appears."""


@pytest.fixture
async def context() -> AsyncIterator[Any]:
    async with playwright.async_playwright() as started:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        chromium = await started.chromium.launch(executable_path=CHROMIUM, args=flags)
        context = await chromium.new_context(locale="en-US")
        context.set_default_timeout(WITHIN_MS)
        yield context
        await chromium.close()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    server = await Server(tmp_path / "a.db").ready()
    yield server
    server.kill()


@pytest.fixture
async def relay(server: Server) -> AsyncIterator[Relay]:
    relay = Relay(int(server.address.strip("/").rpartition(":")[2]))
    yield relay
    await relay.close()


async def opened(context: Any, address: str) -> Any:
    page = await context.new_page()
    await page.goto(address)
    await expect(page.get_by_role("textbox", name="Message")).to_be_focused(timeout=WITHIN_MS)
    return page


async def say(page: Any, text: str) -> None:
    await page.get_by_role("textbox", name="Message").fill(text)
    await page.keyboard.press("Enter")


def number_in(text: str) -> int:
    """The last number that stands in a reply: the agent counts."""
    return max([int(number) for number in re.findall(r"\d+", text)], default=-1)


async def test_a_reconnect_keeps_thread_and_stream_and_stop_stops_on_both_tabs(
    relay: Relay, context: Any
):
    address = await relay.start()
    one, two = await opened(context, address), await opened(context, address)
    await say(one, "talk")
    reply = one.get_by_role("article", name="Agent")
    for page in (one, two):
        await expect(page.get_by_role("article", name="You said")).to_have_text("talk")
        await expect(page.get_by_role("article", name="Agent")).to_contain_text("3 ")
    before = number_in(await reply.inner_text())
    (await relay.came("/ws", 1)).cut()
    await relay.came("/ws", 3)
    await expect(reply).to_contain_text(f" {before + 10} ")
    counted = re.findall(r"\d+", await reply.inner_text())
    assert counted == [str(number) for number in range(len(counted))]
    await two.get_by_role("button", name="Stop").click()
    for page in (one, two):
        await expect(page.get_by_text("stopped by you").first).to_be_visible()
        await expect(page.get_by_role("img", name="cut off here")).to_be_visible()
        await expect(page.get_by_role("button", name="Retry")).to_be_visible()
    texts = [await page.get_by_role("article", name="Agent").inner_text() for page in (one, two)]
    assert texts[0] == texts[1]


async def test_a_question_outlives_the_process_and_is_answered_by_a_key(
    server: Server, context: Any
):
    one, two = await opened(context, server.address), await opened(context, server.address)
    await say(one, "ask")
    card = one.get_by_role("region", name="Sure?")
    await expect(card).to_be_focused()
    await expect(one.get_by_role("alert").filter(has_text="A question from ask")).to_have_count(1)
    await expect(one).to_have_title("(1) A question waits · ask")
    await two.get_by_role("textbox", name="Message").fill("a draft")
    server.kill()
    for page in (one, two):
        await expect(
            page.locator("#banner").get_by_text("No connection to the server")
        ).to_be_visible()
    await server.again()
    await expect(two.get_by_role("region", name="Sure?")).to_be_visible()
    await expect(two.get_by_role("textbox", name="Message")).to_have_value("a draft")
    await expect(one.locator("#banner").get_by_text("No connection to the server")).to_be_hidden()
    await card.focus()
    await one.wait_for_timeout(GUARD_MS)
    await one.keyboard.press("1")
    for page in (one, two):
        await expect(page.get_by_role("region", name="Sure?")).to_be_hidden()
        await expect(page.get_by_role("article", name="Agent")).to_contain_text("heard True")
    await expect(one.get_by_role("textbox", name="Message")).to_be_focused()


async def test_answer_buttons_and_keys_work_and_everything_has_its_role(
    server: Server, context: Any
):
    page = await opened(context, server.address)
    await expect(page.get_by_role("banner")).to_be_visible()
    await expect(page.get_by_role("main")).to_be_visible()
    await expect(page.get_by_role("navigation", name="Conversations")).to_be_visible()
    await expect(page.get_by_role("button", name="Send", exact=True)).to_be_disabled()
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    await page.keyboard.press("Escape")
    await say(page, "ask")
    await page.get_by_role("region", name="Sure?").wait_for()
    await page.wait_for_timeout(GUARD_MS)
    await page.get_by_role("button", name="No", exact=True).click()
    await expect(page.get_by_role("article", name="Agent")).to_contain_text("heard False")
    spoken = page.locator("[aria-live=polite]", has_text="heard False")
    await expect(spoken).to_have_count(1)
    await say(page, "talk")
    await expect(page.get_by_role("button", name="Stop")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_text("stopped by you").first).to_be_visible()
