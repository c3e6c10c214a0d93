"""Between a store and a thread's actor: what is stored a moment before anybody was told, and a
store that keeps its actor waiting.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from gateway.core.cancellation import InterruptReason
from tests.acceptance.desk import Desk
from tests.acceptance.faults import HoldingStore, SlowReads, SlowToTell
from tests.acceptance.rest import Program, rest
from tests.acceptance.scripted import Gate, Script, call

pytestmark = pytest.mark.looptime


async def ends_untold(
    me: Program, store: SlowToTell, gate: Gate, *, inject: str | None = None
) -> Any:
    """A run of "go" as it is seen once its end is stored, and only stored."""
    _, run = await me.start("go")
    await gate.reached.wait()
    if inject is not None:
        await me.post(f"/v1/runs/{run['id']}/inject", {"text": inject})
    store.hold()
    gate.open()
    await store.held.wait()
    return await me.run(run["id"])


async def test_a_run_that_was_just_stored_has_its_text(tmp_path: Path):
    gate, store = Gate(), SlowToTell()
    model = Script([gate, "All done."])
    async with Desk(tmp_path, Agent("a", model, ""), wrap=store) as desk, rest(desk) as me:
        seen = await ends_untold(me, store, gate)
        store.release()
        await asyncio.sleep(1)
        assert (seen["status"], seen["text"]) == ("completed", "All done.")
        assert await me.run(seen["id"]) == seen


async def test_a_run_that_was_just_stored_gives_back_what_it_didn_t_take(tmp_path: Path):
    gate, store = Gate(), SlowToTell()
    model = Script([gate, ConnectionError("down")])
    async with Desk(tmp_path, Agent("a", model, ""), wrap=store) as desk, rest(desk) as me:
        desk.may_fail = True
        seen = await ends_untold(me, store, gate, inject="by the way")
        store.release()
        await asyncio.sleep(1)
        assert (seen["status"], seen["undelivered"]) == ("failed", ["by the way"])
        assert await me.run(seen["id"]) == seen


async def test_events_that_are_opened_just_then_go_on_to_the_end(tmp_path: Path):
    gate, store = Gate(), SlowToTell()
    model = Script([gate, "All done."])
    async with Desk(tmp_path, Agent("a", model, ""), wrap=store) as desk, rest(desk) as me:
        seen = await ends_untold(me, store, gate)
        events = me.stream("GET", f"/v1/runs/{seen['id']}/events")
        assert await events.opened() == 200
        await asyncio.sleep(1)
        store.release()
        assert (await events.finish())["status"] == "completed"


@tool
async def ask(context: ToolContext) -> str:
    """Asks."""
    return str(await context.interrupt(message="Sure?", response_schema=bool))


@asynccontextmanager
async def asked(directory: Path, store: HoldingStore) -> AsyncIterator[tuple[Program, Any]]:
    """A program, and its run that asks."""
    agent = Agent("a", Script([call("ask")], ["done"]), "", [ask])
    async with Desk(directory, agent, wrap=store) as desk, rest(desk) as me:
        desk.may_fail = True
        yield me, await me.done("go")


def yes_to(run: Any) -> tuple[str, dict[str, Any]]:
    """Where its question is answered, and how."""
    (question,) = run["interrupts"]
    return f"/v1/runs/{run['id']}/resume", {"responses": {question["id"]: True}}


async def test_what_a_slow_storage_keeps_waiting_is_told_so_and_not_done_later(tmp_path: Path):
    store = HoldingStore()
    async with asked(tmp_path, store) as (me, run):
        path, yes = yes_to(run)
        store.hold()
        await me.start("and then this", multitaskStrategy="enqueue")
        for method, where, body in (("GET", f"/v1/runs/{run['id']}", None), ("POST", path, yes)):
            status, problem = await me.ask(method, where, body)
            assert (status, problem["code"]) == (503, "STORE_UNAVAILABLE")
        store.release()
        await asyncio.sleep(5)
        assert (await me.run(run["id"]))["status"] == "paused"
        status, going = await me.post(path, {**yes, "waitSeconds": 9})
        assert (status, going["status"], going["text"]) == (200, "completed", "done")


async def test_an_answer_that_a_slow_storage_keeps_is_told_as_taken(tmp_path: Path):
    store = HoldingStore()
    async with asked(tmp_path, store) as (me, run):
        store.hold()
        status, problem = await me.post(*yes_to(run))
        assert (status, problem["code"]) == (503, "STORE_WAITS")
        store.release()
        assert (await me.ended(run["id"]))["text"] == "done"


async def test_a_message_that_a_slow_storage_keeps_is_told_as_taken(tmp_path: Path):
    store = HoldingStore()
    agent = Agent("a", Script(["hello"], ["done"]), "")
    async with Desk(tmp_path, agent, wrap=store) as desk, rest(desk) as me:
        desk.may_fail = True
        first = await me.done("hi")
        store.hold()
        status, run = await me.start("and this", waitSeconds=1)
        assert (status, run["status"], run["input"]["state"]) == (202, "queued", "new")
        seq = run["input"]["seq"]
        changes: list[tuple[str, str, Any]] = [
            ("POST", "/v1/threads/t/stop", {}),
            ("POST", f"/v1/runs/{first['id']}/abort", {}),
            ("POST", f"/v1/runs/{first['id']}/follow-up", {"text": "more"}),
            ("DELETE", f"/v1/threads/t/queue/{seq}", None),
            ("PATCH", f"/v1/threads/t/queue/{seq}", {"text": "that"}),
        ]
        for method, path, body in changes:
            status, problem = await me.ask(method, path, body)
            assert (status, problem.get("code")) == (503, "STORE_WAITS"), path
        store.release()


async def test_a_thread_that_a_slow_storage_keeps_is_told_so_and_goes_on(tmp_path: Path):
    gate, store = Gate(), HoldingStore()
    agent = Agent("a", Script([gate, "done"]), "")
    async with Desk(tmp_path, agent, wrap=store) as desk, rest(desk) as me:
        desk.may_fail = True
        _, run = await me.start("go")
        await gate.reached.wait()
        store.hold()
        await me.start("and this", multitaskStrategy="enqueue")
        status, problem = await me.ask("DELETE", "/v1/threads/t")
        assert (status, problem["code"]) == (503, "STORE_UNAVAILABLE")
        store.release()
        await asyncio.sleep(1)
        gate.open()
        assert (await me.ended(run["id"]))["status"] == "completed"


async def test_a_repetition_knows_what_was_told_while_it_was_looked_up(tmp_path: Path):
    gate, store = Gate(), SlowToTell()
    agent = Agent("a", Script([gate, "ok"]), "")
    async with Desk(tmp_path, agent, wrap=store) as desk, rest(desk) as me:
        await me.start("go")
        await gate.reached.wait()
        body, key = {"input": "b", "thread": "t", "waitSeconds": 30}, {"Idempotency-Key": "b"}
        _, queued = await me.post("/v1/runs", {**body, "waitSeconds": 0}, **key)
        store.hold_accepts()
        again = asyncio.create_task(me.post("/v1/runs", body, **key))
        await store.held.wait()
        await desk.app.router.release(queued["thread"], InterruptReason.SESSION_RELEASED)
        store.release_accepts()
        before = desk.time()
        _, run = await again
        assert (run["status"], run["undelivered"]) == ("interrupted", ["b"])
        assert desk.time() - before < 1


@pytest.mark.parametrize("seconds", [1, 40])
async def test_a_reader_who_comes_back_just_then_is_told_the_end_and_ends_it_for_nobody(
    tmp_path: Path, seconds: float
):
    gate, store = Gate(), SlowToTell()
    agent = Agent("a", Script(["hello"], [gate, "All done."]), "")
    async with Desk(tmp_path, agent, wrap=store) as desk, rest(desk, "ann") as me:
        desk.may_fail = seconds > 10
        ann = await desk.person("ann", (await me.done("hi"))["thread"])
        await ann.say("go")
        await gate.reached.wait()
        (run,) = (await me.get("/v1/threads/t"))[1]["runs"]
        path = f"/v1/runs/{run['id']}/events"
        events, earlier = me.stream("GET", path), me.stream("GET", path)
        for one in (events, earlier):
            await one.until("snapshot")
        store.hold()
        store.held.clear()
        gate.open()
        await store.held.wait()
        again = me.stream("GET", path, last=await earlier.drop())
        await asyncio.sleep(seconds)
        store.release()
        assert (await events.finish())["status"] == "completed"
        if seconds > 10:
            assert (await again.opened(), again.problem["code"]) == (503, "STORE_UNAVAILABLE")
        else:
            assert (await again.finish())["status"] == "completed"


@pytest.mark.parametrize("over", ["rest", "socket"])
async def test_what_is_exported_as_answered_has_its_answer(tmp_path: Path, over: str):
    gate, slow = Gate(), SlowReads("entries", "inputs")
    agent = Agent("a", Script([gate, "All done."]), "")
    async with Desk(tmp_path, agent, wrap=slow) as desk, rest(desk, "ann") as me:
        _, run = await me.start("go")
        ann = await desk.person("ann", run["thread"])
        await gate.reached.wait()
        slow.second = second = Gate()
        asked = ann.export() if over == "socket" else me.get("/v1/threads/t/export")
        exporting = asyncio.create_task(asked)
        await second.reached.wait()
        gate.open()
        await asyncio.sleep(1)
        second.open()
        found = await exporting
        found = found if over == "socket" else found[1]
        assert [item.get("outcome") for item in found["inputs"]] == [None]
        assert [entry["body"]["text"] for entry in found["entries"]] == ["go", "All done."]


async def test_a_branch_is_read_as_far_as_it_is_stored(tmp_path: Path):
    gate, store = Gate(), HoldingStore()
    agent = Agent("a", Script(["hello"], [gate, "All done."]), "")
    async with Desk(tmp_path, agent, wrap=store) as desk, rest(desk) as me:
        await me.done("hi")
        await me.start("go")
        await gate.reached.wait()
        store.hold()
        gate.open()
        await asyncio.sleep(1)
        assert store.waiting
        _, whole = await me.get("/v1/threads/t/entries")
        _, branch = await me.get("/v1/threads/t/entries?branch=0")
        _, branches = await me.get("/v1/threads/t/branches")
        assert branch == whole
        assert branches["branches"][0]["leaf"] == whole["entries"][-1]["seq"]
        store.release()
