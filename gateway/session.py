"""One actor a thread: a mailbox, one commit a message, and only then what follows from it.

The actor never awaits a run, a person or a channel. What it knows it can lose: where a commit fails
it lets go of its runs and starts again from the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from gateway import branches, delivery, expiring, recovery
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import LeaseLost, NotFound, RunEnded, StoreFailed
from gateway.core.events import State
from gateway.fence import lift_fence, trip_child, trip_now
from gateway.handlers import HANDLERS, end_broken
from gateway.live import Work
from gateway.mail import ExpiryDue, Heed, InputArrived, Pump, reject
from gateway.ports.channel import Notice
from gateway.ports.rows import InputRow, InputState
from gateway.starting import pump
from gateway.state import Arriving, ThreadState, Wiring
from gateway.supervise import Caught, guarded, guarded_await


class Session:
    """The actor of one thread.

    `left` is called when it leaves, with the error if there was one; `unheeded` is what it did not
    come to because of that. `poison` are the inputs that broke it before; `linger` says how long it
    may stay with nothing to do; `arriving` what is being stored for this thread; one that comes
    `released` starts nothing.
    """

    def __init__(
        self,
        thread: str,
        wiring: Wiring,
        owner: str,
        left: Callable[[Session, BaseException | None], None],
        *,
        poison: Mapping[int, str],
        linger: Callable[[], float],
        arriving: Arriving,
        released: bool = False,
    ) -> None:
        self.thread = thread
        self.wiring = wiring
        self.poison = dict(poison)
        self.state: ThreadState | None = None
        self._owner = owner
        self._left = left
        self._linger = linger
        self._arriving = arriving
        self._released = released
        self._mailbox: asyncio.Queue[object] = asyncio.Queue()
        self._current: object = None
        self._early: list[tuple[str, str | None]] = []
        self._unread: dict[int, InputRow] = {}
        self._loaded: set[int] = set()
        self._starting: set[int] = set()
        self.unheeded: list[Heed] = []
        self.gone = asyncio.Event()

    def post(self, message: object) -> None:
        """Put a message into the mailbox; never waits."""
        if isinstance(message, InputArrived):
            self._unread[message.row.seq] = message.row
        self._mailbox.put_nowait(message)

    # -- at the door ---------------------------------------------------------------------------

    def trip_at_door(self, principal: str, run: str | None) -> None:
        """A person's stop: nothing of theirs starts, their runs stop now; storing follows."""
        state = self.state
        if state is None:
            self._early.append((principal, run))
            return
        state.fenced[principal] = state.fenced.get(principal, 0) + 1
        admin = self.wiring.access.is_admin(principal)
        for live in list(state.runs.values()):
            if not (admin or principal in live.row.principals):
                continue
            if run in (None, live.id):
                trip_now(state, live, principal)
            elif run in live.children:
                trip_child(state, live, run)

    def lift_fence(self, principal: str, run: str | None) -> None:
        """The stop was not stored after all."""
        if self.state is not None:
            lift_fence(self.state, principal)
            self.state.tripped_children.discard(run or "")
            self.post(Pump())
        elif (principal, run) in self._early:
            self._early.remove((principal, run))

    # -- the loop ------------------------------------------------------------------------------

    async def run(self) -> None:
        """Own the thread until nothing is left to do on it."""
        outcome = await guarded_await(self._work_off())
        error = outcome.error if isinstance(outcome, Caught) else None
        if error is not None:
            self._let_go(error)
        self._reject_rest()
        self._left(self, error)
        self.gone.set()
        self.state = None

    async def _work_off(self) -> None:
        await self._open()
        while not self._may_leave():
            message = await self._next()
            if message is None:
                if self._mailbox.empty() and self._idle():
                    return
            elif not self._came_before(message):
                await self._handle(message)

    async def _next(self) -> object | None:
        """The next message; None where the thread has had nothing to do for as long as it may."""
        if not self._mailbox.empty() or not self._idle():
            return await self._mailbox.get()
        try:
            async with asyncio.timeout(self._linger()):
                return await self._mailbox.get()
        except TimeoutError:
            return None

    def _came_before(self, message: object) -> bool:
        """Whether it is an input that was in the inbox when the actor came, and was taken up then:
        it is told of once more, where it was stored just before.
        """
        if not isinstance(message, InputArrived) or message.row.seq not in self._loaded:
            return False
        self._loaded.remove(message.row.seq)
        self._unread.pop(message.row.seq, None)
        return True

    async def _open(self) -> None:
        loaded = await self.wiring.store.acquire(self.thread, self._owner)
        state = ThreadState(loaded, self.wiring, self.post)
        state.poison = self.poison
        state.arriving = self._on_their_way
        state.released = self._released
        self._loaded = {row.seq for row in loaded.inputs}
        work = Work()
        for row in loaded.inputs:
            if row.state is not InputState.NEW:
                state.inputs[row.seq] = row
            if row.state is InputState.WAITING:
                state.queue[row.seq] = row
                await branches.look_up(state, row)
        if loaded.last_run is not None:
            state.last_journal = await self.wiring.store.journal(loaded.last_run.id)
        state.last_asked = await expiring.last_asked(state)
        for prompt in loaded.prompts:
            asked = state.questions.get(prompt.question)
            if asked is not None and asked.decision is None:
                work.then(self.wiring.elsewhere, prompt, asked, True)
        await recovery.recover(state, loaded.runs, work)
        self.state = state
        for principal, run in self._early:
            self.trip_at_door(principal, run)
        await self._commit(work)
        await self._catch_up(state, [row for row in loaded.inputs if row.state is InputState.NEW])

    async def _catch_up(self, state: ThreadState, new: Sequence[InputRow]) -> None:
        """Do what came while nobody was there."""
        work = Work()
        for row in [row for row in state.waiting() if row.seq in self.poison]:
            end_broken(state, work, row)
        await self._commit(work)
        for row in new:
            await self._handle(InputArrived(row))
        if expiring.any_due(state):
            self.post(ExpiryDue())
        await self._handle(Pump())

    def _on_their_way(self) -> list[tuple[str, datetime]]:
        """Who said something that is being stored or not read yet, and when."""
        unread = [(row.new.principal, row.answered_at) for row in self._unread.values()]
        return [*self._arriving(), *unread]

    def _idle(self) -> bool:
        state = self.state
        assert state is not None
        busy = any(live.machine.state is not State.ASKING for live in state.runs.values())
        return not (busy or state.held or state.sending or state.burst_since is not None)

    def _may_leave(self) -> bool:
        state = self.state
        assert state is not None
        return state.released and not state.runs_on() and self._mailbox.empty()

    async def _handle(self, message: object) -> None:
        state = self.state
        assert state is not None
        self._current = message
        work = Work()
        if isinstance(message, InputArrived):
            self._unread.pop(message.row.seq, None)
            await branches.look_up(state, message.row)
            HANDLERS[type(message)](state, message, work)
            pump(state, work, self._starting)
            await self._commit(work)
        else:
            HANDLERS[type(message)](state, message, work)
            await self._commit(work)
            await self._start(state)
        self._current = None
        self._starting.clear()

    async def _start(self, state: ThreadState) -> None:
        """Start what may start after a message, which stands whatever comes of that."""
        self._current, work = None, Work()
        pump(state, work, self._starting)
        await self._commit(work)

    async def _commit(self, work: Work) -> None:
        state = self.state
        assert state is not None
        if work.writes:
            await self.wiring.store.commit(self.thread, state.thread.epoch, work.writes)
        for act, given in work.after:
            self._do(act, *given)

    def _do(self, act: Callable[..., object], *given: Any) -> None:
        """Do what may fail on its own account."""
        done = guarded(act, *given)
        if isinstance(done, Caught):
            self.wiring.report(f"thread {self.thread}", done.error)

    # -- failing and leaving -------------------------------------------------------------------

    def _let_go(self, error: Exception) -> None:
        """Drop what is in memory: runs are stopped, and what was asked of the actor fails."""
        if self.state is None and isinstance(error, NotFound):
            return  # it was rung for a thread that is deleted
        error_id = self.wiring.report(f"thread {self.thread}", error)
        message = self._current
        broke = self._starting or {m.row.seq for m in (message,) if isinstance(m, InputArrived)}
        if not isinstance(error, StoreFailed | LeaseLost):
            self.poison |= dict.fromkeys(broke, error_id)
        reject(message, error)
        if isinstance(message, Heed) and isinstance(error, StoreFailed | LeaseLost):
            self.unheeded.append(message)
        if self.state is None:
            return
        if isinstance(error, StoreFailed):
            for view in self.state.views():
                guarded(view.tell, Notice(self.thread, error.code))
        lost = isinstance(error, LeaseLost)
        reason = InterruptReason.LEASE_LOST if lost else InterruptReason.HOLDER_LOST
        for live in self.state.runs.values():
            live.epoch += 1
            live.quiet()
            self._do(delivery.cut_output, self.state, live)
            self.wiring.slots.give_back(live.id)
            if live.handle is not None:
                self._do(live.handle.stop, reason)
                self._do(live.handle.abandon)

    def _reject_rest(self) -> None:
        while not self._mailbox.empty():
            message = self._mailbox.get_nowait()
            reject(message, RunEnded(f"thread {self.thread} was let go"))
            if isinstance(message, Heed):
                self.unheeded.append(message)
