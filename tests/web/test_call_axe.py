"""axe-core finds nothing serious in any state of a call."""

import pytest
from playwright.async_api import expect

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.fakes.calls import ScriptedCalls
from tests.web.axe import Axe
from tests.web.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
async def test_axe_finds_nothing_serious_on_a_call(caller: Site, axe: Axe, dark: bool) -> None:
    calls = ScriptedCalls("whisper")
    await caller.start(Agent("a", Script(["Hello."]), ""), calls=calls)
    tab = await caller.page(dark=dark, bypass_csp=True)
    await tab.all("#talk").click()
    await tab.sees('#call[data-state="loading"]')
    assert await axe(tab) == []
    calls.parts = ()
    call = await calls.came()
    call.tell("caller", utterance=0, text="twenty five", final=True, outcome="answer")
    call.tell("understood", question="q", said="twenty five", value="25")
    call.tell("agent", text="Twenty-five it is")
    await tab.all("#call").get_by_role("button", name="Push to talk", exact=True).click()
    await tab.all("#call").get_by_role("button", name="Keypad", exact=True).click()
    for state in ("listening", "thinking", "speaking", "asking"):
        call.tell("state", state=state)
        await expect(tab.all("#call")).to_have_attribute("data-state", state)
        assert await axe(tab) == [], state
    call.line.hang_up("failed")
    await tab.sees('#call[data-state="over"]')
    assert await axe(tab) == []
