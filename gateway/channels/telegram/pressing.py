"""What follows from a press on the outgoing side: the acknowledgement, buttons, a question back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from telegram import Bot

from gateway.channels.telegram import words
from gateway.channels.telegram.api import AGAIN, Failed
from gateway.channels.telegram.lanes import Lane
from gateway.channels.telegram.markdown import Rendered
from gateway.channels.telegram.names import Place, token_of
from gateway.channels.telegram.notes import Question
from gateway.channels.telegram.saying import Saying
from gateway.channels.telegram.sender import Frame, Keyboard, Sender
from gateway.i18n import translator
from gateway.ports.clock import Clock, Ids
from gateway.ports.telegram import ButtonRow, TelegramStore
from gateway.supervise import Caught, Supervisor, guarded_await

ANSWER_LENGTH = 200
TRIES = 3


@dataclass(slots=True)
class Pressing:
    """Acknowledgements go past the lanes: nothing that a chat waits for holds them up."""

    bot: Bot
    keep: TelegramStore
    clock: Clock
    ids: Ids
    supervisor: Supervisor
    saying: Saying
    sender: Sender
    lane: Callable[[Place], Lane | None]

    def acknowledge(self, press: str, code: str, language: str, alert: bool, **params: Any) -> None:
        """Answer a press; one that can't be answered any more is let be."""
        text = self.saying.worded(code, language, params)[:ANSWER_LENGTH] if code else None
        self.supervisor.spawn(self._answer(press, text, alert), name="telegram press")

    async def _answer(self, press: str, text: str | None, alert: bool) -> None:
        for _ in range(TRIES):
            outcome = await guarded_await(
                self.bot.answer_callback_query(press, text=text, show_alert=alert)
            )
            if not isinstance(outcome, Caught):
                return
            error = outcome.error
            if not isinstance(error, Failed) or error.fate not in AGAIN:
                return

    def keyboard(self, place: Place, message: int, buttons: Keyboard) -> None:
        """Change a message's buttons."""
        self.saying.keyboard(place, message, buttons)

    def ask_why(self, row: ButtonRow, place: Place, language: str, reply_to: int) -> None:
        """Ask for the reason of a denial; the reply to it denies."""
        self.supervisor.spawn(self._ask_why(row, place, language, reply_to), name="telegram why")

    async def _ask_why(self, row: ButtonRow, place: Place, language: str, reply_to: int) -> None:
        lane = self.lane(place)
        rows = await self.keep.buttons_on(row.chat, reply_to)
        principal = next((r.body["principal"] for r in rows if r.kind == "prompt"), None)
        if lane is None or principal is None:
            return
        why = ButtonRow(
            token=token_of(self.ids.uuid()),
            kind="why",
            chat=row.chat,
            subject=row.subject,
            kept_at=self.clock.now(),
            body={"principal": principal},
        )
        await self.keep.add_buttons([why])

        async def placed(chat: int, message: int) -> None:
            await self.keep.place_buttons([why.token], message)

        text = translator(language).gettext(words.TEXTS["WHY"])
        outcome = asyncio.get_running_loop().create_future()
        frame = Frame(Rendered(text))
        lane.add(Question(self.sender, frame, place.topic, reply_to, text, placed, outcome))
