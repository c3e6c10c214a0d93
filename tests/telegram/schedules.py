"""Random schedules: three people, two chats, presses, edits, stops, faults, restarts; and what must
hold at the end of each (DESIGN 1).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tests.acceptance.telegram import ANN, BOB, GROUP, TelegramDesk
from tests.acceptance.telegram_agents import agent
from tests.fakes.telegram.faults import flood
from tests.fakes.telegram.people import Window

CAL = 1004
SAYS = [
    "hello",
    "slow",
    "count",
    "ask bool",
    "ask size",
    "echo words",
    "/stop",
    "стоп",
    "yes",
    "no",
]
MODES = ["steer", "enqueue", "collect", "interrupt", "rollback", "reject", "parallel"]
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
    kinds = ["say", "say", "say", "press", "edit", "again", "fault", "restart", "kill"]
    one = st.builds(
        Act,
        kind=st.sampled_from(kinds),
        who=st.integers(0, 4),
        what=st.sampled_from(SAYS),
        wait=st.sampled_from([0.0, 0.05, 0.5, 2.0, 6.0]),
    )
    return st.lists(one, min_size=4, max_size=14)


class Play:
    """One schedule on one desk."""

    def __init__(self, desk: TelegramDesk) -> None:
        self.desk = desk
        self.windows = [
            desk.private(),
            desk.private(BOB, "Bob"),
            desk.private(CAL, "Cal"),
            desk.group(),
            desk.group(BOB, "Bob"),
        ]
        self.sent: list[tuple[Window, Any]] = []
        self.faults = 0

    async def act(self, act: Act) -> None:
        """Do one thing, then let time pass."""
        window = self.windows[act.who]
        match act.kind:
            case "say":
                text = act.what
                say = window.mention if window.chat.id < 0 and text[0] != "/" else window.say
                self.sent.append((window, say(text)))
            case "press":
                shown = [m for m in window.visible() if m.buttons]
                if shown:
                    window.press_data(shown[-1], shown[-1].buttons[0]["callback_data"])
            case "edit" if self.sent:
                place, message = self.sent[-1]
                place.edit(message, f"{message.text} edited")
            case "again" if self.desk.bot.updates:
                self.desk.bot.put_again(self.desk.bot.updates[0])
            case "fault":
                self.fault(act)
            case "restart":
                await self.desk.restart()
            case "kill":
                await self.desk.kill()
                await self.desk.start()
        await asyncio.sleep(act.wait)

    def fault(self, act: Act) -> None:
        """Something goes wrong once."""
        method = FAULTS[(act.who + len(act.what)) % len(FAULTS)]
        self.faults += 1
        match self.faults % 3:
            case 0 if method in FAULTS[:2]:
                self.desk.server.fault(method, flood(5))
            case 1:
                self.desk.server.fault(method, lost="before")
            case _:
                self.desk.server.fault(method, lost="after")

    async def settle(self) -> None:
        """Answer what is asked, stop what goes on, and let everything be said."""
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
        threads = [f"telegram:{number}" for number in (ANN, BOB, CAL, GROUP)]
        store = self.desk.app.store
        for thread in threads:
            rows = await store.inputs(thread)
            open_rows = [(row.new.text, row.state) for row in rows if row.outcome is None]
            assert open_rows == [], (thread, open_rows)
            dedups = Counter(row.new.dedup for row in rows)
            assert max(dedups.values(), default=1) == 1
            await self._said_once(thread)
        handed = {(w.chat.id, m.id) for w, m in self.sent}
        stored = {
            row.new.dedup.split(":")[2] for thread in threads for row in await store.inputs(thread)
        }
        missing = [one for one in handed if f"{one[0]}/{one[1]}" not in stored]
        assert missing == []

    async def _said_once(self, thread: str) -> None:
        """Every text that was saved whole stands in the chat exactly as often as it was saved."""
        chat = self.desk.server.chats[int(thread.split(":")[1])]
        entries = await self.desk.app.store.entries(thread)
        saved: Counter[str] = Counter()
        for entry in entries:
            body = entry.body
            marked = bool(body.get("metadata", {}).get("interrupted"))
            if entry.kind.value == "assistant" and not marked and body["text"].strip():
                saved[body["text"].strip()] += 1
        shown = Counter(chat.texts())
        for text, times in saved.items():
            assert shown[text] == times, (thread, text, times, shown)


async def play(directory: Path, mode: str, schedule: list[Act]) -> None:
    """Play a schedule, then check."""
    tester, _ = agent()
    numbers = [str(number) for number in (ANN, BOB, CAL)]
    async with TelegramDesk(
        directory,
        tester,
        telegram={"allow": numbers},
        queue_mode=mode,
        shared_queue_mode=mode,
    ) as desk:
        desk.may_fail = True
        running = Play(desk)
        for act in schedule:
            await running.act(act)
        await running.settle()
        await running.check()
        assert "Traceback" not in desk.log.getvalue()
