"""Random schedules: three people in chats of their own and in two groups; presses, edits, replies,
stops, faults, blocks, restarts; and what must hold at the end of each (DESIGN 1).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from gateway.core.interrupts import Status
from gateway.core.messages import ToolResult
from gateway.ports.rows import InputRow, Outcome
from tests.acceptance.scripted import Script
from tests.acceptance.telegram import ANN, BOB, GROUP, TelegramDesk
from tests.acceptance.telegram_agents import agent
from tests.fakes.telegram.faults import NOT_MODIFIED, Refusal, bad, flood
from tests.fakes.telegram.people import Window

CAL = 1004
SAYS = [
    "hello",
    "slow",
    "count",
    "ask bool",
    "ask size",
    "ask sizes",
    "deploy",
    "boss",
    "echo words",
    "/stop",
    "стоп",
    "yes",
    "no",
    "maybe later",
    "/now hello",
    "/retry",
]
MODES = ["steer", "enqueue", "collect", "interrupt", "rollback", "reject", "parallel"]
OTHERS = -200
GRANTED = (Status.APPROVED, Status.DENIED, Status.ANSWERED)
FAULTS = ["sendMessage", "editMessageText", "answerCallbackQuery", "getUpdates"]


@dataclass(frozen=True, slots=True)
class Act:
    """What happens next: who, what, and how long it takes until the next act."""

    kind: str
    who: int
    what: str
    wait: float


def acts() -> st.SearchStrategy[list[Act]]:
    """A schedule."""
    kinds = ["say"] * 5 + ["press"] * 3
    kinds += ["edit", "reply", "again", "fault", "fault", "block", "restart", "kill"]
    one = st.builds(
        Act,
        kind=st.sampled_from(kinds),
        who=st.integers(0, 6),
        what=st.sampled_from(SAYS),
        wait=st.sampled_from([0.0, 0.05, 0.5, 2.0, 6.0]),
    )
    return st.lists(one, min_size=4, max_size=14)


class Play:
    """One schedule on one desk."""

    def __init__(self, desk: TelegramDesk, mode: str) -> None:
        self.desk = desk
        self.mode = mode
        self.windows = [
            desk.private(),
            desk.private(BOB, "Bob"),
            desk.private(CAL, "Cal"),
            desk.group(),
            desk.group(BOB, "Bob"),
            desk.group(BOB, "Bob", chat=OTHERS),
            desk.group(CAL, "Cal", chat=OTHERS),
        ]
        self.sent: list[tuple[Window, Any]] = []
        self.faults = 0
        self.blocked: set[int] = set()
        self.killed = False

    async def act(self, act: Act) -> None:
        """Do one thing, then let time pass."""
        window = self.windows[act.who]
        match act.kind:
            case "restart":
                await self.desk.restart()
            case "kill":
                self.killed = True
                await self.desk.kill()
                await self.desk.start()
            case "again" if self.desk.bot.updates:
                self.desk.bot.put_again(self.desk.bot.updates[0])
            case "fault":
                self.fault(act)
            case "block" if window.chat.id > 0:
                self.block(window)
            case _:
                self.person(window, act)
        await asyncio.sleep(act.wait)

    def person(self, window: Window, act: Act) -> None:
        """Somebody writes, presses, replies or changes what they wrote."""
        text, visible = act.what, window.visible()
        match act.kind:
            case "say":
                say = window.mention if window.chat.id < 0 and text[0] != "/" else window.say
                self.sent.append((window, say(text)))
            case "press":
                shown = [m for m in visible if m.buttons]
                if shown:
                    buttons = shown[-1].buttons
                    at = len(text) % len(buttons)
                    window.press_data(shown[-1], buttons[at]["callback_data"])
            case "reply" if visible:
                self.sent.append((window, window.say(text, reply_to=visible[-1])))
            case "edit" if self.sent:
                place, message = self.sent[-1]
                place.edit(message, f"{message.text} edited")

    def block(self, window: Window) -> None:
        """Somebody blocks the bot, or lets it in again."""
        if window.chat.refuses:
            window.unblock()
        else:
            window.block()
            self.blocked.add(window.chat.id)

    def fault(self, act: Act) -> None:
        """Something goes wrong once."""
        method = FAULTS[(act.who + len(act.what)) % len(FAULTS)]
        fault = self.desk.server.fault
        self.faults += 1
        match self.faults % 7:
            case 0 if method in FAULTS[:2]:
                fault(method, flood(5))
            case 1:
                fault(method, lost="before")
            case 2:
                fault(method, Refusal(502, "Bad Gateway"))
            case 3 if method in FAULTS[:2]:
                fault(method, bad("can't parse entities: wrong entity"))
            case 4:
                fault(method, slow=12.0)
            case 5 if method == "editMessageText":
                fault(method, bad(NOT_MODIFIED))
            case _:
                fault(method, lost="after")

    async def settle(self) -> None:
        """Answer what is asked, stop what goes on, and let everything be said."""
        for window in self.windows:
            if window.chat.refuses:
                window.unblock()
        await asyncio.sleep(120)
        for _ in range(3):
            for window in self.windows:
                if window.chat.id > 0:
                    window.say("/stop")
                else:
                    window.say(f"/stop@{self.desk.bot.username}")
            await asyncio.sleep(60)

    async def check(self) -> None:
        """The invariants, by what stands in the store and in the chats."""
        threads = [f"telegram:{number}" for number in (ANN, BOB, CAL, GROUP, OTHERS)]
        store = self.desk.app.store
        for thread in threads:
            rows = await store.inputs(thread)
            open_rows = [(row.new.text, row.state) for row in rows if row.outcome is None]
            assert open_rows == [], (thread, open_rows)
            dedups = Counter(row.new.dedup for row in rows)
            assert max(dedups.values(), default=1) == 1
            await self._one_at_a_time(thread)
            if not self.blocked:
                await self._said_once(thread)
            if not self.blocked and not self.killed:
                self._told(thread, rows)
        for chat in (GROUP, OTHERS):
            log = self.desk.server.chat(chat, "supergroup", "").log
            assert all(
                self.desk.server.chats[chat].sent_between(s.at, s.at + 60) <= 20 for s in log
            )
        handed = {(w.chat.id, m.id) for w, m in self.sent}
        stored = {
            row.new.dedup.split(":")[2] for thread in threads for row in await store.inputs(thread)
        }
        missing = [one for one in handed if f"{one[0]}/{one[1]}" not in stored]
        assert missing == []

    async def _said_once(self, thread: str) -> None:
        """Every saved text stands in the chat as often as it was saved, a cut one marked."""
        chat = self.desk.server.chats[int(thread.split(":")[1])]
        entries = await self.desk.app.store.entries(thread)
        saved: Counter[tuple[str, bool]] = Counter()
        for entry in entries:
            body = entry.body
            cut = bool(body.get("metadata", {}).get("interrupted"))
            if entry.kind.value == "assistant" and body["text"].strip():
                saved[(body["text"].strip(), cut)] += 1
        shown = Counter(_split(text) for text in chat.texts())
        for text, times in saved.items():
            assert shown[text] == times, (thread, text, times, shown)

    def _told(self, thread: str, rows: Sequence[InputRow]) -> None:
        """What was given back, not taken or failed is said, once for each at least."""
        chat = self.desk.server.chats[int(thread.split(":")[1])]
        texts = chat.texts()
        returned = Counter(row.new.text for row in rows if row.outcome is Outcome.RETURNED)
        for text, times in returned.items():
            assert sum(shown == f"Not sent: {text}" for shown in texts) >= times, (thread, text)
        busy = sum(row.detail == "THREAD_BUSY" for row in rows)
        assert sum(shown.startswith("Not taken: the agent") for shown in texts) >= busy

    async def _one_at_a_time(self, thread: str) -> None:
        """No run says or does anything once a later one has begun."""
        if self.mode == "parallel":
            return
        order = [
            entry.run
            for entry in await self.desk.app.store.entries(thread)
            if entry.kind.value in ("user", "assistant", "tool_call", "tool_result")
        ]
        begun = [run for at, run in enumerate(order) if at == 0 or order[at - 1] != run]
        assert len(begun) == len(set(begun)), (thread, order)


def _split(text: str) -> tuple[str, bool]:
    said, mark, _ = text.partition("\n\n⏹")
    return said.strip(), bool(mark)


def check_inputs(model: Script) -> None:
    """In every model input each call has exactly one result."""
    for request in model.requests:
        calls = [c.id for m in request.messages for c in getattr(m, "calls", ())]
        results = [m.call_id for m in request.messages if isinstance(m, ToolResult)]
        assert sorted(calls) == sorted(results)


async def check_leave(desk: TelegramDesk) -> None:
    """What asked for leave ran only where it was given, by somebody who was asked."""
    for question in await desk.app.store.questions():
        decision = question.decision
        if decision is not None and decision.status in GRANTED:
            assert decision.by in question.asked
    decided = [(q, q.decision) for q in await desk.app.store.questions() if q.decision is not None]
    given = {q.tool_call_id for q, decision in decided if decision.status is Status.APPROVED}
    if any(decision.remember for _, decision in decided):
        return
    for thread in await desk.app.store.threads():
        for entry in await desk.app.store.entries(thread.id):
            if "deployed" in str(entry.body.get("content")):
                assert entry.body["callId"] in given


async def play(directory: Path, mode: str, schedule: list[Act], drafts: bool) -> None:
    """Play a schedule, then check."""
    tester, model = agent()
    numbers = [str(number) for number in (ANN, BOB, CAL)]
    async with TelegramDesk(
        directory,
        tester,
        telegram={"allow": numbers, "drafts": drafts},
        approvers=[str(CAL)],
        queue_mode=mode,
        shared_queue_mode=mode,
    ) as desk:
        desk.may_fail = True
        running = Play(desk, mode)
        for act in schedule:
            await running.act(act)
        await running.settle()
        await running.check()
        await check_leave(desk)
        check_inputs(model)
        assert "Traceback" not in desk.log.getvalue()
