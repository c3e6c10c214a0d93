"""A disk that is full for a moment: nothing said is lost, and no chat is silent after it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.telegram import TelegramDesk
from tests.acceptance.telegram_agents import agent, said
from tests.fakes.failing_tables import FailingTables, failing

pytestmark = pytest.mark.looptime


class Dying:
    """A store that takes nothing more once a reply is being delivered."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.dead = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def commit(self, thread: str, epoch: int, writes: Any) -> None:
        if self.dead:
            await asyncio.Event().wait()
        await self.store.commit(thread, epoch, writes)
        self.dead = any(
            getattr(getattr(w, "row", None), "state", "") == "delivering" for w in writes
        )


async def test_a_piece_that_could_not_be_kept_comes_again(tmp_path: Path):
    tester, model = agent()
    made: list[FailingTables] = []
    async with TelegramDesk(tmp_path, tester, wrap=failing(made)) as desk:
        desk.may_fail = True
        ann = desk.private()
        made[0].fails = {"hold_update": 1}
        ann.say("hello " + "x" * 4000)
        ann.say("and the rest")
        await ann.shows("hello there")
        assert [said(request)[-12:] for request in model.requests] == ["and the rest"]


@pytest.mark.parametrize("times", [1, 2, 3, 5, 9])
async def test_a_reply_whose_state_can_t_be_kept_is_shown_once_and_the_chat_goes_on(
    tmp_path: Path, times: int
):
    tester, _ = agent()
    made: list[FailingTables] = []
    async with TelegramDesk(tmp_path, tester, wrap=failing(made)) as desk:
        desk.may_fail = True
        ann = desk.private()
        ann.say("hello one")
        await ann.shows("hello there")
        made[0].fails = {"put_delivery": times}
        ann.say("hello two")
        await asyncio.sleep(30)
        ann.say("hello three")
        await asyncio.sleep(30)
        assert [text for text in ann.texts() if "hello there" in text] == ["hello there"] * 3


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("fails", ["add_buttons", "place_buttons"])
async def test_a_question_whose_buttons_can_t_be_kept_is_asked_all_the_same(
    tmp_path: Path, fails: str, times: int
):
    tester, _ = agent()
    made: list[FailingTables] = []
    async with TelegramDesk(tmp_path, tester, wrap=failing(made)) as desk:
        desk.may_fail = True
        ann = desk.private()
        ann.say("hello one")
        await ann.shows("hello there")
        made[0].fails = {fails: times}
        ann.say("ask bool")
        await ann.asks("The bool?")
        await asyncio.sleep(5)
        ann.say("yes")
        await ann.shows("bool=True")


async def test_a_question_that_can_never_be_kept_reaches_nobody_and_the_run_goes_on(tmp_path: Path):
    tester, _ = agent()
    made: list[FailingTables] = []
    async with TelegramDesk(tmp_path, tester, wrap=failing(made)) as desk:
        desk.may_fail = True
        ann = desk.private()
        made[0].fails = {"add_buttons": 100}
        ann.say("ask bool")
        await ann.shows("could not be delivered")


@pytest.mark.parametrize("times", [0, 1, 3])
async def test_a_reply_that_was_said_before_a_kill_is_not_said_again(tmp_path: Path, times: int):
    tester, _ = agent()
    stores: list[Any] = []

    def wrap(store: Any) -> Any:
        made: list[FailingTables] = []
        stores.append(failing(made)(store))
        if len(stores) == 1:
            return Dying(store)
        made[0].fails = {"delivery": times}
        return store

    async with TelegramDesk(tmp_path, tester, wrap=wrap) as desk:
        desk.may_fail = True
        ann = desk.private()
        ann.say("hello one")
        await ann.shows("hello there")
        await asyncio.sleep(5)
        await desk.kill()
        await desk.start()
        await asyncio.sleep(20)
        assert [text for text in ann.texts() if "hello there" in text] == ["hello there"]
        assert await desk.inputs("telegram:1001") == [("hello one", "answered")]
