"""Row 78: whoever swallows what the page asks (a proxy, a server that hangs, a network that is
gone) holds it up for a bounded time: it says that nobody is there, asks anew, and nothing is lost.
"""

import re
from typing import Any

import pytest
from playwright.async_api import expect

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.fakes.calls import ScriptedCall, ScriptedCalls
from tests.web.relay import Relay
from tests.web.site import Site, Tab
from tests.web.test_call_page import state
from tests.web.test_people import app_of, opened

pytestmark = pytest.mark.asyncio(loop_scope="session")

WELCOME_MS = 8_500
"""How long a page waits to be let in, and a little more."""
SILENCE_MS = 50_000
SILENT_MS = 5_500
"""How long an open call may be silent, and a little more."""
AGAIN_MS = 2_500
"""When a page that has found no server asks again."""
COUNTED = """() => {
  window.asked = 0;
  window.WebSocket = class extends WebSocket { constructor(at) { window.asked += 1; super(at); } };
}"""


async def through_a_relay(site: Site, **started: Any) -> tuple[Tab, Relay]:
    """A page whose time can be wound on, on a server that can be kept from it."""
    await site.start(Agent("a", Script(["One."], ["Two."]), ""), **started)
    site.may_log += ["WebSocket", "ERR_"]
    relay = await site.between()
    tab = await site.page()
    await tab.page.clock.install()
    await tab.reload()
    await tab.sees("#empty")
    return tab, relay


async def test_a_line_that_is_never_let_in_is_given_up_and_asked_for_again(site: Site) -> None:
    tab, relay = await through_a_relay(site)
    relay.swallows.add("/ws")
    await tab.reload()
    swallowed = await relay.came("/ws", 3)
    await tab.say("kept")
    await tab.sees(".said .mark", "sent when the server is back")
    await tab.page.clock.fast_forward(WELCOME_MS)
    await tab.sees("#banner", "No connection to the server for")
    await swallowed.left.wait()
    await relay.came("/ws", 4)
    relay.swallows.clear()
    await tab.page.clock.fast_forward(2 * WELCOME_MS)
    await tab.sees(".reply", "One.")
    await tab.gone("#banner:not([hidden])")
    await tab.sees(".said", "kept", count=1)


async def test_a_hello_on_an_open_line_that_is_swallowed_is_said_on_another(site: Site) -> None:
    tab, relay = await through_a_relay(site)
    await tab.say("first")
    await tab.sees(".reply", "One.")
    relay.silence("/ws")
    await tab.page.get_by_role("button", name="New conversation").click()
    await tab.hint("send when the server is back")
    await tab.page.clock.fast_forward(WELCOME_MS)
    await tab.sees("#empty")
    await tab.say("second")
    await tab.sees(".reply", "Two.")


async def test_a_line_that_falls_silent_is_left_without_its_goodbye(site: Site) -> None:
    tab, relay = await through_a_relay(site)
    await tab.say("first")
    await tab.sees(".reply", "One.")
    relay.silence("/ws")
    await tab.say("second")
    await tab.page.clock.fast_forward(SILENCE_MS)
    await tab.sees(".reply", "Two.")
    await tab.sees(".said", "second", count=1)


@pytest.mark.parametrize("answer", [None, {"status": 502, "body": "<h1>Bad gateway</h1>"}])
async def test_a_page_whose_first_question_gets_no_answer_asks_again(
    site: Site, answer: dict[str, Any] | None
) -> None:
    tab, _ = await through_a_relay(site)
    site.may_log.append("502")

    async def route(asked: Any) -> None:
        if answer is not None:
            await asked.fulfill(**answer)

    await tab.page.route("**/me", route)
    await tab.page.reload()
    if answer is None:
        await tab.page.clock.fast_forward(WELCOME_MS)
    await tab.sees("#banner", "The server can’t be reached")
    await tab.page.unroute("**/me")
    await tab.page.clock.fast_forward(AGAIN_MS)
    await tab.sees("#empty")
    await tab.gone("#banner:not([hidden])")


async def test_a_link_to_a_conversation_is_followed_until_it_is_answered(site: Site) -> None:
    ann, bob = await opened(site, "ann", "bob")
    site.may_log += ["WebSocket", "ERR_"]
    await ann.say("hello all")
    await ann.sees(".reply")
    key = await app_of(site).front.people.share("local:ann", "ann")
    relay = await site.between()
    relay.swallows.add("/ws")
    await bob.page.clock.install()
    await bob.page.goto(f"{site.address}/?join=local%3Aann&key={key}")
    await relay.came("/ws", 1)
    await bob.page.clock.fast_forward(WELCOME_MS)
    await bob.sees("#banner", "The server can’t be reached")
    relay.swallows.clear()
    await bob.page.clock.fast_forward(AGAIN_MS)
    await bob.sees(".said", "hello all")
    await bob.gone("#banner:not([hidden])")


async def test_a_call_that_is_never_answered_is_asked_for_again(caller: Site) -> None:
    calls = ScriptedCalls()
    tab, relay = await through_a_relay(caller, calls=calls)
    relay.swallows.add("/call")
    await tab.all("#talk").click()
    swallowed = await relay.came("/call", 1)
    await state(tab, "connecting")
    await tab.page.clock.fast_forward(WELCOME_MS)
    await tab.sees(".voice-trouble", "No connection for")
    await swallowed.left.wait()
    relay.swallows.clear()
    await relay.came("/call", 2)
    await tab.page.clock.fast_forward(WELCOME_MS)
    await calls.came()
    await state(tab, "listening")


KEPT = """() => {
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (asked) => (window.given = await real(asked));
}"""
"""The page's microphone is to be looked at."""


async def on_a_call_through_a_relay(caller: Site) -> tuple[Tab, Relay, ScriptedCalls, ScriptedCall]:
    calls = ScriptedCalls()
    tab, relay = await through_a_relay(caller, calls=calls)
    await tab.page.evaluate(KEPT)
    await tab.all("#talk").click()
    call = await calls.came()
    await state(tab, "listening")
    return tab, relay, calls, call


async def test_a_call_whose_network_is_gone_is_lost_within_seconds(caller: Site) -> None:
    """Nothing ends the connection: there is only silence."""
    tab, relay, calls, call = await on_a_call_through_a_relay(caller)
    relay.swallows.add("/call")
    relay.silence("/call")
    await tab.page.clock.fast_forward(SILENT_MS)
    await state(tab, "lost")
    gone = re.compile(r"No connection for (\d+) s")
    await expect(tab.all(".voice-trouble")).to_have_text(gone)
    told = gone.search(await tab.all(".voice-trouble").inner_text())
    assert told is not None
    assert int(told[1]) >= SILENT_MS // 1000
    relay.swallows.clear()
    await tab.page.clock.fast_forward(WELCOME_MS)
    assert await calls.came() is call
    await state(tab, "listening")
    await tab.gone(".voice-trouble:visible")


async def test_a_call_whose_network_stays_away_lets_the_microphone_go(caller: Site) -> None:
    tab, relay, calls, _ = await on_a_call_through_a_relay(caller)
    relay.swallows.add("/call")
    relay.silence("/call")
    for tried in range(2, 7):
        await tab.page.clock.fast_forward(WELCOME_MS)
        if await tab.all('#call[data-state="over"]').count():
            break
        await relay.came("/call", tried)
    await state(tab, "over")
    live = "given.getTracks().filter(track => track.readyState === 'live').length"
    assert await tab.page.evaluate(live) == 0
    relay.swallows.clear()
    await tab.all("#call").get_by_role("button", name="Call again").click()
    await calls.came()
    await state(tab, "listening")


async def test_a_quiet_call_is_kept_by_any_sign_of_life(caller: Site) -> None:
    tab, relay, _, call = await on_a_call_through_a_relay(caller)
    for name in ("thinking", "asking", "listening"):
        await tab.page.clock.fast_forward(SILENT_MS // 2)
        call.tell("state", state=name)
        await state(tab, name)
    assert sum(one.path == "/call" for one in relay.all) == 1


async def test_who_is_refused_does_not_ask_again_and_again(site: Site) -> None:
    ann, bob = await opened(site, "ann", "bob")
    await ann.say("hello")
    await ann.sees(".reply")
    await bob.page.clock.install()
    await bob.page.goto(f"{site.address}/?#local%3Aann")
    await bob.sees("#banner a")
    await bob.page.evaluate(COUNTED)
    await bob.page.clock.fast_forward(WELCOME_MS)
    await bob.page.clock.fast_forward(AGAIN_MS)
    assert await bob.page.evaluate("asked") == 0
