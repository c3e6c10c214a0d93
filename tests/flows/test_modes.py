"""Every mode, with every wish, against one's own run and somebody else's."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.messages import UserMessage
from gateway.core.queueing import Mode, Priority
from gateway.policy import Policy
from gateway.ports.rows import Outcome
from tests.flows.desk import Desk, agent_of, open_desk
from tests.flows.watching import TOOLS, model, most_at_once, open_calls, users

pytestmark = pytest.mark.looptime

NOW, NEXT, LATER = Priority.NOW, Priority.NEXT, Priority.LATER

OWN = {
    Mode.STEER: {None: "joins", NOW: "stops", NEXT: "joins", LATER: "waits"},
    Mode.ENQUEUE: {None: "waits", NOW: "stops", NEXT: "waits", LATER: "waits"},
    Mode.COLLECT: {None: "waits", NOW: "stops", NEXT: "waits", LATER: "waits"},
    Mode.INTERRUPT: {None: "stops", NOW: "stops", NEXT: "waits", LATER: "waits"},
    Mode.ROLLBACK: {None: "undoes", NOW: "undoes", NEXT: "waits", LATER: "waits"},
    Mode.REJECT: {None: "refused", NOW: "stops", NEXT: "refused", LATER: "refused"},
    Mode.PARALLEL: {None: "beside", NOW: "stops", NEXT: "beside", LATER: "waits"},
}
OTHERS = {
    mode: dict.fromkeys((None, NOW, NEXT, LATER), "waits")
    for mode in Mode
    if mode not in (Mode.REJECT, Mode.PARALLEL)
} | {
    Mode.REJECT: dict.fromkeys((None, NOW, NEXT, LATER), "refused"),
    Mode.PARALLEL: {None: "beside", NOW: "beside", NEXT: "beside", LATER: "waits"},
}
CASES = [
    pytest.param(whose, mode, wish, becomes, id=f"{whose}-{mode.value}-{wish and wish.name}")
    for whose, table in (("own", OWN), ("other", OTHERS))
    for mode, wishes in table.items()
    for wish, becomes in wishes.items()
]


async def two_messages(
    desk: Desk, whose: str, first: str, wish: Priority | None
) -> tuple[Outcome | None, Outcome | None]:
    one = await desk.say(first)
    await desk.settle(1)
    two = await desk.say("second", by="ann" if whose == "own" else "bob", override=wish)
    await desk.settle(20)
    return await desk.outcome(one), await desk.outcome(two)


@pytest.mark.parametrize(("whose", "mode", "wish", "becomes"), CASES)
async def test_a_second_message(
    tmp_path: Path, whose: str, mode: Mode, wish: Priority | None, becomes: str
) -> None:
    brain = model()
    policy = Policy(mode=mode, shared_mode=mode)
    desk = await open_desk(tmp_path / "a.db", agent_of(brain, *TOOLS), policy=policy)
    if whose == "other":
        await desk.share()
    outcomes = await two_messages(desk, whose, "work", wish)
    expected = {
        "joins": (Outcome.ANSWERED, Outcome.STEERED),
        "waits": (Outcome.ANSWERED, Outcome.ANSWERED),
        "stops": (Outcome.INTERRUPTED, Outcome.ANSWERED),
        "undoes": (Outcome.INTERRUPTED, Outcome.ANSWERED),
        "refused": (Outcome.ANSWERED, Outcome.REFUSED),
        "beside": (Outcome.ANSWERED, Outcome.ANSWERED),
    }
    assert outcomes == expected[becomes]
    assert most_at_once(desk.channel) == (2 if becomes == "beside" else 1)
    assert not [open_calls(request) for request in brain.requests if open_calls(request)]
    said = [m.text for m in await desk.history() if isinstance(m, UserMessage)]
    kept = {"undoes": ["second"], "refused": ["work"]}
    assert said == kept.get(becomes, ["work", "second"])
    if becomes == "joins":
        assert users(brain.requests[1]) == ["work", "second"]
    if becomes == "refused":
        assert [n.code for n in desk.channel.notices if n.to] == ["THREAD_BUSY"]
    assert not desk.errors
    await desk.close()


@pytest.mark.parametrize("mode", list(Mode))
async def test_now_during_a_call_that_may_not_be_cut(tmp_path: Path, mode: Mode) -> None:
    brain = model()
    desk = await open_desk(tmp_path / "a.db", agent_of(brain, *TOOLS), policy=Policy(mode=mode))
    outcomes = await two_messages(desk, "own", "finish", NOW)
    assert outcomes == (Outcome.INTERRUPTED, Outcome.ANSWERED)
    assert most_at_once(desk.channel) == 1
    kept = "finished" in str(brain.requests[-1].messages)
    assert kept == (mode is not Mode.ROLLBACK)
    assert len(desk.told("FINISHING_FIRST")) == 1
    assert not desk.errors
    await desk.close()


ASKING = {
    Mode.STEER: (Outcome.INTERRUPTED, Outcome.ANSWERED),
    Mode.REJECT: (Outcome.INTERRUPTED, Outcome.ANSWERED),
    Mode.PARALLEL: (None, Outcome.ANSWERED),
}


@pytest.mark.parametrize("mode", list(Mode))
async def test_a_sentence_while_asked_moves_on(tmp_path: Path, mode: Mode) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), policy=Policy(mode=mode))
    one = await desk.say("ask me")
    await desk.settle(1)
    two = await desk.say("tell me about the weather tomorrow")
    await desk.settle(5)
    want = ASKING.get(mode, ASKING[Mode.STEER])
    assert (await desk.outcome(one), await desk.outcome(two)) == want
    if mode is Mode.PARALLEL:
        assert most_at_once(desk.channel) == 2
        yes = await desk.say("yes")
        await desk.settle(2)
        assert await desk.outcome(yes) is Outcome.DECIDED
        assert await desk.outcome(one) is Outcome.ANSWERED
    assert not desk.errors
    await desk.close()


@pytest.mark.parametrize("wish", [NEXT, LATER])
@pytest.mark.parametrize("mode", [Mode.STEER, Mode.ENQUEUE, Mode.INTERRUPT, Mode.REJECT])
async def test_next_and_later_leave_a_question_open(
    tmp_path: Path, mode: Mode, wish: Priority
) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), policy=Policy(mode=mode))
    one = await desk.say("ask me")
    await desk.settle(1)
    two = await desk.say("yes", override=wish)
    await desk.settle(1)
    assert await desk.outcome(two) is (Outcome.REFUSED if mode is Mode.REJECT else None)
    yes = await desk.say("yes")
    await desk.settle(5)
    assert await desk.outcome(yes) is Outcome.DECIDED
    assert await desk.outcome(one) is Outcome.ANSWERED
    joins = mode is Mode.STEER and wish is NEXT
    expected = Outcome.STEERED if joins else Outcome.ANSWERED
    assert await desk.outcome(two) is (Outcome.REFUSED if mode is Mode.REJECT else expected)
    assert not desk.errors
    await desk.close()


@pytest.mark.parametrize("mode", [Mode.STEER, Mode.ENQUEUE, Mode.COLLECT, Mode.INTERRUPT])
async def test_priorities_in_order(tmp_path: Path, mode: Mode) -> None:
    brain = model()
    desk = await open_desk(tmp_path / "a.db", agent_of(brain, *TOOLS), policy=Policy(mode=mode))
    await desk.say("finish")
    await desk.settle(1)
    await desk.say("L", override=LATER)
    await desk.say("N1", override=NEXT)
    await desk.say("NOW", override=NOW)
    await desk.say("N2", override=NEXT)
    await desk.settle(20)
    said = [m.text for m in await desk.history() if isinstance(m, UserMessage)]
    assert said == ["finish", "NOW", "N1", "N2", "L"]
    assert not desk.errors
    await desk.close()
