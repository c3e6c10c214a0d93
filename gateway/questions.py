"""The process's view of open questions: who is asked in another chat, and the earliest expiry."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from gateway.core.answers import Control, ControlKind, Value, parse_answer
from gateway.core.interrupts import Interrupt
from gateway.ports.rows import InputKind, NewInput, PromptRow
from gateway.reading import languages, text_schema
from gateway.state import Wiring


class Elsewhere:
    """Questions to approvers, by the chat and person in which they are asked."""

    def __init__(self) -> None:
        self._asked: dict[tuple[str, str], dict[str, tuple[Interrupt, str]]] = {}

    def note(self, prompt: PromptRow, question: Interrupt, is_open: bool) -> None:
        """Keep, or forget, a prompt in a chat that is not the question's own thread."""
        if prompt.chat == prompt.thread:
            return
        place = self._asked.setdefault((prompt.chat, prompt.principal), {})
        if is_open and question.decision is None:
            place[question.id] = (question, prompt.thread)
        else:
            place.pop(question.id, None)

    def threads(self, chat: str, principal: str) -> set[str]:
        """The threads that ask this person in this chat."""
        return {thread for _, thread in self._asked.get((chat, principal), {}).values()}

    def here_or_there(self, new: NewInput) -> NewInput:
        """An approver's reply, value or cancel goes to the thread that asks; all else stays."""
        asked = self._asked.get((new.thread, new.principal))
        if not asked or new.kind is not InputKind.TEXT or new.override is not None:
            return new
        for question, thread in asked.values():
            if new.reply_to == question.id or _answers(new, question):
                return replace(new, thread=thread, reply_to=question.id)
        return new


def _answers(new: NewInput, question: Interrupt) -> bool:
    """Whether a text in the approver's chat is a value or a cancel for what they are asked."""
    outcome = parse_answer(new.text, text_schema(question), languages=languages(new.language))
    if isinstance(outcome, Control):
        return outcome.kind is ControlKind.CANCEL
    return isinstance(outcome, Value)


class ExpiryClock:
    """One timer for the earliest expiry in the store; `due` is called with its thread."""

    def __init__(self, wiring: Wiring, due: Callable[[str], None]) -> None:
        self._wiring = wiring
        self._due = due
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    def look(self) -> None:
        """Look for the earliest expiry again."""
        if not self._closed:
            self._wiring.supervisor.spawn(self._look(), name="next expiry")

    def close(self) -> None:
        """Ring no more."""
        self._closed = True
        self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _look(self) -> None:
        earliest = await self._wiring.store.next_expiry()
        self._stop()
        if earliest is None or self._closed:
            return
        at, thread = earliest
        left = max((at - self._wiring.clock.now()) / timedelta(seconds=1), 0.0)
        self._timer = asyncio.get_running_loop().call_later(left, self._due, thread)
