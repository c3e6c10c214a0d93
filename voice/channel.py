"""The channel of callers: what the engine shows is said, and counts as far as it was heard."""

from __future__ import annotations

from typing import Any

from gateway.core.interrupts import Interrupt
from gateway.ports.channel import (
    Capabilities,
    Channel,
    Delivery,
    Notice,
    Prompt,
    Sent,
    Settle,
    Shown,
    TextRef,
    Update,
)
from gateway.ports.rows import PromptRow
from voice.call_replies import Replies
from voice.call_stage import Exchange
from voice.calls import Calls


class VoiceChannel:
    """The channel `name`. `mirror` is the page's, which shows what is played and is told the rest;
    `settle` is told of texts that were heard, or shown there, to their end.
    """

    capabilities = Capabilities(
        buttons=False, reply_to=False, edit=False, voice=True, durable=False
    )

    def __init__(self, name: str, mirror: Channel, settle: Settle) -> None:
        self.name = name
        self.replies = Replies(mirror, settle)
        self.calls: Calls | None = None
        self._mirror = mirror
        self._people: dict[str, tuple[str, ...]] = {}

    def connect(self, **exchange: Any) -> Calls:
        """Connect it with the engine, by the fields of `Exchange`; where callers are brought."""
        self.calls = Calls(Exchange(channel=self.name, **exchange), self.replies)
        return self.calls

    def show(self, ref: TextRef, text: str, final: bool) -> None:
        calls, people = self.calls, self._people.get(ref.run, ())
        call = None if calls is None else calls.find(ref.thread, people)
        self.replies.show(ref, text, final, None if call is None else call.speech)

    def shown(self, ref: TextRef) -> Shown:
        return self.replies.shown(ref)

    def cut(self, ref: TextRef) -> Shown:
        return self.replies.cut(ref)

    def close(self, ref: TextRef, text: str, reason: str | None) -> None:
        self.replies.close(ref, text, reason)

    async def ask(self, prompt: Prompt) -> Sent:
        row, calls = prompt.row, self.calls
        call = None if calls is None else calls.find(row.thread, (row.principal,))
        return Sent(Delivery.NOBODY) if call is None else await call.ask(prompt)

    def withdraw(self, prompt: PromptRow, question: Interrupt) -> None:
        call = None
        if self.calls is not None:
            call = self.calls.find(prompt.thread, (prompt.principal,))
        if call is not None:
            call.withdraw(question.id)

    def tell(self, notice: Notice) -> None:
        self._mirror.tell(notice)
        for call in () if self.calls is None else self.calls.on(notice.thread):
            if notice.to in ("", call.principal):
                call.notice(notice)

    def update(self, update: Update) -> None:
        self._note_run(update)
        for call in () if self.calls is None else self.calls.on(update.thread):
            call.update(update)

    def _note_run(self, update: Update) -> None:
        """Whose run it is, for whom its texts are said."""
        if update.type != "run":
            return
        run, principals = str(update.data["run"]), update.data.get("principals")
        if update.data.get("state") == "ended":
            self._people.pop(run, None)
            self.replies.forget(run)
        elif isinstance(principals, list):
            self._people[run] = tuple(str(person) for person in principals)
