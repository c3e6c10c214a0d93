"""RACES 5, 8, 17, 25 and 26 seen from two tabs and a terminal on one thread; rows 31, 51 and 54."""

from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from gateway.core.errors import ModelFailed
from tests.acceptance.people import Person
from tests.acceptance.scripted import Gate, Script, call
from tests.web.asks import RAN, ask
from tests.web.site import Site, Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")


@tool(approval=True)
async def deploy(context: ToolContext) -> str:
    """Deploy."""
    RAN.append("deployed")
    return "deployed"


def agent(*steps: Any) -> Agent:
    RAN.clear()
    return Agent("a", Script(*steps), "", [ask, deploy])


async def three(site: Site, agent: Agent, **settings: Any) -> tuple[Tab, Tab, Person]:
    """Two tabs and a terminal on one thread."""
    await site.start(agent, **settings)
    one = await site.page()
    return one, await one.tab(), await site.terminal()


async def in_step(*tabs: Tab, ordered: bool = True) -> None:
    """The tabs show the same, and so does one that is opened now."""
    late = await tabs[0].tab()
    for tab in tabs:
        await tab.gone("#queue li")
    await late.sees("#flow > .item")
    flows = [[_lasting(line) for line in await tab.flow()] for tab in (*tabs, late)]
    flows = [[line for line in (flow if ordered else sorted(flow)) if line] for flow in flows]
    assert flows == [flows[0]] * len(flows)


def _lasting(line: str) -> str:
    """A line, "" where it is what only those see who were there: what was told."""
    return "" if line.startswith("note: ") else line


async def test_a_stop_gives_back_what_waits_wherever_it_was_typed(site: Site) -> None:
    """RACES 5: also a NOW that waits for the old run to settle."""
    gate = Gate()

    @tool
    async def pay(context: ToolContext) -> str:
        """Pay."""
        await gate.wait()
        return "paid"

    payer = Agent("a", Script([call("pay")], ["never"]), "", [pay])
    one, two, ann = await three(site, payer, queue_mode="enqueue")
    await one.say("pay")
    await gate.reached.wait()
    await one.say("from a tab")
    await ann.say("from the terminal")
    await two.sees("#queue li", count=2)
    await two.say("at once", now=True)
    await one.sees(".note", "Finishing pay first.")
    await one.key("Escape")
    for tab in (one, two):
        for text in ("from a tab", "from the terminal", "at once"):
            await tab.sees(f'.said[data-state="returned"]:has-text("{text}") .mark', "not sent")
        await tab.gone("#queue li")
    gate.open()
    await two.press("Send", '.said[data-state="returned"]:has-text("from the terminal")')
    await one.sees(".reply", "never")
    await one.gone('.said[data-state="returned"]:has-text("from the terminal")')
    await in_step(one, two, ordered=False)


async def test_a_now_from_elsewhere_closes_the_question_on_all(site: Site) -> None:
    """RACES 8."""
    one, two, ann = await three(site, agent([call("ask")], ["Did it."]))
    await one.say("go")
    for tab in (one, two):
        await tab.sees(".card.open")
    await ann.frame("question")
    await ann.say("stop, do that instead")
    for tab in (one, two):
        await tab.sees(".card.folded .answer", "moved on")
        await tab.sees(".reply", "Did it.")
        await tab.gone("#waiting-count:not([hidden])")
    assert RAN == []
    await in_step(one, two)


async def test_a_word_that_cannot_have_seen_the_question_answers_nothing(site: Site) -> None:
    """RACES 16 and 17: it is on its way while the question is; a press proves that it was seen."""
    gate = Gate()
    one, two, ann = await three(site, agent([gate, call("ask")], ["Thanks."]))
    await one.say("go")
    await gate.reached.wait()
    seen = max(frame.get("seq") or 0 for frame in ann.frames)
    gate.open()
    await two.sees(".card.open")
    await ann.say("8080", seen=seen)
    for tab in (one, two):
        await tab.sees("#queue li", "8080")
        await tab.sees(".card.open")
    assert RAN == []
    await ann.press(await ann.frame("question"), "value", 443)
    for tab in (one, two):
        await tab.sees(".card.folded .answer", "443")
        await tab.sees(".said", "8080")
        await tab.sees(".reply", "Thanks.")
    assert RAN == [443]
    await in_step(one, two)


async def test_no_word_is_revealed_after_the_stop_on_any_screen(site: Site) -> None:
    """RACES 25: tabs, terminal and log hold the same words, and each ends at the same mark."""
    gate = Gate()
    one, two, ann = await three(site, agent(["Shown so far. ", gate, "Never shown."]))
    await one.say("go")
    await ann.shows("Shown so far.")
    await two.sees(".reply", "Shown so far.")
    await ann.stop()
    for tab in (one, two):
        await tab.sees(".reply.cut .bar")
        await tab.sees(".end", "stopped by you")
        await tab.gone(".reply", "Never")
    gate.open()
    closed = (await ann.frame("closed"))["data"]
    assert (closed["text"], closed["reason"]) == ("Shown so far. ", "USER_SIGINT")
    await in_step(one, two)


@pytest.mark.parametrize("word", ["no, stop", "нет, стой"])
async def test_no_soon_after_a_yes_stops_what_was_begun(site: Site, word: str) -> None:
    """RACES 26: the decision stands, the run is stopped."""
    gate = Gate()
    one, two, ann = await three(site, agent([call("deploy")], ["On it. ", gate, "never"]))
    await one.say("go")
    await two.sees(".card.open .approval")
    question = await ann.frame("question")
    await ann.say("yes", seen=question["seq"])
    await gate.reached.wait()
    await one.say(word)
    for tab in (one, two):
        await tab.sees(".card.folded .answer", "approved")
        await tab.sees(".end", "stopped by you")
        await tab.gone(".reply", "never")
    gate.open()
    assert RAN == ["deployed"]
    await in_step(one, two)


async def test_a_failure_after_the_decision_burns_nothing(site: Site) -> None:
    """Row 51: the retry goes on, nothing runs again, nobody is asked again."""
    failing = ModelFailed("MODEL_UNAVAILABLE", "500")
    await site.start(agent([call("deploy")], [failing], ["All is well."]))
    page = await site.page()
    await page.say("go")
    await page.press("Approve")
    await page.sees(".end.failed", "failed (")
    await page.reload()
    await page.sees(".card.folded .answer", "approved")
    await page.press("Retry", ".end")
    await page.sees(".reply", "All is well.")
    await page.gone(".card.open")
    await page.gone(".end.failed .link")
    assert RAN == ["deployed"]
    assert len([line for line in await page.flow() if line.startswith("card")]) == 1


async def test_a_question_that_could_not_be_delivered_is_told_and_takes_no_answer(
    site: Site,
) -> None:
    """Row 54: to approvers, and there are none: what is said next is a message like any other."""
    asks: Any = {"to": "approvers", "message": "Pay it back?", "response_schema": bool}

    @tool
    async def refund(context: ToolContext) -> str:
        """Refund."""
        RAN.append(await context.interrupt(**asks))
        return "refunded"

    model = Script([call("refund")], ["Nobody could be asked."], ["Hello again."])
    await site.start(Agent("a", model, "", [refund]))
    RAN.clear()
    page = await site.page()
    await page.say("refund")
    await page.sees(".card.folded .answer", "could not be delivered")
    await page.sees(".reply", "Nobody could be asked.")
    await page.gone(".card.open")
    await page.gone("#waiting-count:not([hidden])")
    await page.say("yes")
    await page.sees(".reply", "Hello again.")
    await page.sees(".said.mine", "yes")
    assert RAN == []


async def test_what_is_sent_again_is_handled_once(site: Site) -> None:
    """Row 59: the receipt was lost; the page sends its message again, and later ones after it."""
    echo = [lambda request: [f"Did {request.messages[-1].text}."]] * 4
    await site.start(Agent("a", Script(*echo), ""))
    site.may_log += ["WebSocket", "ERR_"]
    deaf = {"now": False}

    def route(socket: Any) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda data: None if deaf["now"] else socket.send(data))

    page = await site.page()
    await page.page.route_web_socket("**/ws", route)
    await page.reload()
    await page.sees("#empty")
    ann = await site.terminal()
    deaf["now"] = True
    await page.say("first")
    await ann.ended()
    deaf["now"] = False
    site.cut()
    await page.sees(".reply", "Did first.")
    await page.say("second")
    await page.sees(".reply", "Did second.")
    assert await page.flow() == [
        "said: first",
        "reply: Did first.",
        "said: second",
        "reply: Did second.",
    ]
    assert len((await ann.export())["inputs"]) == 2


async def test_out_of_order_ids_of_two_tabs_are_all_handled(site: Site) -> None:
    """Row 59."""
    echo = [lambda request: [f"Did {request.messages[-1].text}."]] * 6
    one, two, ann = await three(site, Agent("a", Script(*echo), ""), queue_mode="enqueue")
    for number in (8, 7, 10, 9):
        await ann.say(f"number {number}", id_=f"platform-{number}")
    await ann.say("number 8", id_="platform-8")
    for tab in (one, two):
        for number in (8, 7, 10, 9):
            await tab.sees(".reply", f"Did number {number}.", count=1)
    await in_step(one, two)


async def test_the_order_of_checks_as_one_sees_it(site: Site) -> None:
    """Row 66: a stop word stops and a command answers while a question is open; a member of the
    open schema beats the stop word.
    """
    RAN.clear()

    @tool
    async def choose(context: ToolContext) -> str:
        """Choose."""
        schema = {"enum": ["stop", "go on"]}
        RAN.append(await context.interrupt(message="Stop or go on?", response_schema=schema))
        return "chosen"

    script = Script([call("choose")], ["Thanks."], [call("ask")], ["never"])
    await site.start(Agent("a", script, "", [choose, ask]))
    page = await site.page()
    await page.say("choose")
    await page.sees(".card.open h3", "Stop or go on?")
    await page.say("/whoami")
    await page.sees(".note", "You are")
    await page.sees(".card.open")
    await page.say("stop")
    await page.sees(".card.folded .answer", "stop")
    await page.sees(".reply", "Thanks.")
    await page.say("ask")
    await page.sees(".card.open h3", "Which port?")
    await page.say("stop")
    await page.sees(".card.folded .answer", "declined")
    await page.sees(".end", "stopped by you")
    await page.gone(".reply", "never")
    assert RAN == ["stop"]
