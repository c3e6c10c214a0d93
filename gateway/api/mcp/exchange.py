"""One call of an agent's tool: followed until its run ends, its questions put to the person."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp.types import CallToolResult, InputRequiredResult, InputResponses

from gateway.api.auth import Caller
from gateway.api.door import Door
from gateway.api.mcp import asking
from gateway.api.mcp.arguments import result
from gateway.api.mcp.asking import Declined
from gateway.api.problems import Report
from gateway.api.runlog import Line
from gateway.api.turns import Rest, Turn, first_of
from gateway.core.errors import (
    AlreadyDecided,
    AnswerInvalid,
    GatewayError,
    InterruptExpired,
    RunNotPaused,
)
from gateway.core.interrupts import Interrupt
from gateway.i18n import N_, translator
from gateway.resuming import Response
from gateway.supervise import Caught, Supervisor, guarded_await

Context: TypeAlias = ServerRequestContext[Any, Any]
Outcome: TypeAlias = CallToolResult | InputRequiredResult
TRIES: Final = 3
"""How often a question is put to a person whose answers don't fit."""
ELSEWHERE: Final = (AlreadyDecided, InterruptExpired, RunNotPaused)
NO_ANSWER: Final = N_("That is no answer to it.")
LONGEST_SECONDS: Final = 7 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class House:
    """What every call needs."""

    door: Door
    supervisor: Supervisor
    report: Report


class Exchange:
    """One call. `language` is the person's."""

    def __init__(self, house: House, context: Context, caller: Caller, language: str) -> None:
        self._house = house
        self._door = house.door
        self._context = context
        self._caller = caller
        self._language = language
        self._tries: dict[str, int] = {}

    async def follow(self, turn: Turn) -> Outcome:
        """The call's result: where the turn came to, or what is asked by it.

        Raises:
            GatewayError: its person may not look at it any more, or their answers never fit.
        """
        try:
            rest = await self._rest(turn)
            while True:
                if not rest.asked or not asking.can_ask(self._context):
                    return self._result(turn, rest)
                if asking.is_modern(self._context):
                    turn.wrote(rest.asked)
                    return asking.required(turn.thread, rest.asked, {}, self._language)
                after = await self._elicited(turn, rest)
                if after is None:
                    return self._result(turn, rest)
                turn.close()
                turn = after
                rest = await turn.rest()
                if not rest.asked:
                    rest = await self._rest(turn)
        except asyncio.CancelledError:
            self._house.supervisor.spawn(self._stop(turn), name="mcp call cancelled")
            raise
        finally:
            turn.close()

    async def again(self, thread: str, given: InputResponses) -> Outcome:
        """The call is made again, with the answers to what its result asked.

        Raises:
            RunNotPaused: none of that was asked there.
            GatewayError: as `Door.resume`.
        """
        await self._door.thread(self._caller, thread)
        found = await self._door.router.wiring.store.questions(thread=thread)
        asked = {question.id: question for question in found if question.id in given}
        if not asked:
            raise RunNotPaused("none of these questions was asked there", thread=thread)
        try:
            answers = asking.answers_of(asked, given, self._language)
            turn = await Turn.answered(self._door, self._caller, thread, answers)
        except Declined:
            run = next(iter(asked.values())).run
            turn = Turn(self._door, self._caller, thread, run=run)
            await self._declined(thread, asked)
        except AnswerInvalid as error:
            still = [question for question in asked.values() if question.decision is None]
            if not still:
                raise
            wrong = translator(self._language).gettext(NO_ANSWER)
            problems = {str(error.params.get("interruptId", "")): wrong}
            return asking.required(thread, still, problems, self._language)
        return await self.follow(turn)

    # -- inside --------------------------------------------------------------------------------

    def _result(self, turn: Turn, rest: Rest) -> CallToolResult:
        turn.wrote(rest.asked)
        return result(turn.thread, rest)

    async def _stop(self, turn: Turn) -> None:
        """The client gave the call up: its person's stop."""
        stopped = await guarded_await(turn.stop())
        if isinstance(stopped, Caught) and not isinstance(stopped.error, GatewayError):
            self._house.report("mcp stop", stopped.error)

    async def _rest(self, turn: Turn) -> Rest:
        """Where the turn comes to; how it goes is told meanwhile."""
        count = 0
        async for item in turn.events(shown=False):
            text = _progress(item) if isinstance(item, Line) else ""
            if text:
                count += 1
                await guarded_await(self._context.session.report_progress(count, None, text))
        return await turn.rest()

    async def _elicited(self, turn: Turn, rest: Rest) -> Turn | None:
        """Put the questions to the person and go on with their answers, or with what was decided
        elsewhere meanwhile. None where the client can't ask after all.
        """
        spawn, caller, after = self._house.supervisor.spawn, self._caller, turn.goes_on()
        ask = spawn(guarded_await(self._answers(turn, rest.asked)), name="mcp elicitation")
        moved = spawn(after.moves_on(LONGEST_SECONDS), name="mcp watch")
        if not await first_of(ask, moved):
            return after
        answers = ask.result()
        if isinstance(answers, Caught):
            if isinstance(answers.error, MCPError):
                return None
            raise answers.error
        if answers is None:
            questions = [question.id for question in rest.asked]
            taken: object = await guarded_await(self._declined(turn.thread, questions))
        else:
            taken = await guarded_await(Turn.answered(self._door, caller, turn.thread, answers))
        if isinstance(taken, Turn):
            return taken
        if isinstance(taken, Caught):
            self._judge(taken.error)
        return after

    async def _declined(self, thread: str, questions: Iterable[str]) -> None:
        """The person answers none of these: their pause is over, and no other.

        Raises:
            RunNotPaused: it is already.
        """
        await self._door.router.cancel_pause(
            thread, self._caller.principal, of=frozenset(questions)
        )

    def _judge(self, error: Exception) -> None:
        """Whether it is asked again after this: an answer that doesn't fit, a few times, or one to
        a question that is decided by now.
        """
        if isinstance(error, AnswerInvalid):
            self._wrong(str(error.params.get("interruptId", "")), error)
        elif not isinstance(error, ELSEWHERE):
            raise error

    def _wrong(self, question: str, error: AnswerInvalid) -> None:
        self._tries[question] = self._tries.get(question, 0) + 1
        if self._tries[question] >= TRIES:
            raise error

    async def _answers(
        self, turn: Turn, questions: tuple[Interrupt, ...]
    ) -> dict[str, Response] | None:
        """The answers to all of them, None where the person gave none."""
        found: dict[str, Response] = {}
        for question in questions:
            while question.id not in found:
                wrong = translator(self._language).gettext(NO_ANSWER)
                problem = wrong if self._tries.get(question.id) else ""
                turn.wrote([question])
                given = await asking.elicit(self._context, question, problem, self._language)
                try:
                    found[question.id] = asking.answer_of(question, given, self._language)
                except Declined:
                    return None
                except AnswerInvalid as error:
                    self._wrong(question.id, error)
        return found


def _progress(line: Line) -> str:
    if line.type == "progress":
        return str(line.data.get("text", ""))
    if line.type == "tool" and line.data.get("state") == "started":
        return str(line.data.get("name", ""))
    return ""
