"""Rows 49, 50, 52, 55: approvals and plans: arguments, edits, reasons, one decision."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import expect

from gateway import Agent, ToolContext, tool
from tests.acceptance.scripted import Script, call
from tests.web.site import GUARD_SECONDS, Site, Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

RAN: list[dict[str, Any]] = []


@tool(approval=True)
async def deploy(context: ToolContext, service: str, replicas: int, dry: bool = False) -> str:
    """Deploy a service."""
    RAN.append({"service": service, "replicas": replicas, "dry": dry})
    return f"deployed {service}"


@tool(approval=True, destructive=True)
async def wipe(context: ToolContext, path: str) -> str:
    """Wipe a disk."""
    RAN.append({"path": path})
    return "wiped"


async def approving(site: Site, name: str = "deploy", **arguments: Any) -> Tab:
    RAN.clear()
    given = arguments or {"service": "web", "replicas": 2}
    model = Script([call(name, **given)], ["All right."], [call(name, **given)], ["Again."])
    await site.start(Agent("deployer", model, "", [deploy, wipe]))
    page = await site.page()
    await page.say("go")
    await page.sees(".card.open .approval")
    return page


async def test_it_shows_tool_and_arguments_and_two_buttons_of_equal_weight(site: Site) -> None:
    page = await approving(site)
    await page.sees(".card.open .asks", "deploy needs your approval")
    await page.sees(".card.open .values th", "service")
    await page.sees(".card.open .values td", "web")
    approve = await page.all('.card.open [data-option="approve"]').bounding_box()
    deny = await page.all('.card.open [data-option="deny"]').bounding_box()
    assert approve is not None
    assert deny is not None
    assert (approve["width"], approve["height"]) == (deny["width"], deny["height"])
    assert RAN == []
    await page.press("Approve")
    await page.sees(".card.folded .answer.approved", "approved")
    await page.sees(".reply", "All right.")
    assert RAN == [{"service": "web", "replicas": 2, "dry": False}]


async def test_denied_with_a_reason(site: Site) -> None:
    page = await approving(site)
    await page.press("Deny with a reason")
    await page.all(".card.open .reason input").fill("too late <i>tonight</i>")
    await page.key("Enter")
    await page.sees(".card.folded .answer.denied", "denied: too late <i>tonight</i>")
    await page.sees(".reply", "All right.")
    assert RAN == []


async def test_edited_arguments_are_what_runs(site: Site) -> None:
    page = await approving(site)
    await page.press("Change the arguments")
    await page.all(".card.open").get_by_label("replicas").fill("5")
    await page.press("Approve")
    await page.sees(".reply", "All right.")
    assert RAN == [{"service": "web", "replicas": 5, "dry": False}]


async def test_half_edited_arguments_and_a_half_written_reason_are_kept(site: Site) -> None:
    page = await approving(site)
    await page.press("Change the arguments")
    await page.all(".card.open").get_by_label("replicas").fill("5")
    await page.press("Deny with a reason")
    await page.all(".card.open .reason input").fill("too la")
    await page.page.get_by_role("button", name="New conversation").click()
    await page.gone(".card")
    await page.all("#waiting-count").click()
    await expect(page.all(".card.open .reason input")).to_have_value("too la")
    await expect(page.all(".card.open").get_by_label("replicas")).to_have_value("5")
    await expect(page.all(".card.open").get_by_text("Change the arguments")).to_be_hidden()
    await page.press("Approve")
    await page.sees(".reply", "All right.")
    assert RAN == [{"service": "web", "replicas": 5, "dry": False}]


async def test_what_takes_no_other_arguments_offers_none(site: Site) -> None:
    @tool
    async def ask(context: ToolContext) -> str:
        """Asks for leave by itself."""
        details: dict[str, Any] = {"arguments": {"euro": 20}}
        decision = await context.interrupt(message="Refund?", kind="approval", details=details)
        return f"approved={decision['approved']}"

    await site.start(Agent("clerk", Script([call("ask")], ["Fine."]), "", [ask]))
    page = await site.page()
    await page.say("go")
    await page.sees(".card.open .values td", "20")
    await expect(page.all(".card.open").get_by_text("Deny with a reason")).to_be_visible()
    await expect(page.all(".card.open").get_by_text("Change the arguments")).to_have_count(0)
    await page.press("Approve")
    await page.sees(".reply", "Fine.")


async def test_edits_that_the_tool_refuses_are_told_and_nothing_runs(site: Site) -> None:
    page = await approving(site, "wipe", path="/tmp/x")
    await page.press("Change the arguments")
    await page.all(".card.open").get_by_label("path").fill("")
    await page.press("Deny")
    await page.sees(".card.folded .answer.denied")
    assert RAN == []


async def test_an_unclear_word_never_approves(site: Site) -> None:
    page = await approving(site)
    await page.say("no problem")
    await page.sees(".card.open .problem q", "no problem")
    await page.say("yes but not now")
    await page.sees(".card.open .problem q", "yes but not now")
    assert RAN == []
    await page.say("yes")
    await page.sees(".card.folded .answer.approved")
    await page.sees(".reply", "All right.")
    assert len(RAN) == 1


async def test_remembered_for_this_conversation_and_never_for_what_destroys(site: Site) -> None:
    page = await approving(site)
    await page.all(".card.open").get_by_label("Don’t ask me again").check()
    await page.press("Approve")
    await page.sees(".reply", "All right.")
    await page.say("once more")
    await page.sees(".reply", "Again.")
    assert len(RAN) == 2


async def test_what_destroys_offers_no_rule(site: Site) -> None:
    page = await approving(site, "wipe", path="/")
    await page.gone(".card.open input[type=checkbox]")


async def test_presses_at_once_decide_once(site: Site) -> None:
    page = await approving(site)
    other = await page.tab()
    await other.sees(".card.open .approval")
    await asyncio.sleep(GUARD_SECONDS)
    pressed = "(option) => document.querySelector(`.card.open [data-option=${option}]`)?.click()"
    await asyncio.gather(
        page.page.evaluate(pressed, "approve"), other.page.evaluate(pressed, "deny")
    )
    for tab in (page, other):
        await tab.gone(".card.open")
        await tab.sees(".card.folded .answer")
    texts = {await tab.all(".card.folded .answer").inner_text() for tab in (page, other)}
    assert len(texts) == 1
    await page.sees(".reply", "All right.")
    assert len(RAN) == (texts == {"approved"})


AT_ONCE = """new MutationObserver((_, observer) => {
  const button = document.querySelector('[data-option="approve"]');
  if (!button) return;
  observer.disconnect();
  button.click();
  document.documentElement.dataset.pressed = "";
}).observe(document, { childList: true, subtree: true });"""
"""A page that presses yes in the moment in which it appears."""


async def test_nothing_is_pressed_in_the_moment_in_which_a_card_appears(site: Site) -> None:
    page = await approving(site)
    await page.page.add_init_script(AT_ONCE)
    await page.reload()
    await page.sees("html[data-pressed] .card.open .approval")
    await page.gone(".card.open.busy")
    assert RAN == []
    await page.press("Deny")
    await page.sees(".card.folded .answer.denied")
    await page.sees(".reply", "All right.")
    assert RAN == []


async def test_a_plan_is_a_list_to_agree_to(site: Site) -> None:
    got: list[Any] = []

    @tool
    async def move(context: ToolContext) -> str:
        """Move."""
        plan: list[Any] = ["Copy", "Switch <script>", "Point"]
        answer = await context.interrupt(
            message="May I start?", kind="plan", details={"plan": plan}
        )
        got.append(answer)
        return "moved"

    await site.start(Agent("mover", Script([call("move")], ["Done."]), "", [move]))
    page = await site.page()
    await page.say("go")
    await page.sees(".card.open .plan li", count=3)
    await page.sees(".card.open .plan li", "Switch <script>")
    await page.press("Agree")
    await page.sees(".card.folded .answer", "agreed")
    await page.sees(".reply", "Done.")
    assert [answer["approved"] for answer in got] == [True]


async def test_the_digest_never_leaves_the_host(site: Site) -> None:
    frames: list[str] = []
    RAN.clear()
    model = Script([call("deploy", service="web", replicas=2)], ["All right."])
    await site.start(Agent("deployer", model, "", [deploy]))
    page = await site.page()
    page.page.on("websocket", lambda ws: ws.on("framereceived", lambda f: frames.append(str(f))))
    await page.reload()
    await page.say("go")
    await page.press("Approve")
    await page.sees(".reply", "All right.")
    assert frames
    assert not any("igest" in frame for frame in frames)
