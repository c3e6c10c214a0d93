"""Notices in words: which codes are told, how, and with which button."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from gateway.channels.notices import notice_text
from gateway.channels.telegram import words
from gateway.channels.telegram.lanes import Lane
from gateway.channels.telegram.markdown import Rendered
from gateway.channels.telegram.names import Place, token_of
from gateway.channels.telegram.notes import Change
from gateway.channels.telegram.notes import Notice as NoticeJob
from gateway.channels.telegram.sender import Button, Frame, Keyboard, Sender
from gateway.core.messages import Json
from gateway.i18n import translator
from gateway.ports.channel import Notice
from gateway.ports.clock import Clock, Ids
from gateway.ports.telegram import ButtonRow, DeliveryRow, TelegramStore
from gateway.supervise import Supervisor, guarded_await

LONGEST = 3_900
SEEN_OTHERWISE = frozenset({"JOINS", "REPLAYED"})
TOLD_BY_ITS_MARK = frozenset({"USER_SIGINT", "NOW_PRIORITY_INPUT"})


@dataclass(slots=True)
class Saying:
    """`lane` is the lane of a chat, None where nobody can be told."""

    sender: Sender
    keep: TelegramStore
    clock: Clock
    ids: Ids
    supervisor: Supervisor
    report: Callable[[str, BaseException], str]
    lane: Callable[[Place], Lane | None]
    reactions: bool = True

    # -- the engine's notices ------------------------------------------------------------------

    def tell(self, place: Place, notice: Notice, reply_to: int | None) -> None:
        """Tell what the engine says, where nothing else shows it."""
        code, params = notice.code, dict(notice.params)
        if code == "RETURNED":
            self._later(self._returned(place, notice, reply_to))
        elif not self._shows_otherwise(code, params):
            self.say(place, code, notice.language, params, reply_to=reply_to)

    def _shows_otherwise(self, code: str, params: dict[str, Json]) -> bool:
        if code in SEEN_OTHERWISE:
            return True
        if code == "WAITS":
            return self.reactions
        if code == "UNDERSTOOD":
            return params.get("echo") is not True
        if code == "RUN_INTERRUPTED":
            return params.get("reason") in TOLD_BY_ITS_MARK
        return code == "INTERRUPT_ANSWER_INVALID" and bool(params.get("problem"))

    async def _returned(self, place: Place, notice: Notice, reply_to: int | None) -> None:
        text = translator(notice.language)
        row = ButtonRow(
            token=token_of(self.ids.uuid()),
            kind="again",
            chat=place.chat,
            subject=notice.thread,
            kept_at=self.clock.now(),
            body={"thread": notice.thread, "seq": notice.input_seq, "principal": notice.to},
        )
        await guarded_await(self.keep.add_buttons([row]))
        shown = str(notice.params.get("text", ""))[:200]
        said = text.gettext(words.TEXTS["NOT_SENT"], text=shown or "—")
        button = Button(text.gettext(words.TEXTS["NOT_SENT_BUTTON"]), row.token)
        frame = Frame(Rendered(said), ((button,),))
        self.put(place, frame, reply_to, tokens=[row.token], sure=True)

    async def offer(self, place: Place, language: str, reply_to: int, body: dict[str, Any]) -> None:
        """Offer to go on with a changed message; once for each change."""
        token = token_of(self.ids.uuid())
        row = ButtonRow(
            token=token,
            kind="correct",
            chat=place.chat,
            subject=body["thread"],
            kept_at=self.clock.now(),
            body=body,
        )
        await self.keep.add_buttons([row])
        text = translator(language)
        button = Button(text.gettext(words.TEXTS["CORRECTION_BUTTON"]), token)
        said = Rendered(text.gettext(words.TEXTS["CORRECTION"]))
        self.put(place, Frame(said, ((button,),)), reply_to, tokens=[token], sure=True)

    # -- anything ------------------------------------------------------------------------------

    def worded(self, code: str, language: str, params: Mapping[str, Json]) -> str:
        """What a code says here."""
        if code in words.TEXTS:
            return translator(language).gettext(words.TEXTS[code], **params)
        if code == "UNDERSTOOD":
            return f"{params.get('message', '')} ✓ {params.get('understood', '')}".strip()
        if code == "PAIR_LIST":
            items = params.get("items")
            lines = [str(item) for item in items] if isinstance(items, list) else []
            return "\n".join(lines) or translator(language).gettext(words.TEXTS["PAIR_NONE"])
        return notice_text(code, dict(params), language)

    def say(
        self,
        place: Place,
        code: str,
        language: str,
        params: Mapping[str, Json] | None = None,
        *,
        reply_to: int | None = None,
    ) -> None:
        """Say something once."""
        text = self.worded(code, language, params or {})[:LONGEST].strip()
        if text:
            self.put(place, Frame(Rendered(text)), reply_to, sure=code not in words.PASSING)

    def put(
        self,
        place: Place,
        frame: Frame,
        reply_to: int | None,
        tokens: list[str] | None = None,
        id_: str | None = None,
        *,
        sure: bool = False,
    ) -> None:
        """Put a message into the chat's lane; `sure` as in `notes.Notice`."""
        lane = self.lane(place)
        if lane is None:
            return
        name = id_ or f"notice:{self.ids.uuid()}"
        told: list[str] = tokens or []

        async def keep(state: str) -> None:
            await guarded_await(self.keep.put_delivery(self._row(name, place, job, told, state)))

        async def sent(chat: int, message: int) -> None:
            if told:
                await guarded_await(self.keep.place_buttons(told, message))

        job = NoticeJob(
            self.sender,
            frame,
            place.topic,
            reply_to,
            self.report,
            keep,
            sent,
            sure=sure,
            kept=id_ is not None,
        )
        lane.add(job)

    def _row(
        self, name: str, place: Place, job: NoticeJob, tokens: list[str], state: str
    ) -> DeliveryRow:
        keyboard = [[[b.label, b.token] for b in row] for row in job.frame.keyboard]
        body = {
            "kind": "notice",
            "topic": place.topic,
            "text": job.frame.rendered.text if state == "open" else "",
            "keyboard": keyboard,
            "tokens": tokens,
            "reply": job.reply_to,
            "sure": job.sure,
        }
        return DeliveryRow(
            id=name, place=place.thread, state=state, kept_at=self.clock.now(), body=body
        )

    def restore(self, row: DeliveryRow) -> None:
        """A notice that could not be sent before the process ended."""
        chat = int(row.place.split(":")[1])
        rows = row.body["keyboard"]
        keyboard: Keyboard = tuple(tuple(Button(*button) for button in line) for line in rows)
        frame = Frame(Rendered(row.body["text"]), keyboard)
        place = Place(chat, row.body["topic"])
        sure = bool(row.body.get("sure"))
        self.put(place, frame, row.body["reply"], row.body["tokens"], row.id, sure=sure)

    def keyboard(self, place: Place, message: int, buttons: Keyboard) -> None:
        """Change a message's buttons."""
        lane = self.lane(place)
        if lane is not None:
            lane.add(Change(self.sender, message, Frame(Rendered(""), buttons), self.report))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        self.supervisor.spawn(work, name="telegram notice")
