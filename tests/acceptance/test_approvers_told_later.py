"""RACES 17 in an approver's chat: what is said when the question was delivered, and only its thread
doesn't know yet.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway.ports.store import SavePrompt, Write
from tests.acceptance.desk import Desk
from tests.acceptance.faults import SlowToTell
from tests.acceptance.test_row_110_approvers import refunding

pytestmark = pytest.mark.looptime


def arms(write: Write) -> bool:
    """Whether a question is known to be delivered by this."""
    return isinstance(write, SavePrompt) and write.row.state == "armed"


@pytest.mark.parametrize("how", ["text", "reply", "press"])
async def test_an_answer_to_what_was_just_delivered_is_one(tmp_path: Path, how: str):
    ran: list[Any] = []
    store = SlowToTell(arms)
    async with Desk(tmp_path, refunding(ran), approvers=["boss"], wrap=store) as desk:
        ann = await desk.person("ann")
        boss = await desk.person("boss", "local:boss")
        store.hold()
        await ann.say("refund me")
        question = await boss.frame("question")
        await store.held.wait()
        if how == "press":
            said = boss.press(question, "approve")
        else:
            asked = question["data"]["question"]["id"]
            said = boss.say("yes", **({"reply_to": asked} if how == "reply" else {}))
        saying = asyncio.create_task(said)
        await asyncio.sleep(1)
        store.release()
        await saying
        await ann.ended()
        assert ran == [True]
        assert not [e for e in (await boss.export())["entries"] if e["kind"] == "user"]
