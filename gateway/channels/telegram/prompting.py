"""Open questions: sent, remembered, reminded of, folded to their outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from gateway.channels.prompting import ASK_DEADLINE_SECONDS
from gateway.channels.telegram.asking import button_rows, keyboard, options, outcome, worded
from gateway.channels.telegram.lanes import Job, Lane
from gateway.channels.telegram.names import Place, message_in, place_of, token_of
from gateway.channels.telegram.notes import UNKNOWN_TRIES, Change, Question
from gateway.channels.telegram.runs import Known
from gateway.channels.telegram.sender import Frame, Sender
from gateway.core.answers import Control, Value, answer_format, parse_answer
from gateway.core.interrupts import Interrupt
from gateway.i18n import translator
from gateway.ports.channel import Delivery, Prompt, Sent
from gateway.ports.clock import Clock, Ids
from gateway.ports.rows import PromptRow
from gateway.ports.store import Store
from gateway.ports.telegram import ButtonRow, TelegramStore
from gateway.reading import languages, text_schema
from gateway.supervise import Caught, Supervisor, guarded_await

AGAIN_SECONDS = 1.0
"""How long after its buttons could not be kept, or its person wrote, a question is tried again."""
LOST_SECONDS, LOST_GROWTH = 60.0, 10.0
"""A question of which nobody knows whether it went, after every try, is sent again so long after
that; each further pause is so many times longer. It ends when its person writes.
"""
REMIND_FROM_SECONDS = 600.0
"""A question that is open for less is not reminded of."""
REMIND_PART, REMIND_LONGEST_SECONDS = 0.1, 3_600.0
"""The reminder comes when this part of its time is left, an hour at most."""

Say = Callable[..., None]


@dataclass(slots=True)
class Open:
    """A question that one person is asked in one chat; `news` is set when they write, and at its
    end.
    """

    question: Interrupt
    language: str
    jobs: list[Question] = field(default_factory=list)
    reminded: bool = False
    news: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class Prompting:
    """`lane` is the lane of a chat, None where nobody can be told; `say` tells something; `late`
    tells the engine what became of a prompt after `ask` had to return.
    """

    sender: Sender
    keep: TelegramStore
    store: Store
    clock: Clock
    ids: Ids
    supervisor: Supervisor
    known: Known
    report: Callable[[str, BaseException], str]
    lane: Callable[[Place], Lane | None]
    say: Say
    late: Callable[[PromptRow, Sent], None]
    _open: dict[tuple[str, str], dict[str, Open]] = field(default_factory=dict)

    async def ask(self, prompt: Prompt) -> Sent:
        """Show a question; what is known of it after ten seconds at the latest."""
        row = prompt.row
        place = place_of(row.chat)
        lane = None if place is None else self.lane(place)
        if place is None or lane is None or not row.principal.isdecimal():
            return Sent(Delivery.FAILED)
        language = self.known.tongues.of(row.principal, prompt.language)
        outcome = self._begin(prompt, place, language, lane)
        await asyncio.wait([outcome], timeout=ASK_DEADLINE_SECONDS)
        if outcome.done():
            return outcome.result()
        outcome.cancel()
        return Sent(Delivery.UNKNOWN)

    def _begin(
        self, prompt: Prompt, place: Place, language: str, lane: Lane
    ) -> asyncio.Future[Sent]:
        row = prompt.row
        mine = self._open.setdefault((row.chat, row.principal), {})
        mine.setdefault(row.token, Open(prompt.question, language))
        outcome: asyncio.Future[Sent] = asyncio.get_running_loop().create_future()
        delivering = self._deliver(prompt, place, language, lane, outcome)
        self.supervisor.spawn(delivering, name="telegram question")
        return outcome

    async def _deliver(
        self,
        prompt: Prompt,
        place: Place,
        language: str,
        lane: Lane,
        outcome: asyncio.Future[Sent],
    ) -> None:
        """Send a question, again and again where nobody knows whether it went. What is known only
        after the deadline is told then.
        """
        row, pause = prompt.row, LOST_SECONDS
        sent = await self._tries(prompt, place, language, lane)
        while sent.delivery is Delivery.UNKNOWN and await self._waits(row, pause):
            pause *= LOST_GROWTH
            sent = await self._tries(prompt, place, language, lane)
        if sent.delivery is Delivery.CONFIRMED:
            seconds = prompt.question.expires_in_seconds
            self._remind(row.chat, row.principal, row.token, seconds, sent.seq)
        if not outcome.done():
            outcome.set_result(sent)
        elif sent.delivery is not Delivery.UNKNOWN:
            self.late(row, sent)

    async def _waits(self, row: PromptRow, seconds: float) -> bool:
        """Wait so long, or until the person writes; whether the question is open then, after what
        they wrote was taken.
        """
        opened = self._opened(row)
        if opened is not None:
            opened.news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await opened.news.wait()
                    await asyncio.sleep(AGAIN_SECONDS)
        return self._opened(row) is not None

    def _opened(self, row: PromptRow) -> Open | None:
        return self._open.get((row.chat, row.principal), {}).get(row.token)

    async def _tries(self, prompt: Prompt, place: Place, language: str, lane: Lane) -> Sent:
        """Send a question; where nobody knows whether it went, once more with its own buttons, and
        either message answers.
        """
        sent = Sent(Delivery.UNKNOWN)
        for _ in range(1 + UNKNOWN_TRIES):
            opened = self._opened(prompt.row)
            if opened is None:
                break
            job = await guarded_await(self._job(prompt, place, language))
            if isinstance(job, Caught):  # its buttons can't be kept: nothing was sent
                self.report("telegram question", job.error)
                sent = Sent(Delivery.FAILED)
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            opened.jobs.append(job)
            lane.add(job)
            sent = await job.outcome
            if sent.delivery is not Delivery.UNKNOWN:
                break
        return sent

    async def _job(self, prompt: Prompt, place: Place, language: str) -> Question:
        row, question = prompt.row, prompt.question
        found = options(question, language)
        at = self.clock.now()
        buttons = button_rows(found, row, place.chat, self.ids.uuid, at)
        mark = ButtonRow(
            token=token_of(self.ids.uuid()),
            kind="prompt",
            chat=place.chat,
            subject=question.id,
            kept_at=at,
            body={
                "prompt": row.token,
                "principal": row.principal,
                "chat": row.chat,
                "language": language,
                "batch": buttons[0].body["batch"] if buttons else None,
            },
        )
        await self.keep.add_buttons([*buttons, mark])
        tokens = [button.token for button in (*buttons, mark)]

        async def placed(chat: int, message: int) -> None:
            kept = await guarded_await(self.keep.place_buttons(tokens, message))
            if isinstance(kept, Caught):  # it is there all the same; a press says where
                self.report("telegram question", kept.error)

        shown = keyboard(buttons, 0, language)
        asks_back = None if shown or place.private else prompt.form or "…"
        return Question(
            self.sender,
            Frame(worded(prompt, language, buttons=bool(shown)), shown),
            place.topic,
            None if place.private else await self._last_of(row, question),
            asks_back,
            placed,
            asyncio.get_running_loop().create_future(),
        )

    async def _last_of(self, row: PromptRow, question: Interrupt) -> int | None:
        """The last message of the person asked: their client alone opens a reply field. After a
        restart it is the last of those that the run answers.
        """
        last = self.known.last.get((row.chat, row.principal))
        run = None if last is not None else await self.store.run(question.run)
        if run is None:
            return last
        rows = [one for one in await self.store.inputs(run.thread) if one.seq in run.inputs]
        mine = [one.new.dedup for one in rows if one.new.principal == row.principal]
        return message_in(mine[-1]) if mine else None

    # -- while it is open ----------------------------------------------------------------------

    def heard(self, chat: str, principal: str) -> None:
        """A person wrote: what may never have reached them can be sent."""
        for opened in self._open.get((chat, principal), {}).values():
            opened.news.set()

    def answers(self, chat: str, principal: str, text: str) -> bool:
        """Whether the person is asked something here that the text is a value or a control for."""
        tongue, now = languages(self.known.tongues.of(principal, "en")), self.clock.now()
        asked = [opened.question for opened in self._open.get((chat, principal), {}).values()]
        read = (
            parse_answer(text, text_schema(question), languages=tongue, now=now)
            for question in asked
        )
        return any(isinstance(outcome, Value | Control) for outcome in read)

    def _remind(self, chat: str, who: str, token: str, seconds: float, message: int) -> None:
        opened = self._open.get((chat, who), {}).get(token)
        if opened is None or opened.reminded or seconds < REMIND_FROM_SECONDS:
            return
        opened.reminded = True
        before = min(seconds * REMIND_PART, REMIND_LONGEST_SECONDS)
        later = self._reminder((chat, who), token, (seconds - before, before), message)
        self.supervisor.spawn(later, name="telegram reminder")

    async def _reminder(
        self, key: tuple[str, str], token: str, spans: tuple[float, float], message: int
    ) -> None:
        await asyncio.sleep(spans[0])
        opened = self._open.get(key, {}).get(token)
        place = place_of(key[0])
        if opened is not None and place is not None:
            span = translator(opened.language).span(spans[1])
            given = {"message": opened.question.message, "until": span}
            self.say(place, "REMINDER", opened.language, given, reply_to=message)

    async def restore(self, question: Interrupt, now: datetime) -> None:
        """A question that was open when the process ended."""
        rows = [row for row in await self.keep.buttons_of(question.id) if row.kind == "prompt"]
        for row in sorted(rows, key=lambda one: -(one.message or 0)):
            if row.message is None:
                continue
            chat, token, who = row.body["chat"], row.body["prompt"], row.body["principal"]
            opened = Open(question, row.body["language"])
            self._open.setdefault((chat, who), {}).setdefault(token, opened)
            if question.expires_at is not None:
                left = (question.expires_at - now).total_seconds()
                self._remind(chat, who, token, left, row.message)

    async def send_unknown(self, question: Interrupt) -> None:
        """A question that was open when the process ended, and of which nobody knows whether it was
        ever sent: send it.
        """
        marks = [row for row in await self.keep.buttons_of(question.id) if row.kind == "prompt"]
        stand = {mark.body["prompt"] for mark in marks if mark.message is not None}
        for token, body in {mark.body["prompt"]: mark.body for mark in marks}.items():
            row = None if token in stand else await self.store.prompt(token)
            place = None if row is None else place_of(row.chat)
            lane = None if place is None else self.lane(place)
            if row is None or row.state != "unknown" or place is None or lane is None:
                continue
            language = self.known.tongues.of(row.principal, body["language"])
            form = answer_format(text_schema(question), language)
            self._begin(Prompt(row, question, form, language), place, language, lane).cancel()

    # -- its end -------------------------------------------------------------------------------

    def withdraw(self, prompt: PromptRow, question: Interrupt) -> None:
        """Fold every message of the prompt to the outcome."""
        mine = self._open.get((prompt.chat, prompt.principal), {})
        opened = mine.pop(prompt.token, None)
        if opened is not None:
            opened.news.set()
            for job in opened.jobs:
                job.withdrawn = True
        self._later(self._fold(prompt, question))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        self.supervisor.spawn(work, name="telegram fold")

    async def _fold(self, prompt: PromptRow, question: Interrupt) -> None:
        place = place_of(prompt.chat)
        lane = None if place is None else self.lane(place)
        if lane is None:
            return
        by = question.decision.by if question.decision is not None else ""
        for row in await self.keep.buttons_of(question.id):
            if row.body.get("prompt") != prompt.token or row.message is None:
                continue
            words = outcome(prompt, question, row.body["language"], by)
            change: Job = Change(self.sender, row.message, Frame(words), self.report)
            lane.add(change)
