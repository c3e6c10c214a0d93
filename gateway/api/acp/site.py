"""An editor at the local socket."""

from __future__ import annotations

import asyncio
from typing import cast

from acp.agent.connection import AgentSideConnection
from acp.interfaces import Agent

from gateway.api.acp.editor import Editor
from gateway.api.acp.lines import LineTransport
from gateway.api.door import Door
from gateway.api.plugs import Bring, Opened
from gateway.api.problems import Report
from gateway.supervise import Supervisor


async def serve_lines(
    door: Door,
    opened: Opened,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    *,
    supervisor: Supervisor,
    report: Report,
    bring: Bring,
) -> None:
    """Serve one editor that writes a message a line, until it hangs up."""
    editor = Editor(door, opened, supervisor, report, bring)
    agent = cast(Agent, editor)  # the methods that it lacks are refused by the library
    lines = LineTransport(reader, writer, report)
    connection = AgentSideConnection(agent, lines, listening=False)
    try:
        await connection.listen()
    finally:
        await editor.gone()
        await connection.close()
