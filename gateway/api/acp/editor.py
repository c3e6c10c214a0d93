"""The agent's side of a connection to an editor."""

from __future__ import annotations

from collections.abc import Awaitable
from importlib.metadata import version
from typing import Any, Final, TypeVar

from acp import PROTOCOL_VERSION
from acp.exceptions import RequestError
from acp.interfaces import Client
from acp.schema import (
    AgentCapabilities,
    ClientCapabilities,
    EmbeddedResourceContentBlock,
    Implementation,
    InitializeResponse,
    LoadSessionResponse,
    McpCapabilities,
    NewSessionResponse,
    PromptCapabilities,
    PromptResponse,
    ResourceContentBlock,
    TextContentBlock,
    TextResourceContents,
)

from gateway.api.acp.servers import servers_of
from gateway.api.acp.session import Desk, Session
from gateway.api.auth import PROGRAMS, Caller
from gateway.api.door import Door
from gateway.api.plugs import Bring, Opened
from gateway.api.problems import Report
from gateway.core.errors import GatewayError, NotFound, ServersRefused, ValidationFailed
from gateway.runs.agent import Agent
from gateway.supervise import Caught, Supervisor, guarded_await

T = TypeVar("T")
REFUSED: Final = -32000
MAX_TEXT: Final = 80_000
SESSIONS: Final = 100


class EditorGone(Warning):
    """The editor hung up in the middle of an answer: nobody's failure."""


class Editor:
    """Answers one editor's requests; every error has a code of ours in its data."""

    def __init__(
        self, door: Door, opened: Opened, supervisor: Supervisor, report: Report, bring: Bring
    ) -> None:
        self._language = opened.language
        self._door = door
        self._caller = Caller(opened.principal, PROGRAMS)
        self._supervisor = supervisor
        self._report = report
        self._bring = bring
        self._editor: Client | None = None
        self._capabilities: ClientCapabilities | None = None
        self._sessions: dict[str, Session] = {}
        self._gone = False

    def on_connect(self, conn: Client) -> None:
        """Called by the library: how the editor is reached."""
        self._editor = conn

    async def gone(self) -> None:
        """The editor hung up."""
        self._gone = True
        for session in self._sessions.values():
            await session.gone()

    # -- the protocol's methods ----------------------------------------------------------------

    async def initialize(
        self,
        protocol_version: int,
        client_capabilities: ClientCapabilities | None = None,
        client_info: Implementation | None = None,
        **more: Any,
    ) -> InitializeResponse:
        self._capabilities = client_capabilities
        return InitializeResponse(
            protocol_version=min(protocol_version, PROTOCOL_VERSION) or PROTOCOL_VERSION,
            agent_capabilities=AgentCapabilities(
                load_session=True,
                prompt_capabilities=PromptCapabilities(embedded_context=True),
                mcp_capabilities=McpCapabilities(http=True, sse=False),
            ),
            agent_info=Implementation(name="bargein", version=version("bargein")),
            auth_methods=[],
        )

    async def new_session(
        self, cwd: str, mcp_servers: list[Any] | None = None, **more: Any
    ) -> NewSessionResponse:
        opening = self._open(self._door.ids.uuid(), cwd, mcp_servers)
        session = await self._guarded("session/new", opening)
        return NewSessionResponse(session_id=session.id)

    async def load_session(
        self, cwd: str, session_id: str, mcp_servers: list[Any] | None = None, **more: Any
    ) -> LoadSessionResponse:
        return await self._guarded("session/load", self._load(session_id, cwd, mcp_servers))

    async def prompt(self, session_id: str, prompt: list[Any], **more: Any) -> PromptResponse:
        return await self._guarded("session/prompt", self._prompt(session_id, prompt))

    async def cancel(self, session_id: str, **more: Any) -> None:
        session = self._sessions.get(session_id)
        if session is not None:
            await self._guarded("session/cancel", session.cancel())

    async def authenticate(self, method_id: str, **more: Any) -> None:
        """Nothing to prove: the socket is this system's user's alone."""

    # -- inside --------------------------------------------------------------------------------

    async def _open(self, id_: str, directory: str, given: list[Any] | None) -> Session:
        """A session, with the tools of the editor's own servers."""
        if self._editor is None:
            raise RequestError.invalid_request()
        desk = Desk(self._door, self._caller, self._editor, self._capabilities, self._supervisor)
        session = Session(desk, id_, self._language)
        servers = servers_of(given or [], directory)
        if servers:
            agent = self._door.router.wiring.agent
            if not isinstance(agent, Agent):
                raise ServersRefused(f"{agent.name} has the tools of its own server alone")
            session.take_away = await self._bring(session.thread, servers)
        surplus = max(0, len(self._sessions) - SESSIONS + 1)
        for over in [id_, *list(self._sessions)[:surplus]]:
            older = self._sessions.pop(over, None)
            if older is not None:
                older.take_away()
        self._sessions[id_] = session
        if self._gone:
            session.take_away()
        return session

    async def _load(
        self, session_id: str, directory: str, given: list[Any] | None
    ) -> LoadSessionResponse:
        thread = self._door.thread_of(self._caller, session_id)
        await self._door.thread(self._caller, thread)
        await (await self._open(session_id, directory, given)).replay()
        return LoadSessionResponse()

    async def _prompt(self, session_id: str, prompt: list[Any]) -> PromptResponse:
        session = self._sessions.get(session_id)
        if session is None:
            raise NotFound(f"no session {session_id[:100]}")
        text = _text(prompt)
        if not text.strip():
            raise ValidationFailed("prompt: is blank")
        if len(text) > MAX_TEXT:
            raise ValidationFailed(f"prompt: is longer than {MAX_TEXT} characters")
        return PromptResponse(stop_reason=await session.prompt(text))

    async def _guarded(self, what: str, does: Awaitable[T]) -> T:
        done = await guarded_await(does)
        if not isinstance(done, Caught):
            return done
        error = done.error
        if isinstance(error, RequestError):
            raise error
        if isinstance(error, GatewayError):
            data = {"code": error.code, **_ids(error)}
            raise RequestError(REFUSED, f"{error.code}: {error}", data) from error
        if isinstance(error, ConnectionError):
            self._report(f"acp {what}", EditorGone("the editor went away before its answer"))
            raise RequestError(REFUSED, "the editor is gone") from error
        error_id = self._report(f"acp {what}", error)
        raise RequestError.internal_error({"code": "INTERNAL", "errorId": error_id}) from error


def _ids(error: GatewayError) -> dict[str, Any]:
    return {name: error.params[name] for name in ("interruptId", "thread") if name in error.params}


def _text(prompt: list[Any]) -> str:
    """A prompt's text, with what it has embedded, and the addresses of what it names."""
    parts: list[str] = []
    for block in prompt:
        if isinstance(block, TextContentBlock):
            parts.append(block.text)
        elif isinstance(block, ResourceContentBlock):
            parts.append(f"[{block.name}]({block.uri})")
        elif isinstance(block, EmbeddedResourceContentBlock):
            held = block.resource
            if isinstance(held, TextResourceContents):
                parts.append(f"{held.uri}:\n{held.text}")
            else:
                raise ValidationFailed(f"prompt: {held.uri} is no text")
        else:
            raise ValidationFailed("prompt: only texts and resources are taken")
    return "\n\n".join(parts)
