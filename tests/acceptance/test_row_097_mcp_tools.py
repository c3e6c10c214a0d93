"""Tools of MCP servers: stopping, progress, approvals by annotation, and servers that misbehave."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from mcp.server import MCPServer

from gateway import Agent
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call, messages
from tests.mcp.air import Air
from tests.mcp.pay import page_server
from tests.mcp.serving import Noticing, eventually, old, served

GENERATIONS = pytest.mark.parametrize("legacy", [True, False])


def air_of(legacy: bool) -> tuple[Air, Noticing]:
    air = Air()
    if legacy:
        old(air.server)
    return air, Noticing(air.server)


@pytest.mark.looptime
@GENERATIONS
async def test_a_stop_cancels_the_call_and_tells_its_progress(tmp_path: Path, legacy: bool):
    air, seen = air_of(legacy)
    model = Script([call("air_wait")], ["fine"])
    async with (
        served(air.server) as site,
        Desk(tmp_path, Agent("tester", model), mcp={"air": {"url": site.url}}) as desk,
    ):
        ann = await desk.person("ann")
        said = await ann.say("wait")
        told = (await ann.frame("progress"))["data"]
        assert (told["text"], told["fraction"]) == ("boarding", 0.25)
        began = desk.time()
        await ann.stop()
        assert (await ann.outcome(said))[0] == "interrupted"
        assert desk.time() - began < 0.5
        await eventually(lambda: bool(air.cancelled))
        if legacy:
            assert seen.count("notifications/cancelled") == 1
        again = await ann.say("and now?")
        assert (await ann.outcome(again))[0] == "answered"
        results = [text for kind, text in messages(model.requests[1]) if kind == "result"]
        assert "USER_SIGINT" in results[0]


@pytest.mark.looptime
@pytest.mark.parametrize(
    ("setting", "tool", "asks", "rule"),
    [
        ("annotations", "wipe", True, False),
        ("annotations", "unmarked", True, True),
        ("annotations", "fail", False, True),
        ("always", "fail", True, True),
        ("never", "wipe", False, False),
    ],
)
async def test_approvals_go_by_annotations(
    tmp_path: Path, setting: str, tool: str, asks: bool, rule: bool
):
    air, _ = air_of(False)
    arguments = {"wipe": {"what": "it"}, "fail": {"how": "raise"}, "unmarked": {}}[tool]
    model = Script([call(f"air_{tool}", **arguments)], ["fine"])
    async with served(air.server) as site:
        mcp = {"air": {"url": site.url, "approval": setting}}
        async with Desk(tmp_path, Agent("tester", model), mcp=mcp) as desk:
            ann = await desk.person("ann")
            said = await ann.say("go")
            if asks:
                question = (await ann.frame("question"))["data"]["question"]
                assert question["reason"] == "tool_call"
                assert question["details"]["arguments"] == arguments
                assert (question["details"]["suggestedRule"] is not None) == rule
                assert air.done == air.started == []
                await ann.say("yes")
            assert await ann.outcome(said) == ("answered", "")
            assert air.done or air.started


@pytest.mark.looptime
@GENERATIONS
async def test_a_server_that_goes_away_in_a_call(tmp_path: Path, legacy: bool):
    """The call fails with a code and is not made again; the next one finds the server anew."""
    air, seen = air_of(legacy)
    model = Script([call("air_wait")], ["lost"], [call("air_wait")], ["back"])
    async with (
        served(air.server) as site,
        Desk(tmp_path, Agent("tester", model), mcp={"air": {"url": site.url}}) as desk,
    ):
        ann = await desk.person("ann")
        said = await ann.say("wait")
        await eventually(lambda: bool(air.started))
        port = int(site.url.rsplit(":", 1)[1].split("/")[0])
        await site.cut()
        assert await ann.outcome(said) == ("answered", "")
        assert "was not made again" in messages(model.requests[1])[-1][1]
        assert seen.count("tools/call") == 1
        await site.start(port)
        air.gate.set()
        again = await ann.say("once more")
        assert await ann.outcome(again) == ("answered", "")
        assert messages(model.requests[3])[-1] == ("result", "waited")


@pytest.mark.looptime
async def test_a_server_that_is_not_there(tmp_path: Path):
    """The product starts without it, and has its tools once it is there."""
    air, _ = air_of(False)
    model = Script([call("air_unmarked")], ["no such tool"], [call("air_unmarked")], ["done"])
    async with served(air.server) as site:
        port = int(site.url.rsplit(":", 1)[1].split("/")[0])
        await site.cut()
        mcp = {"air": {"url": site.url, "approval": "never"}}
        async with Desk(tmp_path, Agent("tester", model), mcp=mcp) as desk:
            desk.may_fail = True
            ann = await desk.person("ann")
            said = await ann.say("go")
            assert await ann.outcome(said) == ("answered", "")
            assert "There is no tool" in messages(model.requests[1])[-1][1]
            await site.start(port)
            await eventually(lambda: bool(desk.app.servers.tools()), within=600)
            again = await ann.say("go")
            assert await ann.outcome(again) == ("answered", "")
            assert air.done == ["unmarked"]


@pytest.mark.looptime
async def test_results_and_arguments_of_every_kind(tmp_path: Path):
    server = MCPServer("odd")

    @server.tool()
    async def echo(what: str, count: int = 1) -> str:
        """Says it."""
        return what * count

    @server.tool()
    async def fail() -> str:
        """Fails."""
        raise ValueError("no luck")

    @server.tool(name="with.dots/and more")
    async def dots() -> dict[str, int]:
        """Gives an object."""
        return {"a": 1}

    results: list[str] = []
    steps: list[Any] = []
    for made in (
        call("odd_echo", what="x", count=3),
        call("odd_echo", what=7),
        call("odd_echo", count=1),
        call("odd_echo", what="y", more=1),
        call("odd_echo", what="z" * 300_000),
        call("odd_fail"),
        call("odd_with_dots_and_more"),
    ):
        steps += [[made], ["ok"]]
    model = Script(*steps)
    async with served(server) as site:
        mcp = {"odd": {"url": site.url, "approval": "never"}}
        async with Desk(tmp_path, Agent("tester", model), mcp=mcp) as desk:
            ann = await desk.person("ann")
            for number in range(len(steps) // 2):
                said = await ann.say(f"go {number}")
                assert await ann.outcome(said) == ("answered", "")
                results.append(messages(model.requests[-1])[-1][1])
    assert results[0] == "xxx"
    assert "odd_echo are not valid" in results[1]
    assert "'what' is a required property" in results[2]
    assert len(results[4]) < 201_000
    assert results[5] == "Error executing tool fail"
    assert json.loads(results[6]) == {"a": 1}


async def _bad(request: web.Request) -> web.StreamResponse:
    kind = request.match_info["kind"]
    body = await request.json() if request.can_read_body else {}
    method, id_ = body.get("method"), body.get("id")
    if kind == "html":
        return web.Response(text="<html>", content_type="text/html")
    if kind == "error":
        return web.Response(status=500)
    if kind == "garbage":
        return web.Response(text="{nonsense", content_type="application/json")
    if method == "initialize":
        result: Any = {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "bad", "version": "1"},
        }
    elif method == "tools/list":
        schema: Any = {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:1/x"}}}
        broken: Any = {"type": "object", "properties": {"a": {"type": "nonsense"}}}
        result = {
            "tools": [
                {"name": "far", "inputSchema": schema},
                {"name": "broken", "inputSchema": broken},
                {"name": "half", "inputSchema": {"type": "object"}},
            ]
        }
    elif method == "tools/call":
        result = {"content": "not a list"}
    elif id_ is None:
        return web.Response(status=202)
    else:
        error = {"code": -32601, "message": "no"}
        return web.json_response({"jsonrpc": "2.0", "id": id_, "error": error})
    return web.json_response({"jsonrpc": "2.0", "id": id_, "result": result})


@pytest.mark.looptime
@pytest.mark.parametrize("kind", ["html", "error", "garbage", "wrong"])
async def test_servers_that_answer_nonsense(tmp_path: Path, kind: str):
    site = web.Application()
    site.router.add_route("*", "/{kind}", _bad)
    runner = web.AppRunner(site, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}/{kind}"
    model = Script([call("bad_half")], ["on"], [call("bad_far", a=1)], ["on"])
    mcp = {"bad": {"url": url, "approval": "never"}}
    async with Desk(tmp_path, Agent("tester", model), mcp=mcp) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        said = await ann.say("go")
        assert await ann.outcome(said) == ("answered", "")
        result = messages(model.requests[1])[-1][1]
        assert ("is not valid" if kind == "wrong" else "There is no tool") in result
        again = await ann.say("go on")
        assert await ann.outcome(again) == ("answered", "")
        names = {tool.name for tool in desk.app.servers.tools()}
        assert names == ({"bad_far", "bad_half"} if kind == "wrong" else set())
    await runner.cleanup()


@pytest.mark.process
@GENERATIONS
async def test_a_program_that_dies_in_a_call(tmp_path: Path, legacy: bool):
    """Over stdio, with a real process: the thread goes on, and the next call starts it anew."""
    model = Script(
        [call("air_fail", how="die")],
        ["lost"],
        [call("air_book", passenger="Ann")],
        ["booked"],
    )
    args = ["-m", "tests.mcp.air", *(["--old"] if legacy else [])]
    log = tmp_path / "air.log"
    mcp = {"air": {"command": sys.executable, "args": args, "log": log, "directory": Path.cwd()}}
    async with Desk(tmp_path, Agent("tester", model), mcp=mcp) as desk:
        await eventually(lambda: bool(desk.app.servers.tools()), within=50)
        ann = await desk.person("ann")
        said = await ann.say("die")
        assert await ann.outcome(said) == ("answered", "")
        assert "was not made again" in messages(model.requests[1])[-1][1]
        again = await ann.say("book")
        await ann.frame("question")
        answer = await ann.say("aisle")
        assert (await ann.outcome(answer))[0] == "decided"
        assert await ann.outcome(again) == ("answered", "")
        assert messages(model.requests[3])[-1] == ("result", "Ann sits at the aisle")


@pytest.mark.looptime
@pytest.mark.parametrize(("said", "action"), [("yes", "accept"), ("no", "decline")])
async def test_a_page_to_open_is_shown_as_a_link(tmp_path: Path, said: str, action: str):
    server, done = page_server()
    model = Script([call("pay_pay")], ["fine"])
    async with served(old(server)) as site:
        mcp = {"pay": {"url": site.url, "approval": "never"}}
        async with Desk(tmp_path, Agent("tester", model), mcp=mcp) as desk:
            ann = await desk.person("ann")
            going = await ann.say("pay")
            asked = (await ann.frame("question"))["data"]["question"]
            assert asked["message"] == "Pay here\nhttps://pay.example/1"
            assert asked["details"]["url"] == "https://pay.example/1"
            await ann.say(said)
            assert await ann.outcome(going) == ("answered", "")
            assert done == [action]
            assert messages(model.requests[1])[-1] == ("result", action)


@pytest.mark.looptime
@pytest.mark.parametrize("said", ["yes", "no"])
async def test_a_page_to_open_before_the_call(tmp_path: Path, said: str):
    server, done = page_server()
    model = Script([call("pay_first")], ["fine"])
    async with served(old(server)) as site:
        mcp = {"pay": {"url": site.url, "approval": "never"}}
        async with Desk(tmp_path, Agent("tester", model), mcp=mcp) as desk:
            ann = await desk.person("ann")
            going = await ann.say("pay")
            await ann.frame("question")
            await ann.say(said)
            assert await ann.outcome(going) == ("answered", "")
            assert done == (["first"] if said == "yes" else [])
