"""What stands in a chat: its messages, who is in it, and what a person saw of it at each moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Markup = dict[str, Any]


@dataclass(slots=True)
class Message:
    """One message as it stands now."""

    id: int
    chat: Chat
    sender: dict[str, Any]
    text: str
    entities: list[dict[str, Any]] = field(default_factory=list)
    markup: Markup | None = None
    reply_to: int | None = None
    topic: int | None = None
    more: dict[str, Any] = field(default_factory=dict)
    edited_at: float | None = None
    deleted: bool = False

    @property
    def by_bot(self) -> bool:
        return bool(self.sender["is_bot"])

    @property
    def buttons(self) -> list[dict[str, Any]]:
        """Its inline buttons, row by row."""
        rows = (self.markup or {}).get("inline_keyboard", [])
        return [button for row in rows for button in row]

    @property
    def labels(self) -> list[str]:
        return [button["text"] for button in self.buttons]

    def json(self, *, nested: bool = True) -> dict[str, Any]:
        """The message as the Bot API gives it."""
        given = {
            "message_id": self.id,
            "date": 1_772_442_000 + int(self.chat.now()),
            "chat": self.chat.json(),
            "from": self.sender,
            **self.more,
        }
        if self.text:
            key = "caption" if any(k in self.more for k in ("photo", "document")) else "text"
            given[key] = self.text
            if self.entities:
                given["entities" if key == "text" else "caption_entities"] = self.entities
        if self.edited_at is not None:
            given["edit_date"] = 1_772_442_000 + int(self.edited_at)
        if self.topic is not None:
            given |= {"message_thread_id": self.topic, "is_topic_message": True}
        if self.markup is not None and "inline_keyboard" in self.markup:
            given["reply_markup"] = self.markup
        if nested and self.reply_to is not None:
            target = self.chat.messages.get(self.reply_to)
            if target is not None:
                given["reply_to_message"] = target.json(nested=False)
        return given


@dataclass(frozen=True, slots=True)
class Seen:
    """One moment of a chat's log: `what` is sent, edited, deleted, typing, reaction or draft."""

    at: float
    what: str
    message: int
    text: str = ""


@dataclass(slots=True)
class Draft:
    """The preview of a message that grows: no message, gone after half a minute."""

    id: int
    text: str
    at: float
    can_stop: bool


DRAFT_SECONDS = 30.0


class Chat:
    """One chat of the fake server."""

    def __init__(self, chat_id: int, kind: str, title: str, now: Callable[[], float]) -> None:
        self.id = chat_id
        self.kind = kind
        self.title = title
        self.now = now
        self.forum = False
        self.messages: dict[int, Message] = {}
        self.log: list[Seen] = []
        self.reactions: dict[int, str] = {}
        self.refuses: str = ""
        self.moved_to: int | None = None
        self.next_id = 1
        self.drafts: dict[int | None, Draft] = {}
        self.news = asyncio.Event()

    def json(self) -> dict[str, Any]:
        if self.kind == "private":
            return {"id": self.id, "type": "private", "first_name": self.title}
        forum = {"is_forum": True} if self.forum else {}
        return {"id": self.id, "type": self.kind, "title": self.title, **forum}

    def add(self, sender: dict[str, Any], text: str, **more: Any) -> Message:
        """Put a message into the chat."""
        message = Message(self.next_id, self, sender, text, **more)
        self.next_id += 1
        self.drafts.pop(message.topic, None)  # any message takes the draft's place
        self.messages[message.id] = message
        self.note("sent", message)
        return message

    def note(self, what: str, message: Message | None, text: str | None = None) -> None:
        """Log what a person in the chat sees happen."""
        shown = text if text is not None else ("" if message is None else message.text)
        number = 0 if message is None else message.id
        self.log.append(Seen(self.now(), what, number, shown))
        self.news.set()

    def show_draft(
        self, topic: int | None, draft: int, text: str, given: Mapping[str, Any]
    ) -> None:
        """Let a draft be seen."""
        self.drafts[topic] = Draft(draft, text, self.now(), bool(given.get("can_stop")))
        self.note("draft", None, text)

    def draft(self, topic: int | None = None) -> Draft | None:
        """The draft that is seen now."""
        draft = self.drafts.get(topic)
        return None if draft is None or draft.at + DRAFT_SECONDS < self.now() else draft

    # -- what a person sees

    def visible(self, topic: int | None = None) -> list[Message]:
        """The bot's messages that stand in the chat now."""
        return [
            message
            for message in self.messages.values()
            if message.by_bot and not message.deleted and message.topic == topic
        ]

    def texts(self, topic: int | None = None) -> list[str]:
        return [message.text for message in self.visible(topic)]

    def screen(self, topic: int | None = None) -> str:
        return "\n".join(self.texts(topic))

    def sent_between(self, start: float, end: float) -> int:
        """How many of the bot's sends and edits fall into a span of time."""
        mine = ("sent", "edited")
        bots = {m.id for m in self.messages.values() if m.by_bot}
        hits = [s for s in self.log if s.what in mine and s.message in bots]
        return sum(start <= s.at < end for s in hits)

    async def shows(
        self, fits: Callable[[Message], bool] | str, within: float = 30.0, topic: int | None = None
    ) -> Message:
        """Wait until a visible message of the bot holds this text (or fits); the last one."""
        wanted = fits

        def check(message: Message) -> bool:
            return wanted in message.text if isinstance(wanted, str) else wanted(message)

        try:
            async with asyncio.timeout(within):
                while True:
                    found = [message for message in self.visible(topic) if check(message)]
                    if found:
                        return found[-1]
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            raise AssertionError(f"{wanted!r} not in {self.texts(topic)}") from None
