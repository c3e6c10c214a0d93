"""A local program that sends and reads nothing is cut off: what it is told would wait for ever."""

import asyncio
import json
from pathlib import Path

import pytest

from gateway import Agent
from gateway.channels.local import open_frame, socket_path
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script

pytestmark = pytest.mark.looptime
LONG = "x" * 20_000


@pytest.mark.parametrize("protocol", ["mcp", "acp"])
async def test_who_reads_nothing_is_cut_off(tmp_path: Path, protocol: str):
    async with Desk(tmp_path, Agent("tester", Script(["hi"]))) as desk:
        path = socket_path(desk.settings.database)
        reader, writer = await asyncio.open_unix_connection(str(path), limit=1024)
        try:
            writer.write(open_frame(protocol, "", "en"))
            assert b"opened" in await reader.readline()
            for number in range(100):
                asked = {"jsonrpc": "2.0", "id": f"{number}{LONG}", "method": f"no/such/{LONG}"}
                writer.write(json.dumps(asked).encode() + b"\n")
            async with asyncio.timeout(60):
                while not writer.transport.is_closing():
                    await asyncio.sleep(1)
                    writer.write(b"\n")
        finally:
            writer.transport.abort()
