"""Pictures and files that come with what is said to a run that is on: they reach the model with its
words, outlive a crash, and are given back with what was not delivered (RACES 20).
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, tool
from gateway.core.messages import UserMessage
from tests.acceptance.agui import agui
from tests.acceptance.asking import REGION, asker
from tests.acceptance.desk import Desk
from tests.acceptance.rest import Program, rest
from tests.acceptance.scripted import Gate, Script, call
from tests.acceptance.test_files_of_programs import PNG, brings, part

pytestmark = pytest.mark.looptime
HOWS = ["steer", "follow-up", "inject"]


@tool
async def work() -> str:
    """Takes a second."""
    await asyncio.sleep(1)
    return "worked"


def with_files(request: Any) -> list[tuple[str, list[str]]]:
    """What people said in a model input, with the names of their files."""
    said = [m for m in request.messages if isinstance(m, UserMessage)]
    return [(m.text, [one.name for one in m.attachments]) for m in said]


async def named(who: Program, data: bytes = PNG, name: str = "cat.png") -> list[dict[str, str]]:
    _, file = await brings(who, data, name)
    return [{"blob": file["blob"], "name": name}]


@pytest.mark.parametrize("how", HOWS)
async def test_a_file_joins_a_run_with_what_is_said_to_it(tmp_path: Path, how: str):
    model = Script([call("work")], ["one"], ["two"])
    async with Desk(tmp_path, Agent("a", model, "", [work])) as desk, rest(desk) as me:
        files = await named(me)
        _, run = await me.start("go")
        await asyncio.sleep(0.5)
        body = {"text": "like this", "attachments": files}
        status, _ = await me.post(f"/v1/runs/{run['id']}/{how}", body)
        assert status == 202
        done = await me.ended(run["id"])
        assert (done["status"], done["undelivered"], done["returned"]) == ("completed", [], [])
        last = model.requests[-1]
        assert with_files(last) == [("go", []), ("like this", ["cat.png"])]
        said = [m for m in last.messages if isinstance(m, UserMessage)][-1]
        assert await last.read(said.attachments[0].blob) == (PNG, "image/png")
        _, log = await me.get("/v1/threads/t/entries")
        kept = [e["body"].get("attachments") for e in log["entries"] if e["kind"] == "user"]
        assert [one["name"] for one in kept[1]] == ["cat.png"]


@pytest.mark.parametrize("how", HOWS)
async def test_it_is_given_back_with_its_message(tmp_path: Path, how: str):
    model = Script([call("work")], ["again"])
    async with Desk(tmp_path, Agent("a", model, "", [work])) as desk, rest(desk) as me:
        files = await named(me)
        _, run = await me.start("go")
        path = f"/v1/runs/{run['id']}"
        await asyncio.sleep(0.5)
        await me.post(f"{path}/{how}", {"text": "like this", "attachments": files})
        _, stopped = await me.post(f"{path}/abort")
        await desk.restart()
        for holder in (stopped, stopped["run"], await me.run(run["id"])):
            assert holder["undelivered"] == ["like this"]
            (message,) = holder["returned"]
            assert (message["text"], message["outcome"]) == ("like this", "returned")
            assert [file["blob"] for file in message["attachments"]] == [files[0]["blob"]]
        assert len(model.requests) == 1
        await me.done("like this", attachments=files)
        assert with_files(model.requests[-1])[-1] == ("like this", ["cat.png"])


async def test_a_stop_of_everything_gives_the_files_back_too(tmp_path: Path):
    model = Script([call("work")], ["never"])
    async with Desk(tmp_path, Agent("a", model, "", [work])) as desk, rest(desk) as me:
        _, run = await me.start("go")
        await asyncio.sleep(0.5)
        body = {"text": "like this", "attachments": await named(me)}
        await me.post(f"/v1/runs/{run['id']}/steer", body)
        _, stopped = await me.post("/v1/threads/t/stop")
        (message,) = stopped["returned"]
        assert [file["name"] for file in message["attachments"]] == ["cat.png"]


@pytest.mark.parametrize("how", ["steer", "follow-up"])
async def test_race_20_it_keeps_its_place_over_a_pause_and_a_crash(tmp_path: Path, how: str):
    gate = Gate()
    model = Script([gate, call("ask")], ["one"], ["two"])
    agent = Agent("a", model, "", [asker("Where?", REGION)])
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        _, run = await me.start("go")
        await gate.reached.wait()
        path = f"/v1/runs/{run['id']}"
        await me.post(f"{path}/{how}", {"text": "like this", "attachments": await named(me)})
        gate.open()
        await asyncio.sleep(1)
        await desk.kill()
        await desk.start()
        paused = await me.run(run["id"])
        assert (paused["status"], paused["queued"]) == ("paused", ["like this"])
        answers = {paused["interrupts"][0]["id"]: "eu"}
        await me.post(f"{path}/resume", {"responses": answers, "waitSeconds": 60})
        assert with_files(model.requests[-1])[-1] == ("like this", ["cat.png"])


async def test_one_says_only_ones_own_files_to_a_run(tmp_path: Path):
    model = Script([call("work")], ["done"])
    async with (
        Desk(tmp_path, Agent("a", model, "", [work])) as desk,
        rest(desk, "ann", "bob") as (ann, bob),
    ):
        _, run = await ann.start("go")
        path = f"/v1/runs/{run['id']}"
        for how in HOWS:
            body = {"text": "mine?", "attachments": await named(bob)}
            status, problem = await ann.post(f"{path}/{how}", body)
            assert (status, problem["code"]) == (404, "NOT_FOUND")
            body["attachments"] = [{"blob": "0" * 64}] * 21
            status, problem = await ann.post(f"{path}/{how}", body)
            assert (status, problem["code"]) == (400, "VALIDATION_ERROR")
            status, problem = await bob.post(f"{path}/{how}", {"text": "hi"})
            assert status == 403
        done = await ann.ended(run["id"])
        assert with_files(model.requests[-1]) == [("go", [])]
        assert done["status"] == "completed"


async def test_another_file_under_the_same_key_is_another_request(tmp_path: Path):
    model = Script([call("work")], ["done"])
    async with Desk(tmp_path, Agent("a", model, "", [work])) as desk, rest(desk) as me:
        _, run = await me.start("go")
        body = {"text": "look", "attachments": await named(me)}
        path = f"/v1/runs/{run['id']}/steer"
        for _ in range(2):
            status, _ = await me.post(path, body, Idempotency_Key="k")
            assert status == 202
        body["attachments"] = await named(me, b"text", "a.txt")
        status, problem = await me.post(path, body, Idempotency_Key="k")
        assert (status, problem["code"]) == (409, "IDEMPOTENCY_KEY_REUSED")
        await me.ended(run["id"])
        assert with_files(model.requests[-1]) == [("go", []), ("look", ["cat.png"])]


@pytest.mark.parametrize("how", HOWS)
async def test_a_run_without_a_thread_takes_none(tmp_path: Path, how: str):
    model = Script([call("work")], ["done"])
    async with Desk(tmp_path, Agent("a", model, "", [work])) as desk, rest(desk) as me:
        _, run = await me.start("go", None)
        body = {"text": "look", "attachments": await named(me)}
        status, problem = await me.post(f"/v1/runs/{run['id']}/{how}", body)
        assert (status, problem["code"]) == (400, "VALIDATION_ERROR")
        assert "attachments" in problem["detail"]
        assert (await me.run(run["id"]))["queued"] == []


async def test_a_retry_keeps_what_had_joined_with_its_files(tmp_path: Path):
    model = Script([call("work")], ["slow ", 5.0, "words"], ["whole"])
    async with Desk(tmp_path, Agent("a", model, "", [work])) as desk, rest(desk) as me:
        _, run = await me.start("go")
        path = f"/v1/runs/{run['id']}"
        await me.post(f"{path}/steer", {"text": "like this", "attachments": await named(me)})
        await asyncio.sleep(2)
        await me.post(f"{path}/abort")
        _, again = await me.post("/v1/threads/t/retry", {"waitSeconds": 60})
        assert again["status"] == "completed"
        assert with_files(model.requests[-1]) == [("go", []), ("like this", ["cat.png"])]


# -- the other doors by which a run is joined


async def test_over_ag_ui_a_file_steers_too(tmp_path: Path):
    model = Script([call("work")], ["done"])
    async with (
        Desk(tmp_path, Agent("a", model, "", [work])) as desk,
        agui(desk) as me,
        agui(desk) as there,
    ):
        first = me.open(me.input("go"))
        await first.until("TOOL_CALL_START")
        like_this = {"type": "text", "text": "like this"}
        there.messages.append({"id": "u2", "role": "user", "content": [part(PNG), like_this]})
        steer = {"bargein": {"multitaskStrategy": "steer"}}
        joined = there.open(there.input(forwardedProps=steer, runId="theirs"))
        assert (await first.done()).outcome == "success"
        assert (await joined.done()).outcome == "success"
        (said,) = [m for m in model.requests[-1].messages[1:] if isinstance(m, UserMessage)]
        assert said.text == "like this"
        assert await model.requests[-1].read(said.attachments[0].blob) == (PNG, "image/png")


async def test_on_the_page_a_file_joins_the_run_that_it_is_addressed_to(tmp_path: Path):
    model = Script([call("work")], ["done"])
    async with Desk(tmp_path, Agent("a", model, "", [work])) as desk:
        ann = await desk.person("ann")
        key = await desk.app.front.files.keep(PNG, "cat.png", "ann")
        await ann.say("go")
        run = (await ann.frame("call", state="started"))["data"]["run"]
        file = {"blob": key.blob, "mediaType": "image/png", "name": "cat.png"}
        said = await ann.say("like this", run=run, attachments=[file])
        assert (await ann.outcome(said, within=5))[0] == "steered"
        await ann.ended()
        assert with_files(model.requests[-1])[-1] == ("like this", ["cat.png"])
