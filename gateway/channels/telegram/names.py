"""How Telegram's numbers are named: threads, persons, inputs, and tokens of buttons."""

from __future__ import annotations

import base64
import uuid
from dataclasses import dataclass

CHANNEL = "telegram"


@dataclass(frozen=True, slots=True)
class Place:
    """A chat by the number that its threads are named by, and a topic in it."""

    chat: int
    topic: int | None = None

    @property
    def private(self) -> bool:
        """Whether it is one person's own chat; groups have negative numbers."""
        return self.chat > 0

    @property
    def thread(self) -> str:
        """The thread's name."""
        topic = "" if self.topic is None else f":{self.topic}"
        return f"{CHANNEL}:{self.chat}{topic}"


def place_of(thread: str) -> Place | None:
    """The place of a thread; None where it is none of Telegram's."""
    name, _, rest = thread.partition(":")
    chat, _, topic = rest.partition(":")
    if name != CHANNEL or not _is_number(chat) or (topic and not topic.isdecimal()):
        return None
    return Place(int(chat), int(topic) if topic else None)


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and text.isascii()


def dedup_of(bot: int, chat: int, message: int) -> str:
    """The name of a message as an input; an edit finds it by this."""
    return f"{CHANNEL}:{bot}:{chat}/{message}"


def message_in(dedup: str) -> int | None:
    """The message that an input was."""
    message = dedup.rpartition("/")[2]
    return int(message) if dedup.startswith(f"{CHANNEL}:") and message.isdecimal() else None


def token_of(uuid_: str) -> str:
    """A uuid's 128 bits in 20 letters, for a button."""
    return base64.b85encode(uuid.UUID(uuid_).bytes).decode()


def uuid_in(token: str) -> str | None:
    """The uuid in a button's token."""
    try:
        return str(uuid.UUID(bytes=base64.b85decode(token)))
    except ValueError:
        return None
