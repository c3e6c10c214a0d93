"""What is asked of the engine about threads, by clients, operators and programs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from gateway import resuming, views
from gateway.access import Relation
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import AccessDenied, NotFound
from gateway.core.interrupts import Interrupt
from gateway.core.messages import Json
from gateway.i18n import DEFAULT_LANGUAGE
from gateway.ports.rows import ThreadRow
from gateway.questions import Elsewhere
from gateway.state import Wiring


class Inquiries(ABC):
    """The router's side for whoever looks at threads. Every method asks who is asking first."""

    wiring: Wiring
    elsewhere: Elsewhere

    @abstractmethod
    async def ask(self, thread: str, fn: Callable[[Any, Any], object]) -> Any:
        """Run `fn(state, work)` in the thread's actor."""

    @abstractmethod
    async def enter(self, thread: str, principal: str, channel: str) -> ThreadRow:
        """The thread, made where it isn't there."""

    @abstractmethod
    async def release(self, thread: str, reason: InterruptReason) -> None:
        """End the thread's runs and let its actor go."""

    async def _owned(self, thread: str, principal: str) -> ThreadRow:
        row = await self.wiring.store.thread(thread)
        if row is None:
            raise NotFound(f"no thread {thread}")
        if self.wiring.access.relation(principal, row) is Relation.STRANGER:
            raise AccessDenied(f"{principal} may not enter {thread}")
        return row

    async def view(
        self, thread: str, principal: str, channel: str = "local", language: str = DEFAULT_LANGUAGE
    ) -> dict[str, Json]:
        """Everything that a client draws a thread from; what is asked here of other threads is in
        this language.
        """
        await self.enter(thread, principal, channel)
        view: dict[str, Json] = await self.ask(
            thread, lambda state, work: views.thread_view(state, principal)
        )
        inputs = await self.wiring.store.inputs(thread)
        questions = await self.wiring.store.questions(thread=thread)
        view |= views.past_view(inputs, questions)
        asked = self.elsewhere.asked(thread, principal)
        return views.with_elsewhere(
            view, [(placed.question, placed.prompt) for placed in asked], language
        )

    async def threads(self, principal: str) -> list[dict[str, Json]]:
        """The threads this person may look at, newest first, without empty ones; an admin sees all
        people's.
        """
        everyone = self.wiring.access.is_admin(principal)
        rows = await self.wiring.store.threads(None if everyone else principal)
        return views.thread_lines(rows)

    async def export(self, thread: str, principal: str) -> dict[str, Json]:
        """The whole log and every input of a thread."""
        row = await self._owned(thread, principal)
        inputs = await self.wiring.store.inputs(thread)
        entries = await self.wiring.store.entries(thread)  # what is answered by then is in it
        return views.export(row, entries, inputs)

    async def delete(self, thread: str, principal: str) -> None:
        """Remove a thread, by its owner or an admin; its run ends SESSION_RELEASED first."""
        row = await self._owned(thread, principal)
        if self.wiring.access.relation(principal, row) not in (Relation.OWN, Relation.ADMIN):
            raise AccessDenied(f"{thread} is not {principal}'s to delete")
        await self.release(thread, InterruptReason.SESSION_RELEASED)
        await self.wiring.store.delete_thread(thread)
        await self.release(thread, InterruptReason.SESSION_RELEASED)  # who came meanwhile
        self.wiring.listed(frozenset((row.owner, *row.members)))

    async def pauses(self, principal: str | None = None) -> list[dict[str, Json]]:
        """Every open question; of a person's threads, and those that they are asked."""
        mine = {row.id for row in await self.wiring.store.threads(principal)}
        found = []
        for question in await self.wiring.store.questions(open_only=True):
            thread = await self.wiring.store.question_thread(question.id)
            if thread in mine or principal in question.asked:
                found.append({**question.to_h(), "thread": thread, "run": question.run})
        return found

    async def cancel_pause(
        self, thread: str, principal: str, reason: str = "", of: frozenset[str] | None = None
    ) -> int:
        """End the pause without an answer: every question declined; how many there were. With `of`
        only where it waits on one of these.

        Raises:
            RunNotPaused: nothing is asked there.
        """
        await self._owned(thread, principal)
        count: int = await self.ask(
            thread, lambda state, work: resuming.cancel_pause(state, work, principal, reason, of)
        )
        return count

    async def waits_on(self, thread: str, principal: str) -> list[Interrupt]:
        """The open questions of a thread, in the order asked; to an approver those they are asked.

        Raises:
            NotFound, AccessDenied: there is no such thread for this person.
        """
        mine = await self._relates(thread, principal)
        found: list[Interrupt] = await self.ask(thread, lambda state, work: state.open_questions())
        asked = [question for question in found if mine or principal in question.asked]
        if not mine and not asked:
            raise AccessDenied(f"{principal} may not enter {thread}")
        return asked

    async def resume(
        self, thread: str, principal: str, responses: Mapping[str, resuming.Response], channel: str
    ) -> str:
        """Decide questions by id; the run they belong to. An approver may, in anybody's thread.

        Raises: as `resuming.resume`.
        """
        if not await self._relates(thread, principal):
            found = await self.wiring.store.questions(thread=thread)
            if not any(principal in q.asked for q in found if q.id in responses):
                raise AccessDenied(f"{principal} may not enter {thread}")
        run: str = await self.ask(
            thread, lambda state, work: resuming.resume(state, work, principal, responses, channel)
        )
        return run

    async def _relates(self, thread: str, principal: str) -> bool:
        """Whether the thread is this person's to look at."""
        row = await self.wiring.store.thread(thread)
        if row is None:
            raise NotFound(f"no thread {thread}")
        return self.wiring.access.relation(principal, row) is not Relation.STRANGER

    async def rewind_last_turn(self, thread: str, principal: str) -> resuming.Turn:
        """Take the last turn back; its input. Only one's own, or an admin's.

        Raises:
            NotFound: there is none. ThreadBusy: a run is on.
        """
        await self._owned(thread, principal)
        last: str = await self.ask(thread, lambda state, work: resuming.last_turn(state))
        row = await self.wiring.store.run(last)
        if row is None:
            raise NotFound(f"nothing was said in {thread}")
        if principal not in row.principals and not self.wiring.access.is_admin(principal):
            raise AccessDenied(f"the last turn of {thread} is somebody else's")
        turn: resuming.Turn = await self.ask(
            thread, lambda state, work: resuming.rewind_last_turn(state, work, last)
        )
        return turn
