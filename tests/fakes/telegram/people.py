"""People with a Telegram client: what they do in a chat, and what they see there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.fakes.telegram.chats import Chat, Message

if TYPE_CHECKING:
    from tests.fakes.telegram.server import Bot, FakeTelegram


@dataclass(slots=True)
class Press:
    """A press of a button: how it was acknowledged, and when."""

    at: float
    now: Callable[[], float]
    answers: list[tuple[float, str, bool]] = field(default_factory=list)
    done: asyncio.Event = field(default_factory=asyncio.Event)

    def answer(self, text: str, alert: bool) -> None:
        self.answers.append((self.now(), text, alert))
        self.done.set()

    async def notice(self, within: float = 1.0) -> str:
        """What the presser was told; "" for no more than an acknowledgement."""
        async with asyncio.timeout(within):
            await self.done.wait()
        return self.answers[0][1]

    @property
    def alert(self) -> bool:
        return self.answers[0][2]


class Human:
    """A person: a number, a name, a language."""

    def __init__(self, server: FakeTelegram, number: int, name: str, language: str) -> None:
        self.server = server
        self.number = number
        self.name = name
        self.language = language

    def user(self) -> dict[str, Any]:
        return {
            "id": self.number,
            "is_bot": False,
            "first_name": self.name,
            "language_code": self.language,
        }

    def private(self, bot: Bot) -> Window:
        """Their chat with a bot."""
        return Window(self, bot, self.server.chat(self.number, "private", self.name))

    def group(self, bot: Bot, number: int = -100, title: str = "Ops") -> Window:
        """A group that both are in."""
        return Window(self, bot, self.server.chat(number, "supergroup", title))


class Window:
    """One person in one chat (and topic)."""

    def __init__(self, who: Human, bot: Bot, chat: Chat, topic: int | None = None) -> None:
        self.who = who
        self.bot = bot
        self.chat = chat
        self.topic = topic

    def in_topic(self, topic: int) -> Window:
        self.chat.forum = True
        return Window(self.who, self.bot, self.chat, topic)

    # -- doing

    def say(self, text: str, *, reply_to: Message | None = None, **more: Any) -> Message:
        """Send a message; the bot gets its update."""
        message = self.chat.add(
            self.who.user(),
            text,
            reply_to=None if reply_to is None else reply_to.id,
            topic=self.topic,
            more=more,
        )
        if message.text and "entities" not in more:
            message.entities = _entities(text, self.bot.username)
        self.bot.put(message=message.json())
        return message

    def mention(self, text: str, **more: Any) -> Message:
        """Send a message that names the bot."""
        return self.say(f"@{self.bot.username} {text}", **more)

    def paste(self, *pieces: str) -> list[Message]:
        """A long paste, as clients split it."""
        return [self.say(piece) for piece in pieces]

    def photo(self, data: bytes, caption: str = "", album: str | None = None) -> Message:
        file = self._file(data)
        sizes = [
            {"file_id": "small", "file_unique_id": "s", "width": 9, "height": 9},
            {"file_id": file, "file_unique_id": file, "width": 90, "height": 90},
        ]
        more: dict[str, Any] = {"photo": sizes}
        if album is not None:
            more["media_group_id"] = album
        return self.say(caption, **more)

    def document(self, data: bytes, name: str, media_type: str, caption: str = "") -> Message:
        file = self._file(data)
        document = {
            "file_id": file,
            "file_unique_id": file,
            "file_name": name,
            "mime_type": media_type,
            "file_size": len(data),
        }
        return self.say(caption, document=document)

    def voice(self, data: bytes, **more: Any) -> Message:
        """Send a voice note."""
        file = self._file(data)
        voice = {
            "file_id": file,
            "file_unique_id": file,
            "duration": 2,
            "mime_type": "audio/ogg",
            "file_size": len(data),
        }
        return self.say("", voice=voice, **more)

    def _file(self, data: bytes) -> str:
        name = f"file{len(self.who.server.files)}"
        self.who.server.files[name] = data
        return name

    def edit(self, message: Message, text: str) -> Message:
        """Change a message of one's own."""
        message.text = text
        message.edited_at = self.chat.now()
        message.entities = _entities(text, self.bot.username)
        self.bot.put(edited_message=message.json())
        return message

    def delete(self, message: Message) -> None:
        """Delete a message; bots are not told."""
        message.deleted = True

    def press(self, message: Message, label: str) -> Press:
        """Press a button of a message, as it stands now."""
        data = next(b["callback_data"] for b in message.buttons if label in b["text"])
        return self.press_data(message, data)

    def press_data(self, message: Message, data: str) -> Press:
        press = Press(self.chat.now(), self.chat.now)
        query = {
            "id": self.who.server.new_press(press),
            "from": self.who.user(),
            "chat_instance": "1",
            "message": message.json(),
            "data": data,
        }
        self.bot.put(callback_query=query)
        return press

    def block(self) -> None:
        """Block the bot."""
        self.chat.refuses = "Forbidden: bot was blocked by the user"
        self._member("member", "kicked")

    def unblock(self) -> None:
        self.chat.refuses = ""
        self._member("kicked", "member")

    def _member(self, old: str, new: str) -> None:
        member = {"user": self.bot.user()}
        more = {"until_date": 0}
        self.bot.put(
            my_chat_member={
                "chat": self.chat.json(),
                "from": self.who.user(),
                "date": 1_772_442_000,
                "old_chat_member": {"status": old, **member, **(more if old == "kicked" else {})},
                "new_chat_member": {"status": new, **member, **(more if new == "kicked" else {})},
            }
        )

    def migrate(self, new: int) -> Window:
        """The group becomes a supergroup with another number."""
        moved = self.who.server.chat(new, "supergroup", self.chat.title)
        self.chat.moved_to = new
        message = self.chat.add(self.who.user(), "", more={"migrate_to_chat_id": new})
        self.bot.put(message=message.json())
        return Window(self.who, self.bot, moved, self.topic)

    def stop_generation(self, draft: int | None = None) -> int:
        """The client's own Stop under the draft that is seen (or was: its number)."""
        if draft is None:
            seen = self.chat.draft(self.topic)
            assert seen is not None
            assert seen.can_stop
            draft = seen.id
        self.chat.drafts.pop(self.topic, None)
        self.bot.put(stopped_message_generation={"chat": self.chat.json(), "draft_id": draft})
        return draft

    # -- seeing

    def texts(self) -> list[str]:
        return self.chat.texts(self.topic)

    def draft(self) -> str:
        """What the draft shows; "" without one."""
        seen = self.chat.draft(self.topic)
        return "" if seen is None else seen.text

    async def drafts(self, text: str, within: float = 30.0) -> str:
        """Wait until the draft shows this text; all that it shows."""
        async with asyncio.timeout(within):
            while text not in self.draft():
                self.chat.news.clear()
                await self.chat.news.wait()
        return self.draft()

    def screen(self) -> str:
        return self.chat.screen(self.topic)

    def visible(self) -> list[Message]:
        return self.chat.visible(self.topic)

    async def shows(self, fits: Callable[[Message], bool] | str, within: float = 30.0) -> Message:
        return await self.chat.shows(fits, within, self.topic)

    async def asks(self, text: str, within: float = 30.0) -> Message:
        """Wait for a message with this text and with buttons."""
        return await self.shows(lambda m: text in m.text and bool(m.buttons), within)

    async def gone(self, text: str, within: float = 30.0) -> None:
        """Wait until no visible message holds this text."""
        async with asyncio.timeout(within):
            while text in self.screen():
                self.chat.news.clear()
                await self.chat.news.wait()


def _entities(text: str, username: str) -> list[dict[str, Any]]:
    """What the client marks in a text: a command at its beginning, a mention of the bot."""
    found = []
    if text.startswith("/"):
        found.append({"type": "bot_command", "offset": 0, "length": len(text.split()[0])})
    at = text.find(f"@{username}")
    if at >= 0 and not text.startswith("/"):
        offset = len(text[:at].encode("utf-16-le")) // 2
        found.append({"type": "mention", "offset": offset, "length": len(username) + 1})
    return found
