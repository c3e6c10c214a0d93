"""A server's tool as one of the agent's: call, ask what the server asks, answer, until it is done.

A person's answer lets the tool run again from its start; what the server asked is kept with the
call, so that nothing is sent twice. Where the protocol lets the server ask inside a call, the call
stays open meanwhile; it does not outlive the process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mcp.types import ElicitResult, InputResponses

from gateway.agents.mcp.call import AFTER, AGAIN, LIVE, Asks, Call, Progress
from gateway.agents.mcp.pool import Pool
from gateway.agents.mcp.questions import QUESTION_INVALID, Asked, answered, opened
from gateway.agents.mcp.results import LOST
from gateway.core.errors import ToolFailed, ValidationFailed
from gateway.core.messages import Json
from gateway.runs.context import ToolContext
from gateway.runs.scope import PauseRequested
from gateway.supervise import Supervisor

MOST_ROUNDS: Final = 10
"""How often a server may ask in one call."""
LONGEST_PROGRESS: Final = 500


class _Done(Exception):
    """The call is over; its text."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__("done")


@dataclass(frozen=True, slots=True)
class Made:
    """A call as the tool makes it."""

    tool: str
    arguments: Mapping[str, Json]
    context: ToolContext


class Caller:
    """Makes a server's calls for tools, and keeps those that wait for a person."""

    def __init__(self, pool: Pool, supervisor: Supervisor, answer_seconds: float) -> None:
        self.answer_seconds = answer_seconds
        self.pool = pool
        self._supervisor = supervisor
        self._open: dict[tuple[str, str], Call] = {}

    async def call(self, tool: str, arguments: Mapping[str, Json], context: ToolContext) -> str:
        """The text of the call's result.

        Raises:
            ToolFailed: what became of it, by its code.
        """
        try:
            return await _Exchange(self, Made(tool, arguments, context)).run()
        except PauseRequested:
            raise  # the call stays open while the person is asked
        except BaseException:
            self.let_go(context.run, context.call_id)
            raise

    def let_go(self, run: str, call_id: str) -> None:
        """Give a call up, if it is still open. Idempotent."""
        call = self._open.pop((run, call_id), None)
        if call is not None:
            call.cancel()

    def ended(self, run: str) -> None:
        """Give up what a run left open."""
        for key in [key for key in self._open if key[0] == run]:
            self.let_go(*key)

    async def stop(self, seconds: float) -> None:
        """Give up everything, within so long."""
        calls = list(self._open.values())
        for key in list(self._open):
            self.let_go(*key)
        for call in calls:
            await call.settled(seconds)

    # -- for an exchange -----------------------------------------------------------------------

    def held(self, key: tuple[str, str]) -> Call:
        """The call that waits for an answer.

        Raises:
            ToolFailed: MCP_SERVER_LOST, there is none any more.
        """
        call = self._open.get(key)
        if call is None:
            text = "the call waited for an answer when its server, or this gateway, ended; "
            raise ToolFailed(LOST, text + "it was not made again")
        return call

    async def open(self, key: tuple[str, str], made: Made) -> Call:
        """A new call, not yet sent."""
        connection = await self.pool.take(made.context.thread or made.context.run)
        call = Call(connection, made.tool, made.arguments, self._supervisor, self._released)
        self._open[key] = call
        return call

    def over(self, key: tuple[str, str]) -> None:
        """Nothing waits in this call."""
        self._open.pop(key, None)

    def _released(self, call: Call) -> None:
        self.pool.give_back(call.connection)


class _Exchange:
    """One call of a tool, from its first request to its text."""

    def __init__(self, caller: Caller, made: Made) -> None:
        self._caller = caller
        self._made = made
        self._key = (made.context.run, made.context.call_id)
        self._asks: Asks | None = None
        self._answers: dict[str, ElicitResult] = {}

    async def run(self) -> str:
        try:
            for number in range(MOST_ROUNDS):
                kept = await self._made.context.once(f"mcp:{number}", self._send)
                self._asks = asks = Asks.from_json(kept)
                self._answers = {one.key: await self._ask(one) for one in asks.questions}
                refused = any(a.action != "accept" for a in self._answers.values())
                if refused and asks.how == AFTER:
                    raise ToolFailed("MCP_DECLINED", "the person did not want the page opened")
        except _Done as done:
            return done.text
        raise ToolFailed("MCP_TOO_MANY_QUESTIONS", f"the server asked {MOST_ROUNDS} times")

    async def _send(self) -> dict[str, Json]:
        """Send the call, or its answers, and wait for what comes of it: what is asked next."""
        asks = self._asks
        if asks is not None and asks.how == LIVE:
            call = self._caller.held(self._key)
            call.progress = _progress(self._made.context)
            for key, answer in self._answers.items():
                call.answer(key, answer)
        else:
            call = await self._caller.open(self._key, self._made)
            call.progress = _progress(self._made.context)
            again = asks is not None and asks.how == AGAIN
            responses: InputResponses = dict(self._answers)
            state = asks.state if asks is not None and again else None
            call.start(responses if again else None, state)
        event = await call.next()
        if isinstance(event, str) or event.how != LIVE:
            self._caller.over(self._key)
        if isinstance(event, str):
            raise _Done(event)
        return event.to_json()

    async def _ask(self, question: Asked) -> ElicitResult:
        context, server = self._made.context, self._caller.pool.name
        details: dict[str, Json] = {"server": server}
        reason = f"mcp:{server}"
        try:
            if question.url:
                details["url"] = question.url
                decision = await context.interrupt(
                    message=question.text,
                    kind="approval",
                    reason=reason,
                    details=details,
                    expires_in=self._caller.answer_seconds,
                )
                return opened(bool(decision["approved"]))
            value = await context.interrupt(
                message=question.text,
                response_schema=question.schema,
                reason=reason,
                details=details,
                expires_in=self._caller.answer_seconds,
            )
        except (ValidationFailed, AttributeError) as error:
            text = f"the server's question can't be put to a person: {error}"
            raise ToolFailed(QUESTION_INVALID, text) from error
        return answered(value)


def _progress(context: ToolContext) -> Progress:
    async def told(progress: float, total: float | None, message: str | None) -> None:
        part = min(max(progress / total, 0.0), 1.0) if total and total > 0 else None
        text = message or (f"{progress:g}" if total is None else f"{progress:g}/{total:g}")
        await context.progress(text[:LONGEST_PROGRESS], part)

    return told
