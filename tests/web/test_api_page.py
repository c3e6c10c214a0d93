"""The page on which the API is tried, in a browser."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from gateway import Agent
from tests.acceptance.scripted import Script

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_run_is_started_and_streamed_from_the_page(site: Any) -> None:
    await site.start(Agent("a", Script(["Hello"], ["Hello again"])))
    context = await site.browser.new_context()
    page = await context.new_page()
    errors: list[str] = []
    asked: list[str] = []
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(f"{error}"))
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(f"{site.address}/v1/docs")
    await page.locator("#startRun summary").click()
    form = page.locator("#startRun form")
    await form.locator("textarea").fill('{"input": "hi", "waitSeconds": 9}')
    await form.get_by_role("button", name="Send").click()
    await expect(form.get_by_role("log")).to_contain_text('"text": "Hello"')
    await form.get_by_label("as events").check()
    await form.get_by_role("button", name="Send").click()
    await expect(form.get_by_role("log")).to_contain_text("event: finish")
    assert not errors
    assert all(url.startswith((site.address, "data:")) for url in asked)
    await context.close()
