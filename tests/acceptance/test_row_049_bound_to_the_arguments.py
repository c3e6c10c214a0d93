"""Row 49: an approval holds for the arguments it was asked about, or for those that were edited."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.asking import asked, results
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


def deploying(ran: list[Any], *steps: Any) -> Agent:
    @tool(approval=True)
    async def deploy(service: str, replicas: int, context: ToolContext) -> str:
        """Deploys."""
        ran.append((service, replicas))
        return f"{service} x{replicas}"

    model = Script([call("deploy", service="api", replicas=2)], *(steps or (["fine"],)))
    return Agent("tester", model, tools=[deploy])


async def test_arguments_that_changed_before_the_resume_are_not_run(tmp_path: Path):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran)) as desk:
        ann = await desk.person("ann")
        await asked(ann)
        await desk.stop()
        _tamper(tmp_path / "a.db")
        await desk.start()
        ann = await desk.person("ann")
        await ann.say("yes", id_="yes")
        await ann.ended()
        assert not ran
        (result,) = await results(ann)
        assert "approved with other arguments" in result


def _tamper(file: Path) -> None:
    """Another program changes what the stored call would do."""
    with sqlite3.connect(file) as connection:
        for row, body in connection.execute("SELECT rowid, body FROM run").fetchall():
            changed = body.replace('"replicas":2', '"replicas":9').replace(
                '"replicas": 2', '"replicas": 9'
            )
            assert changed != body
            json.loads(changed)
            connection.execute("UPDATE run SET body = ? WHERE rowid = ?", (changed, row))
    connection.close()


async def test_edited_arguments_are_checked_and_are_those_that_run(tmp_path: Path):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran)) as desk:
        ann = await desk.person("ann")
        question = await asked(ann)
        assert question["data"]["question"]["details"]["arguments"] == {
            "service": "api",
            "replicas": 2,
        }
        wrong = {"approved": True, "updatedArguments": {"service": "api", "replicas": "many"}}
        refused = await ann.press(question, "value", wrong)
        assert await ann.outcome(refused) == ("refused", "INTERRUPT_ANSWER_INVALID")
        assert not ran
        right = {"approved": True, "updatedArguments": {"service": "api", "replicas": 1}}
        await ann.press(question, "value", right)
        await ann.ended()
        assert ran == [("api", 1)]
