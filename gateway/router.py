"""The door: who may enter, what is stored, which actor is rung. Nothing here waits for a run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from gateway import reading
from gateway.access import Relation
from gateway.actors import Actors
from gateway.core.answers import ControlKind, control_word
from gateway.core.errors import AccessDenied, GatewayError, ValidationFailed
from gateway.core.interrupts import Interrupt
from gateway.core.messages import Json
from gateway.entering import Receipt, command_of, press_of
from gateway.mail import InputArrived
from gateway.ports.rows import InputKind, NewInput, ThreadRow
from gateway.questions import Which
from gateway.supervise import Caught, guarded_await

__all__ = ["Receipt", "Router"]


class Router(Actors):
    """Takes what people say and press, and rings the actor that it is for."""

    async def accept(self, new: NewInput) -> Receipt:
        """Take an input: access, the door's stop, then the store; returns once it is stored. Where
        the caller goes away meanwhile, it is taken to the end all the same.

        The wait is for the store alone: who holds a lock on it is waited for no longer than the
        store says, and a shutdown's deadline ends the rest. With one here, what is stored after it
        would be told as not taken, and answered.
        """
        at = new.said_at or self.wiring.clock.now()
        taking = guarded_await(self._accept(new, at, waits=self.waits(new)))
        task = self.wiring.supervisor.spawn(taking, name=f"accept on {new.thread}")
        await asyncio.wait({task})
        taken = task.result()
        if isinstance(taken, Caught):
            raise taken.error
        return taken

    def waits(self, new: NewInput) -> bool:
        """Whether `accept` waits, 10 s at most, for what became of sending a question that this
        could answer. Whoever reads what people do goes on meanwhile: a stop never waits.
        """
        at = new.said_at or self.wiring.clock.now()
        return self.elsewhere.on_their_way(command_of(new), at)

    async def _accept(self, new: NewInput, at: datetime, *, waits: bool) -> Receipt:
        if self._closing:
            return Receipt(code="SHUTTING_DOWN")
        thread = await self._thread(new)
        if self._refuses(new, thread):
            return Receipt(code=AccessDenied.code)
        if new.branch and not await self.wiring.store.has_entry(new.thread, new.branch):
            return Receipt(code=ValidationFailed.code)
        if not waits:
            return await self._take(new, at)
        with self.expecting(new.thread, new.principal, at):
            seconds = self.wiring.policy.hold_seconds
            if not await self.elsewhere.delivered(command_of(new), at, seconds):
                return Receipt(code="SHUTTING_DOWN")
            return await self._take(replace(new, said_at=at), at)

    async def _take(self, new: NewInput, at: datetime) -> Receipt:
        """Store what was said `at` that moment, where it belongs."""
        placed = await self._placed(new, at)
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

    async def asked_in(self, chat: str, principal: str) -> list[Interrupt]:
        """What a person is asked in a chat: by its own thread, and as an approver by others."""
        elsewhere = [placed.question for placed in self.elsewhere.asked(chat, principal)]
        return [*await self.open_to(chat, principal), *elsewhere]

    async def _placed(self, new: NewInput, at: datetime) -> NewInput | Which:
        """The input as what it is, and on the thread that it is for."""
        if new.queued:
            return new
        knows = self.elsewhere.knows(new.thread, new.principal)
        own = await self.open_to(new.thread, new.principal) if knows else ()
        return self.elsewhere.here_or_there(command_of(new), own, at)

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

    async def restore(self) -> None:
        """Know again what approvers are asked in their chats; nothing may be accepted before."""
        for prompt, question in await self.wiring.store.asked_elsewhere():
            self.elsewhere.restore(prompt, question)

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
