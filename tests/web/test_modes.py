"""Rows 29, 33 to 36, 66: what Enter will do, what waits, and what becomes of each message."""

import pytest

from gateway import Agent, ToolContext, tool
from gateway.core.cancellation import InterruptBehavior
from gateway.core.errors import ModelFailed
from tests.acceptance.scripted import Gate, Script, call
from tests.web.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")


def held(*, steps: int = 30) -> tuple[Agent, Gate]:
    """An agent whose first reply waits at a gate; later ones say what they were told."""
    gate = Gate()

    def echo(request):
        return [f"Did {request.messages[-1].text}."]

    return Agent("held", Script(["Working ", gate, "done."], *[echo] * steps), ""), gate


HINTS = {
    "steer": "add to what I’m doing",
    "enqueue": "wait for your turn",
    "collect": "put together with others",
    "interrupt": "stop and do this instead",
    "rollback": "undo and do this instead",
    "reject": "not taken while I work",
    "parallel": "work on this beside it",
}
BECOMES = {
    "steer": (".said .mark", "joined"),
    "enqueue": (".reply", "Did second."),
    "collect": (".reply", "Did second."),
    "interrupt": (".end", "interrupted by a newer message"),
    "rollback": (".reply", "Did second."),
    "reject": (".said .mark", "not taken: the agent was working"),
    "parallel": (".reply", "Did second."),
}


@pytest.mark.parametrize("mode", HINTS)
async def test_enter_says_and_does_what_the_mode_means(site: Site, mode: str) -> None:
    agent, gate = held()
    await site.start(agent)
    page = await site.page()
    await page.say("hello first")
    await gate.reached.wait()
    await page.mode(mode)
    await page.hint(HINTS[mode])
    await page.say("second")
    if mode in ("steer", "enqueue", "collect"):
        await page.sees("#queue li", "second")
    if mode in ("reject", "interrupt", "rollback"):
        await page.sees(*BECOMES[mode])
    gate.open()
    selector, text = BECOMES[mode] if mode != "steer" else (".reply", "Did second.")
    await page.sees(selector, text)
    await page.gone("#queue li")


async def test_now_next_and_later_for_one_message(site: Site) -> None:
    agent, gate = held()
    await site.start(agent)
    page = await site.page()
    await page.say("first")
    await gate.reached.wait()
    await page.hint("add to what I’m doing")
    await page.key("Alt+3")
    await page.hint("when everything else is done")
    await page.say("at the end")
    await page.hint("add to what I’m doing")
    await page.sees("#queue li", "at the end")
    await page.sees("#queue li", "Later")
    await page.key("Alt+1")
    await page.hint("stop and do this instead")
    await page.say("at once")
    await page.sees(".end", "interrupted by a newer message")
    await page.sees(".reply", "Did at the end.")
    replies = [line for line in await page.flow() if line.startswith("reply")]
    assert replies == ["reply: Working", "reply: Did at once.", "reply: Did at the end."]


async def test_what_waits_is_edited_dropped_given_back_and_sent_now(site: Site) -> None:
    agent, gate = held()
    await site.start(agent, queue_mode="enqueue")
    page = await site.page()
    await page.say("first")
    await gate.reached.wait()
    for text in ("one", "two", "three"):
        await page.say(text)
    await page.sees("#queue li", count=3)
    await page.sees(".queue-head", "3 messages wait")
    rows = page.all("#queue li")
    await rows.nth(0).get_by_role("button", name="Edit").click()
    await page.all("#queue textarea").fill("one, better")
    await page.key("Enter")
    await page.sees("#queue li", "one, better")
    await rows.nth(1).get_by_role("button", name="Drop").click()
    await page.sees("#queue li", count=2)
    await page.sees(".undo", "Dropped: two")
    await page.press("Undo", ".undo")
    await page.sees("#queue li", count=3)
    await rows.nth(1).get_by_role("button", name="Send now").click()
    await page.sees(".reply", "Did three.")
    await page.sees(".reply", "Did one, better.")
    await page.sees(".reply", "Did two.")
    await page.sees(".end", "interrupted by a newer message")
    assert not any("/queue" in line for line in await page.flow())


async def test_a_stop_gives_back_what_waits_and_one_tap_sends_it(site: Site) -> None:
    agent, gate = held()
    await site.start(agent, queue_mode="enqueue")
    page = await site.page()
    await page.say("first")
    await gate.reached.wait()
    await page.say("second")
    await page.sees("#queue li", "second")
    await page.key("Escape")
    await page.sees(".end", "stopped by you")
    await page.sees(".reply.cut .bar")
    await page.sees('.said[data-state="returned"] .mark', "not sent")
    await page.reload()
    await page.sees('.said[data-state="returned"] .mark', "not sent")
    await page.sees(".end", "stopped by you")
    await page.press("Send", '.said[data-state="returned"]')
    await page.sees(".reply", "Did second.")
    await page.gone('.said[data-state="returned"]')


async def test_a_full_queue_says_what_was_not_taken(site: Site) -> None:
    agent, gate = held()
    await site.start(agent, queue_mode="enqueue", queue={"cap": 2})
    page = await site.page()
    await page.say("first")
    await gate.reached.wait()
    for number in range(3):
        await page.say(f"more {number}")
    await page.sees(".said .mark", "not taken: queue full")
    await page.sees("#queue li", count=2)
    gate.open()
    await page.sees(".reply", "Did more 1.")


async def test_a_burst_is_one_run(site: Site) -> None:
    agent, gate = held()
    gate.open()
    await site.start(agent, queue={"debounce_ms": 300})
    page = await site.page()
    await page.page.evaluate(
        """() => ["a", "b", "c"].forEach((text) => {
             document.querySelector("#message").value = text;
             document.querySelector("#composer").requestSubmit();
           })"""
    )
    await page.sees(".reply", "Working done.")
    await page.sees(".said .mark", "put together", count=2)
    await page.sees(".reply", count=1)


@tool(behavior=InterruptBehavior.NON_INTERRUPTIBLE)
async def pay(context: ToolContext) -> str:
    """Pay."""
    await GATES["pay"].wait()
    return "paid"


GATES: dict[str, Gate] = {}


async def test_a_call_that_cannot_be_cut_is_finished_first(site: Site) -> None:
    GATES["pay"] = Gate()
    model = Script(["Paying. ", call("pay")], ["Then this."])
    await site.start(Agent("payer", model, "", [pay]))
    page = await site.page()
    await page.say("pay")
    await page.sees('.call[data-state="started"]', "pay")
    await page.say("something else", now=True)
    await page.sees(".note", "Finishing pay first.")
    GATES["pay"].open()
    await page.sees(".reply", "Then this.")
    await page.all(".call summary").first.click()
    await page.sees(".call-inside pre", "paid")


async def test_a_command_answers_and_is_no_message_for_the_agent(site: Site) -> None:
    agent, _ = held()
    await site.start(agent)
    page = await site.page()
    await page.say("/whoami")
    await page.sees(".note", "You are")
    assert not await page.all(".reply").count()


async def test_a_message_that_failed_after_a_later_one_stands_once(site: Site) -> None:
    gate = Gate()
    model = Script(["One ", gate, "two."], ["Three."], [ModelFailed("MODEL_UNAVAILABLE", "down")])
    await site.start(Agent("a", model, ""), queue_mode="enqueue")
    page = await site.page()
    ann = await site.terminal()
    await page.say("go")
    await gate.reached.wait()
    await ann.say("fail at last", override="later")
    await ann.say("before that")
    gate.open()
    await page.sees(".end.failed")
    await page.reload()
    await page.sees(".end.failed")
    await page.sees(".said", "fail at last", count=1)


async def test_replies_beside_each_other_stand_below_their_messages_on_a_fresh_page(
    site: Site,
) -> None:
    gate, beside = Gate(), Gate()
    model = Script(["One ", gate, "two."], ["Three ", beside, "four."])
    await site.start(Agent("a", model, ""), queue_mode="parallel")
    page = await site.page()
    await page.say("first")
    await page.sees(".reply", "One")
    await page.say("second")
    await page.sees(".reply", "Three")
    await page.reload()
    flow = ["said: first", "reply: One", "said: second", "reply: Three"]
    await page.sees(".reply", "Three")
    assert await page.flow() == flow
    gate.open()
    beside.open()
    await page.sees(".reply", "four.")
    await page.sees(".reply", "two.")
    assert await page.flow() == [flow[0], "reply: One two.", flow[2], "reply: Three four."]
