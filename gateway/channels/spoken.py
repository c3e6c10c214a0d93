"""Recordings as messages: written down by the calls' recogniser, then taken like any message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from gateway.channels.engine import Taken
from gateway.core.answers import Value
from gateway.core.errors import EngineFailed, GatewayError, NoteTooLong, StoreFailed
from gateway.core.interrupts import QuestionKind
from gateway.core.messages import Attachment
from gateway.entering import Receipt
from gateway.ports.clock import Clock
from gateway.ports.rows import NewInput
from gateway.ports.store import Blobs
from gateway.reading import YES_NO, outcome_of, text_schema
from gateway.router import Router
from gateway.supervise import Caught, guarded_await

VOICE = "voice"
"""The kind of an attachment whose words are the message."""


class Written(Protocol):
    """What was said in a recording, "" where no words were found."""

    @property
    def text(self) -> str: ...

    @property
    def confirm(self) -> bool:
        """Whether an answer was heard only because it was expected."""


class Notes(Protocol):
    """Writes recordings down; what it raises is told to whoever sent one."""

    async def write_down(
        self, data: bytes, language: str, schema: Mapping[str, Any] | None
    ) -> Written: ...


@dataclass(frozen=True, slots=True)
class Heard:
    """What was understood, and what became of it at the door."""

    text: str
    taken: Taken


def is_note(new: NewInput) -> bool:
    """Whether a recording is what was said."""
    return any(file.kind == VOICE for file in new.attachments)


def as_note(files: tuple[Attachment, ...], text: str) -> tuple[Attachment, ...]:
    """The files of a message; a sound file that comes without a word is what was said."""
    if text.strip() or len(files) != 1 or not files[0].media_type.startswith("audio/"):
        return files
    return (replace(files[0], kind=VOICE),)


@dataclass(frozen=True, slots=True)
class Spoken:
    """Takes recordings."""

    notes: Notes
    router: Router
    blobs: Blobs
    clock: Clock
    report: Callable[[str, BaseException], str]

    def expecting(self, new: NewInput, at: datetime) -> AbstractContextManager[None]:
        """Around a recording that was kept at this moment and is no input yet: an expiry waits
        for it.
        """
        return self.router.expecting(new.thread, new.principal, at)

    async def accept(self, new: NewInput, at: datetime | None = None) -> Heard:
        """Write down what came at this moment (now), which is the time that counts for an answer,
        and take it; why it was not taken is the receipt's code.
        """
        at = at or self.clock.now()
        with self.expecting(new, at):
            written = await guarded_await(self._write_down(new))
            if isinstance(written, Caught):
                return Heard("", self._refused(written.error))
            if await self._has_to_confirm(new, written):
                return Heard(
                    written.text, Receipt(code="NOTE_CONFIRM", params={"text": written.text})
                )
            text = "\n".join(part for part in (new.text, written.text) if part)
            said = replace(new, text=text, how=VOICE, said_at=at)
            return Heard(written.text, await self.router.accept(said))

    async def taken(self, new: NewInput) -> Taken:
        """Take what comes now."""
        return (await self.accept(new)).taken

    async def _write_down(self, new: NewInput) -> Written:
        file = next(file for file in new.attachments if file.kind == VOICE)
        asked = await self.router.asked_in(new.thread, new.principal)
        schema = text_schema(asked[0]) if len(asked) == 1 else None
        data, _ = await self.blobs.get(file.blob)
        return await self.notes.write_down(data, new.language, schema)

    async def _has_to_confirm(self, new: NewInput, written: Written) -> bool:
        """Whether it is a yes that a hearing alone may not give: where leave is asked, one that may
        have been misheard, or that lets something be destroyed.
        """
        agent = self.router.wiring.agent
        return any(
            question.kind is not QuestionKind.INPUT
            and (written.confirm or agent.destructive(question.tool_name))
            and _consents(written.text, new, self.clock.now())
            for question in await self.router.asked_in(new.thread, new.principal)
        )

    def _refused(self, error: Exception) -> Receipt:
        """Why a recording was not taken; what is the server's is reported."""
        if isinstance(error, NoteTooLong):
            seconds = error.params["seconds"]
            assert isinstance(seconds, int)
            return Receipt(code=error.code, params={"minutes": max(1, round(seconds / 60))})
        if isinstance(error, StoreFailed):
            return Receipt(code=error.code)
        if isinstance(error, GatewayError) and error.http < 500:
            return Receipt(code=error.code)
        error_id = self.report("voice note", error)
        return Receipt(code=EngineFailed.code, params={"errorId": error_id})


def _consents(text: str, new: NewInput, now: datetime) -> bool:
    outcome = outcome_of(replace(new, how=VOICE), YES_NO, text, now)
    return isinstance(outcome, Value) and outcome.value is True
