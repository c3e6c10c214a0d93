"""The door: who may enter, what is stored, which actor is rung. Nothing here waits for a run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from gateway import reading
from gateway.access import Relation
from gateway.core.answers import ControlKind, control_word
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import AccessDenied, GatewayError, NotFound, ValidationFailed
from gateway.core.interrupts import Interrupt
from gateway.core.messages import Json
from gateway.entering import Receipt, command_of, press_of
from gateway.inquiries import Inquiries
from gateway.mail import Ask, ClientCame, ExpiryDue, InputArrived, Pump, Release
from gateway.ports.agent import RunHandle
from gateway.ports.channel import TextRef
from gateway.ports.rows import InputKind, NewInput, ThreadRow
from gateway.questions import Arrivals, Elsewhere, ExpiryClock, Which
from gateway.session import Session
from gateway.state import Wiring
from gateway.supervise import Again, Caught, guarded_await

__all__ = ["Receipt", "Router"]

ANSWER_SECONDS = 10.0
"""The longest that a question of the API to an actor waits."""


class Router(Inquiries):
    """Keeps one actor a thread that has something to do, and the clock of open questions."""

    def __init__(self, wire: Callable[[Router], Wiring], owner: str) -> None:
        self.elsewhere = Elsewhere()
        self.asked_elsewhere = self.elsewhere.note
        self.wiring = wire(self)
        self.expiry = ExpiryClock(self.wiring, self._expire)
        self._owner = owner
        self._sessions: dict[str, Session] = {}
        self._poison: dict[str, dict[int, str]] = {}
        self._arrivals = Arrivals()
        self._again = Again(self.ring)
        self._closing = False

    # -- inputs --------------------------------------------------------------------------------

    async def accept(self, new: NewInput) -> Receipt:
        """Take an input: access, the door's stop, then the store; returns once it is stored. Where
        the caller goes away meanwhile, it is taken to the end all the same.
        """
        taking = guarded_await(self._accept(new))
        task = self.wiring.supervisor.spawn(taking, name=f"accept on {new.thread}")
        await asyncio.wait({task})
        taken = task.result()
        if isinstance(taken, Caught):
            raise taken.error
        return taken

    async def _accept(self, new: NewInput) -> Receipt:
        if self._closing:
            return Receipt(code="SHUTTING_DOWN")
        thread = await self._thread(new)
        if self._refuses(new, thread):
            return Receipt(code=AccessDenied.code)
        if new.branch and not await self.wiring.store.has_entry(new.thread, new.branch):
            return Receipt(code=ValidationFailed.code)
        placed = await self._placed(new)
        if isinstance(placed, Which):
            return Receipt(code="WHICH_QUESTION", params={"questions": list(placed.lines)})
        new = placed
        stops = self._is_stop(new) and not await self.wiring.store.known(new.dedup)
        if stops:
            new = replace(new, kind=InputKind.STOP)
            self._session(new.thread).trip_at_door(new.principal, new.run)
        receipt = await self._store(new)
        if stops and (receipt.code or receipt.duplicate):
            self._session(new.thread).lift_fence(new.principal, new.run)
        return receipt

    @contextmanager
    def expecting(self, thread: str, principal: str, at: datetime) -> Iterator[None]:
        """Around what a person has been saying since `at` and is not handed in yet: an expiry waits
        for it.
        """
        try:
            with self._arrivals.expect(thread, principal, at):
                yield
        finally:
            self.expiry.look()

    async def open_to(self, thread: str, principal: str) -> list[Interrupt]:
        """The thread's own questions that are open to a person; those in the store where its actor
        has left.
        """
        session = self._sessions.get(thread)
        if session is not None and session.state is not None:
            return reading.open_here(session.state, principal)
        asked = await self.wiring.store.questions(thread=thread, open_only=True)
        return [question for question in asked if principal in question.asked]

    async def asked_in(self, chat: str, principal: str) -> list[Interrupt]:
        """What a person is asked in a chat: by its own thread, and as an approver by others."""
        elsewhere = [placed.question for placed in self.elsewhere.asked(chat, principal)]
        return [*await self.open_to(chat, principal), *elsewhere]

    async def _placed(self, new: NewInput) -> NewInput | Which:
        """The input as what it is, and on the thread that it is for."""
        if new.queued:
            return new
        knows = self.elsewhere.knows(new.thread, new.principal)
        own = await self.open_to(new.thread, new.principal) if knows else ()
        return self.elsewhere.here_or_there(command_of(new), own)

    async def _store(self, new: NewInput) -> Receipt:
        at = self.wiring.clock.now()
        try:
            with self._arrivals.expect(new.thread, new.principal, at):
                row, fresh = await self.wiring.store.accept(new, at)
        except GatewayError as error:
            return Receipt(code=error.code)
        if fresh and not self._closing:  # else it is kept for the next start
            self._session(new.thread).post(InputArrived(row))
        return Receipt(row, duplicate=not fresh)

    async def thread_row(self, thread: str) -> ThreadRow | None:
        """The thread's row, as its actor has it, or as it is stored."""
        session = self._sessions.get(thread)
        if session is not None and session.state is not None:
            return session.state.thread
        return await self.wiring.store.thread(thread)

    async def _thread(self, new: NewInput) -> ThreadRow | None:
        row = await self.thread_row(new.thread)
        if row is not None or not self.wiring.access.may_talk(new.principal, new.channel):
            return row
        now = self.wiring.clock.now()
        shared = new.thread in self.wiring.policy.shared_threads
        made = ThreadRow(id=new.thread, private=not shared, owner=new.principal, created_at=now)
        return await self.wiring.store.make_thread(made)

    def _refuses(self, new: NewInput, thread: ThreadRow | None) -> bool:
        access = self.wiring.access
        if thread is None or not access.may_talk(new.principal, new.channel):
            return True
        return access.relation(new.principal, thread) is Relation.STRANGER

    def _is_stop(self, new: NewInput) -> bool:
        """Whether it stops at the door. A stop word under an open question is for the actor: it may
        be an answer, and a run that asks has nothing to trip.
        """
        if new.kind is InputKind.STOP:
            return True
        if new.kind is not InputKind.TEXT or new.override is not None or new.queued or new.chat:
            return False
        session = self._sessions.get(new.thread)
        if session is None or session.state is None:
            return False
        if reading.open_here(session.state, new.principal):
            return False
        return control_word(new.text) is ControlKind.STOP

    async def press(
        self,
        token: str,
        option: str,
        principal: str,
        *,
        dedup: str,
        channel: str,
        value: Json = None,
        language: str = "en",
    ) -> Receipt:
        """Take a pressed button: looked up by one read, stored, decided after that."""
        if self._closing:
            return Receipt(code="SHUTTING_DOWN")
        try:
            prompt = await self.wiring.store.prompt(token)
        except GatewayError as error:
            return Receipt(code=error.code)
        if prompt is None:
            return Receipt(code="INTERRUPT_EXPIRED")
        if prompt.principal != principal or not self.wiring.access.may_talk(principal, channel):
            return Receipt(code=AccessDenied.code)
        new = press_of(prompt, option, value)
        return await self._store(replace(new, dedup=dedup, channel=channel, language=language))

    # -- actors --------------------------------------------------------------------------------

    def _session(self, thread: str) -> Session:
        session = self._sessions.get(thread)
        if session is None:
            session = Session(
                thread,
                self.wiring,
                self._owner,
                self._left,
                poison=self._poison.pop(thread, {}),
                linger=self._linger,
                arriving=lambda: self._arrivals.of(thread, *self.elsewhere.chats(thread)),
                released=self._closing,
            )
            self._sessions[thread] = session
            self.wiring.supervisor.spawn(session.run(), name=f"thread {thread}")
        return session

    def _linger(self) -> float:
        policy = self.wiring.policy
        crowded = len(self._sessions) > policy.max_idle_threads
        return 0.0 if crowded else policy.linger_seconds

    def _left(self, session: Session, error: BaseException | None) -> None:
        if self._sessions.get(session.thread) is session:
            del self._sessions[session.thread]
        if error is None:
            self._again.forget(session.thread)
        if error is None or self._closing or isinstance(error, NotFound):
            return  # a thread that is gone has nothing to look at
        if session.poison:
            self._poison[session.thread] = session.poison
        self._again.ring(session.thread, opened=session.state is not None)

    def ring(self, thread: str) -> None:
        """Let the thread's actor look at its inbox."""
        if not self._closing:
            self._session(thread).post(Pump())

    def waiting(self) -> int:
        """How many inputs wait, on every thread that has something to do."""
        states = [session.state for session in self._sessions.values()]
        return sum(len(state.queue) for state in states if state is not None)

    def client_came(self, thread: str, principal: str) -> None:
        """Somebody looks at this thread now: what waits to be asked of them goes out."""
        asked = {placed.prompt.thread for placed in self.elsewhere.asked(thread, principal)}
        for name in {thread, *asked}:
            self._session(name).post(ClientCame(principal))

    def settled(self, ref: TextRef) -> None:
        """A channel that is not durable has delivered a text to its end."""
        self._session(ref.thread).post(ref)

    async def restore(self) -> None:
        """Know again what approvers are asked in their chats; nothing may be accepted before."""
        for prompt, question in await self.wiring.store.asked_elsewhere():
            self.elsewhere.restore(prompt, question)

    async def recover(self) -> None:
        """Ring every thread that has something open, and start the clock of questions."""
        for thread in await self.wiring.store.busy_threads():
            self.ring(thread)
        self.expiry.look()

    def expiry_changed(self) -> None:
        """A question was armed, decided or looked at."""
        self.expiry.look()

    def _expire(self, thread: str) -> None:
        self._session(thread).post(ExpiryDue())

    # -- the API's questions -------------------------------------------------------------------

    async def ask(self, thread: str, fn: Callable[[Any, Any], object]) -> Any:
        """Run `fn(state, work)` in the thread's actor; its result once everything is stored."""
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._session(thread).post(Ask(fn, done))
        async with asyncio.timeout(ANSWER_SECONDS):
            return await done

    async def enter(self, thread: str, principal: str, channel: str) -> ThreadRow:
        """The thread, made where it isn't there.

        Raises:
            AccessDenied: this person may not look at it.
        """
        new = NewInput(dedup="", thread=thread, channel=channel, principal=principal, text="")
        row = await self._thread(new)
        if row is None or self._refuses(new, row):
            raise AccessDenied(f"{principal} may not enter {thread}")
        return row

    async def release(self, thread: str, reason: InterruptReason) -> None:
        """End the thread's runs and let its actor go; returns when it has left."""
        if thread not in self._sessions:
            busy = await self.wiring.store.busy_threads()
            if thread not in busy:
                return
        session = self._session(thread)
        session.post(Release(reason))
        async with asyncio.timeout(self.wiring.policy.shutdown_seconds):
            await session.gone.wait()

    def run_handle(self, thread: str, run: str) -> RunHandle | None:
        """The handle of a run's task, while one is on."""
        session = self._sessions.get(thread)
        live = None if session is None or session.state is None else session.state.runs.get(run)
        return None if live is None else live.handle

    # -- the end -------------------------------------------------------------------------------

    async def shutdown(self, deadline_seconds: float) -> None:
        """End what runs (SYSTEM_SHUTDOWN), keep what asks; returns by the deadline."""
        self._closing = True
        self.expiry.close()
        sessions = list(self._sessions.values())
        for session in sessions:
            session.post(Release(InterruptReason.SYSTEM_SHUTDOWN))
        try:
            async with asyncio.timeout(deadline_seconds):
                for session in sessions:
                    await session.gone.wait()
        except TimeoutError as error:
            self.wiring.report("shutdown", error)
