"""Row 97: MCP servers that an editor hands over with a session: their tools are its thread's while
the session is there; what may destroy asks; what can't be used is refused, not forgotten.
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from acp.exceptions import RequestError
from acp.schema import (
    EnvVariable,
    HttpHeader,
    HttpMcpServer,
    McpServerStdio,
    SseMcpServer,
)

from gateway import Agent
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call, messages
from tests.acceptance.test_row_097_acp import code_of
from tests.fakes.agui_server import agui_server
from tests.mcp.air import Air
from tests.mcp.editors import Window, editing
from tests.mcp.serving import Noticing, Site, eventually, old, served

GENERATIONS = pytest.mark.parametrize("legacy", [True, False])


def over_http(site: Site, name: str = "air") -> HttpMcpServer:
    return HttpMcpServer(
        type="http", name=name, url=site.url, headers=[HttpHeader(name="X-Key", value="1")]
    )


def names(desk: Desk, thread: str | None = None) -> set[str]:
    return {tool.name for tool in desk.app.servers.tools(thread)}


def thread_of(session: str, who: str = "ann") -> str:
    return f"acp:{who}:{session}"


@pytest.mark.looptime
@GENERATIONS
async def test_its_tools_are_used_and_ask(tmp_path: Path, legacy: bool):
    """What may destroy wants leave; what the server asks is a form of the editor's."""
    air = Air()
    steps = [call("air_wipe", what="it")], [call("air_book", passenger="Ann")], ["done"]
    window = Window("allow_once", [{"seat": "window"}])
    model = Script(*steps)
    async with (
        served(old(air.server) if legacy else air.server) as site,
        Desk(tmp_path, Agent("tester", model)) as desk,
        editing(desk, window) as editor,
    ):
        await editor.new(over_http(site))
        assert await editor.prompt("go") == "end_turn"
        assert air.done == ["it", ("Ann", "window")]
        (about, options), *others = window.permissions
        assert not others
        assert about.raw_input == {"what": "it"}
        assert [option.option_id for option in options] == ["allow_once", "reject_once"]
        assert messages(model.requests[2])[-1] == ("result", "Ann sits at the window")


@pytest.mark.looptime
async def test_they_are_the_session_s_alone_and_go_with_it(tmp_path: Path):
    air = Air()
    seen = Noticing(old(air.server))
    model = Script([call("air_wait")], ["no such tool"])
    async with served(air.server) as site, Desk(tmp_path, Agent("tester", model)) as desk:
        async with editing(desk) as editor:
            mine = await editor.new(over_http(site))
            other = await editor.new()
            assert "air_wait" in names(desk, thread_of(mine))
            assert names(desk, thread_of(other)) == names(desk, "local:1") == set()
            assert await editor.prompt("wait") == "end_turn"
            assert "There is no tool" in messages(model.requests[1])[-1][1]
            assert seen.count("tools/call") == 0
        await eventually(lambda: names(desk) == set())


@pytest.mark.looptime
async def test_an_editor_that_goes_away_in_a_call(tmp_path: Path):
    """The call is given up at once, and the server told."""
    air = Air()
    seen = Noticing(old(air.server))
    model = Script([call("air_wait")], ["fine"])
    async with served(air.server) as site, Desk(tmp_path, Agent("tester", model)) as desk:
        async with editing(desk) as editor:
            await editor.new(over_http(site))
            going = asyncio.create_task(editor.prompt("wait"))
            await eventually(lambda: bool(air.started))
        await eventually(lambda: bool(air.cancelled))
        await asyncio.gather(going, return_exceptions=True)
        assert seen.count("notifications/cancelled") == 1
        assert names(desk) == set()


@pytest.mark.process
async def test_a_program_is_started_in_the_session_s_directory_and_ended(tmp_path: Path):
    pid = tmp_path / "pid"
    script = f"import os; open({str(pid)!r}, 'w').write(str(os.getpid()) + ' ' + os.getcwd()); "
    script += "from tests.mcp.air import Air; Air().server.run('stdio')"
    program = McpServerStdio(
        name="My air!",
        command=sys.executable,
        args=["-c", script],
        env=[EnvVariable(name="PYTHONPATH", value=str(Path.cwd()))],
    )
    model = Script([call("My_air_book", passenger="Ann")], ["done"])
    window = Window("allow_once", [{"seat": "aisle"}])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        async with editing(desk, window) as editor:
            await editor.new(program, directory=str(tmp_path))
            assert await editor.prompt("book") == "end_turn"
            assert messages(model.requests[1])[-1] == ("result", "Ann sits at the aisle")
            number, where = pid.read_text().split()
            assert where == str(tmp_path)
            assert alive(int(number))
        await eventually(lambda: not alive(int(number)))


def alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.looptime
async def test_a_session_that_is_loaded_again_has_the_servers_it_brings_then(tmp_path: Path):
    first, second = Air(), Air()
    model = Script(["hi"])
    async with (
        served(first.server) as one,
        served(second.server) as two,
        Desk(tmp_path, Agent("tester", model)) as desk,
        editing(desk) as editor,
    ):
        session = await editor.new(over_http(one, "one"))
        await editor.prompt("hi")
        await editor.conn.load_session(
            cwd="/", session_id=session, mcp_servers=[over_http(two, "two"), over_http(two, "two")]
        )
        assert {name.partition("_air")[0].split("_")[0] for name in names(desk)} == {"two"}
        assert {"two_wait", "two_2_wait"} <= names(desk, thread_of(session))


@pytest.mark.looptime
async def test_what_can_not_be_used_is_refused(tmp_path: Path):
    nowhere: list[Any] = [
        SseMcpServer(type="sse", name="old", url="http://127.0.0.1:1/", headers=[]),
        *[McpServerStdio(name=f"s{n}", command="x", args=[], env=[]) for n in range(33)],
    ]
    async with Desk(tmp_path, Agent("tester", Script(["hi"]))) as desk, editing(desk) as editor:
        for given in (nowhere[:1], nowhere[1:]):
            with pytest.raises(RequestError) as refused:
                await editor.new(*given)
            assert code_of(refused) == "MCP_SERVERS_REFUSED"
        with pytest.raises(RequestError) as refused:
            await editor.new(
                HttpMcpServer(type="http", name="a", url="file:///etc/passwd", headers=[])
            )
        assert code_of(refused) == "VALIDATION_ERROR"
        await editor.new()
        assert await editor.prompt("hi") == "end_turn"


@pytest.mark.looptime
async def test_one_that_is_not_there_keeps_nobody_from_talking(tmp_path: Path):
    gone = HttpMcpServer(type="http", name="gone", url="http://127.0.0.1:1/mcp", headers=[])
    async with Desk(tmp_path, Agent("tester", Script(["hi"]))) as desk, editing(desk) as editor:
        desk.may_fail = True
        await editor.new(gone)
        assert await editor.prompt("hi") == "end_turn"
        assert [line["where"] for line in desk.failures()] == ["mcp server gone"]


@pytest.mark.looptime
async def test_an_agent_elsewhere_has_its_own_tools(tmp_path: Path):
    air = Air()
    async with agui_server() as elsewhere, served(air.server) as site:
        desk = Desk(tmp_path, None)
        desk.settings = desk.settings.model_copy(update={"agent": f"agui:{elsewhere.url}"})
        async with desk, editing(desk) as editor:
            with pytest.raises(RequestError) as refused:
                await editor.new(over_http(site))
            assert code_of(refused) == "MCP_SERVERS_REFUSED"


@pytest.mark.looptime
async def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "gateway.agents.mcp.service", None)
    air = Air()
    async with (
        served(air.server) as site,
        Desk(tmp_path, Agent("t", Script(["hi"]))) as desk,
        editing(desk) as editor,
    ):
        with pytest.raises(RequestError, match="bargein\\[mcp\\]") as refused:
            await editor.new(over_http(site))
        assert code_of(refused) == "MCP_SERVERS_REFUSED"
