"""Row 97: the agent as tools of an MCP server, with the real client, in both generations: over HTTP
and over a local program's lines. What the agent asks is elicited from the client.
"""

import asyncio
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from gateway import Agent, ToolContext, tool
from gateway.ports.tokens import Scope
from tests.acceptance.asking import REGION, REPLICAS, asking_agent, requests_of
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Gate, Script, call, messages
from tests.mcp.clients import Person, Tools, connected
from tests.mcp.serving import eventually

pytestmark = pytest.mark.looptime
MODES = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
WAYS = pytest.mark.parametrize("way", ["http", "lines"])


@MODES
@WAYS
async def test_the_agent_is_a_tool(tmp_path: Path, mode: str, way: str):
    model = Script(["hel", "lo"], ["again"])
    async with (
        Desk(tmp_path, Agent("tester", model)) as desk,
        connected(desk, mode, way) as client,
    ):
        listed = [t.name for t in (await client.client.list_tools()).tools]
        assert listed == ["tester", "answer_questions"]
        said = await client.call("tester", message="hi")
        assert (said.error, said.text) == (False, "hello")
        thread = said.data["thread"]
        assert said.data["status"] == "completed"
        on = await client.call("tester", message="and?", thread=thread)
        assert on.text == "again"
        assert messages(model.requests[1])[:2] == [("user", "hi"), ("assistant", "hello")]


@MODES
@WAYS
async def test_what_the_agent_asks_is_elicited(tmp_path: Path, mode: str, way: str):
    agent = asking_agent(REGION, ["deployed"])
    person = Person({"answer": "eu"})
    async with (
        Desk(tmp_path, agent) as desk,
        connected(desk, mode, way, person) as client,
    ):
        done = await client.call("tester", message="go")
        assert (done.error, done.text) == (False, "deployed")
        assert [asked.message for asked in person.asked] == ["Well?"]
        (schema,) = [asked.requested_schema for asked in person.asked]
        assert schema["properties"]["answer"]["enum"] == ["eu", "us", "asia"]
        assert "eu" in messages(requests_of(agent)[1])[-1][1]


@MODES
async def test_an_answer_that_does_not_fit_is_asked_for_again(tmp_path: Path, mode: str):
    agent = asking_agent(REPLICAS, ["scaled"])
    person = Person({"answer": 7}, {"answer": 3})
    async with (
        Desk(tmp_path, agent) as desk,
        connected(desk, mode, "http", person) as client,
    ):
        done = await client.call("tester", message="go")
        assert done.text == "scaled"
        assert len(person.asked) == 2


def deploying(ran: list[Any]) -> Agent:
    @tool(approval=True)
    async def deploy(service: str) -> str:
        """Deploys."""
        ran.append(service)
        return "ok"

    return Agent("tester", Script([call("deploy", service="api")], ["fine"]), tools=[deploy])


@MODES
@pytest.mark.parametrize(
    ("answer", "runs"),
    [
        ({"approved": True}, True),
        ({"approved": False, "reason": "no"}, False),
        ("decline", False),
        ("cancel", False),
    ],
)
async def test_an_approval_takes_a_plain_yes(tmp_path: Path, mode: str, answer: Any, runs: bool):
    ran: list[Any] = []
    async with (
        Desk(tmp_path, deploying(ran)) as desk,
        connected(desk, mode, "http", Person(answer)) as client,
    ):
        done = await client.call("tester", message="go")
        assert ran == (["api"] if runs else [])
        if answer == "cancel":
            assert done.data["code"] == "USER_SIGINT"
        else:
            assert done.text == "fine"


@MODES
async def test_a_client_that_cannot_ask_is_told_what_is_asked(tmp_path: Path, mode: str):
    agent = asking_agent(REGION, ["deployed"])
    async with Desk(tmp_path, agent) as desk, connected(desk, mode, "http") as client:
        paused = await client.call("tester", message="go")
        data = paused.data
        assert (data["status"], data["code"]) == ("paused", "AGENT_RUN_PAUSED")
        (question,) = data["questions"]
        assert question["message"] == "Well?"
        assert question["id"] in paused.text
        wrong = {"thread": data["thread"], "answers": {question["id"]: "moon"}}
        refused = await client.call("answer_questions", **wrong)
        assert refused.error
        assert refused.data["code"] == "INTERRUPT_ANSWER_INVALID"
        right = {"thread": data["thread"], "answers": {question["id"]: "eu"}}
        done = await client.call("answer_questions", **right)
        assert done.text == "deployed"
        again = await client.call("answer_questions", **right)
        assert again.text == "deployed"
        other = {"thread": data["thread"], "answers": {question["id"]: "us"}}
        conflict = await client.call("answer_questions", **other)
        assert conflict.data["code"] == "INTERRUPT_ALREADY_DECIDED"


@MODES
@WAYS
async def test_a_cancelled_call_stops_the_run(tmp_path: Path, mode: str, way: str):
    """RACES 20: what waited behind it is given back, not run."""
    gate = Gate()
    model = Script(["wor", gate, "king"], ["next"])
    async with (
        Desk(tmp_path, Agent("tester", model)) as desk,
        connected(desk, mode, way) as client,
    ):
        going = asyncio.create_task(client.call("tester", message="go", thread="t"))
        await gate.reached.wait()
        waiting = asyncio.create_task(client.call("tester", message="and this", thread="t"))
        await asyncio.sleep(0.5)
        going.cancel()
        behind = await waiting
        assert behind.data["status"] == "interrupted"
        assert model.open_streams == []
        assert len(model.streams) == 1
        with pytest.raises(asyncio.CancelledError):
            await going
        later = await client.call("tester", message="hello", thread="t")
        assert later.text == "next"


@MODES
async def test_race_01_an_answer_after_the_expiry(tmp_path: Path, mode: str):
    """The form is withdrawn, the run goes on; a late answer changes nothing."""
    agent = asking_agent(REGION, ["on without"], expires_in=60)
    slow = Person({"answer": "eu"}, after=90.0)
    async with Desk(tmp_path, agent) as desk, connected(desk, mode, "http", slow) as client:
        done = await client.call("tester", message="go")
        if mode == "legacy":
            assert done.text == "on without"
        else:
            assert done.data["code"] == "INTERRUPT_EXPIRED"
        assert "Nobody answered" in messages(requests_of(agent)[1])[-1][1]


@MODES
async def test_race_02_a_stop_before_the_answer(tmp_path: Path, mode: str):
    """Their stop on another side, while the form is open: the answer decides nothing any more."""
    agent = asking_agent(REGION, ["deployed"])
    slow = Person({"answer": "eu"}, after=5.0)
    async with (
        Desk(tmp_path, agent) as desk,
        connected(desk, mode, "http", slow) as client,
    ):
        going = asyncio.create_task(client.call("tester", message="go", thread="t"))
        await eventually(lambda: bool(slow.asked))
        ann = await desk.person("ann", "mcp:ann:t")
        await ann.stop()
        done = await going
        assert done.error
        code = done.data["code"]
        assert code == ("USER_SIGINT" if mode == "legacy" else "INTERRUPT_ALREADY_DECIDED")
        assert len(requests_of(agent)) == 1


@MODES
async def test_race_02_an_answer_before_the_stop(tmp_path: Path, mode: str):
    """The decision stands; the run that it let go on is stopped."""
    gate = Gate()
    agent = asking_agent(REGION, ["dep", gate, "loyed"])
    person = Person({"answer": "eu"})
    async with (
        Desk(tmp_path, agent) as desk,
        connected(desk, mode, "http", person) as client,
    ):
        going = asyncio.create_task(client.call("tester", message="go", thread="t"))
        await gate.reached.wait()
        ann = await desk.person("ann", "mcp:ann:t")
        await ann.stop()
        done = await going
        assert (done.error, done.data["code"]) == (True, "USER_SIGINT")
        (question,) = await desk.app.store.questions(thread="mcp:ann:t")
        assert question.status.value == "answered"


@MODES
async def test_who_declines_what_was_answered_elsewhere_ends_no_other_question(
    tmp_path: Path, mode: str
):
    """Somebody answers the first question while the form is open, and the run asks another."""

    @tool
    async def plan(context: ToolContext) -> str:
        """Plans."""
        region = await context.interrupt(message="Where?", response_schema=REGION)
        count = await context.interrupt(message="How many?", response_schema={"type": "integer"})
        return f"{region} {count}"

    model = Script([call("plan")], ["planned"])
    slow = Person("decline", {"answer": 3}, after=5.0)
    async with (
        Desk(tmp_path, Agent("tester", model, tools=[plan])) as desk,
        connected(desk, mode, "http", slow) as client,
    ):
        going = asyncio.create_task(client.call("tester", message="go", thread="t"))
        await eventually(lambda: bool(slow.asked))
        store, thread = desk.app.store, "mcp:ann:t"
        (where,) = await store.questions(thread=thread, open_only=True)
        await desk.app.router.resume(thread, "ann", {where.id: "eu"}, "local")
        done = await going
        if mode == "legacy":
            assert done.text == "planned"
        else:
            assert (done.error, done.data["code"]) == (True, "RUN_NOT_PAUSED")
            (open_,) = await store.questions(thread=thread, open_only=True)
            assert open_.message == "How many?"


async def test_sessions_and_threads_are_their_owners(tmp_path: Path):
    model = Script(["hello"])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        secrets = {
            name: await desk.app.front.people.create(name, {Scope.MCP}) for name in ("ann", "bob")
        }
        url = f"{desk.app.address}/mcp"
        clients = {
            name: httpx2.AsyncClient(headers={"Authorization": f"Bearer {secret}"})
            for name, secret in secrets.items()
        }
        async with clients["ann"] as ann_http, clients["bob"] as bob_http:
            ann = Client(streamable_http_client(url, http_client=ann_http), mode="legacy")
            bob = Client(streamable_http_client(url, http_client=bob_http), mode="legacy")
            async with ann, bob:
                said = await Tools(ann).call("tester", message="hi")
                thread = said.data["thread"]
                theirs = await Tools(bob).call("tester", message="hi", thread=thread)
                assert theirs.data["code"] == "THREAD_ACCESS_DENIED"
                assert len(model.streams) == 1
        async with httpx2.AsyncClient() as nobody:
            refused = await nobody.post(url, json={}, headers={"Authorization": "Bearer x"})
            assert refused.status_code == 401


WRONG: list[dict[str, Any]] = [
    {},
    {"message": ""},
    {"message": "  "},
    {"message": 7},
    {"message": None},
    {"message": "x" * 80_001},
    {"message": "hi", "thread": "a b"},
    {"message": "hi", "thread": "x" * 201},
    {"message": "hi", "thread": 3},
    {"message": "hi", "language": "de"},
    {"message": "hi", "more": 1},
]
WRONG_ANSWERS: list[dict[str, Any]] = [
    {},
    {"thread": "t"},
    {"thread": "t", "answers": {}},
    {"thread": "t", "answers": []},
    {"thread": "t", "answers": {"q": "x"}, "more": 1},
    {"thread": 1, "answers": {"q": "x"}},
]


async def test_arguments_of_the_wrong_form(tmp_path: Path):
    model = Script(["hello"])
    async with (
        Desk(tmp_path, Agent("tester", model)) as desk,
        connected(desk, "legacy", "lines") as client,
    ):
        for arguments in WRONG:
            done = await client.call("tester", **arguments)
            assert (done.error, done.data["code"]) == (True, "VALIDATION_ERROR"), arguments
        for answers in WRONG_ANSWERS:
            done = await client.call("answer_questions", **answers)
            assert (done.error, done.data["code"]) == (True, "VALIDATION_ERROR"), answers
        unknown = await client.call("answer_questions", thread="acp:ann:x", answers={"q": 1})
        assert unknown.data["code"] in ("NOT_FOUND", "THREAD_ACCESS_DENIED")
        assert model.streams == []


@MODES
async def test_a_run_that_fails_says_its_code(tmp_path: Path, mode: str):
    model = Script([RuntimeError("broken")])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        desk.may_fail = True
        async with connected(desk, mode, "http") as client:
            done = await client.call("tester", message="hi")
            assert done.error
            assert done.data["status"] == "failed"
            assert "broken" not in done.text
