"""One call at a server. It may outlive the tool that made it, while a person is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, TypeAlias

from mcp import MCPError
from mcp.types import (
    URL_ELICITATION_REQUIRED,
    CallToolResult,
    ElicitationRequiredErrorData,
    ElicitRequestParams,
    ElicitResult,
    InputRequiredResult,
    InputResponses,
)
from pydantic import ValidationError

from gateway.agents.mcp.connection import Connection
from gateway.agents.mcp.questions import CANCELLED, Asked, asked, asked_by
from gateway.agents.mcp.results import failure, is_lost, text_of
from gateway.core.errors import ToolFailed
from gateway.core.messages import Json
from gateway.supervise import Caught, Supervisor, guarded, guarded_await

Progress: TypeAlias = Callable[[float, float | None, str | None], Awaitable[None]]
LIVE: Final = "live"
"""The server waits for the answer inside the call."""
AGAIN: Final = "again"
"""The call is over; it is made again with the answer."""
AFTER: Final = "after"
"""The server did nothing yet: the same call is made once the pages were opened."""
STATE_ONLY_SECONDS: Final = 0.1
MOST_STATES: Final = 50


@dataclass(frozen=True, slots=True)
class Asks:
    """The server asks, and how it takes the answers. `state` is the server's own, given back as it
    was.
    """

    how: str
    questions: tuple[Asked, ...]
    state: str | None = None

    def to_json(self) -> dict[str, Json]:
        """As it is kept with the call."""
        questions: list[Json] = [one.to_json() for one in self.questions]
        return {"how": self.how, "questions": questions, "state": self.state}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Asks:
        """What `to_json` gave."""
        return cls(data["how"], tuple(map(Asked.from_json, data["questions"])), data["state"])


Event: TypeAlias = Asks | str | ToolFailed


class Call:
    """A call that is on. `next` gives what comes of it: a question, its text, or its failure."""

    def __init__(
        self,
        connection: Connection,
        tool: str,
        arguments: Mapping[str, Json],
        supervisor: Supervisor,
        released: Callable[[Call], object],
    ) -> None:
        self.connection = connection
        self.progress: Progress | None = None
        self._tool = tool
        self._arguments = dict(arguments)
        self._supervisor = supervisor
        self._released = released
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._answer: tuple[str, asyncio.Future[ElicitResult]] | None = None
        self._asking = asyncio.Lock()
        self._numbers = count(1)
        self._task: asyncio.Task[None] | None = None

    def start(self, responses: InputResponses | None = None, state: str | None = None) -> None:
        """Send it."""
        if not self.connection.modern:
            self.connection.elicited = self._elicited
        self._task = self._supervisor.spawn(
            self._run(responses, state), name=f"mcp call {self.connection.name} {self._tool}"
        )

    async def next(self) -> Asks | str:
        """What the server asks next, or the call's text.

        Raises:
            ToolFailed: what became of the call, by its code.
        """
        event = await self._events.get()
        if isinstance(event, ToolFailed):
            raise event
        return event

    def answer(self, key: str, result: ElicitResult) -> None:
        """Answer the question `key` that the server asked inside the call; nothing where it has
        taken that back.
        """
        if self._answer is not None and self._answer[0] == key and not self._answer[1].done():
            self._answer[1].set_result(result)

    def cancel(self) -> None:
        """Tell the server that the call is given up. Idempotent."""
        if self._task is not None:
            self._task.cancel()

    async def settled(self, seconds: float) -> None:
        """Return once the server was told, or after so long."""
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=seconds)

    # -- inside --------------------------------------------------------------------------------

    async def _run(self, responses: InputResponses | None, state: str | None) -> None:
        try:
            outcome = await guarded_await(self._sent(responses, state))
        except asyncio.CancelledError:
            self._events.put_nowait(ToolFailed("MCP_CALL_CANCELLED", "the call was given up"))
            return
        finally:
            self.connection.elicited = None
            if self._answer is not None:
                self.answer(self._answer[0], CANCELLED)
            self._released(self)
        event = guarded(self._read, outcome)
        if isinstance(event, Caught):
            event = failure(self.connection.name, event.error)
        self._events.put_nowait(event)

    async def _sent(
        self, responses: InputResponses | None, state: str | None
    ) -> CallToolResult | InputRequiredResult:
        for _ in range(MOST_STATES):
            result = await self.connection.session.call_tool(
                self._tool,
                self._arguments,
                progress_callback=self._progressed,
                input_responses=responses,
                request_state=state,
                allow_input_required=True,
            )
            if not isinstance(result, InputRequiredResult) or result.input_requests:
                return result
            await asyncio.sleep(STATE_ONLY_SECONDS)
            responses, state = None, result.request_state
        raise ToolFailed("MCP_RESULT_INVALID", "the server wants to be asked again for ever")

    def _read(self, outcome: CallToolResult | InputRequiredResult | Caught) -> Event:
        if isinstance(outcome, Caught):
            if is_lost(outcome.error):
                self.connection.lost()
            pages = _pages(outcome.error)
            return Asks(AFTER, pages) if pages else failure(self.connection.name, outcome.error)
        if isinstance(outcome, InputRequiredResult):
            found = asked_by(outcome.input_requests or {})
            return Asks(AGAIN, tuple(found), outcome.request_state)
        return text_of(outcome)

    async def _progressed(self, progress: float, total: float | None, message: str | None) -> None:
        if self.progress is not None:
            await guarded_await(self.progress(progress, total, message))

    async def _elicited(self, params: ElicitRequestParams) -> ElicitResult:
        """The server asks inside the call; one thing at a time, each by a key of its own: it may
        take one back and ask another while a person thinks.
        """
        async with self._asking:
            key = f"live:{next(self._numbers)}"
            question = guarded(asked, params, key)
            if isinstance(question, Caught):
                self._events.put_nowait(failure(self.connection.name, question.error))
                return CANCELLED
            given: asyncio.Future[ElicitResult] = asyncio.get_running_loop().create_future()
            self._answer = key, given
            self._events.put_nowait(Asks(LIVE, (question,)))
            return await given


def _pages(error: Exception) -> tuple[Asked, ...]:
    """The pages that have to be opened before the call is made at all."""
    if not isinstance(error, MCPError) or error.code != URL_ELICITATION_REQUIRED:
        return ()
    try:
        data = ElicitationRequiredErrorData.model_validate(error.data)
    except ValidationError:
        return ()
    return tuple(asked(page) for page in data.elicitations)
