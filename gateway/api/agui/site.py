"""The routes of AG-UI."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from gateway.api.agui.files import in_base64
from gateway.api.agui.runs import AguiRuns
from gateway.api.agui.streaming import AguiStreams
from gateway.api.door import Door
from gateway.api.gate import Gate
from gateway.api.problems import Report, answer, problem_of
from gateway.core.errors import NotFound, RequestRefused
from gateway.files import Files
from gateway.ports.tokens import Scope

PATH: Final = "/agui/{agent}"


def agui_routes(
    door: Door, gate: Gate, report: Report, join_seconds: float, files: Files
) -> list[web.RouteDef]:
    """A run by POST, what the agent can do by GET; what is neither is a problem too."""
    runs = AguiRuns(door, files)
    streams = AguiStreams(runs, gate, join_seconds)

    async def other_method(request: web.Request) -> web.StreamResponse:
        error = RequestRefused("METHOD_NOT_ALLOWED", "it takes GET, POST")
        headers = {"Allow": "GET, POST", **gate.cors(request)}
        return answer(problem_of(error, report, "elsewhere"), headers)

    async def other_path(request: web.Request) -> web.StreamResponse:
        error = NotFound("there is no such path")
        return answer(problem_of(error, report, "elsewhere"), gate.cors(request))

    return [
        web.post(PATH, gate.route(Scope.AGUI, streams.run, in_base64(files.limit_bytes))),
        web.get(PATH, gate.route(Scope.AGUI, runs.capabilities), allow_head=False),
        web.options(PATH, gate.preflight),
        web.route("*", PATH, other_method),
        web.route("*", "/agui{rest:(/.*)?}", other_path),
    ]
