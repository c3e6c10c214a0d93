"""Row 78: whatever happened between a page and its server, in the end it shows what a page that is
opened only then shows. Random schedules: messages, stops, answers, here and at another tab, while
lines break and the storage holds back what it was given, or has stored.
"""

from __future__ import annotations

import asyncio
import re
from difflib import ndiff
from random import Random
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from gateway.core.errors import ModelFailed
from gateway.core.messages import ToolResult, UserMessage
from tests.acceptance.faults import HoldingStore
from tests.acceptance.scripted import Gate, Script, call
from tests.web.lines import Line
from tests.web.site import HOME, Site, Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")
MODES = ["steer", "enqueue", "interrupt", "collect", "rollback", "parallel"]
KINDS = ["hello", "hello", "work", "ask", "deploy", "both", "fail"]


class Valve(Gate):
    """A gate that lets through who waits, and only them; all once it is `free`."""

    def __init__(self) -> None:
        super().__init__()
        self._free = False

    def open(self) -> None:
        super().open()
        self._open = asyncio.Event()

    def free(self) -> None:
        self._free = True
        self.open()

    async def wait(self) -> None:
        if not self._free:
            await super().wait()


class Store(HoldingStore):
    """Holds back before it stores, or after: it has stored, and nobody is told."""

    before = True

    async def accept(self, *args: Any) -> Any:
        if self.before:
            return await super().accept(*args)
        made = await self._store.accept(*args)
        await self._accepts.wait()
        return made

    async def commit(self, *args: Any) -> Any:
        if self.before:
            return await super().commit(*args)
        made = await self._store.commit(*args)
        await self._commits.wait()
        return made


def agent(valve: Valve) -> Agent:
    """It does what the first word of a message says."""

    @tool
    async def ask(context: ToolContext) -> str:
        """Ask."""
        return f"{await context.interrupt(message='Which port?', response_schema=int)}"

    @tool(parallel_safe=True)
    async def pick(context: ToolContext) -> str:
        """Ask."""
        return f"{await context.interrupt(message='Which one?', response_schema=int)}"

    @tool(approval=True)
    async def deploy(context: ToolContext) -> str:
        """Deploy."""
        return "deployed"

    @tool
    async def work(context: ToolContext) -> str:
        """Work."""
        await valve.wait()
        return "worked"

    def step(request: Any) -> list[Any]:
        last = request.messages[-1]
        if isinstance(last, ToolResult):
            return [f"So {last.content}. ", valve, "Done."]
        text = next(m.text for m in reversed(request.messages) if isinstance(m, UserMessage))
        word = re.split(r"\W", text)[0]
        if word == "fail":
            return [valve, ModelFailed("MODEL_UNAVAILABLE", "down")]
        if word in ("ask", "deploy", "work"):
            return [f"Let me see about {text}. ", call(word)]
        if word == "both":
            return [call("pick"), call("pick")]
        return [f"You said {text}. ", valve, "Done."]

    return Agent("a", Script(step), "", [ask, pick, deploy, work])


SHOWN = """() => {
  const words = (node) => node.innerText.replace(/\\s+/g, " ").trim();
  const all = (selector) => [...document.querySelectorAll(selector)];
  const item = (node) => {
    const copy = node.cloneNode(true);
    for (const gone of copy.querySelectorAll(".advice, .problem, .call-inside, svg")) gone.remove();
    const { kind, state = "", live = "" } = node.dataset;
    const told = kind === "said" && ["taken", "running"].includes(state) ? "" : state;
    return `${kind} ${told} ${live} ${copy.textContent.replace(/\\s+/g, " ").trim()}`;
  };
  const returned = '.said[data-state="returned"]';
  const passing = '.note, .said[data-state="refused"], .call[data-state="asked"]';
  const flow = all(`#flow > .item:not(${passing}, ${returned})`).map(item);
  return {
    flow: flow.filter((line) => !line.includes("NOT_STARTED")),
    returned: all(returned).map(item).sort(),
    cards: all(".card").map((card) => [card.className, all(".card button").length]),
    queue: all("#queue:not([hidden]) li").map(words),
    threads: all(".thread").map(words),
    waiting: all("#waiting-count:not([hidden])").map(words),
    title: document.title,
    will: document.querySelector("#composer").dataset.will,
    status: words(document.querySelector("#composer .status")),
    stop: document.querySelector("#composer .stop").hidden,
    mode: document.querySelector("#composer .mode").value,
  };
}"""


class Schedule:
    """Two tabs, and what happens to them."""

    def __init__(self, random: Random, site: Site, mode: str) -> None:
        self.random, self.site = random, site
        self.store, self.valve = Store(), Valve()
        self.started: dict[str, Any] = {"wrap": self.store, "queue_mode": mode}
        self.said: list[str] = []
        self.log: list[str] = []
        self.drafts = ["", ""]
        """What was written last in each tab; one without has another's once it is loaded anew."""

    async def begin(self) -> None:
        await self.site.start(agent(self.valve), **self.started)
        one = await self.site.page()
        self.lines = [await Line(one).laid()]
        two = await one.tab()
        self.lines.append(await Line(two).laid())
        for line in self.lines:
            await line.tab.reload()
            await line.tab.sees("#empty")

    async def play(self, steps: int = 14) -> None:
        acts = {
            self._say: 30,
            self._go: 22,
            self._answer: 16,
            self._stop: 9,
            self._cut: 10,
            self._away: 6,
            self._back: 8,
            self._hold_line: 6,
            self._free_line: 8,
            self._reload: 8,
            self._hold: 10,
            self._release: 12,
            self._again: 5,
            self._queue: 5,
            self._draft: 5,
            self._elsewhere: 4,
            self._restart: 2,
        }
        for act in self.random.choices([*acts], weights=[*acts.values()], k=steps):
            line = self.random.choice(self.lines)
            self.log.append(f"{act.__name__[1:]} {self.lines.index(line)}")
            await act(line)
            await asyncio.sleep(self.random.choice([0, 0, 0.02, 0.2, 0.4]))

    async def end(self) -> None:
        self.store.release()
        self.store.release_accepts()
        for line in self.lines:
            line.free()
            await line.back()
        for line in self.lines:
            await line.tab.gone(".said .mark", "when the server is back")
            await line.tab.gone('.said[data-state="sending"]')
        self.valve.free()
        await settled(self.site)

    # -- what happens

    async def _say(self, line: Line) -> None:
        text = f"{self.random.choice(KINDS)} {len(self.said)}"
        self.said.append(text)
        self.log[-1] += f" {text}"
        now = self.random.random() < 0.2
        await line.tab.type(text)
        await line.tab.page.locator("#message").press("Control+Enter" if now else "Enter")
        self.drafts[self.lines.index(line)] = ""

    async def _draft(self, line: Line) -> None:
        self.drafts[self.lines.index(line)] = draft = f"draft {len(self.log)}"
        await line.tab.type(draft)

    async def _go(self, line: Line) -> None:
        self.valve.open()

    async def _stop(self, line: Line) -> None:
        await line.tab.key("Escape")

    async def _answer(self, line: Line) -> None:
        """Press what there is, or type it."""
        await line.tab.page.evaluate(
            """([port, yes]) => {
              const card = document.querySelector(".card.open");
              if (!card) return;
              const field = card.querySelector("input");
              if (field) field.value = port;
              const [first, second] = card.querySelectorAll("button.option");
              (yes ? first : second ?? first)?.click();
            }""",
            [str(self.random.randint(1, 9)), self.random.random() < 0.7],
        )

    async def _again(self, line: Line) -> None:
        """Send what was not sent, or retry."""
        await line.tab.page.evaluate(
            "() => document.querySelector('.said .mark .link, .end .link')?.click()"
        )

    async def _queue(self, line: Line) -> None:
        """Send now, or drop, what waits."""
        await line.tab.page.evaluate(
            "(at) => document.querySelector(`#queue li .link:nth-child(${at})`)?.click()",
            self.random.choice([2, 3]),
        )

    async def _elsewhere(self, line: Line) -> None:
        """Look at another conversation, and back."""
        for thread in (f"{HOME}:other", HOME):
            await line.tab.page.evaluate("(to) => { location.hash = to; }", thread)
            await asyncio.sleep(self.random.choice([0, 0.1]))

    async def _restart(self, line: Line) -> None:
        await self._release(line)
        await self.site.stop()
        await self.site.start(**self.started)

    async def _cut(self, line: Line) -> None:
        line.forgets = self.random.random() < 0.5
        await line.cut()

    async def _away(self, line: Line) -> None:
        line.forgets = self.random.random() < 0.5
        await line.away()

    async def _back(self, line: Line) -> None:
        await line.back()

    async def _hold_line(self, line: Line) -> None:
        line.hold()

    async def _free_line(self, line: Line) -> None:
        line.free()

    async def _reload(self, line: Line) -> None:
        await line.tab.reload()

    async def _hold(self, line: Line) -> None:
        self.store.before = self.random.random() < 0.5
        self.random.choice([self.store.hold, self.store.hold_accepts])()

    async def _release(self, line: Line) -> None:
        self.store.release()
        self.store.release_accepts()


async def settled(site: Site) -> None:
    """Wait until nothing goes on but questions that wait."""
    assert site.app is not None

    def quiet(state: Any, work: Any) -> bool:
        asking = [live.machine.state.value == "asking" for live in state.occupying()]
        return all(asking) and (bool(asking) or not state.waiting())

    async with asyncio.timeout(20):
        while True:
            if await site.app.router.ask(HOME, quiet):
                return
            await asyncio.sleep(0.02)


async def shown(tab: Tab) -> dict[str, Any]:
    found: dict[str, Any] = await tab.page.evaluate(SHOWN)
    return found


def differs(found: list[dict[str, Any]], wanted: dict[str, Any], log: list[str]) -> str:
    """What happened, and what the tabs show beside a fresh page."""
    lines = [", ".join(log)]
    for number, one in enumerate(found):
        lines.append(f"tab {number} (-), a fresh page (+):")
        for key, there in wanted.items():
            if one[key] != there:
                lines += ndiff(listed(one[key]), listed(there))
    return "\n".join(lines)


def listed(value: Any) -> list[str]:
    return [f"{one}" for one in (value if isinstance(value, list) else [value])]


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(n, marks=pytest.mark.soak) for n in range(6, 200))]
)
async def test_an_old_page_shows_what_a_fresh_one_shows(site: Site, seed: int) -> None:
    site.may_log += ["WebSocket", "ERR_"]
    schedule = Schedule(Random(seed), site, MODES[seed % len(MODES)])
    await schedule.begin()
    await schedule.play()
    await schedule.end()
    tabs = [line.tab for line in schedule.lines]
    for tab, draft in zip(tabs, schedule.drafts, strict=True):
        there = await tab.page.input_value("#message")
        assert there == draft or (not draft and there.startswith("draft")), schedule.log
    fresh = await tabs[0].tab()
    for left in reversed(range(100)):
        wanted = await shown(fresh)
        found = [await shown(tab) for tab in tabs]
        if found == [wanted, wanted]:
            break
        await asyncio.sleep(0.05)
        assert left, differs(found, wanted, schedule.log)
