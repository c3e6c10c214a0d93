"""A thread whose actor has left asks what it asks: a yes means then what it meant before."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gateway.channels.spoken import VOICE, Spoken
from gateway.core.interrupts import Status
from gateway.core.messages import Attachment
from gateway.ports.rows import NewInput
from gateway.runs.tools import tool
from tests.flows.asking import asker
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime
AWAKE, ASLEEP = 1.0, 60.0
BOSS: dict[str, Any] = {"by": "boss", "thread": "fake:boss"}


async def statuses(desk: Desk) -> dict[str, Status]:
    """How the questions stand."""
    return {question.message: question.status for question in await desk.store.questions()}


@pytest.mark.parametrize("seconds", [AWAKE, ASLEEP])
async def test_a_yes_that_fits_ones_own_question_too_approves_nothing(
    tmp_path: Path, seconds: float
) -> None:
    tools = (
        asker("Refund ann?", None, "refund", kind="approval", to="approvers"),
        asker("Delete it?", bool, "delete"),
    )
    model = Script([call("refund")], [call("delete")], ["fine"])
    desk = await open_desk(tmp_path / "a.db", agent_of(model, *tools))
    await desk.say("refund me")
    await desk.settle(1)
    await desk.say("tidy up my disk, please", **BOSS)
    await desk.settle(seconds)
    assert await statuses(desk) == {"Refund ann?": Status.PENDING, "Delete it?": Status.PENDING}
    said = await desk.say("yes", **BOSS)
    await desk.settle(1)
    assert said.code == "WHICH_QUESTION"
    assert said.params["questions"] == ["1. Refund ann?", "Delete it?"]
    assert await statuses(desk) == {"Refund ann?": Status.PENDING, "Delete it?": Status.PENDING}
    await desk.close()


@dataclass(frozen=True, slots=True)
class Heard:
    """What a recogniser wrote down."""

    text: str
    confirm: bool


class Ears:
    """A recogniser that hears the same in every recording."""

    def __init__(self, heard: Heard) -> None:
        self.heard = heard
        self.expected: list[object] = []

    async def write_down(self, data: bytes, language: str, schema: object) -> Heard:
        self.expected.append(schema)
        return self.heard


async def send_note(desk: Desk, ears: Ears, person: str, thread: str) -> str:
    """Let a person send a recording; the receipt's code."""
    store, wiring = desk.store.store, desk.router.wiring
    spoken = Spoken(ears, desk.router, store, wiring.clock, wiring.report)
    key = await store.put(b"sound", "audio/ogg")
    note = NewInput(
        dedup="note",
        thread=thread,
        channel="fake",
        principal=person,
        text="",
        attachments=(Attachment(key, "audio/ogg", "voice.ogg", 5, VOICE),),
    )
    heard = await spoken.accept(note)
    await desk.settle(2)
    return heard.taken.code


@pytest.mark.parametrize("destructive", [True, False])
@pytest.mark.parametrize("seconds", [AWAKE, ASLEEP])
async def test_a_yes_that_a_hearing_may_not_give_is_not_taken(
    tmp_path: Path, seconds: float, destructive: bool
) -> None:
    ran: list[int] = []

    @tool(approval=True, destructive=destructive)
    async def wipe() -> str:
        """Wipes."""
        ran.append(1)
        return "wiped"

    desk = await open_desk(tmp_path / "a.db", agent_of(Script([call("wipe")], ["fine"]), wipe))
    await desk.say("wipe it")
    await desk.settle(seconds)
    ears = Ears(Heard("yes", confirm=not destructive))
    assert await send_note(desk, ears, "ann", "fake:1") == "NOTE_CONFIRM"
    assert ears.expected == [{"type": "boolean"}]
    assert not ran
    assert set((await statuses(desk)).values()) == {Status.PENDING}
    await desk.close()


@pytest.mark.parametrize("kind", ["approval", "plan"])
@pytest.mark.parametrize("to", [None, "approvers"])
@pytest.mark.parametrize("seconds", [AWAKE, ASLEEP])
async def test_nor_is_one_to_what_a_tool_asks_leave_for(
    tmp_path: Path, seconds: float, to: str | None, kind: str
) -> None:
    refund = asker("Refund ann?", None, "refund", kind=kind, to=to)
    model = Script([call("refund")], ["fine"])
    desk = await open_desk(tmp_path / "a.db", agent_of(model, refund))
    await desk.say("refund me")
    await desk.settle(seconds)
    person, thread = ("ann", "fake:1") if to is None else ("boss", "fake:boss")
    ears = Ears(Heard("yes", confirm=True))
    assert await send_note(desk, ears, person, thread) == "NOTE_CONFIRM"
    assert ears.expected == [{"type": "boolean"}]
    assert await statuses(desk) == {"Refund ann?": Status.PENDING}
    await desk.close()
