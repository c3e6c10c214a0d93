"""The actors that are on, one a thread that has something to do; the clock of open questions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Self

from gateway import reading
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import NotFound, StoreFailed
from gateway.core.interrupts import Interrupt
from gateway.inquiries import Inquiries
from gateway.mail import Ask, ClientCame, ExpiryDue, Heed, Pump, Release
from gateway.ports.agent import RunHandle
from gateway.ports.channel import TextRef
from gateway.ports.rows import ThreadRow
from gateway.questions import Arrivals, Elsewhere, ExpiryClock
from gateway.session import Session
from gateway.state import Wiring
from gateway.supervise import Again

ANSWER_SECONDS = 10.0
"""The longest that a question of the API to an actor waits."""


class Actors(Inquiries):
    """Keeps one actor a thread that has something to do, rings it, and asks it."""

    def __init__(self, wire: Callable[[Self], Wiring], owner: str) -> None:
        self.elsewhere = Elsewhere()
        self.asked_elsewhere = self.elsewhere.note
        self.wiring = wire(self)
        self.expiry = ExpiryClock(self.wiring, self._expire)
        self._owner = owner
        self._sessions: dict[str, Session] = {}
        self._poison: dict[str, dict[int, str]] = {}
        self._unheeded: dict[str, list[Heed]] = {}
        self._arrivals = Arrivals()
        self._again = Again(self.ring)
        self._closing = False

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
            for heed in self._unheeded.pop(thread, ()):
                session.post(heed)
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
        if session.unheeded:
            self._unheeded[session.thread] = session.unheeded
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

    def is_on(self, thread: str) -> bool:
        """Whether the thread has an actor: one that has none has told all that is stored of it."""
        return thread in self._sessions

    # -- what is asked of them ------------------------------------------------------------------

    async def thread_row(self, thread: str) -> ThreadRow | None:
        """The thread's row, as its actor has it, or as it is stored."""
        session = self._sessions.get(thread)
        if session is not None and session.state is not None:
            return session.state.thread
        return await self.wiring.store.thread(thread)

    async def open_to(self, thread: str, principal: str) -> list[Interrupt]:
        """The thread's own questions that are open to a person; those in the store where its actor
        has left.
        """
        session = self._sessions.get(thread)
        if session is not None and session.state is not None:
            return reading.open_here(session.state, principal)
        asked = await self.wiring.store.questions(thread=thread, open_only=True)
        return [question for question in asked if principal in question.asked]

    async def ask(self, thread: str, fn: Callable[[Any, Any], object]) -> Any:
        """Run `fn(state, work)` in the thread's actor; its result once everything is stored.

        Raises:
            StoreFailed: STORE_UNAVAILABLE, the actor still waits for the storage, and `fn` is not
                run any more; STORE_WAITS, it was run, and what it did waits.
        """
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        taken = asyncio.Event()

        def take(state: Any, work: Any) -> object:
            taken.set()
            return fn(state, work)

        self._session(thread).post(Ask(take, done))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await done
        except TimeoutError:
            code = "STORE_WAITS" if taken.is_set() else "STORE_UNAVAILABLE"
            raise self._stuck(thread, code) from None

    def heed(self, thread: str, fn: Callable[[Any, Any], object]) -> None:
        """Run `fn(state, work)` in the thread's actor, however long the storage keeps that, also by
        failing: nobody waits for it. It is dropped where the thread is gone.
        """
        self._session(thread).post(Heed(fn))

    def _stuck(self, thread: str, code: str = "STORE_UNAVAILABLE") -> StoreFailed:
        return StoreFailed(code, f"{thread} waits for it", thread=thread)

    async def release(self, thread: str, reason: InterruptReason) -> None:
        """End the thread's runs and let its actor go; returns when it has left.

        Raises:
            StoreFailed: STORE_UNAVAILABLE, the actor still waits for the storage. What it has not
                begun to end by now goes on.
        """
        if thread not in self._sessions:
            busy = await self.wiring.store.busy_threads()
            if thread not in busy:
                return
        session = self._session(thread)
        wanted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        session.post(Release(reason, wanted))
        try:
            async with asyncio.timeout(self.wiring.policy.shutdown_seconds):
                await session.gone.wait()
        except TimeoutError:
            raise self._stuck(thread) from None
        finally:
            wanted.cancel()

    def run_handle(self, thread: str, run: str) -> RunHandle | None:
        """The handle of a run's task, while one is on."""
        session = self._sessions.get(thread)
        live = None if session is None or session.state is None else session.state.runs.get(run)
        return None if live is None else live.handle

    async def shutdown(self, deadline_seconds: float) -> None:
        """End what runs (SYSTEM_SHUTDOWN), keep what asks; returns by the deadline."""
        self._closing = True
        self.expiry.close()
        self.elsewhere.close()
        sessions = list(self._sessions.values())
        for session in sessions:
            session.post(Release(InterruptReason.SYSTEM_SHUTDOWN))
        try:
            async with asyncio.timeout(deadline_seconds):
                for session in sessions:
                    await session.gone.wait()
        except TimeoutError as error:
            self.wiring.report("shutdown", error)
