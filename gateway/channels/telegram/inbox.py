"""From an update to a stored input. `take` is true once the update may be confirmed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from telegram import Update

from gateway.channels.spoken import Spoken, is_note
from gateway.channels.telegram.desk import Desk
from gateway.channels.telegram.files import FileTooBig
from gateway.channels.telegram.incoming import Incoming, incoming, joined
from gateway.channels.telegram.names import CHANNEL, Place, dedup_of
from gateway.channels.telegram.pieces import Group, Lines
from gateway.core.answers import ControlKind, control_word
from gateway.core.errors import GatewayError
from gateway.core.messages import Attachment, Json
from gateway.ports.rows import InputKind, NewInput
from gateway.ports.telegram import HeldUpdate
from gateway.supervise import Caught, guarded_await

LOST = ("kicked", "left")
LISTEN_SECONDS = 60.0
"""So long at most a voice note counts as being listened to."""


class Inbox:
    """Takes updates, in whatever order and however often they come."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._known: set[int] = set()
        self._listened: dict[int, asyncio.Event] = {}
        self._lines = Lines(self._enter_pieces, desk.clock.monotonic, desk.supervisor)

    async def load(self) -> None:
        """Take up what was kept and is no input yet."""
        bot = str(self.desk.bot)
        self._known = set(await self.desk.keep.known_updates(bot))
        late: list[int] = []
        for held in await self.desk.keep.held_updates(bot):
            item = self._read(Update.de_json(held.body, None))
            if item is not None and not item.edited:
                self._keep(item, held.at)
            elif item is not None and not self._lines.edit(item):
                late.append(held.id)
        await self.desk.keep.updates_done(bot, late)

    def _read(self, update: Update) -> Incoming | None:
        """The message, in the language that its person is spoken to in."""
        item = incoming(update, self.desk.bot, self.desk.username)
        if item is None:
            return None
        if not self._may(item, self._place(item)):
            return item
        return replace(item, language=self.desk.tongues.spoken(item.principal, item.language))

    async def take(self, raw: dict[str, Any]) -> bool:
        """Take an update; False where it could not be stored and has to come again."""
        outcome = await guarded_await(self._take(raw))
        if not isinstance(outcome, Caught):
            return outcome
        error = outcome.error
        self.desk.report("telegram update", error)
        return not (isinstance(error, GatewayError) and _transient(error.code))

    async def _take(self, raw: dict[str, Any]) -> bool:
        stopped = raw.get("stopped_message_generation")
        if isinstance(stopped, dict):
            return await self._stopped(raw["update_id"], stopped)
        update = Update.de_json(raw, None)
        if update.callback_query is not None:
            return await self.desk.presses.take(update.callback_query)
        if update.my_chat_member is not None:
            return await self._member(update)
        message = update.message
        if message is not None and message.migrate_to_chat_id is not None:
            self.desk.chats.moved(message.chat.id, message.migrate_to_chat_id)
            return True
        item = self._read(update)
        if item is None or item.update in self._known:
            return True
        if item.edited:
            return await self._edited(item, raw)
        return await self._message(item, raw)

    async def _message(self, item: Incoming, raw: dict[str, Any]) -> bool:
        if not self._may(item, self._place(item)) or not self._waits(item):
            return await self.enter(item, ())
        at = self.desk.clock.now()
        if await self._hold(item, raw, at):
            self._keep(item, at)
        return True

    def _waits(self, item: Incoming) -> bool:
        """Whether a message can't go in at once: there is more of it to come, something of its
        person waits before it, or the engine waits before it takes it.
        """
        if item.is_piece or item.files or (self._lines.waits(item) and not item.at_once):
            return True
        return self.desk.engine.waits(self._new(item, ()))

    async def _edited(self, item: Incoming, raw: dict[str, Any]) -> bool:
        """A change of what waits in its line takes its place there."""
        place = self._place(item)
        if not self._may(item, place):
            return True
        says = bool(item.text or item.files) and not item.text.startswith("/")
        if says and self._lines.holds(item):
            if not await self._hold(item, raw, self.desk.clock.now()) or self._lines.edit(item):
                return True
            await self.desk.keep.updates_done(str(self.desk.bot), [item.update])
        return await self.desk.edits.take(item, place)

    async def _hold(self, item: Incoming, raw: dict[str, Any], at: datetime) -> bool:
        """Keep an update; False where it is known."""
        held = HeldUpdate(bot=str(self.desk.bot), id=item.update, body=raw, at=at)
        new = await self.desk.keep.hold_update(held)
        self._known.add(item.update)
        return new

    def _keep(self, item: Incoming, at: datetime) -> None:
        """Put it in its line; an expiry waits for what was spoken."""
        if item.is_note and self.desk.spoken is not None:
            self._listened[item.update] = listened = asyncio.Event()
            expecting = self.desk.spoken.expecting(self._new(item, ()), at)
            self.desk.supervisor.spawn(_until(listened, expecting), name="telegram voice note")
        self._lines.add(replace(item, kept_at=at))

    # -- pieces and files ----------------------------------------------------------------------

    async def _enter_pieces(self, group: Group) -> bool:
        taken = list(group.items)
        outcome = await guarded_await(self._fetch_and_enter(joined(taken)))
        if isinstance(outcome, Caught):
            self.desk.report("telegram pieces", outcome.error)
            if isinstance(outcome.error, GatewayError) and _transient(outcome.error.code):
                return False
        elif not outcome:
            return False
        group.entered = True
        for item, was in zip(group.items, taken, strict=True):
            if item.edits != was.edits:
                await guarded_await(self.desk.edits.take(item, self._place(item)))
        updates = [update for item in group.items for update in (item.update, *item.edits)]
        done = await guarded_await(self.desk.keep.updates_done(str(self.desk.bot), updates))
        if isinstance(done, Caught):
            return False
        for item in group.items:
            self._listened.pop(item.update, asyncio.Event()).set()
        return True

    async def _fetch_and_enter(self, item: Incoming) -> bool:
        place = self._place(item)
        if item.files and self._heeds(item, place):
            fetched = [await guarded_await(self.desk.files.fetch(file)) for file in item.files]
            attachments = [one for one in fetched if not isinstance(one, Caught)]
            failed = [one.error for one in fetched if isinstance(one, Caught)]
            if failed:
                return self._not_fetched(item, place, failed[0])
            return await self.enter(item, attachments)
        return await self.enter(item, ())

    def _not_fetched(self, item: Incoming, place: Place, error: Exception) -> bool:
        if isinstance(error, GatewayError) and _transient(error.code):
            return False
        if isinstance(error, FileTooBig):
            self.desk.out.say(place, error.code, item.language, reply_to=item.message)
            return True
        error_id = self.desk.report("telegram download", error)
        self.desk.out.say(
            place,
            "DOWNLOAD_FAILED",
            item.language,
            {"errorId": error_id},
            reply_to=item.message,
        )
        return True

    # -- who and where -------------------------------------------------------------------------

    def _place(self, item: Incoming) -> Place:
        return Place(self.desk.chats.home(item.chat), item.topic)

    def _may(self, item: Incoming, place: Place) -> bool:
        gate = self.desk.gate
        if item.private:
            return gate.private(item.principal)
        return gate.group(item.principal, place.chat) or gate.group(item.principal, item.chat)

    def _heeds(self, item: Incoming, place: Place) -> bool:
        """Whether a message is for the bot: in a group one that names it, replies or commands; a
        stop of one's own run; an answer to what one is asked.
        """
        if item.private or not self.desk.mentions_only or item.addressed:
            return True
        out, who = self.desk.out, item.principal
        if control_word(item.text) is ControlKind.STOP and out.busy(place.thread, who):
            return True
        return out.answers(place.thread, who, item.text)

    # -- into the engine -----------------------------------------------------------------------

    async def enter(self, item: Incoming, attachments: Sequence[Attachment]) -> bool:
        """Hand a message to the engine; False where it could not be stored."""
        desk, place = self.desk, self._place(item)
        if not self._may(item, place):
            if item.private:
                await desk.pairs.ask(item, place)
            return True
        desk.chats.reached(place.chat)
        if not self._heeds(item, place):
            return True
        desk.out.heard(item, place)
        if not item.readable:
            desk.out.say(place, "UNREADABLE", item.language, reply_to=item.message)
            return True
        if await desk.pairs.command(item, place):
            return True
        replied = await desk.presses.replied(item, place)
        if replied.done:
            return self._taken(replied.code, {}, place, item.language, item.message)
        if not item.private:
            await self.desk.make_group(place)
        new = self._new(item, attachments)
        if replied.question is not None:
            new = replace(new, quote=None, reply_to=replied.question)
        if desk.spoken is not None and is_note(new):
            return await self._listen(desk.spoken, new, item, place)
        return await self.accept(new, place, item.message)

    def _new(self, item: Incoming, attachments: Sequence[Attachment]) -> NewInput:
        return NewInput(
            dedup=dedup_of(self.desk.bot, item.chat, item.message),
            thread=self._place(item).thread,
            channel=CHANNEL,
            principal=item.principal,
            text=item.text,
            sender=item.name,
            language=item.language,
            attachments=tuple(attachments),
            quote=item.quote,
            seen=item.message,
        )

    async def _listen(self, spoken: Spoken, new: NewInput, item: Incoming, place: Place) -> bool:
        """Hand in what a voice note says, and say what was understood."""
        heard = await spoken.accept(new, item.kept_at)
        taken = heard.taken
        if heard.text and not taken.code:
            told: dict[str, Json] = {"text": heard.text}
            self.desk.out.say(place, "NOTE_HEARD", new.language, told, reply_to=item.message)
        return self._taken(taken.code, taken.params, place, new.language, item.message)

    async def accept(self, new: NewInput, place: Place, reply_to: int | None = None) -> bool:
        """Hand an input to the engine, tell why it was not taken; False where it was not stored."""
        receipt = await self.desk.engine.accept(new)
        return self._taken(receipt.code, receipt.params, place, new.language, reply_to)

    def _taken(
        self,
        code: str,
        params: Mapping[str, Json],
        place: Place,
        language: str,
        reply_to: int | None,
    ) -> bool:
        """Tell why something was not taken; False where it was not stored."""
        if _transient(code):
            return False
        if code:
            self.desk.out.say(place, code, language, params, reply_to=reply_to)
        return True

    async def _stopped(self, update: int, stopped: dict[str, Any]) -> bool:
        """The client's own Stop under a draft: the chat's person stops that run."""
        chat = int(stopped["chat"]["id"])
        place = Place(self.desk.chats.home(chat), stopped.get("message_thread_id"))
        run = self.desk.out.drafted(int(stopped["draft_id"]))
        if run is None or not (place.private and self.desk.gate.private(str(chat))):
            return True
        new = NewInput(
            dedup=f"{CHANNEL}:{self.desk.bot}:update/{update}",
            thread=place.thread,
            channel=CHANNEL,
            principal=str(chat),
            text="",
            kind=InputKind.STOP,
            run=run,
            how="button",
        )
        return await self.accept(new, place)

    async def _member(self, update: Update) -> bool:
        changed = update.my_chat_member
        if changed is None:
            return True
        home = self.desk.chats.home(changed.chat.id)
        if changed.new_chat_member.status in LOST:
            self.desk.out.lost(home)
        else:
            self.desk.chats.reached(home)
        await self.desk.chats.store(home)
        return True


async def _until(listened: asyncio.Event, expecting: AbstractContextManager[None]) -> None:
    with expecting, suppress(TimeoutError):
        async with asyncio.timeout(LISTEN_SECONDS):
            await listened.wait()


def _transient(code: str) -> bool:
    return code.startswith("STORE_") or code in ("SHUTTING_DOWN", "LEASE_LOST")
