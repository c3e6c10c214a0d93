"""Buttons: each press acknowledged once, with what became of it; and replies to questions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from telegram import CallbackQuery, Message, User

from gateway.channels.engine import Engine
from gateway.channels.telegram.asking import keyboard
from gateway.channels.telegram.gate import Gate
from gateway.channels.telegram.incoming import Incoming
from gateway.channels.telegram.names import CHANNEL, Place, uuid_in
from gateway.channels.telegram.press import Out, Pressed, Told
from gateway.channels.telegram.selecting import Selecting
from gateway.channels.telegram.tongues import Tongues
from gateway.core.queueing import Priority
from gateway.i18n import known_language
from gateway.ports.rows import InputKind, NewInput, PromptRow
from gateway.ports.store import Store
from gateway.ports.telegram import ButtonRow, TelegramStore

OF_NOTICES = ("again", "correct")
"""What stands on notices, of which there can be two that do the same."""
TRANSIENT = "STORE_"


@dataclass(frozen=True, slots=True)
class Replied:
    """What a reply was: done (and the code of why it was not taken), or for this question."""

    done: bool = False
    code: str = ""
    question: str | None = None


class Presses:
    """Looks a press up, hands it to the engine, acknowledges it."""

    def __init__(
        self,
        *,
        bot: int,
        engine: Engine,
        store: Store,
        keep: TelegramStore,
        gate: Gate,
        out: Out,
        home: Callable[[int], int],
        tongues: Tongues,
    ) -> None:
        self._bot = bot
        self._engine = engine
        self._store = store
        self._keep = keep
        self._gate = gate
        self._out = out
        self._home = home
        self._tongues = tongues
        selecting = Selecting(store, keep, out, self._found, self._decide)
        self._kinds: dict[str, Callable[[Pressed, ButtonRow], Awaitable[Told | None]]] = {
            "option": self._option,
            "page": self._page,
            "again": self._again,
            "correct": self._correct,
            "toggle": selecting.toggle,
            "done": selecting.done,
        }

    async def take(self, query: CallbackQuery) -> bool:
        """Take a press; true once it is stored or means nothing."""
        pressed = self._pressed(query)
        if pressed is None:
            language = self._spoken(query.from_user)
            self._out.acknowledge(query.id, "BUTTON_GONE", language, alert=True)
            return True
        told = await self._told(pressed, query.data or "")
        if told is None:
            return False
        self._out.acknowledge(
            pressed.id, told.code, pressed.language, told.alert, **(told.params or {})
        )
        return True

    def _pressed(self, query: CallbackQuery) -> Pressed | None:
        message = query.message
        if message is None:
            return None
        topic = None
        if isinstance(message, Message) and message.is_topic_message:
            topic = message.message_thread_id
        return Pressed(
            query.id,
            str(query.from_user.id),
            query.from_user.full_name,
            self._spoken(query.from_user),
            Place(self._home(message.chat.id), topic),
            message.message_id,
            f"{CHANNEL}:{self._bot}:press/{query.id}",
        )

    def _spoken(self, who: User) -> str:
        return self._tongues.of(str(who.id), known_language(who.language_code or ""))

    async def _told(self, pressed: Pressed, data: str) -> Told | None:
        chat = pressed.place.chat
        private = pressed.place.private
        gate = self._gate
        if not (
            gate.private(pressed.principal) if private else gate.group(pressed.principal, chat)
        ):
            return Told("ASKED_OF_ANOTHER", alert=True)
        row = await self._keep.button(data)
        if row is None:
            return await self._stop(pressed, data)
        if row.message is None:
            await self._place(row, pressed.message)
        elif row.message != pressed.message and row.kind not in OF_NOTICES:
            return Told("BUTTON_GONE", alert=True)
        return await self._kinds[row.kind](pressed, row)

    async def _place(self, row: ButtonRow, message: int) -> None:
        """A press or a reply proves where a message stands whose sending was never confirmed."""
        rows = [row]
        if "batch" in row.body:
            prompt = await self._store.prompt(row.subject)
            rows = await self._keep.buttons_of(row.subject)
            rows += [] if prompt is None else await self._keep.buttons_of(prompt.question)
        batch = row.body.get("batch")
        tokens = [one.token for one in rows if one.body.get("batch") == batch]
        await self._keep.place_buttons(tokens, message)

    def _gone(self, pressed: Pressed, code: str = "BUTTON_GONE") -> Told:
        self._out.keyboard(pressed.place, pressed.message, ())
        return Told(code, alert=True)

    async def _found(self, pressed: Pressed, row: ButtonRow) -> PromptRow | Told:
        """The open prompt of a button, where this person is asked; else what they are told."""
        prompt = await self._store.prompt(row.subject)
        if prompt is None:
            return self._gone(pressed, "INTERRUPT_EXPIRED")
        if prompt.principal != pressed.principal:
            return Told("ASKED_OF_ANOTHER", alert=True)
        if prompt.state == "withdrawn":
            return self._gone(pressed, "INTERRUPT_ALREADY_DECIDED")
        return prompt

    async def _option(self, pressed: Pressed, row: ButtonRow) -> Told | None:
        prompt = await self._found(pressed, row)
        if isinstance(prompt, Told):
            return prompt
        body = row.body
        if body["key"] == "reason":
            self._out.ask_why(row, pressed.place, pressed.language, pressed.message)
            return Told()
        return await self._decide(pressed, row.subject, body["key"], body["value"], body["label"])

    async def _decide(
        self, pressed: Pressed, token: str, option: str, value: Any, label: str
    ) -> Told | None:
        receipt = await self._engine.press(
            token,
            option,
            pressed.principal,
            dedup=pressed.dedup,
            channel=CHANNEL,
            value=value,
            language=pressed.language,
        )
        if _not_stored(receipt.code):
            return None
        if receipt.code:
            return Told(receipt.code, alert=True)
        return Told("TAKEN", params={"label": label})

    async def _page(self, pressed: Pressed, row: ButtonRow) -> Told | None:
        prompt = await self._found(pressed, row)
        if isinstance(prompt, Told):
            return prompt
        rows = await self._keep.buttons_of(row.subject)
        mine = [one for one in rows if one.body["batch"] == row.body["batch"]]
        buttons = keyboard(mine, row.body["page"], pressed.language)
        self._out.keyboard(pressed.place, pressed.message, buttons)
        return Told()

    async def _stop(self, pressed: Pressed, data: str) -> Told | None:
        """A Stop button holds its run's number; all else that isn't kept means nothing any more."""
        run = uuid_in(data)
        row = None if run is None else await self._store.run(run)
        if row is None:
            return self._gone(pressed)
        new = self._input(pressed, row.thread, kind=InputKind.STOP, run=row.id)
        return await self._accepted(pressed, new, "STOPPING")

    async def _again(self, pressed: Pressed, row: ButtonRow) -> Told | None:
        """Send once more what was given back."""
        if row.body["principal"] != pressed.principal:
            return Told("ASKED_OF_ANOTHER", alert=True)
        rows = await self._store.inputs(row.body["thread"])
        stored = next((one for one in rows if one.seq == row.body["seq"]), None)
        if stored is None:
            return self._gone(pressed)
        new = self._input(
            pressed,
            row.body["thread"],
            text=stored.new.text,
            attachments=stored.new.attachments,
            quote=stored.new.quote,
            dedup=f"{stored.new.dedup}:again",
        )
        self._out.keyboard(pressed.place, pressed.message, ())
        return await self._accepted(pressed, new, "SENT_AGAIN")

    async def _correct(self, pressed: Pressed, row: ButtonRow) -> Told | None:
        """Go on with the changed message."""
        if row.body["principal"] != pressed.principal:
            return Told("ASKED_OF_ANOTHER", alert=True)
        new = self._input(
            pressed,
            row.body["thread"],
            text=row.body["text"],
            override=Priority.NOW,
            run=row.body["run"],
            dedup=f"{CHANNEL}:{self._bot}:correct/{row.token}",
        )
        self._out.keyboard(pressed.place, pressed.message, ())
        return await self._accepted(pressed, new, "CORRECTION_TAKEN")

    def _input(self, pressed: Pressed, thread: str, **more: Any) -> NewInput:
        given: dict[str, Any] = {
            "dedup": pressed.dedup,
            "thread": thread,
            "channel": CHANNEL,
            "principal": pressed.principal,
            "text": "",
            "sender": pressed.name,
            "language": pressed.language,
            "how": "button",
        }
        return NewInput(**{**given, **more})

    async def _accepted(self, pressed: Pressed, new: NewInput, code: str) -> Told | None:
        receipt = await self._engine.accept(new)
        if _not_stored(receipt.code):
            return None
        if receipt.code:
            return Told(receipt.code, alert=True)
        return Told("ALREADY_TAKEN" if receipt.duplicate else code)

    # -- replies -------------------------------------------------------------------------------

    async def replied(self, item: Incoming, place: Place) -> Replied:
        """What a reply to one of our messages is for."""
        if item.reply_to is None:
            return Replied()
        rows = await self._keep.buttons_on(place.chat, item.reply_to)
        for row in rows or await self._proved(item, item.reply_to, place):
            if row.body.get("principal") != item.principal:
                continue
            if row.kind == "prompt":
                return Replied(question=row.subject)
            if row.kind == "why":
                return await self._reason(item, row)
        return Replied()

    async def _proved(self, item: Incoming, message: int, place: Place) -> list[ButtonRow]:
        """The buttons that a reply proves to stand there, as a press would."""
        row = await self._keep.button(item.reply_button) if item.reply_button else None
        if row is None or row.message is not None or row.chat != place.chat:
            return []
        await self._place(row, message)
        return await self._keep.buttons_on(place.chat, message)

    async def _reason(self, item: Incoming, row: ButtonRow) -> Replied:
        value = {"approved": False, "reason": item.text}
        receipt = await self._engine.press(
            row.subject,
            "value",
            item.principal,
            dedup=f"{CHANNEL}:{self._bot}:{item.chat}/{item.message}",
            channel=CHANNEL,
            value=value,  # type: ignore[arg-type]
            language=item.language,
        )
        return Replied(done=True, code=receipt.code)


def _not_stored(code: str) -> bool:
    return code.startswith(TRANSIENT) or code == "SHUTTING_DOWN"
