"""Rows 31, 37, 99–102 and RACES 20 over REST: what is said to a run joins it or is given back."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, tool
from tests.acceptance.asking import REGION, asker
from tests.acceptance.desk import Desk
from tests.acceptance.rest import rest
from tests.acceptance.scripted import Gate, Script, call, messages

pytestmark = pytest.mark.looptime


@tool
async def work() -> str:
    """Takes a second."""
    await asyncio.sleep(1)
    return "worked"


def users(request: Any) -> list[str]:
    return [text for kind, text in messages(request) if kind == "user"]


@pytest.mark.parametrize("drain", ["one-at-a-time", "all"])
async def test_row_037_drain_modes(tmp_path: Path, drain: str):
    model = Script([call("work")], ["one"], ["two"], ["three"], ["four"])
    async with Desk(tmp_path, Agent("a", model, "", [work])) as desk, rest(desk) as me:
        _, run = await me.start("go", options={"steering": drain})
        await asyncio.sleep(0.5)
        for text in ("first", "second", "third"):
            status, _ = await me.post(f"/v1/runs/{run['id']}/steer", {"text": text})
            assert status == 202
        assert (await me.run(run["id"]))["queued"] == ["first", "second", "third"]
        done = await me.ended(run["id"])
        assert (done["status"], done["undelivered"]) == ("completed", [])
        counts = [len(users(request)) for request in model.requests]
        assert counts == ([1, 4] if drain == "all" else [1, 2, 3, 4])
        status, late = await me.post(f"/v1/runs/{run['id']}/steer", {"text": "late"})
        assert (status, late["code"]) == (409, "RUN_ENDED")


async def test_row_099_a_follow_up_has_its_own_iterations(tmp_path: Path):
    model = Script([call("work")], ["one"], [call("work")], ["two"])
    agent = Agent("a", model, "", [work], max_iterations=2)
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        _, run = await me.start("go")
        status, _ = await me.post(f"/v1/runs/{run['id']}/follow-up", {"text": "then this"})
        done = await me.ended(run["id"])
        assert (status, done["status"], done["text"]) == (202, "completed", "two")
        assert users(model.requests[2]) == ["go", "then this"]
        _, log = await me.get("/v1/threads/t/entries")
        said = [e["body"] for e in log["entries"] if e["kind"] == "user"]
        assert said[1]["metadata"] == {"queued": "followUp"}


async def test_row_100_inject_joins_the_next_call_and_starts_none(tmp_path: Path):
    gate = Gate()
    model = Script([call("work")], ["All done.", gate], ["next"])
    async with Desk(tmp_path, Agent("a", model, "", [work])) as desk, rest(desk) as me:
        _, run = await me.start("go")
        await asyncio.sleep(0.5)
        await me.post(f"/v1/runs/{run['id']}/inject", {"text": "on Friday"})
        await gate.reached.wait()
        assert users(model.requests[1]) == ["go", "on Friday"]
        await me.post(f"/v1/runs/{run['id']}/inject", {"text": "or Monday"})
        gate.open()
        assert (await me.ended(run["id"]))["undelivered"] == []
        await asyncio.sleep(5)
        assert len(model.requests) == 2
        again = await me.done("and now?")
        assert again["text"] == "next"
        assert users(model.requests[2]) == ["go", "on Friday", "or Monday", "and now?"]


async def test_row_101_abort_gives_back_what_was_never_delivered(tmp_path: Path):
    model = Script([call("work")], ["never"])
    async with Desk(tmp_path, Agent("a", model, "", [work])) as desk, rest(desk) as me:
        _, run = await me.start("go")
        path = f"/v1/runs/{run['id']}"
        await asyncio.sleep(0.5)
        for how in ("steer", "follow-up", "inject"):
            await me.post(f"{path}/{how}", {"text": how})
        status, stopped = await me.post(f"{path}/abort")
        assert (status, stopped["undelivered"]) == (200, ["steer", "follow-up", "inject"])
        assert stopped["run"]["status"] == "interrupted"
        assert stopped["run"]["undelivered"] == ["steer", "follow-up", "inject"]
        for how in ("steer", "follow-up", "inject"):
            status, late = await me.post(f"{path}/{how}", {"text": "late"})
            assert (status, late["code"]) == (409, "RUN_ENDED")
        await asyncio.sleep(5)
        assert len(model.requests) == 1
        await desk.restart()
        assert (await me.run(run["id"]))["undelivered"] == ["steer", "follow-up", "inject"]


class Refusal(Exception):
    code = "PII_DETECTED"


@pytest.mark.parametrize("how", ["steer", "follow-up", "inject"])
async def test_row_102_a_refused_message_is_dropped_not_the_run(tmp_path: Path, how: str):
    def check(text: str) -> None:
        if "secret" in text:
            raise Refusal

    model = Script([call("work")], ["done"])
    agent = Agent("a", model, "", [work], before_run=[check])
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        _, run = await me.start("go")
        await me.post(f"/v1/runs/{run['id']}/{how}", {"text": "my secret"})
        done = await me.ended(run["id"])
        assert (done["status"], len(model.requests)) == ("completed", 2)
        assert done["refused"] == [{"text": "my secret", "code": "PII_DETECTED"}]
        _, export = await me.get("/v1/threads/t/export")
        assert "secret" not in str(export["entries"])


@pytest.mark.parametrize("crash", [False, True])
async def test_race_20_what_was_not_delivered_at_a_pause_is_taken_after_it(
    tmp_path: Path, crash: bool
):
    gate = Gate()

    question = asker("Where?", REGION)
    model = Script([gate, call("ask")], ["one"], ["two"], ["three"])
    async with Desk(tmp_path, Agent("a", model, "", [question])) as desk, rest(desk) as me:
        _, run = await me.start("go")
        path = f"/v1/runs/{run['id']}"
        await gate.reached.wait()
        await me.post(f"{path}/steer", {"text": "quickly"})
        await me.post(f"{path}/follow-up", {"text": "then this"})
        gate.open()
        await asyncio.sleep(1)
        paused = await me.run(run["id"])
        assert (paused["status"], paused["queued"]) == ("paused", ["quickly", "then this"])
        for how in ("steer", "follow-up", "inject"):
            status, refused = await me.post(f"{path}/{how}", {"text": "yes"})
            assert (status, refused["code"]) == (409, "AGENT_RUN_PAUSED")
        if crash:
            await desk.kill()
            await desk.start()
        answers = {"responses": {paused["interrupts"][0]["id"]: "eu"}}
        await me.post(f"{path}/resume", answers)
        done = await me.ended(run["id"])
        assert (done["status"], done["text"]) == ("completed", "two")
        assert users(model.requests[1]) == ["go", "quickly"]
        assert users(model.requests[2]) == ["go", "quickly", "then this"]


async def test_what_a_killed_process_had_taken_joins_after_it(tmp_path: Path):
    gate = Gate()
    model = Script([gate, "one"], ["two"], ["three"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        _, run = await me.start("go")
        await gate.reached.wait()
        await me.post(f"/v1/runs/{run['id']}/follow-up", {"text": "then this"}, Idempotency_Key="k")
        await desk.kill()
        await desk.start()
        done = await me.ended(run["id"])
        assert (done["status"], done["text"]) == ("completed", "three")
        status, _ = await me.post(
            f"/v1/runs/{run['id']}/follow-up", {"text": "then this"}, Idempotency_Key="k"
        )
        assert status == 202
        await asyncio.sleep(5)
        assert [users(request)[-1] for request in model.requests] == ["go", "go", "then this"]


async def test_row_031_a_run_that_fails_gives_back_what_was_injected(tmp_path: Path):
    gate = Gate()
    model = Script([gate, ConnectionError("down")], ["two"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        desk.may_fail = True
        _, run = await me.start("go")
        await gate.reached.wait()
        await me.post(f"/v1/runs/{run['id']}/inject", {"text": "by the way"})
        await me.post(f"/v1/runs/{run['id']}/follow-up", {"text": "then this"})
        gate.open()
        failed = await me.ended(run["id"])
        assert (failed["status"], failed["undelivered"]) == ("failed", ["by the way"])
        await asyncio.sleep(1)
        assert users(model.requests[1]) == ["go", "then this"]


async def test_somebody_else_s_run_takes_nothing(tmp_path: Path):
    gate = Gate()
    model = Script([gate, "one"])
    async with (
        Desk(tmp_path, Agent("a", model), shared=["rest:room"]) as desk,
        rest(desk, "ann", "bob") as (ann, bob),
    ):
        await desk.person("bob", thread="rest:room")
        _, run = await ann.start("go", "rest:room")
        await gate.reached.wait()
        for how in ("steer", "follow-up", "inject"):
            status, problem = await bob.post(f"/v1/runs/{run['id']}/{how}", {"text": "mine"})
            assert (status, problem["code"]) == (403, "THREAD_ACCESS_DENIED")
        status, stopped = await bob.post(f"/v1/runs/{run['id']}/abort")
        assert (status, stopped["run"]["status"]) == (200, "running")
        gate.open()
        assert (await ann.ended(run["id"]))["text"] == "one"
