"""Row 98: runs, streams, resumes, pauses, threads and the queue over HTTP; errors with their code
and ids.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.asking import REGION, asker, asking_agent, requests_of
from tests.acceptance.desk import Desk
from tests.acceptance.rest import rest
from tests.acceptance.scripted import Gate, Script, call, messages

pytestmark = pytest.mark.looptime


async def test_a_run_is_started_streamed_and_listed(tmp_path: Path):
    model = Script(["Hel", 0.2, "lo"], ["again"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        events = me.stream("POST", "/v1/runs", {"input": "hi", "thread": "t"})
        run = await events.finish()
        assert (run["status"], run["text"], events.text()) == ("completed", "Hello", "Hello")
        texts = [event.data["text"] for event in events.events if event.name == "text"]
        assert texts == ["Hel", "lo"]
        status, again = await me.start("and?", waitSeconds=30)
        assert (status, again["status"], again["text"]) == (201, "completed", "again")
        assert again["thread"] == run["thread"]
        status, threads = await me.get("/v1/threads")
        assert [line["id"] for line in threads["threads"]] == [run["thread"]]
        status, log = await me.get("/v1/threads/t/entries")
        said = [e["body"]["text"] for e in log["entries"]]
        assert said == ["hi", "Hello", "and?", "again"]
        assert (await me.run(run["id"]))["text"] == "Hello"


async def test_a_paused_run_lists_its_questions_and_is_resumed(tmp_path: Path):
    agent = asking_agent(REGION)
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        events = me.stream("POST", "/v1/runs", {"input": "go", "thread": "t"})
        asked = (await events.until("interrupt-required")).data["interrupts"]
        run = await events.finish()
        assert (run["status"], run["interrupts"]) == ("paused", asked)
        (question,) = asked
        assert question["message"] == "Well?"
        assert question["expiresAt"]
        assert "digest" not in str(events.events).lower()
        assert "checkpoint" not in str(events.events).lower()
        _, pauses = await me.get("/v1/pauses")
        assert [(p["id"], p["run"]) for p in pauses["pauses"]] == [(question["id"], run["id"])]
        path = f"/v1/runs/{run['id']}/resume"
        status, wrong = await me.post(path, {"responses": {question["id"]: "mars"}})
        assert (status, wrong["code"]) == (400, "INTERRUPT_ANSWER_INVALID")
        assert wrong["interruptId"] == question["id"]
        answers = {"responses": {question["id"]: "eu"}, "waitSeconds": 30}
        status, done = await me.post(path, answers)
        assert (status, done["status"], done["text"]) == (200, "completed", "fine")
        assert (await me.post(path, answers))[0] == 200
        status, other = await me.post(path, {"responses": {question["id"]: "us"}})
        assert (status, other["code"]) == (409, "INTERRUPT_ALREADY_DECIDED")


async def test_answers_in_words(tmp_path: Path):
    agent = asking_agent(REGION)
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        run = await me.done("go")
        id_ = run["interrupts"][0]["id"]
        path = f"/v1/threads/{run['thread']}/resume"
        status, wrong = await me.post(path, {"texts": {id_: "марс"}, "language": "ru"})
        assert (status, wrong["code"]) == (400, "INTERRUPT_ANSWER_INVALID")
        status, done = await me.post(path, {"texts": {id_: "Asia"}, "waitSeconds": 30})
        assert (status, done["status"]) == (200, "completed")


async def test_a_cancel_in_words_ends_the_pause(tmp_path: Path):
    agent = asking_agent(REGION)
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        run = await me.done("go")
        id_ = run["interrupts"][0]["id"]
        path = f"/v1/runs/{run['id']}/resume"
        status, done = await me.post(path, {"texts": {id_: "отмена"}, "language": "ru"})
        assert (status, done["status"], done["reason"]) == (200, "interrupted", "USER_SIGINT")
        assert len(requests_of(agent)) == 1


async def test_the_queue(tmp_path: Path):
    gate = Gate()
    model = Script([gate, "one"], ["two"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        status, one = await me.start("first")
        assert (status, one["status"] in ("starting", "running")) == (201, True)
        status, two = await me.start("second")
        assert (status, two["status"], two.get("id")) == (202, "queued", None)
        status, three = await me.start("third")
        seq, other = two["input"]["seq"], three["input"]["seq"]
        _, queue = await me.get("/v1/threads/t/queue")
        assert [item["text"] for item in queue["queue"]] == ["second", "third"]
        path = f"/v1/threads/t/queue/{seq}"
        status, edited = await me.ask("PATCH", path, {"text": "second, better"})
        assert (status, edited["text"]) == (200, "second, better")
        status, dropped = await me.ask("DELETE", f"/v1/threads/t/queue/{other}")
        assert (status, dropped["outcome"]) == (200, "returned")
        status, gone = await me.ask("DELETE", f"/v1/threads/t/queue/{other}")
        assert (status, gone["code"]) == (404, "NOT_FOUND")
        gate.open()
        assert (await me.ended(one["id"]))["text"] == "one"
        await asyncio.sleep(1)
        _, item = await me.get(f"/v1/threads/t/inputs/{seq}")
        assert item["outcome"] == "answered"
        assert messages(model.requests[1])[-1] == ("user", "second, better")


async def test_strategies_priorities_and_the_busy_thread(tmp_path: Path):
    model = Script(["one", 5.0, "!"], ["two"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        events = me.stream("POST", "/v1/runs", {"input": "slow", "thread": "t"})
        await events.until("text")
        status, busy = await me.start("no", multitaskStrategy="reject")
        assert (status, busy["code"], busy["thread"].endswith(":t")) == (409, "THREAD_BUSY", True)
        run = await me.done("do this", priority="now")
        assert run["text"] == "two"
        cut = await events.finish()
        assert (cut["status"], cut["reason"], cut["text"]) == (
            "interrupted",
            "NOW_PRIORITY_INPUT",
            "one",
        )


async def test_retry_rewind_export_branches_and_delete(tmp_path: Path):
    broken: list[Any] = [ConnectionError("down")]
    model = Script(["one"], broken, ["two"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        desk.may_fail = True
        await me.done("first")
        failed = await me.done("second")
        assert (failed["status"], failed["error"]) == ("failed", "INTERNAL_ERROR")
        assert failed["errorId"]
        status, again = await me.post("/v1/threads/t/retry", {"waitSeconds": 30})
        assert (status, again["status"], again["text"]) == (201, "completed", "two")
        status, nothing = await me.post("/v1/threads/t/retry")
        assert (status, nothing["detail"]) == (404, "Nothing to retry")
        status, turn = await me.post("/v1/threads/t/rewind")
        assert (status, turn["text"]) == (200, "second")
        _, branches = await me.get("/v1/threads/t/branches")
        assert [b["active"] for b in branches["branches"]].count(True) == 1
        _, export = await me.get("/v1/threads/t/export")
        assert [item["outcome"] for item in export["inputs"]][:2] == ["answered", "failed"]
        status, gone = await me.ask("DELETE", "/v1/threads/t")
        assert (status, gone["deleted"]) == (200, export["id"])
        assert (await me.get("/v1/threads/t"))[0] == 404


async def test_what_is_not_there_and_what_is_somebody_else_s(tmp_path: Path):
    async with (
        Desk(tmp_path, Agent("a", Script(["one"]))) as desk,
        rest(desk, "ann", "bob") as (ann, bob),
    ):
        run = await ann.done("hi")
        for method, path in [
            ("GET", f"/v1/runs/{run['id']}"),
            ("GET", f"/v1/runs/{run['id']}/events"),
            ("POST", f"/v1/runs/{run['id']}/abort"),
            ("POST", f"/v1/runs/{run['id']}/resume"),
            ("GET", f"/v1/threads/{run['thread']}"),
            ("GET", f"/v1/threads/{run['thread']}/export"),
            ("DELETE", f"/v1/threads/{run['thread']}"),
            ("GET", f"/v1/threads/{run['thread']}/queue"),
            ("POST", f"/v1/threads/{run['thread']}/pauses/cancel"),
        ]:
            status, problem = await bob.ask(method, path, {} if method == "POST" else None)
            assert (status, problem["code"]) == (403, "THREAD_ACCESS_DENIED"), path
        status, problem = await bob.start("hi", run["thread"])
        assert (status, problem["code"]) == (403, "THREAD_ACCESS_DENIED")
        for thread in ("rest:ann:new", "local:somebody"):
            status, problem = await bob.start("hi", thread)
            assert (status, problem["code"]) == (404, "NOT_FOUND")
        for path in ("runs/nope", "threads/nope", "threads/%7Bnope", "nope", "agents/nope"):
            assert (await ann.get(f"/v1/{path}"))[1]["code"] == "NOT_FOUND"
        status, problem = await ann.ask("PUT", "/v1/runs", {})
        assert (status, problem["code"]) == (405, "METHOD_NOT_ALLOWED")
        status, problem = await ann.start("hi", agent="other")
        assert (status, problem["code"]) == (404, "NOT_FOUND")
        assert [line["id"] for line in (await bob.get("/v1/threads"))[1]["threads"]] == []


@tool
async def nothing(context: ToolContext) -> str:
    """Does nothing."""
    return "nothing"


async def test_the_first_page_of_the_api_and_its_document(tmp_path: Path):
    async with Desk(tmp_path, Agent("a", Script(["one"]), "", [nothing])) as desk, rest(desk) as me:
        status, agents = await me.get("/v1/agents")
        assert (status, agents["agents"][0]["name"]) == (200, "a")
        status, document = await me.get("/v1/openapi.json")
        assert (status, document["openapi"]) == (200, "3.1.0")
        async with me.session.get(me.address + "/v1/docs") as page:
            assert page.status == 200
            assert "default-src 'none'" in page.headers["Content-Security-Policy"]
            assert "http" not in (await page.text()).replace("http-equiv", "")


async def test_two_questions_are_answered_one_at_a_time(tmp_path: Path):
    one, two = asker("Where?", REGION, "one"), asker("Sure?", bool, "two")
    model = Script([call("one"), call("two")], ["fine"])
    agent = Agent("a", model, "", [one, two], parallel_tool_calls=True)
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        run = await me.done("go")
        where, sure = [question["id"] for question in run["interrupts"]]
        path = f"/v1/runs/{run['id']}/resume"
        status, rests = await me.post(path, {"responses": {where: "eu"}, "waitSeconds": 30})
        assert (status, rests["status"]) == (200, "paused")
        assert [q["id"] for q in rests["interrupts"]] == [sure]
        assert rests["interrupts"][0]["expiresAt"] == run["interrupts"][1]["expiresAt"]
        events = me.stream("POST", path, {"texts": {sure: "да"}, "language": "ru"})
        assert (await events.finish())["status"] == "completed"
        assert len(model.requests) == 2
