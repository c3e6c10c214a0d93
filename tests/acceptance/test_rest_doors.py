"""Who comes in to the REST API, and bodies with every field wrong, against the whole product."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from pydantic import SecretStr

from gateway import Agent
from gateway.api.auth import signature
from gateway.ports.tokens import Scope
from gateway.settings import ApiSettings, HttpSettings
from tests.acceptance.asking import REGION, asking_agent
from tests.acceptance.desk import Desk
from tests.acceptance.rest import rest
from tests.acceptance.scripted import Script

pytestmark = pytest.mark.looptime
SECRET = "s" * 40


async def test_a_token_opens_the_doors_that_it_names(tmp_path: Path):
    async with (
        Desk(tmp_path, Agent("a", Script(["hi"]))) as desk,
        aiohttp.ClientSession() as session,
    ):
        people = desk.app.front.people
        page, api = await people.create("ann"), await people.create("ann", {Scope.API})
        await desk.stop()
        http = HttpSettings(port=0, require_tokens=True)
        desk.settings = desk.settings.model_copy(update={"http": http})
        await desk.start()
        address = desk.app.address

        async def status(path: str, secret: str, how: str) -> int:
            bearer = {"Authorization": f"Bearer {secret}"}
            headers = bearer if how == "bearer" else {"Cookie": f"bargein={secret}"}
            async with session.get(address + path, headers=headers) as answer:
                return answer.status

        assert await status("/v1/agents", api, "bearer") == 200
        assert await status("/v1/agents", page, "bearer") == 403
        assert await status("/v1/agents", api, "cookie") == 401
        assert await status("/me", page, "cookie") == 200
        assert await status("/me", api, "cookie") == 401
        log = desk.log.getvalue()
        assert api not in log
        assert page not in log


async def test_whom_a_proxy_vouches_for(tmp_path: Path):
    api = ApiSettings(proxy_secret=SecretStr(SECRET))
    async with (
        Desk(tmp_path, Agent("a", Script(["hi"])), api=api) as desk,
        aiohttp.ClientSession() as session,
    ):
        body = json.dumps({"input": "hi", "thread": "t", "waitSeconds": 9}).encode()
        seconds = int(desk.clock.now().timestamp())
        about: Any = {"method": "POST", "target": "/v1/runs", "principal": "ann", "body": body}
        headers = {
            "Content-Type": "application/json",
            "Bargein-Principal": "ann",
            "Bargein-Signature": signature(SECRET, seconds=seconds, **about),
        }
        async with session.post(
            desk.app.address + "/v1/runs", data=body, headers=headers
        ) as answer:
            run = await answer.json()
            assert (answer.status, run["thread"]) == (201, "rest:ann:t")
        forged = {**headers, "Bargein-Principal": "boss"}
        async with session.post(desk.app.address + "/v1/runs", data=body, headers=forged) as answer:
            assert answer.status == 401
        assert SECRET not in desk.log.getvalue()


GOOD: dict[str, Any] = {
    "input": "hi",
    "agent": "tester",
    "thread": "t",
    "language": "en",
    "multitaskStrategy": "enqueue",
    "priority": "next",
    "branch": 0,
    "replyTo": "q",
    "options": {},
    "waitSeconds": 1,
}
WRONG: list[Any] = [None, 0, -1, 1.5, True, "", " ", "\ud800", "x" * 100_000, [], {}, [1], {"a": 1}]
FITS: dict[str, list[Any]] = {
    "agent": [None],
    "thread": [None],
    "multitaskStrategy": [None],
    "priority": [None],
    "branch": [None, 0],
    "replyTo": [None, " "],
    "options": [{}],
    "waitSeconds": [0, 1.5],
    "language": [],
    "input": [],
}


def wrong_bodies() -> Iterator[dict[str, Any]]:
    for name in GOOD:
        for value in WRONG:
            if not any(value == fits and type(value) is type(fits) for fits in FITS[name]):
                yield {**GOOD, name: value}
    for name in (*GOOD, "extra"):
        yield {**GOOD, f"{name}2": 1}


async def test_every_field_wrong(tmp_path: Path):
    agent = asking_agent(REGION)
    api = ApiSettings(requests_at_once=10_000)
    async with Desk(tmp_path, agent, api=api) as desk, rest(desk) as me:
        for body in wrong_bodies():
            status, problem = await me.post("/v1/runs", body)
            assert status in (400, 404), (body, problem)
            assert problem["code"] in ("VALIDATION_ERROR", "NOT_FOUND"), body
        assert not agent.model.streams  # type: ignore[attr-defined]
        run = await me.done("go")
        path = f"/v1/runs/{run['id']}/resume"
        for name in ("responses", "texts", "language", "waitSeconds", "extra"):
            for value in WRONG:
                body = {"responses": {run["interrupts"][0]["id"]: "mars"}, name: value}
                status, problem = await me.post(path, body)
                assert status == 400, (body, problem)
        for path in ("steer", "follow-up", "inject"):
            for value in WRONG:
                status, problem = await me.post(f"/v1/runs/{run['id']}/{path}", {"text": value})
                assert status == 400, value
        assert (await me.run(run["id"]))["status"] == "paused"
        for query in ("limit=0", "limit=x", "limit=1&limit=2", "after=-1", "branch=x", "more=1"):
            assert (await me.get(f"/v1/threads/t/entries?{query}"))[0] == 400, query
        for key in ("", " ", "é", "x" * 129, "a b"):
            headers = {"Idempotency_Key": key}
            assert (await me.post("/v1/runs", {"input": "x"}, **headers))[0] == 400, key


async def test_a_burst_is_slowed_down_and_the_queue_has_its_cap(tmp_path: Path):
    model = Script([100.0])
    async with (
        Desk(tmp_path, Agent("a", model), queue={"cap": 2}) as desk,
        rest(desk, "ann") as ann,
    ):
        await ann.start("first")
        assert [(await ann.start(text))[0] for text in "ab"] == [202, 202]
        status, full = await ann.start("c")
        assert (status, full["code"]) == (429, "QUEUE_FULL")
        answers = [await ann.get("/v1/agents") for _ in range(210)]
        assert {answer[0] for answer in answers} == {200, 429}
        assert answers[-1][1]["code"] == "RATE_LIMITED"
