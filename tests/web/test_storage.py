"""Row 78: a browser that keeps nothing (storage is blocked, or full), or keeps what another version
wrote: the page works, and nothing typed is lost while it is open.
"""

import pytest
from playwright.async_api import expect

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.fakes.calls import ScriptedCalls
from tests.web.site import HOME, Site, Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

BLOCKED = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, {
    get() { throw new DOMException("no", "SecurityError"); }
  });"""
FULL = """Storage.prototype.setItem = () => {
  throw new DOMException("no", "QuotaExceededError");
};"""


async def keeping(site: Site, script: str) -> Tab:
    """A page of a browser that runs this before it."""
    await site.start(Agent("a", Script(["One."], ["Two."]), ""))
    site.may_log += ["WebSocket", "ERR_"]
    tab = await site.page()
    await tab.page.add_init_script(script)
    await tab.reload()
    return tab


@pytest.mark.parametrize("script", [BLOCKED, FULL], ids=["blocked", "full"])
async def test_a_browser_that_keeps_nothing_loses_nothing(site: Site, script: str) -> None:
    tab = await keeping(site, script)
    await tab.say("first")
    await tab.sees(".reply", "One.")
    await site.stop()
    await tab.hint("send when the server is back")
    await tab.say("second")
    await tab.sees(".said .mark", "sent when the server is back")
    await tab.page.get_by_role("button", name="New conversation").click()
    await tab.gone(".said")
    await tab.type("a draft")
    await site.start()
    await tab.sees("#empty")
    assert await tab.page.input_value("#message") == "a draft"
    await tab.page.goto(f"{site.address}/#{HOME}")
    await tab.sees(".reply", "Two.")
    await tab.sees(".said", "second", count=1)
    await tab.page.go_back()
    await tab.sees("#empty")
    assert await tab.page.input_value("#message") == "a draft"


@pytest.mark.parametrize("script", [BLOCKED, FULL], ids=["blocked", "full"])
async def test_such_a_browser_changes_its_language(site: Site, script: str) -> None:
    tab = await keeping(site, script)
    await tab.page.get_by_role("button", name="RU, Русский").click()
    await tab.sees("#empty", "Чем могу помочь?")


async def test_what_another_version_kept_is_left(site: Site) -> None:
    tab = await keeping(site, "")
    await tab.type("words")
    await tab.page.evaluate(
        """() => { for (const storage of [localStorage, sessionStorage])
          for (const key of Object.keys(storage))
            if (key.startsWith("bargein:draft")) storage.setItem(key, "words"); }"""
    )
    await tab.page.evaluate("""() => ["a", "b", "null"].forEach(
      (key) => localStorage.setItem(`bargein:unsent:${key}`, key))""")
    await tab.reload()
    await tab.say("first")
    await tab.sees(".reply", "One.")
    assert not await tab.page.evaluate(
        "() => Object.keys(localStorage).filter((key) => key.startsWith('bargein:unsent')).length"
    )


@pytest.mark.parametrize("script", [BLOCKED, FULL], ids=["blocked", "full"])
async def test_such_a_browser_calls(caller: Site, script: str) -> None:
    calls = ScriptedCalls()
    await caller.start(Agent("a", Script(["Hello."]), ""), calls=calls)
    tab = await caller.page()
    await tab.page.add_init_script(script)
    await tab.reload()
    await tab.all("#talk").click()
    call = await calls.came()
    await expect(tab.all("#call")).to_have_attribute("data-state", "listening")
    push = tab.all("#call").get_by_role("button", name="Push to talk", exact=True)
    await push.click()
    await expect(push).to_have_attribute("aria-pressed", "true")
    assert call.thread == HOME
