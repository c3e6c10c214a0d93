"""The store fails at any write of a conversation, for three seconds: it goes on as after a kill."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.people import Person, Refused
from tests.acceptance.scripted import Script, call, messages
from tests.fakes.failing_store import FailingStore
from tests.flows.watching import open_calls

pytestmark = pytest.mark.looptime
WRITES = 34
"""More than the conversation has; the last ones fail nowhere."""


async def _insist(person: Person, text: str) -> dict[str, Any]:
    """Say it until it is taken."""
    receipt: dict[str, Any] = {}
    for _ in range(20):
        try:
            receipt = await person.say(text)
        except Refused as refused:
            receipt = dict(refused.data)
        if not receipt["code"]:
            return receipt
        await asyncio.sleep(1)
    raise AssertionError(f"{text} was never taken: {receipt}")


async def _ended(person: Person, receipt: dict[str, Any]) -> bool:
    return any(d["outcome"] for d in person.find("input", seq=receipt["input"]))


async def _until(holds: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(100):
        if await holds():
            return
        await asyncio.sleep(0.3)


async def _converse(ann: Person) -> list[dict[str, Any]]:
    """Ask for a deployment, answer what is asked until that is taken, say two more things."""
    said = [await _insist(ann, "deploy")]

    async def asked_or_ended() -> bool:
        return bool(ann.find("question")) or await _ended(ann, said[0])

    await _until(asked_or_ended)
    await asyncio.sleep(1)
    while not await _ended(ann, said[0]):
        assert len(said) < 4
        said.append(await _insist(ann, "eu"))
        await asyncio.sleep(10)
    for text in ("thanks", "bye"):
        said.append(await _insist(ann, text))
        await asyncio.sleep(10)
    await asyncio.sleep(30)
    return said


async def _mend(store: FailingStore) -> None:
    async def failed() -> bool:
        return store.failed > 0

    await _until(failed)
    await asyncio.sleep(3)
    store.code = ""


@pytest.mark.parametrize("writes", range(WRITES))
async def test_the_conversation_goes_on(tmp_path: Path, writes: int):
    made: list[FailingStore] = []
    ran: list[str] = []

    @tool(behavior="NON_INTERRUPTIBLE")
    async def deploy(context: ToolContext) -> str:
        """Asks, and deploys for half a second."""
        region = await context.interrupt(
            message="Which region?", response_schema={"enum": ["eu", "us"]}
        )
        ran.append(f"{context.call_id} to {region}")
        await asyncio.sleep(0.5)
        return f"deployed to {region}"

    def play(request: Any) -> list[object]:
        assert not open_calls(request)
        kind, text = [line for line in messages(request) if line[0] != "assistant"][-1]
        if kind == "user" and text == "deploy":
            return ["On it. ", 0.3, call("deploy")]
        return ["Fine, ", 0.3, f"{text}."]

    def wrap(store: Any) -> FailingStore:
        made.append(FailingStore(store))
        return made[-1]

    async with Desk(tmp_path, Agent("t", Script(play), "", [deploy]), wrap=wrap) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        made[0].code, made[0].writes_left = "STORE_FULL", writes
        mending = asyncio.create_task(_mend(made[0]))
        said = await _converse(ann)
        await mending
        log = await ann.export()
        assert [row["seq"] for row in log["inputs"]] == [one["input"] for one in said]
        assert {row["outcome"] for row in log["inputs"]} <= {"answered", "decided", "steered"}
        assert len(ran) == len(set(ran)) <= 1
        steps = [(e["run"], e["step"]) for e in log["entries"] if e["kind"] == "assistant"]
        assert len(steps) == len(set(steps))
        assert len(ann.find("notice", code="STORE_FULL")) <= 1
