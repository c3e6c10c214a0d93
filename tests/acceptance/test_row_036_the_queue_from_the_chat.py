"""Row 36: the queue is seen, edited and cancelled from the chat; an edit claims its item."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies
from tests.acceptance.work import worker

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize(
    ("show", "edit", "drop"),
    [
        ("/queue", "/queue edit 2", "/queue drop 1"),
        ("/очередь", "/очередь правка 2", "/очередь убрать 1"),
    ],
)
async def test_seen_edited_dropped(tmp_path: Path, show: str, edit: str, drop: str):
    agent, _ = worker()
    async with Desk(tmp_path, agent, queue_mode="enqueue") as desk:
        ann = await desk.person("ann")
        await ann.say("work")
        await ann.frame("call", state="started")
        a, b = await ann.say("aaa"), await ann.say("bbb")
        await ann.say(show)
        seen = (await ann.frame("notice", code="QUEUE"))["data"]
        assert seen["params"]["items"] == ["1. aaa", "2. bbb"]
        assert "aaa" in seen["text"]
        assert await ann.outcome(await ann.say(f"{edit} better"), within=1) == (
            "handled",
            "QUEUE_EDITED",
        )
        assert (await ann.outcome(await ann.say(drop), within=1))[1] == "QUEUE_DROPPED"
        assert (await ann.outcome(a, within=1))[0] == "returned"
        assert await ann.outcome(b, within=10) == ("answered", "")
        texts = [body["text"] for body in bodies(await ann.export(), "user")]
        assert texts == ["work", "better"]


@pytest.mark.parametrize("early_ms", range(-8, 9, 2))
async def test_an_edit_while_it_is_being_taken(tmp_path: Path, early_ms: int):
    agent, _ = worker()
    async with Desk(tmp_path, agent, queue_mode="enqueue") as desk:
        ann = await desk.person("ann")
        await ann.say("work")
        await ann.frame("call", state="started")
        began = desk.time()
        old = await ann.say("old")
        await ann.say("/queue")
        await asyncio.sleep(3 - early_ms / 1000 - (desk.time() - began))
        edit = await ann.say("/queue edit 1 new")
        _, detail = await ann.outcome(edit, within=1)
        assert await ann.outcome(old, within=5) == ("answered", "")
        last = bodies(await ann.export(), "user")[-1]["text"]
        assert (detail, last) in (("QUEUE_EDITED", "new"), ("QUEUE_ITEM_GONE", "old"))
        assert ann.texts()[-1] == f"done {last}"
