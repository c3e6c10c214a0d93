"""One conversation of an editor: its prompts, one after the other, and what they ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from acp.exceptions import RequestError
from acp.interfaces import Client
from acp.schema import ClientCapabilities

from gateway.api.acp import asking
from gateway.api.acp.asking import Unanswered
from gateway.api.acp.drawing import Drawing
from gateway.api.auth import Caller
from gateway.api.door import Door, Saying
from gateway.api.turns import Rest, Turn, first_of
from gateway.core.errors import (
    AlreadyDecided,
    AnswerInvalid,
    InterruptExpired,
    RunNotPaused,
)
from gateway.core.interrupts import Interrupt
from gateway.i18n import N_, translator
from gateway.ports.rows import InputKind
from gateway.resuming import Response
from gateway.supervise import Caught, Supervisor, guarded_await

TRIES: Final = 3
"""How often a question is put to a person whose answers don't fit."""
ELSEWHERE: Final = (AlreadyDecided, InterruptExpired, RunNotPaused)
OTHERS: Final = N_("It waits for somebody else's answer.")
LONGEST_SECONDS: Final = 7 * 24 * 3600.0
StopReason: TypeAlias = Any
BUDGET: Final = "BUDGET_EXCEEDED"
REFUSALS: Final = frozenset({"MODEL_REFUSED", "LLM_CONTENT_FILTERED"})


@dataclass(frozen=True, slots=True)
class Desk:
    """What every session of a connection needs."""

    door: Door
    caller: Caller
    editor: Client
    capabilities: ClientCapabilities | None
    supervisor: Supervisor


def _nothing() -> None:
    """There are none."""


class Session:
    """A conversation. `language` is the person's."""

    def __init__(self, desk: Desk, id_: str, language: str) -> None:
        self.id = id_
        self.thread = desk.door.thread_of(desk.caller, id_)
        self._desk = desk
        self._language = language
        self._drawing = Drawing(self._send)
        self._on = 0
        self.take_away: Callable[[], object] = _nothing
        """Called when the session is over: its own MCP servers go with it."""

    async def prompt(self, text: str) -> StopReason:
        """A prompt turn: say it, draw what happens, put its questions; why it stopped.

        Raises:
            GatewayError: it was not taken.
            RequestError: the run failed.
        """
        saying = Saying(thread=self.thread, text=text, language=self._language)
        turn = await Turn.said(self._desk.door, self._desk.caller, saying)
        self._on += 1
        try:
            rest = await self._rest(turn)
            while rest.asked and all(self._can_ask(one) for one in rest.asked):
                after = await self._asked(turn, rest)
                if after is None:
                    break
                turn.close()
                turn = after
                rest = await turn.rest()
                if not rest.asked:
                    rest = await self._rest(turn)
            return await (self._in_words(turn, rest) if rest.asked else self._stopped(rest))
        finally:
            self._on -= 1
            turn.close()

    async def cancel(self) -> None:
        """The person's stop, of all that goes on here."""
        saying = Saying(thread=self.thread, text="", kind=InputKind.STOP)
        await self._desk.door.command(self._desk.caller, saying)

    async def gone(self) -> None:
        """The editor hung up: its person's stop, where a prompt is on."""
        if self._on:
            await guarded_await(self.cancel())
        self.take_away()

    async def replay(self) -> None:
        """Draw the conversation as it stands."""
        await self._desk.door.thread(self._desk.caller, self.thread)
        chain = await self._desk.door.router.ask(self.thread, lambda state, work: [*state.chain])
        await self._drawing.replay(chain)

    # -- inside --------------------------------------------------------------------------------

    async def _send(self, update: Any) -> None:
        await self._desk.editor.session_update(self.id, update)

    def _can_ask(self, question: Interrupt) -> bool:
        return asking.can_ask(question, self._desk.capabilities)

    async def _rest(self, turn: Turn) -> Rest:
        async for item in turn.events():
            await self._drawing.draw(turn.run, item)
        return await turn.rest()

    async def _stopped(self, rest: Rest) -> StopReason:
        if rest.waits_for_others:
            await self._drawing.say(translator(self._language).gettext(OTHERS))
            return "end_turn"
        if rest.status == "interrupted":
            return "cancelled"
        if rest.status != "failed":
            return "end_turn"
        if rest.reason == BUDGET:
            return "max_turn_requests"
        if rest.reason in REFUSALS:
            return "refusal"
        data = {"code": rest.reason, "errorId": rest.error_id}
        raise RequestError(-32603, f"The run failed: {rest.reason}", data)

    async def _in_words(self, turn: Turn, rest: Rest) -> StopReason:
        """Ask in the conversation: the next prompt is the answer."""
        turn.wrote(rest.asked)
        await self._drawing.say(f"\n\n{asking.in_words(rest.asked, self._language)}")
        return "end_turn"

    async def _asked(self, turn: Turn, rest: Rest) -> Turn | None:
        """Put the questions to the person and go on with their answers, or with what was decided
        elsewhere meanwhile. None where the editor can't ask them after all.
        """
        desk, after = self._desk, turn.goes_on()
        ask = desk.supervisor.spawn(
            guarded_await(self._answers(turn, rest.asked)), name="acp question"
        )
        moved = desk.supervisor.spawn(after.moves_on(LONGEST_SECONDS), name="acp watch")
        if not await first_of(ask, moved):
            return after
        answers = ask.result()
        if isinstance(answers, Caught):
            if isinstance(answers.error, RequestError | AnswerInvalid):
                return None
            raise answers.error
        if answers is None:
            asked = frozenset(question.id for question in rest.asked)
            declining = desk.door.router.cancel_pause(self.thread, desk.caller.principal, of=asked)
            taken: object = await guarded_await(declining)
        else:
            answering = Turn.answered(desk.door, desk.caller, self.thread, answers)
            taken = await guarded_await(answering)
        if isinstance(taken, Turn):
            return taken
        if isinstance(taken, Caught) and isinstance(taken.error, AnswerInvalid):
            return None
        if isinstance(taken, Caught) and not isinstance(taken.error, ELSEWHERE):
            raise taken.error
        return after

    async def _answers(
        self, turn: Turn, questions: tuple[Interrupt, ...]
    ) -> dict[str, Response] | None:
        """The answers to all of them, None where the person gave none.

        Raises:
            AnswerInvalid: theirs never fit.
        """
        found: dict[str, Response] = {}
        for question in questions:
            await self._drawing.pending(question)
            turn.wrote([question])
            for number in range(TRIES):
                try:
                    editor = self._desk.editor
                    given = await asking.ask(editor, self.id, question, self._language)
                    found[question.id] = given
                    break
                except Unanswered:
                    return None
                except AnswerInvalid:
                    if number == TRIES - 1:
                        raise
        return found
