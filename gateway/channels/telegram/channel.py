"""Telegram as a channel of the engine: what it is told goes into the chats' lanes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from gateway.channels.telegram import words
from gateway.channels.telegram.chats import Chats
from gateway.channels.telegram.drafts import Draft, draft_of, run_of
from gateway.channels.telegram.incoming import Incoming
from gateway.channels.telegram.lanes import Lane, Lanes
from gateway.channels.telegram.names import CHANNEL, Place, place_of, token_of
from gateway.channels.telegram.parts import Tools
from gateway.channels.telegram.prompting import Prompting
from gateway.channels.telegram.runs import Known
from gateway.channels.telegram.saying import Saying
from gateway.channels.telegram.sender import Button
from gateway.channels.telegram.status import Status, reaction_of
from gateway.channels.telegram.texts import Text, restored, text_id
from gateway.core.interrupts import Interrupt
from gateway.core.messages import Json
from gateway.i18n import known_language, translator
from gateway.ports.channel import (
    Capabilities,
    Notice,
    Prompt,
    Sent,
    Settle,
    Shown,
    TextRef,
    Update,
)
from gateway.ports.rows import PromptRow
from gateway.ports.telegram import TelegramStore
from gateway.supervise import Caught, Supervisor, guarded_await

AGAIN_SECONDS = 1.0


class TelegramChannel:
    """A text settles once it is kept here; from then on it becomes visible exactly once."""

    name = CHANNEL
    capabilities = Capabilities(buttons=True, reply_to=True, edit=True, voice=False, durable=False)

    def __init__(
        self,
        *,
        tools: Tools,
        keep: TelegramStore,
        chats: Chats,
        lanes: Lanes,
        known: Known,
        status: Status,
        saying: Saying,
        prompting: Prompting,
        supervisor: Supervisor,
        drafts: bool,
    ) -> None:
        self.settle: Settle | None = None
        self.on_lost: Callable[[int], None] = _nobody_is_told
        self.known = known
        self.prompting = prompting
        self._tools = tools
        self._keep = keep
        self._chats = chats
        self._lanes = lanes
        self._status = status
        self._saying = saying
        self._supervisor = supervisor
        self._drafts = drafts
        self._texts: dict[TextRef, Text] = {}
        self._reviving: dict[TextRef, list[Callable[[Text], None]]] = {}

    async def restore(self) -> None:
        """Take up what was to be said when the process ended."""
        for row in await self._keep.open_deliveries():
            if row.body["kind"] == "text":
                text = restored(row, self._tools)
                self._texts[text.ref] = text
                self._wake(text, add=True)
            else:
                self._saying.restore(row)

    # -- texts ---------------------------------------------------------------------------------

    def show(self, ref: TextRef, text: str, final: bool) -> None:
        if ref in self._reviving:
            self._reviving[ref].append(lambda job: self._grow(job, text, final))
            return
        job = self._texts.get(ref) or self._new_text(ref)
        if job is not None:
            self._grow(job, text, final)
        elif final:
            self._settled(ref)

    def _new_text(self, ref: TextRef) -> Text | None:
        place = place_of(ref.thread)
        if place is None or not self._chats.reachable(place.chat):
            return None
        run = self.known.runs.get(ref.run)
        reply = run.message if run is not None and not place.private else None
        label = translator(self.known.language_of(ref.run)).gettext(words.BUTTONS["stop"])
        stop = ((Button(label, token_of(ref.run)),),)
        job = Text(ref, place.chat, place.topic, self._tools, reply_to=reply, keyboard=stop)
        if self._drafts and place.private:
            job.draft = Draft(draft_of(ref.run))
        self._texts[ref] = job
        self._wake(job, add=True)
        return job

    def _grow(self, job: Text, text: str, final: bool) -> None:
        if job.finished and not job.closed:
            if final:
                self._settled(job.ref)
            return
        again = job.finished
        job.grow(text, final)
        job.finished = False
        job.unkept = job.unkept or final
        if final:
            self._later(self._hand_over(job))
        if final or job.calm:
            self._wake(job, add=again)

    async def _hand_over(self, job: Text) -> None:
        if isinstance(await guarded_await(job.save()), Caught):
            asyncio.get_running_loop().call_later(AGAIN_SECONDS, self._hand_over_again, job)
            return
        self._settled(job.ref)
        job.unkept = False
        self._wake(job)

    def _hand_over_again(self, job: Text) -> None:
        self._later(self._hand_over(job))

    def _settled(self, ref: TextRef) -> None:
        if self.settle is not None:
            self.settle(ref)

    def shown(self, ref: TextRef) -> Shown:
        job = self._texts.get(ref)
        return Shown("" if job is None else job.shown())

    def cut(self, ref: TextRef) -> Shown:
        job = self._texts.get(ref)
        if job is not None:
            job.cut = True
        return self.shown(ref)

    def close(self, ref: TextRef, text: str, reason: str | None) -> None:
        job = self._texts.get(ref)
        if reason is None:
            return
        mark = self._mark(ref, reason)
        if job is not None:
            self._close(job, text, mark)
        else:
            self._reviving[ref] = [lambda found: self._close(found, text, mark)]
            self._later(self._revive(ref))

    def _mark(self, ref: TextRef, reason: str) -> str:
        texts = translator(self.known.language_of(ref.run))
        return texts.gettext(words.MARKS.get(reason, words.MARKS[""]))

    def _close(self, job: Text, text: str, mark: str) -> None:
        if job.finished:
            return
        job.close(text, mark)
        if not text and not job.parts:
            job.finished = True
            return
        self._later(job.save())
        self._wake(job)

    async def _revive(self, ref: TextRef) -> None:
        """A text of an earlier process: as it was kept, or done, or never opened. Until that can be
        read nothing is shown of it.
        """
        row = await guarded_await(self._keep.delivery(text_id(ref)))
        while isinstance(row, Caught):
            self._tools.report(f"telegram text {ref.run}", row.error)
            await asyncio.sleep(AGAIN_SECONDS)
            row = await guarded_await(self._keep.delivery(text_id(ref)))
        job: Text | None
        if row is not None:
            job = restored(row, self._tools)
            job.finished = row.state != "open"
            self._texts[ref] = job
            self._wake(job, add=True)
        else:
            job = self._new_text(ref)
        acts = self._reviving.pop(ref)
        if job is not None:
            for act in acts:
                act(job)

    def _wake(self, job: Text, *, add: bool = False) -> None:
        lane = self.lane(Place(job.chat, job.topic))
        if lane is not None and add:
            lane.add(job)
        elif lane is not None:
            lane.wake()

    def lane(self, place: Place) -> Lane | None:
        """The lane of a chat; None where nobody can be told."""
        if not self._chats.reachable(place.chat):
            return None
        return self._lanes.of(place.chat, self._chats.now_at(place.chat))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        self._supervisor.spawn(work, name="telegram")

    # -- questions -----------------------------------------------------------------------------

    async def ask(self, prompt: Prompt) -> Sent:
        return await self.prompting.ask(prompt)

    def withdraw(self, prompt: PromptRow, question: Interrupt) -> None:
        self.prompting.withdraw(prompt, question)

    # -- telling and drawing -------------------------------------------------------------------

    def tell(self, notice: Notice) -> None:
        if notice.code == "LANG_SET":
            self.known.tongues.chose(notice.to, known_language(notice.language))
        place = place_of(notice.thread)
        if place is not None:
            message = self.known.messages.get((notice.thread, notice.input_seq or 0))
            self._saying.tell(place, notice, None if place.private else message)

    def update(self, update: Update) -> None:
        if update.type == "input":
            self._draw_input(update.thread, update.data)
        elif update.type == "run":
            run = self.known.run(update.thread, update.data)
            self._status.work(update.thread)
            if run.state == "ended":
                self._forget(str(update.data["run"]))

    def _draw_input(self, thread: str, data: Mapping[str, Json]) -> None:
        message = self.known.input(thread, data)
        place, reaction = place_of(thread), reaction_of(data)
        if message is not None and place is not None and reaction is not None:
            self._status.react(place.chat, message, reaction)

    def _forget(self, run: str) -> None:
        """A run is over; of its texts only those are kept that are not visible yet."""
        self.known.runs.pop(run, None)
        for ref in [ref for ref, text in self._texts.items() if text.finished]:
            del self._texts[ref]

    # -- what the inbox asks -------------------------------------------------------------------

    def say(
        self,
        place: Place,
        code: str,
        language: str,
        params: Mapping[str, Json] | None = None,
        *,
        reply_to: int | None = None,
    ) -> None:
        target = None if place.private else reply_to
        self._saying.say(place, code, language, params, reply_to=target)

    def heard(self, item: Incoming, place: Place) -> None:
        self.known.last[place.thread, item.principal] = item.message
        self.prompting.heard(place.thread, item.principal)

    def busy(self, thread: str, principal: str) -> bool:
        return self.known.busy(thread, principal)

    def drafted(self, draft: int) -> str | None:
        return run_of(draft, self.known.runs)

    def answers(self, thread: str, principal: str, text: str) -> bool:
        return self.prompting.answers(thread, principal, text)

    def lost(self, home: int) -> None:
        """The chat can't be reached: what was to be said is over, who is asked there isn't."""
        self._chats.lost(home)
        lane = self._lanes.known(home)
        if lane is not None:
            self._later(lane.drop())
        self.on_lost(home)


def _nobody_is_told(home: int) -> None:
    """Stands in until the engine is there."""
