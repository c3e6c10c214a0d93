"""`bargein mcp` and `bargein acp` as the programs that real clients start, over stdio."""

import sys
from pathlib import Path
from typing import Any

import pytest
from acp import PROTOCOL_VERSION
from acp.helpers import text_block
from acp.stdio import spawn_agent_process
from mcp import Client, StdioServerParameters

from tests.acceptance.real_server import COMMAND, ROOT, Server
from tests.mcp.editors import Window

pytestmark = [pytest.mark.process, pytest.mark.slow]


def started(tmp_path: Path, protocol: str) -> list[str]:
    config = tmp_path / "bargein.toml"
    config.write_text('agent = "tests.acceptance.real_agent:agent"\n')
    database = str(tmp_path / "a.db")
    return ["-c", COMMAND, protocol, "--config", str(config), "--database", database]


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_client_starts_bargein_mcp(tmp_path: Path, mode: str):
    """Without a server it is the server itself; it ends with its client."""
    program = StdioServerParameters(
        command=sys.executable, args=started(tmp_path, "mcp"), cwd=str(ROOT)
    )
    async with Client(program, mode=mode, cache=None) as client:
        (agent, _) = [tool.name for tool in (await client.list_tools()).tools]
        done = await client.call_tool(agent, {"message": "hello"})
        assert done.is_error is False
        (block,) = done.content
        assert block.type == "text"
        assert block.text
    assert not (tmp_path / "a.db.sock").exists()


async def test_beside_a_running_server_it_is_its_line(tmp_path: Path):
    server = await Server(tmp_path / "a.db").ready()
    program = StdioServerParameters(
        command=sys.executable, args=started(tmp_path, "mcp"), cwd=str(ROOT)
    )
    async with Client(program, mode="legacy", cache=None) as client:
        (agent, _) = [tool.name for tool in (await client.list_tools()).tools]
        done = await client.call_tool(agent, {"message": "hello"})
        assert done.is_error is False
    assert (tmp_path / "a.db.sock").exists()
    assert await server.terminate(20) == 0


async def test_an_editor_starts_bargein_acp(tmp_path: Path):
    window: Any = Window()
    arguments = started(tmp_path, "acp")
    async with spawn_agent_process(window, sys.executable, *arguments, cwd=str(ROOT)) as (
        connection,
        _,
    ):
        await connection.initialize(protocol_version=PROTOCOL_VERSION)
        session = await connection.new_session(cwd="/")
        done = await connection.prompt(session_id=session.session_id, prompt=[text_block("hello")])
        assert done.stop_reason == "end_turn"
        assert window.said()
