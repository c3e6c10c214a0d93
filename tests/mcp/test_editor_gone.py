"""An editor that goes away in the middle of an answer is no failure of anybody's."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, tool
from gateway.api.acp.lines import LineTransport
from gateway.channels.local import open_frame, socket_path
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime
OPEN = {"protocolVersion": 1, "clientCapabilities": {}}


class Wire:
    """A local program that speaks JSON-RPC, a message a line."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, number: int, method: str, params: Any) -> None:
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.writer.write(json.dumps(message).encode() + b"\n")

    async def until(self, **wanted: Any) -> dict[str, Any]:
        """The next message that has these."""
        async with asyncio.timeout(60):
            while True:
                message: dict[str, Any] = json.loads(await self.reader.readline())
                if wanted.items() <= message.items():
                    return message


@tool(approval=True)
def wipe() -> str:
    """Wipes."""
    return "wiped"


@pytest.mark.parametrize("asked", [False, True], ids=["mid-text", "mid-question"])
@pytest.mark.parametrize("half_closed", [False, True])
async def test_who_goes_away_in_mid_answer_leaves_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, half_closed: bool, asked: bool
) -> None:
    words = [part for number in range(200) for part in (f"word {number} ", 0.01)]
    agent = Agent("tester", Script([call("wipe")] if asked else words), tools=[wipe])
    async with Desk(tmp_path, agent) as desk:
        path = socket_path(desk.settings.database)
        reader, writer = await asyncio.open_unix_connection(str(path))
        editor = Wire(reader, writer)
        writer.write(open_frame("acp", "", "en"))
        await reader.readline()
        editor.send(1, "initialize", OPEN)
        await editor.until(id=1)
        editor.send(2, "session/new", {"cwd": "/", "mcpServers": []})
        session = (await editor.until(id=2))["result"]["sessionId"]
        prompt = [{"type": "text", "text": "go"}]
        editor.send(3, "session/prompt", {"sessionId": session, "prompt": prompt})
        await editor.until(method="session/request_permission" if asked else "session/update")
        if half_closed:
            writer.write_eof()
            await asyncio.sleep(1)
        writer.transport.abort()
        await asyncio.sleep(30)
    told = desk.log.getvalue().count("the editor went away before its answer")
    assert told == 1 if asked else told <= 1
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


class Closed(asyncio.Protocol):
    """Somebody who hangs up at once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.abort()


async def test_an_answer_that_is_dropped_is_logged_by_its_id_alone(tmp_path: Path) -> None:
    told: list[tuple[str, str]] = []

    def report(where: str, error: BaseException) -> str:
        assert isinstance(error, Warning)
        told.append((where, str(error)))
        return ""

    loop, path = asyncio.get_running_loop(), str(tmp_path / "editor")
    server = await loop.create_unix_server(Closed, path)
    reader, writer = await asyncio.open_unix_connection(path)
    try:
        assert await reader.read() == b""
        lines = LineTransport(reader, writer, report)
        while not told:
            await lines.send({"jsonrpc": "2.0", "id": 7, "result": {"said": "secret words"}})
            await asyncio.sleep(0.01)
        await lines.send({"jsonrpc": "2.0", "id": "b" * 500, "error": {"message": "secret"}})
        first, second = told
        assert first == ("acp", "an answer was dropped, since its editor is gone: request 7")
        assert second[1].endswith(f"request {'b' * 64}")
        with pytest.raises(OSError):
            await lines.send({"jsonrpc": "2.0", "method": "session/update", "params": {}})
        assert len(told) == 2
    finally:
        writer.close()
        server.close()
