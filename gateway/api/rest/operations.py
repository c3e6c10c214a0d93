"""Every operation of the API: of agents and runs; those of threads stand beside."""

from __future__ import annotations

from aiohttp.web import StreamResponse

from gateway.api.door import Door
from gateway.api.gate import Arrived
from gateway.api.rest import models, requests
from gateway.api.rest.answers import json_answer
from gateway.api.rest.files import FileDoor
from gateway.api.rest.operation import WRITE, Operation
from gateway.api.rest.runs import Runs
from gateway.api.rest.thread_operations import thread_operations
from gateway.api.rest.threads import Threads
from gateway.core.errors import NotFound


def operations(door: Door, runs: Runs, threads: Threads, files: FileDoor) -> list[Operation]:
    """All of them."""
    agents = _Agents(door)
    return [
        Operation(
            id="listAgents",
            method="GET",
            path="/v1/agents",
            summary="The agents that can be talked to",
            handler=agents.list,
            answer=models.Agents,
        ),
        Operation(
            id="getAgent",
            method="GET",
            path="/v1/agents/{agent}",
            summary="One agent",
            handler=agents.get,
            answer=models.Agent,
        ),
        *_runs(runs),
        *_messages(runs),
        *_files(files),
        *thread_operations(threads),
    ]


def _files(files: FileDoor) -> list[Operation]:
    return [
        Operation(
            id="bringFile",
            method="POST",
            path="/v1/files",
            summary="Bring a file; send it with a message, for unsent it is not kept for long",
            handler=files.bring,
            query=requests.FileQuery,
            answer=models.File,
            statuses=(201,),
            errors=(400, 401, 403, 413, 429, 503),
            file=True,
        ),
        Operation(
            id="fetchFile",
            method="GET",
            path="/v1/files/{blob}",
            summary="A file that you brought, or that is in a conversation of yours",
            handler=files.fetch,
            query=requests.FileQuery,
            answer=models.File,
            json=False,
            file=True,
        ),
    ]


class _Agents:
    def __init__(self, door: Door) -> None:
        self._door = door

    def _only(self) -> models.Agent:
        agent = self._door.router.wiring.agent
        can = agent.capabilities
        return models.Agent(name=agent.name, steer=can.steer, ask=can.ask)

    async def list(self, arrived: Arrived) -> StreamResponse:
        return json_answer(models.Agents(agents=[self._only()]))

    async def get(self, arrived: Arrived) -> StreamResponse:
        name = arrived.request.match_info["agent"]
        if name != self._only().name:
            raise NotFound(f"no agent {name[:100]}")
        return json_answer(self._only())


def _runs(runs: Runs) -> list[Operation]:
    return [
        Operation(
            id="startRun",
            method="POST",
            path="/v1/runs",
            summary="Say something: it starts a run, joins one, waits, or answers a question",
            handler=runs.start,
            body=requests.StartRun,
            answer=models.Run,
            statuses=(201, 202),
            errors=(*WRITE, 410),
            events=True,
            key=True,
        ),
        Operation(
            id="getRun",
            method="GET",
            path="/v1/runs/{run}",
            summary="How a run stands",
            handler=runs.get,
            answer=models.Run,
        ),
        Operation(
            id="readRun",
            method="GET",
            path="/v1/runs/{run}/events",
            summary="A run's events, until it ends or asks",
            handler=runs.events,
            query=requests.EventsQuery,
            answer=models.Run,
            statuses=(200, 204),
            events=True,
            json=False,
        ),
        Operation(
            id="resumeRun",
            method="POST",
            path="/v1/runs/{run}/resume",
            summary="Answer questions of a run, all of them or none",
            handler=runs.resume,
            body=requests.Resume,
            answer=models.Run,
            errors=(*WRITE, 410),
            events=True,
        ),
        Operation(
            id="abortRun",
            method="POST",
            path="/v1/runs/{run}/abort",
            summary="Stop a run for good; what it never took is given back",
            handler=runs.abort,
            body=requests.Nothing,
            answer=models.Stopped,
            errors=WRITE,
            key=True,
        ),
        Operation(
            id="abortChildRun",
            method="POST",
            path="/v1/runs/{run}/children/{child}/abort",
            summary="Stop one run inside a tool call, and nothing else",
            handler=runs.abort_child,
            body=requests.Nothing,
            answer=models.Stopped,
            errors=WRITE,
            key=True,
        ),
    ]


def _messages(runs: Runs) -> list[Operation]:
    said = {
        "steer": ("Join a run before its next model call", runs.steer),
        "follow-up": ("Start a new turn when a run would end", runs.follow_up),
        "inject": ("Join a run's next model call, and start none", runs.inject),
    }
    return [
        Operation(
            id={"steer": "steerRun", "follow-up": "followUpRun", "inject": "injectIntoRun"}[how],
            method="POST",
            path=f"/v1/runs/{{run}}/{how}",
            summary=summary,
            handler=handler,
            body=requests.Say,
            answer=models.Run,
            statuses=(202,),
            errors=WRITE,
            key=True,
        )
        for how, (summary, handler) in said.items()
    ]
