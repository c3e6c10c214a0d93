"""A real ACP client at the product's local socket.

async with editing(desk, Window(permission="allow_once")) as editor:
    session = await editor.new()
    assert await editor.prompt("hi") == "end_turn"
    assert editor.window.said() == "hello"
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from acp import PROTOCOL_VERSION
from acp.client.connection import ClientSideConnection
from acp.helpers import text_block
from acp.schema import (
    AcceptElicitationResponse,
    AllowedOutcome,
    CancelElicitationResponse,
    ClientCapabilities,
    DeclineElicitationResponse,
    DeniedOutcome,
    ElicitationCapabilities,
    ElicitationFormCapabilities,
    RequestPermissionResponse,
)

from tests.acceptance.desk import Desk


class Window:
    """What the editor's person sees, and how they answer. `permission` is an option's id or
    "cancelled"; `forms` are answers to forms (None: the editor has none).
    """

    def __init__(
        self, permission: str = "allow_once", forms: list[Any] | None = None, after: float = 0.0
    ) -> None:
        self.permission = permission
        self.forms = forms
        self.after = after
        self.updates: list[Any] = []
        self.permissions: list[tuple[Any, list[Any]]] = []
        self.asked: list[tuple[str, Any]] = []

    def on_connect(self, conn: Any) -> None:
        """Called by the library."""

    async def session_update(self, session_id: str, update: Any, **more: Any) -> None:
        self.updates.append(update)

    async def request_permission(
        self, session_id: str, tool_call: Any, options: list[Any], **more: Any
    ) -> RequestPermissionResponse:
        self.permissions.append((tool_call, options))
        await asyncio.sleep(self.after)
        if self.permission == "cancelled":
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        outcome = AllowedOutcome(outcome="selected", option_id=self.permission)
        return RequestPermissionResponse(outcome=outcome)

    async def create_elicitation(self, message: str, mode: Any, **more: Any) -> Any:
        assert self.forms is not None
        self.asked.append((message, mode))
        await asyncio.sleep(self.after)
        answer = self.forms[min(len(self.asked), len(self.forms)) - 1]
        if answer == "decline":
            return DeclineElicitationResponse(action="decline")
        if answer == "cancel":
            return CancelElicitationResponse(action="cancel")
        return AcceptElicitationResponse(action="accept", content=answer)

    def said(self) -> str:
        """The agent's text."""
        chunks = [u for u in self.updates if u.session_update == "agent_message_chunk"]
        return "".join(chunk.content.text for chunk in chunks)

    def calls(self) -> list[tuple[str, str, str]]:
        """Every change of a tool call: its kind, its id's title or "", its status."""
        return [
            (u.session_update, getattr(u, "title", None) or "", u.status or "")
            for u in self.updates
            if u.session_update.startswith("tool_call")
        ]


class Connected:
    """An editor that is connected."""

    def __init__(self, conn: ClientSideConnection, window: Window) -> None:
        self.conn = conn
        self.window = window
        self.session = ""

    async def new(self, *servers: Any, directory: str = "/") -> str:
        made = await self.conn.new_session(cwd=directory, mcp_servers=list(servers))
        self.session = made.session_id
        return self.session

    async def prompt(self, text: str) -> str:
        done = await self.conn.prompt(session_id=self.session, prompt=[text_block(text)])
        return str(done.stop_reason)

    async def cancel(self) -> None:
        await self.conn.cancel(session_id=self.session)


@asynccontextmanager
async def editing(
    desk: Desk, window: Window | None = None, who: str = "ann", language: str = "en"
) -> AsyncIterator[Connected]:
    """An editor at the product, initialised."""
    window = window or Window()
    reader, writer = await asyncio.open_unix_connection(str(desk.app.socket.path), limit=2**24)
    opened = {"type": "open", "protocol": "acp", "principal": who, "language": language}
    writer.write(json.dumps(opened).encode() + b"\n")
    assert json.loads(await reader.readline()) == {"type": "opened"}
    client: Any = window
    conn = ClientSideConnection(client, writer, reader, use_unstable_protocol=True)
    forms = window.forms is not None
    elicitation = ElicitationCapabilities(form=ElicitationFormCapabilities()) if forms else None
    made = await conn.initialize(
        protocol_version=PROTOCOL_VERSION,
        client_capabilities=ClientCapabilities(elicitation=elicitation),
    )
    assert made.protocol_version == PROTOCOL_VERSION
    try:
        yield Connected(conn, window)
    finally:
        await conn.close()
        writer.close()
