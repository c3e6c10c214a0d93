"""The MCP server: an agent is a tool, its questions are the client's person's to answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from mcp import MCPError
from mcp.server import Server
from mcp.types import INVALID_PARAMS, CallToolRequestParams, ListToolsResult, PaginatedRequestParams
from pydantic import BaseModel, ValidationError

from gateway.api.auth import Caller
from gateway.api.bodies import mistakes
from gateway.api.door import Door, Saying
from gateway.api.mcp import asking
from gateway.api.mcp.arguments import RESUME, Answer, Say, refused, tools
from gateway.api.mcp.exchange import Context, Exchange, House, Outcome
from gateway.api.problems import Report
from gateway.api.turns import Turn
from gateway.core.errors import GatewayError
from gateway.i18n import DEFAULT_LANGUAGE
from gateway.supervise import Caught, Supervisor, guarded_await

M = TypeVar("M", bound=BaseModel)
CallerOf: TypeAlias = Callable[[Context], Caller]
_OTHER = re.compile(r"[^A-Za-z0-9_-]+")


def tool_name(agent: str) -> str:
    """What an agent is called as a tool."""
    plain = _OTHER.sub("_", agent)[:64] or "agent"
    return f"{plain[:58]}_agent" if plain == RESUME else plain


class AgentTools:
    """The agent's tools for clients; `caller_of` tells who is behind a request, `language` is their
    own where they name none.
    """

    def __init__(
        self,
        door: Door,
        caller_of: CallerOf,
        supervisor: Supervisor,
        report: Report,
        language: str = DEFAULT_LANGUAGE,
    ) -> None:
        self._language = language
        self._door = door
        self._caller_of = caller_of
        self._report = report
        self._house = House(door, supervisor, report)
        self._agent = door.router.wiring.agent.name
        self._name = tool_name(self._agent)

    def server(self, version: str) -> Server[Any]:
        """The server that has them."""
        return Server(
            "bargein",
            version=version,
            instructions=f"{self._name} talks to the agent {self._agent}; a conversation goes on "
            "with the thread of its last result.",
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    async def _list(
        self, context: Context, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=tools(self._agent, self._name))

    async def _call(self, context: Context, params: CallToolRequestParams) -> Outcome:
        done = await guarded_await(self._called(context, params))
        if not isinstance(done, Caught):
            return done
        if isinstance(done.error, MCPError):
            raise done.error
        if isinstance(done.error, GatewayError):
            return refused(done.error)
        error_id = self._report(f"mcp {params.name}", done.error)
        return refused(_Broken(f"error {error_id}"))

    async def _called(self, context: Context, params: CallToolRequestParams) -> Outcome:
        caller = self._caller_of(context)
        if params.name not in (self._name, RESUME):
            raise MCPError(INVALID_PARAMS, f"there is no tool {params.name[:100]}")
        if params.request_state is not None or params.input_responses is not None:
            thread, language = asking.state_of(params.request_state)
            call = Exchange(self._house, context, caller, language)
            return await call.again(thread, params.input_responses or {})
        given = params.arguments or {}
        if params.name == RESUME:
            answer = _read(Answer, given)
            turn = await Turn.answered(self._door, caller, answer.thread, dict(answer.answers))
            return await Exchange(self._house, context, caller, self._language).follow(turn)
        say = _read(Say, given)
        name = say.thread or self._door.ids.uuid()
        thread = self._door.thread_of(caller, name)
        await self._door.may_open(caller, thread)
        language = say.language or self._language
        saying = Saying(thread=thread, text=say.message, language=language)
        turn = await Turn.said(self._door, caller, saying)
        return await Exchange(self._house, context, caller, language).follow(turn)


class _Broken(GatewayError):
    """Something broke here."""

    code = "INTERNAL"


def _read(model: type[M], given: dict[str, Any]) -> M:
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise mistakes(error, ()) from None
