"""One model call: streamed to the host, aborted by the run's lever, read with distrust."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from gateway.core.canonical import canonical_json
from gateway.core.errors import ModelFailed
from gateway.core.growing import Growing
from gateway.core.messages import AssistantMessage, Json, Message, ToolCall
from gateway.ports.clock import Ids
from gateway.ports.model import CallDelta, Finished, ModelRequest, TextDelta, Usage
from gateway.runs.coordinator import Lever, on_loop
from gateway.runs.frame import Frame
from gateway.supervise import Caught, guarded, guarded_await

BROKEN_STREAM = "MODEL_BROKEN_STREAM"


@dataclass(slots=True)
class Answer:
    """What came of a model call; `text` also of one that broke or was cut."""

    said: Growing = field(default_factory=Growing)
    calls: list[ToolCall] = field(default_factory=list)
    problems: dict[str, str] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    provider_parts: Json = None
    finished: bool = False
    error: Exception | None = None

    @property
    def text(self) -> str:
        """What the model said so far."""
        return self.said.text


class ModelCalls:
    """The model calls of one run; they share one lever on its signal."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._signal = frame.signal
        self._lever = Lever(self._signal)
        self._task: asyncio.Task[Caught | None] | None = None

    def close(self) -> None:
        """The run is over."""
        self._lever.remove()

    def abandon(self) -> None:
        """The run's grace is over."""
        if self._task is not None:
            self._task.cancel()

    async def run(self, request: ModelRequest) -> Answer:
        """Make the call; an unfinished answer without an error was cut by the run's stop."""
        answer, loop = Answer(), asyncio.get_running_loop()
        task = self._frame.runtime.supervisor.spawn(
            self._guarded(request, answer), name=f"model {request.run}"
        )
        self._task = task
        self._lever.swap(lambda: on_loop(loop, task.cancel))
        try:
            await asyncio.wait({task})
        finally:
            self._lever.swap(None)
            self._task = None
        outcome = None if task.cancelled() else task.result()
        if not answer.finished and not self._signal.cancelled:
            broken = ModelFailed(BROKEN_STREAM, "the model's stream ended before its answer did")
            answer.error = outcome.error if isinstance(outcome, Caught) else broken
        return answer

    async def _guarded(self, request: ModelRequest, answer: Answer) -> Caught | None:
        return await guarded_await(self._consume(request, answer))

    async def _consume(self, request: ModelRequest, answer: Answer) -> None:
        async with self._frame.model.stream(request) as events:
            async for event in events:
                self._take(request.step, answer, event)
                if answer.finished:
                    return

    def _take(self, step: int, answer: Answer, event: object) -> None:
        match event:
            case TextDelta(text=str(text)):
                answer.said.add(text)
                if text and not self._signal.cancelled:
                    self._frame.host.say(step, text)
            case CallDelta(call=ToolCall() as call, problem=problem):
                self._take_call(answer, call, problem)
            case Finished(usage=usage, provider_parts=parts):
                answer.usage, answer.provider_parts, answer.finished = usage, parts, True
            case _:
                kind = type(event).__name__
                raise ModelFailed(BROKEN_STREAM, f"the model's stream held a {kind}")

    def _take_call(self, answer: Answer, call: ToolCall, problem: str | None) -> None:
        canonical = guarded(canonical_json, call.arguments)
        if isinstance(canonical, Caught):
            problem = problem or f"The arguments are not JSON: {canonical.error}"
        elif not canonical.startswith("{"):
            problem = problem or "The arguments are no JSON object"
        if problem is not None:
            call = replace(call, arguments={})
        known = {other.id for other in answer.calls}
        if not call.id or call.id in known:
            call = replace(call, id=_new_id(self._frame.runtime.ids))
        answer.calls.append(call)
        if problem is not None:
            answer.problems[call.id] = problem


def _new_id(ids: Ids) -> str:
    return f"call_{ids.uuid()}"


def unused_ids(answer: Answer, messages: list[Message], ids: Ids) -> None:
    """Give calls whose id stands in the history already a new one."""
    used = {c.id for m in messages if isinstance(m, AssistantMessage) for c in m.calls}
    for index, call in enumerate(answer.calls):
        if call.id in used:
            answer.calls[index] = replace(call, id=_new_id(ids))
            if call.id in answer.problems:
                answer.problems[answer.calls[index].id] = answer.problems.pop(call.id)
