"""Row 78: a line that breaks at the worst moment: what the server has taken, or told, and the page
doesn't know of. Nothing stands twice, nothing is missing, no button is dead or lives on.
"""

from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.faults import SlowRead
from tests.acceptance.scripted import Gate, Script, call
from tests.web.asks import RAN, ask
from tests.web.lines import Line
from tests.web.site import HOME, Site, Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def opened(site: Site, agent: Agent, **settings: Any) -> tuple[Tab, Line]:
    """A tab whose line can be broken."""
    RAN.clear()
    site.may_log += ["WebSocket", "ERR_"]
    await site.start(agent, **settings)
    tab = await site.page()
    line = await Line(tab).laid()
    await tab.reload()
    await tab.sees("#empty")
    return tab, line


async def as_fresh(tab: Tab) -> None:
    """The tab shows what one that is opened now shows."""
    late = await tab.tab()
    await late.sees("#flow > .item")
    assert await tab.flow() == await late.flow()


async def test_a_line_that_breaks_behind_its_welcome_misses_nothing(site: Site) -> None:
    tab, line = await opened(site, Agent("a", Script(["One."], ["Two."]), ""))
    ann = await site.terminal()
    await tab.say("first")
    await tab.sees(".reply", "One.")
    await ann.ended()
    await line.away()
    await ann.say("second")
    await ann.ended()
    line.breaks_behind = "welcome"
    await line.back()
    await tab.sees(".reply", "Two.")
    await tab.sees(".said", "second", count=1)
    await as_fresh(tab)


async def test_a_message_whose_receipt_was_lost_waits_in_the_queue_alone(site: Site) -> None:
    gate = Gate()
    agent = Agent("a", Script(["One ", gate, "two."], ["Three."]), "")
    tab, line = await opened(site, agent, queue_mode="enqueue")
    ann = await site.terminal()
    await tab.say("go")
    await gate.reached.wait()
    await tab.sees(".reply", "One")
    line.hold()
    line.forgets = True
    await tab.say("next")
    await ann.frame("queue")
    await line.cut()
    await tab.sees("#queue li button", "Drop")
    await tab.gone(".said", "next")
    gate.open()
    await tab.sees(".reply", "Three.")
    await tab.sees(".said", "next", count=1)
    await as_fresh(tab)


async def test_an_answer_whose_receipt_was_lost_stands_in_its_card_alone(site: Site) -> None:
    tab, line = await opened(site, Agent("a", Script([call("ask")], ["Thanks."]), "", [ask]))
    ann = await site.terminal()
    await tab.say("go")
    await tab.sees(".card.open")
    line.hold()
    line.forgets = True
    await tab.say("8080")
    await ann.ended()
    await line.cut()
    await tab.sees(".reply", "Thanks.")
    await tab.sees(".card.folded .answer", "8080")
    await expect_unsent(tab, 0)
    await tab.gone(".said", "8080")
    assert RAN == [8080]
    await as_fresh(tab)


class SlowAnswer(SlowRead):
    """What it has read it tells late."""

    def __getattr__(self, name: str) -> Any:
        read = getattr(self._store, name)

        async def slowly(*args: Any, **kwargs: Any) -> Any:
            gate, made = self.gate, await read(*args, **kwargs)
            if gate is not None:
                await gate.wait()
            return made

        return slowly if name == self._method else read


async def expect_unsent(tab: Tab, count: int) -> None:
    """Wait until the page keeps so many messages that the server hasn't confirmed."""
    kept = "Object.keys(localStorage).filter((key) => key.startsWith('bargein:unsent')).length"
    await tab.page.wait_for_function(f"() => {kept} === {count}")


async def test_a_press_whose_outcome_was_lost_leaves_a_card_that_can_be_pressed(site: Site) -> None:
    """What was pressed was no answer, and nobody heard that it wasn't."""

    @tool
    async def even(context: ToolContext) -> str:
        """Ask."""
        schema = {"type": "integer", "multipleOf": 2}
        RAN.append(await context.interrupt(message="Which port?", response_schema=schema))
        return "asked"

    tab, line = await opened(site, Agent("a", Script([call("even")], ["Thanks."]), "", [even]))
    ann = await site.terminal()
    await tab.say("go")
    await tab.sees(".card.open")
    await ann.frame("question")
    line.hold()
    line.forgets = True
    await tab.all(".card.open input").fill("3")
    await tab.page.evaluate("document.querySelector('.card.open form').noValidate = true")
    await tab.press("Answer")
    await ann.frame("notice")
    await line.cut()
    await tab.all(".card.open input").fill("4")
    await tab.press("Answer")
    await tab.sees(".card.folded .answer", "4")
    assert RAN == [4]


async def test_a_retry_that_was_pressed_in_an_outage_is_no_message(site: Site) -> None:
    gate = Gate()
    tab, line = await opened(site, Agent("a", Script(["Half ", gate, "never"], ["Whole."]), ""))
    await tab.say("go")
    await gate.reached.wait()
    await tab.sees(".reply", "Half")
    await tab.key("Escape")
    await tab.sees(".end", "stopped by you")
    line.forgets = True
    await line.away()
    await tab.press("Retry", ".end")
    line.refuses = "RATE_LIMITED"
    await line.back()
    await line.refused.wait()
    assert await tab.all(".said").all_inner_texts() == ["go"]
    line.refuses = ""
    await tab.sees(".reply", "Whole.")
    await tab.gone(".said", "/retry")
    await as_fresh(tab)


async def test_what_the_page_sends_again_by_itself_offers_no_button_for_it(site: Site) -> None:
    tab, line = await opened(site, Agent("a", Script(["One."]), ""))
    line.refuses = "RATE_LIMITED"
    await tab.say("go")
    await tab.sees(".said .mark", "Not now.")
    assert await tab.all(".said .mark .link").count() == 0
    line.refuses = ""
    await tab.sees(".reply", "One.")
    await tab.sees(".said", "go", count=1)
    await as_fresh(tab)


async def test_the_latest_list_of_conversations_is_the_one_that_stands(site: Site) -> None:
    gate, store = Gate(), SlowAnswer("threads")
    tab, line = await opened(site, Agent("a", Script(["One."], ["Two."]), ""), wrap=store)
    ann = await site.terminal(thread=f"{HOME}:work")
    await ann.say("other work")
    await tab.sees(".thread", "other work")
    store.gate = gate
    bob = await site.terminal(thread=f"{HOME}:more")
    await bob.say("more work")
    await gate.reached.wait()
    store.gate = None
    await ann.call("threads.delete", thread=f"{HOME}:work")
    await tab.gone(".thread", "other work")
    await tab.sees(".thread", "more work")
    line.result.clear()
    gate.open()
    await line.result.wait()
    await tab.page.evaluate("new Promise(requestAnimationFrame)")
    assert await tab.all(".thread").filter(has_text="other work").count() == 0


@tool
async def where(context: ToolContext) -> str:
    """Ask."""
    RAN.append(await context.interrupt(message="Where to?", response_schema=str))
    return "asked"


@pytest.mark.parametrize("meanwhile", ["there", "gone"])
async def test_a_reply_to_a_question_that_is_decided_elsewhere_is_a_message(
    site: Site, meanwhile: str
) -> None:
    gate = Gate()
    script = Script([call("where")], [gate, "Going."], ["Noted."])
    tab, line = await opened(site, Agent("a", script, "", [where]), queue_mode="enqueue")
    ann = await site.terminal()
    await tab.say("go")
    await tab.press("Answer in the message field")
    await tab.type("north, quickly")
    await tab.sees(".chip", "Where to?")
    if meanwhile == "gone":
        line.forgets = True
        await line.away()
    await ann.press(await ann.frame("question"), "value", "south")
    await gate.reached.wait()
    await line.back()
    await tab.sees(".card.folded .answer", "south")
    await tab.gone(".chip")
    await tab.hint("wait for your turn")
    await tab.all("#message").press("Enter")
    await tab.sees("#queue li", "north, quickly")
    gate.open()
    await tab.sees(".reply", "Noted.")
    await as_fresh(tab)
