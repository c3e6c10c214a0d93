"""The process's view of open questions: who is asked in another chat, and the earliest expiry."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from gateway import commands
from gateway.core.answers import Control, ControlKind, Value, is_member, now_text
from gateway.core.interrupts import Interrupt, Status
from gateway.ports.rows import InputKind, NewInput, PromptRow
from gateway.reading import outcome_of, text_schema
from gateway.state import Wiring
from gateway.supervise import Caught, guarded_await

AGAIN_SECONDS, LONGEST_SECONDS = 1.0, 60.0
"""How long after its thread was rung a question that is still open is looked at again: twice as
long each time."""
SOONEST_SECONDS = 0.001


@dataclass(frozen=True, slots=True)
class Placed:
    """A question as one approver is asked it, under the number that they know it by."""

    question: Interrupt
    prompt: PromptRow
    number: int

    def line(self) -> str:
        """How it is listed."""
        return f"{self.number}. {self.question.message}"


@dataclass(frozen=True, slots=True)
class Which:
    """A text fits several questions; these."""

    lines: tuple[str, ...]


class Elsewhere:
    """Questions to approvers, by the chat and person in which they are asked: those that are open,
    and of those that expired the last, until the person says something.
    """

    def __init__(self) -> None:
        self._asked: dict[tuple[str, str], dict[str, Placed]] = {}
        self._late: dict[tuple[str, str], Placed] = {}
        self._news = asyncio.Event()
        self._closed = False

    def note(self, prompt: PromptRow, question: Interrupt, is_open: bool) -> None:
        """Keep, or forget, a prompt in a chat that is not the question's own thread."""
        if prompt.chat == prompt.thread:
            return
        key = (prompt.chat, prompt.principal)
        place = self._asked.setdefault(key, {})
        if is_open and question.decision is None:
            known = place.get(question.id)
            top = max((placed.number for placed in place.values()), default=0)
            number = known.number if known is not None else top + 1
            place[question.id] = Placed(question, prompt, number)
            self._late.pop(key, None)
        else:
            gone = place.pop(question.id, None)
            if gone is not None and question.status is Status.EXPIRED:
                self._late[key] = gone
        if not place:
            del self._asked[key]
        self._news.set()

    def restore(self, prompt: PromptRow, question: Interrupt) -> None:
        """Keep a prompt as the store holds it: open ones first, then those that expired."""
        if question.decision is None:
            self.note(prompt, question, True)
            return
        key = (prompt.chat, prompt.principal)
        since = question.expires_at or question.created_at
        newer = [p for p in self.asked(*key) if p.question.created_at >= since]
        shown = bool(prompt.message_ref or prompt.seq)
        if shown and not newer:
            self._late[key] = Placed(question, replace(prompt, state="armed"), 1)

    def asked(self, chat: str, principal: str) -> list[Placed]:
        """What this person is asked in this chat, in the order asked."""
        place = self._asked.get((chat, principal), {})
        return sorted(place.values(), key=lambda placed: placed.number)

    def knows(self, chat: str, principal: str) -> bool:
        """Whether what this person says in this chat may be for another thread."""
        key = (chat, principal)
        return key in self._asked or key in self._late

    def on_their_way(self, new: NewInput, at: datetime) -> bool:
        """Whether a question that this text could answer is being sent: what became of that isn't
        known yet (RACES 17).
        """
        if new.kind is not InputKind.TEXT or new.reply_to is not None or _goes_on(new):
            return False
        asked = self.asked(new.thread, new.principal)
        sent = [p for p in asked if p.prompt.state == "ready" and p.prompt.channel == new.channel]
        return any(_answers(new, placed.question, at) for placed in sent)

    async def delivered(self, new: NewInput, at: datetime, seconds: float) -> bool:
        """Return once nothing is `on_their_way`, or after so long; False where all is to end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.on_their_way(new, at) and not self._closed:
                    self._news.clear()
                    await self._news.wait()
        return not self._closed

    def close(self) -> None:
        """Let nothing wait any more."""
        self._closed = True
        self._news.set()

    def chats(self, thread: str) -> set[str]:
        """The other chats in which approvers are asked by this thread."""
        return {
            chat
            for (chat, _), place in self._asked.items()
            if any(placed.prompt.thread == thread for placed in place.values())
        }

    def here_or_there(
        self, new: NewInput, own: Sequence[Interrupt], at: datetime
    ) -> NewInput | Which:
        """An approver's reply, value or cancel goes to the thread that asks; all else stays. It was
        said `at` that moment.

        `own` are the questions that the chat itself asks this person: a text that could be for one
        of those too is for none of them until it says which.
        """
        asked = self.asked(new.thread, new.principal)
        if asked and new.kind is InputKind.COMMAND and not own:
            command = commands.parse(new.text)
            if command is not None and command.name == "cancel":
                new = replace(new, kind=InputKind.TEXT, text=command.name)
        if new.kind is not InputKind.TEXT:
            return new
        late = self._late.pop((new.thread, new.principal), None)
        if _goes_on(new):
            return new
        placed = _placed(new, asked, own, at)
        if placed is new and late is not None and not own and _is_late(new, late, at):
            return _there(new, late, new.text)
        return placed


def _placed(
    new: NewInput, asked: Sequence[Placed], own: Sequence[Interrupt], at: datetime
) -> NewInput | Which:
    if new.reply_to is not None:
        named = [placed for placed in asked if placed.question.id == new.reply_to]
        return _there(new, named[0], new.text) if named else new
    head, colon, rest = new.text.partition(": ")
    if colon and head.strip().isdecimal() and not own:
        numbered = [placed for placed in asked if placed.number == int(head)]
        if numbered:
            return _there(new, numbered[0], rest.strip())
    fits = [p for p in asked if _could_have_seen(new, p.prompt) and _answers(new, p.question, at)]
    if not fits:
        return new
    others = [question.message for question in own if _answers(new, question, at)]
    if len(fits) + len(others) > 1:
        return Which((*(placed.line() for placed in fits), *others))
    return _there(new, fits[0], new.text)


def _goes_on(new: NewInput) -> bool:
    """Whether its sender has said where or when it goes on: it is no answer in another thread."""
    return new.override is not None or new.branch is not None or bool(new.queued)


def _is_late(new: NewInput, expired: Placed, at: datetime) -> bool:
    """Whether a text is a bare answer, or a reply, to a question that has expired."""
    if new.reply_to is not None:
        return new.reply_to == expired.question.id
    return _could_have_seen(new, expired.prompt) and _answers(new, expired.question, at)


def _there(new: NewInput, placed: Placed, text: str) -> NewInput:
    thread, question = placed.prompt.thread, placed.question.id
    return replace(new, thread=thread, chat=new.thread, reply_to=question, text=text)


def _could_have_seen(new: NewInput, prompt: PromptRow) -> bool:
    """Without a reply, only what was delivered on that channel and could have been seen there is
    answered.
    """
    if prompt.state != "armed" or prompt.channel != new.channel:
        return False
    return new.seen is None or new.seen >= prompt.seq


def _answers(new: NewInput, question: Interrupt, at: datetime) -> bool:
    """Whether a text in the approver's chat is a value or a cancel for what they are asked."""
    schema = text_schema(question)
    if now_text(new.text) is not None and not is_member(new.text, schema):
        return False
    outcome = outcome_of(new, schema, new.text, at)
    if isinstance(outcome, Control):
        return outcome.kind is ControlKind.CANCEL
    return isinstance(outcome, Value)


class Arrivals:
    """Inputs that are being stored. An expiry waits for those that were said in time (RACES 1)."""

    def __init__(self) -> None:
        self._coming: dict[str, dict[object, tuple[str, datetime]]] = {}

    @contextmanager
    def expect(self, thread: str, principal: str, at: datetime) -> Iterator[None]:
        """Around the storing of an input."""
        ticket = object()
        self._coming.setdefault(thread, {})[ticket] = (principal, at)
        try:
            yield
        finally:
            coming = self._coming[thread]
            del coming[ticket]
            if not coming:
                del self._coming[thread]

    def of(self, *chats: str) -> list[tuple[str, datetime]]:
        """Who said something in these that is not stored yet, and when."""
        return [said for chat in chats for said in self._coming.get(chat, {}).values()]


class ExpiryClock:
    """One timer for the earliest expiry in the store; `due` is called with every thread that has
    one. A thread that can't be opened holds up no other.
    """

    def __init__(self, wiring: Wiring, due: Callable[[str], None]) -> None:
        self._wiring = wiring
        self._due = due
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._looking = False
        self._again = False
        self._rung: dict[str, tuple[float, float]] = {}

    def look(self) -> None:
        """Look for the earliest expiry again; while one look is on, once more after it."""
        if self._looking or self._closed:
            self._again = True
            return
        self._looking = True
        self._wiring.supervisor.spawn(self._look_on(), name="next expiry")

    def close(self) -> None:
        """Ring no more."""
        self._closed = True
        self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _look_on(self) -> None:
        self._again = True
        while self._again and not self._closed:
            self._again = False
            looked = await guarded_await(self._look())
            if isinstance(looked, Caught):
                self._wiring.report("next expiry", looked.error)
                self._wake(AGAIN_SECONDS)
        self._looking = False

    async def _look(self) -> None:
        now = self._wiring.clock.now()
        over, following = await self._wiring.store.expiries(now)
        if self._closed:
            return
        waits = self._ring(over)
        if following is not None:
            waits.append((following - now) / timedelta(seconds=1))
        if waits:
            self._wake(min(waits))
        else:
            self._stop()

    def _ring(self, over: Sequence[str]) -> list[float]:
        """Ring these threads, save those that were rung just now; when each is rung again."""
        at, before = self._wiring.clock.monotonic(), self._rung
        self._rung = {}
        for thread in over:
            again_at, pause = before.get(thread, (at, AGAIN_SECONDS))
            if again_at <= at:
                again_at, pause = at + pause, min(pause * 2, LONGEST_SECONDS)
                self._due(thread)
            self._rung[thread] = again_at, pause
        return [again_at - at for again_at, _ in self._rung.values()]

    def _wake(self, seconds: float) -> None:
        self._stop()
        wait = max(seconds, SOONEST_SECONDS)
        self._timer = asyncio.get_running_loop().call_later(wait, self.look)
