"""Streams over REST: dropped connections, readers that come again, restarts, what is shown."""

import asyncio
import json
from pathlib import Path

import pytest

from gateway import Agent, tool
from tests.acceptance.asking import REGION, asking_agent, requests_of
from tests.acceptance.desk import Desk
from tests.acceptance.rest import rest
from tests.acceptance.scripted import Gate, Script, call, messages

pytestmark = pytest.mark.looptime


async def test_a_reader_that_goes_away_stops_nothing_and_goes_on_where_it_was(tmp_path: Path):
    gate = Gate()
    model = Script(["one ", 1.0, "two ", gate, "three"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        events = me.stream("POST", "/v1/runs", {"input": "hi", "thread": "t"})
        await events.until("text")
        last = await events.drop()
        run = next(e.data["run"] for e in events.events if e.name == "run")
        await asyncio.sleep(2)
        gate.open()
        again = me.stream("GET", f"/v1/runs/{run}/events", last=last)
        done = await again.finish()
        assert (done["status"], done["text"]) == ("completed", "one two three")
        assert "snapshot" not in again.names
        texts = [(e.data["offset"], e.data["text"]) for e in again.events if e.name == "text"]
        assert texts[0][0] == 4
        assert "".join(text for _, text in texts) == "two three"
        rest_of_it = me.stream("GET", f"/v1/runs/{run}/events", last=again.last)
        assert await rest_of_it.opened() == 204
        whole = me.stream("GET", f"/v1/runs/{run}/events")
        await whole.finish()
        assert whole.text() == "one two three"


async def test_each_word_is_an_event_with_a_place_to_come_back_to(tmp_path: Path):
    words = ["Say ", '"hi"\n', "to\t", "\N{WAVING HAND SIGN} ", "Zoë.", "\ud800"]
    async with Desk(tmp_path, Agent("a", Script(words))) as desk, rest(desk) as me:
        events = me.stream("POST", "/v1/runs", {"input": "hi", "thread": "t"})
        await events.finish()
        said = [e for e in events.events if e.name == "text"]
        assert [e.data["text"] for e in said] == [*words[:-1], "?"]
        run = next(e.data["run"] for e in events.events if e.name == "run")
        for place, event in enumerate(said):
            again = me.stream("GET", f"/v1/runs/{run}/events", last=event.id)
            await again.finish()
            rest_of_it = [e for e in again.events if e.name == "text"]
            assert [e.id for e in rest_of_it] == [e.id for e in said[place + 1 :]]


async def test_two_readers_read_the_same(tmp_path: Path):
    gate = Gate()
    model = Script(["one ", gate, "two"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        first = me.stream("POST", "/v1/runs", {"input": "hi", "thread": "t"})
        await first.until("text")
        run = next(e.data["run"] for e in first.events if e.name == "run")
        second = me.stream("GET", f"/v1/runs/{run}/events")
        await second.until("text")
        gate.open()
        assert await first.finish() == await second.finish()
        assert [(e.id, e.name) for e in first.events] == [(e.id, e.name) for e in second.events]


async def test_what_counts_as_shown_is_what_was_written_to_a_reader(tmp_path: Path):
    gate = Gate()
    model = Script(["seen ", gate, "unseen", 100.0], ["next"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        events = me.stream("POST", "/v1/runs", {"input": "hi", "thread": "t"})
        await events.until("text")
        run = next(e.data["run"] for e in events.events if e.name == "run")
        await events.drop()
        gate.open()
        await asyncio.sleep(1)
        status, stopped = await me.post(f"/v1/runs/{run}/abort")
        assert (status, stopped["run"]["text"]) == (200, "seen ")
        _, log = await me.get("/v1/threads/t/entries")
        (said,) = [e["body"] for e in log["entries"] if e["kind"] == "assistant"]
        assert said["text"] == "seen "
        assert said["metadata"]["interrupted"] is True
        await me.done("go on")
        assert messages(model.requests[1])[1] == ("assistant", "seen [interrupted by the user]")


async def test_nobody_reads_and_a_stop_nothing_is_saved(tmp_path: Path):
    model = Script(["never seen", 100.0])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        _, run = await me.start("hi")
        await asyncio.sleep(1)
        _, stopped = await me.post(f"/v1/runs/{run['id']}/abort")
        assert stopped["run"]["text"] == ""
        _, log = await me.get("/v1/threads/t/entries")
        assert [e["kind"] for e in log["entries"]] == ["user", "interrupt"]


@pytest.mark.parametrize("kill", [False, True])
async def test_a_restart_in_the_middle(tmp_path: Path, kill: bool):
    gate = Gate()
    model = Script(["one ", gate, "never"], ["after"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        events = me.stream("POST", "/v1/runs", {"input": "hi", "thread": "t"})
        await events.until("text")
        run = next(e.data["run"] for e in events.events if e.name == "run")
        await asyncio.sleep(0.5)
        if kill:
            await desk.kill()
            await events.drop()
            await desk.start()
        else:
            await desk.restart()
            assert events.events[-1].data["reason"] == "SYSTEM_SHUTDOWN"
        again = me.stream("GET", f"/v1/runs/{run}/events", last=events.last)
        done = await again.finish()
        assert again.names[0] == "snapshot"
        if kill:
            assert (done["status"], done["text"]) == ("completed", "after")
        else:
            assert (done["status"], done["text"]) == ("interrupted", "one ")


async def test_a_pause_that_outlives_the_process(tmp_path: Path):
    agent = asking_agent(REGION)
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        run = await me.done("go")
        await desk.kill()
        await desk.start()
        events = me.stream("GET", f"/v1/runs/{run['id']}/events", last="17")
        paused = await events.finish()
        assert events.names == ["snapshot", "interrupt-required", "finish"]
        (question,) = paused["interrupts"]
        assert question == run["interrupts"][0]
        waits = me.stream("GET", f"/v1/runs/{run['id']}/events", last=events.last)
        assert await waits.opened() == 200
        answers = {"responses": {question["id"]: "eu"}}
        assert (await me.post(f"/v1/runs/{run['id']}/resume", answers))[0] == 200
        assert (await waits.finish())["status"] == "completed"
        assert "interrupt-decided" in waits.names


async def test_a_message_that_waits_is_followed_to_its_run(tmp_path: Path):
    gate = Gate()
    model = Script([gate, "one"], ["two"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        await me.start("first")
        waits = me.stream("POST", "/v1/runs", {"input": "second", "thread": "t"})
        queued = (await waits.until("queued")).data
        assert (queued["status"], queued.get("id")) == ("queued", None)
        gate.open()
        assert (await waits.finish())["text"] == "two"
        gate_again = me.stream("POST", "/v1/runs", {"input": "third", "thread": "t"})
        assert (await gate_again.finish())["status"] == "completed"


async def test_a_message_that_is_given_back_ends_its_stream(tmp_path: Path):
    model = Script([100.0])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        await me.start("first")
        waits = me.stream("POST", "/v1/runs", {"input": "second", "thread": "t"})
        await waits.until("queued")
        status, stopped = await me.post("/v1/threads/t/stop")
        assert (status, stopped["stopped"], stopped["undelivered"]) == (200, True, ["second"])
        assert [one["text"] for one in stopped["returned"]] == ["second"]
        back = await waits.finish()
        assert (back["status"], back["undelivered"]) == ("interrupted", ["second"])


@tool
async def work() -> str:
    """Works."""
    return "worked"


async def test_calls_and_texts_come_in_their_order(tmp_path: Path):
    model = Script(["Let me look. ", call("work")], ["Done."])
    async with Desk(tmp_path, Agent("a", model, "", [work])) as desk, rest(desk) as me:
        events = me.stream("POST", "/v1/runs", {"input": "hi", "thread": "t"})
        await events.finish()
        told = [e for e in events.events if e.name in ("text", "text-end", "tool", "finish")]
        assert [e.name for e in told] == [
            *("text", "text-end", "tool", "tool"),
            *("text", "text-end", "finish"),
        ]
        ids = [tuple(int(part) for part in f"{e.id}.0".split(".")[:2]) for e in events.events]
        assert ids == sorted(ids)
        assert "argumentsDigest" not in json.dumps([e.data for e in events.events])


async def test_a_run_of_another_channel_can_be_read(tmp_path: Path):
    gate = Gate()
    model = Script(["one", gate])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk, "ann") as ann:
        person = await desk.person("ann", thread="local:ann")
        await person.say("hi")
        run = await person.running()
        await person.shows("one")
        events = ann.stream("GET", f"/v1/runs/{run}/events")
        assert (await events.until("snapshot")).data["text"] == "one"
        gate.open()
        assert (await events.finish())["text"] == "one"


async def test_row_104_without_a_thread_a_run_is_its_callers_and_in_memory(tmp_path: Path):
    gate = Gate()
    model = Script(["one ", gate, "two"], ["x", 100.0])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk, "ann", "bob") as (ann, bob):
        events = ann.stream("POST", "/v1/runs", {"input": "hi"})
        await events.until("text")
        gate.open()
        done = await events.finish()
        assert (done["status"], done["text"], done.get("thread")) == ("completed", "one two", None)
        assert (await ann.run(done["id"]))["status"] == "completed"
        assert (await bob.get(f"/v1/runs/{done['id']}"))[0] == 404
        assert (await ann.get("/v1/threads"))[1]["threads"] == []
        _, endless = await ann.start("go", None)
        status, stopped = await ann.post(f"/v1/runs/{endless['id']}/abort")
        assert (status, stopped["run"]["status"], stopped["run"]["reason"]) == (
            200,
            "cancelled",
            "TASK_CANCELLED",
        )


async def test_row_104_deleting_a_thread_ends_its_run(tmp_path: Path):
    model = Script(["one", 100.0])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        events = me.stream("POST", "/v1/runs", {"input": "hi", "thread": "t"})
        await events.until("text")
        assert (await me.ask("DELETE", "/v1/threads/t"))[0] == 200
        ended = await events.finish()
        assert (ended["status"], ended["reason"]) == ("interrupted", "SESSION_RELEASED")
        assert not model.open_streams


async def test_without_a_thread_questions_are_answered_by_id(tmp_path: Path):
    agent = asking_agent(REGION, ["fine"], expires_in=60)
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        run = await me.done("go", None)
        (question,) = run["interrupts"]
        assert (run["status"], bool(question["expiresAt"])) == ("paused", True)
        path = f"/v1/runs/{run['id']}/resume"
        status, wrong = await me.post(path, {"responses": {question["id"]: "mars"}})
        assert (status, wrong["code"]) == (400, "INTERRUPT_ANSWER_INVALID")
        body = {"texts": {question["id"]: "EU"}, "waitSeconds": 9}
        status, done = await me.post(path, body)
        assert (status, done["status"], done["text"]) == (200, "completed", "fine")
        assert (await me.post(path, {"responses": {question["id"]: "eu"}}))[0] == 200
        status, other = await me.post(path, {"responses": {question["id"]: "us"}})
        assert (status, other["code"]) == (409, "RUN_NOT_PAUSED")


async def test_without_a_thread_a_run_that_asks_is_stopped(tmp_path: Path):
    agent = asking_agent(REGION)
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        run = await me.done("go", None)
        status, stopped = await me.post(f"/v1/runs/{run['id']}/abort")
        assert (status, stopped["run"]["status"]) == (200, "cancelled")
        body = {"responses": {run["interrupts"][0]["id"]: "eu"}}
        assert (await me.post(f"/v1/runs/{run['id']}/resume", body))[0] == 409
        assert len(requests_of(agent)) == 1


async def test_without_a_thread_a_question_expires(tmp_path: Path):
    agent = asking_agent(REGION, ["on"], expires_in=60)
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        run = await me.done("go", None)
        await asyncio.sleep(61)
        done = await me.ended(run["id"])
        assert (done["status"], done["text"]) == ("completed", "on")


async def test_row_059_the_same_request_again_is_one_message(tmp_path: Path):
    model = Script(["one"], ["two"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk, "ann", "bob") as (ann, bob):
        body = {"input": "hi", "thread": "t"}
        asks = [ann.post("/v1/runs", body, Idempotency_Key="k1") for _ in range(6)]
        answers = await asyncio.gather(*asks)
        assert len({run["id"] for _, run in answers}) == 1
        await desk.restart()
        status, run = await ann.post("/v1/runs", body, Idempotency_Key="k1")
        assert (status, run["id"], run["status"]) == (201, answers[0][1]["id"], "completed")
        for other in (
            {**body, "input": "ho"},
            {**body, "thread": "u"},
            {**body, "priority": "now"},
        ):
            status, problem = await ann.post("/v1/runs", other, Idempotency_Key="k1")
            assert (status, problem["code"]) == (409, "IDEMPOTENCY_KEY_REUSED"), other
        assert len(model.requests) == 1
        status, mine = await bob.post("/v1/runs", {**body, "waitSeconds": 9}, Idempotency_Key="k1")
        assert (status, mine["text"]) == (201, "two")
        status, loose = await bob.post("/v1/runs", {"input": "x"}, Idempotency_Key="k2")
        assert (await bob.post("/v1/runs", {"input": "x"}, Idempotency_Key="k2"))[1]["id"] == loose[
            "id"
        ]


async def test_row_032_another_person_s_run_is_not_touched(tmp_path: Path):
    model = Script(["one", 2.0, "!"], ["two"])
    async with (
        Desk(tmp_path, Agent("a", model), shared=["local:room"]) as desk,
        rest(desk, "ann", "bob") as (ann, bob),
    ):
        await desk.person("ann", thread="local:room")
        private = ann.stream("POST", "/v1/runs", {"input": "a", "thread": "local:room"})
        await private.until("text")
        waits = await bob.start("b", "local:room", multitaskStrategy="interrupt")
        assert (waits[0], waits[1]["status"]) == (202, "queued")
        assert (await private.finish())["status"] == "completed"
        await asyncio.sleep(1)
        _, item = await bob.get(f"/v1/threads/local:room/inputs/{waits[1]['input']['seq']}")
        assert item["outcome"] == "answered"


async def test_row_061_a_budget_stops_a_run(tmp_path: Path):
    model = Script(["one", 100.0])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        _, run = await me.start("go", options={"timeoutSeconds": 5})
        done = await me.ended(run["id"])
        assert (done["status"], done["reason"]) == ("interrupted", "BUDGET_EXCEEDED")


async def test_row_103_now_during_an_undeclared_tool(tmp_path: Path):
    ran = []

    @tool
    async def look() -> str:
        """Takes 2 s."""
        await asyncio.sleep(2)
        ran.append(1)
        return "found"

    model = Script([call("look")], ["next"])
    async with Desk(tmp_path, Agent("a", model, "", [look])) as desk, rest(desk) as me:
        await me.start("look it up")
        await asyncio.sleep(0.5)
        done = await me.done("this instead", priority="now")
        assert (done["text"], ran) == ("next", [1])
        assert ("result", "found") in messages(model.requests[1])


async def test_a_run_may_name_its_branch(tmp_path: Path):
    model = Script(["one"], ["two"], ["three"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        await me.done("first")
        await me.done("second")
        _, log = await me.get("/v1/threads/t/entries")
        beside = await me.done("another second", branch=log["entries"][1]["seq"])
        assert beside["text"] == "three"
        assert [text for _, text in messages(model.requests[2])] == [
            "first",
            "one",
            "another second",
        ]
        _, branches = await me.get("/v1/threads/t/branches")
        assert len(branches["branches"]) == 2
        status, wrong = await me.start("x", branch=12345)
        assert (status, wrong["code"]) == (400, "VALIDATION_ERROR")
