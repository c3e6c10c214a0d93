"""RACES 17 in an approver's chat: while their yes waits for the outcome of the question's send,
nobody else's update waits, and of their own neither a stop nor a button.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.acceptance.telegram import ANN, BOB, BOSS, TelegramDesk
from tests.acceptance.telegram_agents import agent
from tests.fakes.telegram.chats import Message
from tests.fakes.telegram.people import Window

pytestmark = pytest.mark.looptime


class Held:
    """Ann's run asks the boss, whose chat shows it; its send's outcome is held back by `gate`."""

    def __init__(self, desk: TelegramDesk) -> None:
        self.desk = desk
        self.gate = asyncio.Event()
        self.ann, self.boss = desk.private(), desk.private(BOSS, "Boss")

    async def ask(self) -> None:
        self.desk.server.fault("sendMessage", hold=self.gate, chat=BOSS)
        self.ann.say("boss")
        self.question = await self.boss.asks("May I?")

    async def states(self, person: int) -> list[str]:
        """What became of the runs of somebody's chat."""
        rows = await self.desk.app.store.inputs(f"telegram:{person}")
        return [row.outcome.value if row.outcome else row.state.value for row in rows]


@asynccontextmanager
async def held(tmp_path: Path) -> AsyncIterator[Held]:
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, approvers=[str(BOSS)]) as desk:
        yield Held(desk)


async def counts(window: Window) -> Message:
    """A run that takes 20 seconds, by what it shows."""
    window.say("count")
    return await window.shows("1 2")


async def test_another_s_stop_does_not_wait(tmp_path: Path):
    async with held(tmp_path) as made:
        bob = made.desk.private(BOB, "Bob")
        await counts(bob)
        await made.ask()
        made.boss.say("yes")
        await asyncio.sleep(0.5)
        bob.say("/stop")
        await bob.shows("Stopped.", within=0.5)
        made.gate.set()
        await made.ann.shows("approved")


@pytest.mark.parametrize("stop", ["/stop", "stop", "button"])
async def test_one_s_own_stop_does_not_wait(tmp_path: Path, stop: str):
    async with held(tmp_path) as made:
        counting = await counts(made.boss)
        await made.ask()
        made.boss.say("yes")
        await asyncio.sleep(0.5)
        if stop == "button":
            made.boss.press(counting, "Stop")
        else:
            made.boss.say(stop)
        await asyncio.sleep(1)
        assert (await made.states(BOSS))[0] == "interrupted"
        assert await made.states(ANN) == ["running"]
        made.gate.set()
        await made.ann.shows("approved")


async def test_a_press_does_not_wait(tmp_path: Path):
    async with held(tmp_path) as made:
        await made.ask()
        made.boss.say("yes")
        await asyncio.sleep(0.5)
        made.boss.press(made.question, "Deny")
        await made.ann.shows("False", within=2)
        made.gate.set()


async def test_what_is_said_after_it_comes_after_it(tmp_path: Path):
    async with held(tmp_path) as made:
        await made.ask()
        made.boss.say("yes")
        made.boss.say("echo and this")
        await asyncio.sleep(15)
        made.gate.set()
        await made.boss.shows("you said")
        assert [text for text, _ in await made.desk.inputs(f"telegram:{BOSS}")] == [
            "yes",
            "echo and this",
        ]


async def test_it_is_not_lost_with_the_process_and_approves_nothing_that_came_later(tmp_path: Path):
    async with held(tmp_path) as made:
        await made.ask()
        made.boss.say("yes")
        await asyncio.sleep(0.5)
        await made.desk.kill()
        made.gate.set()
        await made.desk.start()
        await asyncio.sleep(15)
        assert [text for text, _ in await made.desk.inputs(f"telegram:{BOSS}")] == ["yes"]
        assert await made.states(ANN) == ["running"]
