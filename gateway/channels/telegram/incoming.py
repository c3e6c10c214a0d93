"""What a person sent, as our own value: read from an update, without any I/O."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from telegram import Message, MessageEntity, Update

from gateway.channels.telegram.markdown import units
from gateway.core.answers import ControlKind, control_word
from gateway.core.messages import Quote
from gateway.i18n import known_language

GENERAL = 1
"""The topic that a forum's messages without one are in."""
LONG_UNITS = 3_900
"""A text from this length on may be a piece of a longer one: clients split at 4,096."""


@dataclass(frozen=True, slots=True)
class FileRef:
    """A file on Telegram's server."""

    id: str
    name: str
    media_type: str
    size: int
    is_voice: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """One message of a person. `chat` is the number that Telegram gives it now.

    `addressed`: it names the bot, replies to it or is a command; `album` what belongs together;
    `reply_button` stands on the message that it replies to;
    `quote` the words that it replies to; `kept_at` when it was stored, where it is no input at
    once; `edited`: it stands in the place of an earlier one; `edits` are the updates that changed
    it while it was kept.
    """

    update: int
    chat: int
    topic: int | None
    message: int
    person: int
    name: str
    language: str
    text: str
    private: bool
    addressed: bool
    files: tuple[FileRef, ...] = ()
    reply_to: int | None = None
    reply_button: str = ""
    quote: Quote | None = None
    album: str | None = None
    readable: bool = True
    kept_at: datetime | None = None
    edited: bool = False
    edits: tuple[int, ...] = ()

    @property
    def principal(self) -> str:
        """The person, as the engine knows them."""
        return str(self.person)

    @property
    def is_note(self) -> bool:
        """Whether it was spoken."""
        return any(file.is_voice for file in self.files)

    @property
    def at_once(self) -> bool:
        """Whether it waits for nothing: a stop or a command."""
        return self.text.lstrip().startswith("/") or control_word(self.text) is ControlKind.STOP

    @property
    def is_piece(self) -> bool:
        """Whether others may belong to it."""
        return self.album is not None or units(self.text) >= LONG_UNITS


def incoming(update: Update, bot: int, username: str) -> Incoming | None:
    """The message in an update; None where no person said anything."""
    message = update.message or update.edited_message
    if message is None or message.from_user is None or message.from_user.is_bot:
        return None
    if message.sender_chat is not None:
        return None
    who = message.from_user
    text, named = _text(message, username)
    files = _files(message)
    if not text and not files and _is_service(message):
        return None
    replied = message.reply_to_message
    to_bot = replied is not None and replied.from_user is not None and replied.from_user.id == bot
    topic = message.message_thread_id if message.is_topic_message else None
    return Incoming(
        update=update.update_id,
        chat=message.chat.id,
        topic=None if topic == GENERAL else topic,
        message=message.message_id,
        person=who.id,
        name=who.full_name,
        language=known_language(who.language_code or ""),
        text=text,
        private=message.chat.type == "private",
        addressed=named or to_bot,
        files=files,
        reply_to=replied.message_id if replied is not None and to_bot else None,
        reply_button=_button(replied) if replied is not None and to_bot else "",
        quote=None if replied is None else _quoted(message, replied, bot),
        album=message.media_group_id,
        readable=bool(text or files),
        edited=update.edited_message is not None,
    )


def _button(message: Message) -> str:
    """A button that stands on a message."""
    rows = message.reply_markup.inline_keyboard if message.reply_markup is not None else ()
    found = (str(button.callback_data) for row in rows for button in row if button.callback_data)
    return next(found, "")


def joined(pieces: Sequence[Incoming]) -> Incoming:
    """Pieces of one thing as one: the words byte for byte, every file, named if one names."""
    first = pieces[0]
    return replace(
        first,
        text="".join(piece.text for piece in pieces),
        files=tuple(file for piece in pieces for file in piece.files),
        addressed=any(piece.addressed for piece in pieces),
        reply_to=next((p.reply_to for p in pieces if p.reply_to is not None), None),
        reply_button=next((p.reply_button for p in pieces if p.reply_button), ""),
        quote=next((p.quote for p in pieces if p.quote is not None), None),
        readable=any(piece.readable for piece in pieces),
    )


def _quoted(message: Message, replied: Message, bot: int) -> Quote | None:
    """The words that a message replies to: those that were picked, else all of them."""
    picked = message.quote.text if message.quote is not None else ""
    words = picked or replied.text or replied.caption or _described(replied)
    if not words.strip():
        return None
    author = replied.from_user
    if author is not None and author.id == bot:
        return Quote(words)
    title = replied.sender_chat.title if replied.sender_chat is not None else None
    return Quote(words, author.full_name if author is not None else title or "somebody")


def _is_service(message: Message) -> bool:
    """Joins, pins, titles: what the client writes, no person."""
    said = (message.location, message.contact, message.sticker, message.poll, message.dice)
    return not any(said)


def _text(message: Message, username: str) -> tuple[str, bool]:
    """The words, without the bot's name around them, and whether they were for it."""
    text = message.text or message.caption or _described(message)
    entities = message.entities or message.caption_entities or ()
    name = f"@{username}".lower()
    words = [_word(text, entity) for entity in entities]
    kinds = [(entity.type, word.lower()) for entity, word in zip(entities, words, strict=True)]
    mention = any(kind == MessageEntity.MENTION and word == name for kind, word in kinds)
    command = any(
        kind == MessageEntity.BOT_COMMAND and entity.offset == 0 and word.partition("@")[2] in own
        for (kind, word), entity in zip(kinds, entities, strict=True)
        for own in (("", username.lower()),)
    )
    return (_without(text, name) if mention else text), mention or command


def _word(text: str, entity: MessageEntity) -> str:
    data = text.encode("utf-16-le")
    return data[entity.offset * 2 : (entity.offset + entity.length) * 2].decode(
        "utf-16-le", "replace"
    )


def _without(text: str, name: str) -> str:
    """The text without the bot's name at its beginning or end."""
    stripped = text.strip()
    if stripped.lower().startswith(name):
        return stripped[len(name) :].lstrip(" ,:\n")
    if stripped.lower().endswith(name):
        return stripped[: -len(name)].rstrip(" ,\n")
    return text


def _described(message: Message) -> str:
    """What has no words, in words."""
    if message.venue is not None:
        place = message.venue.location
        venue = f"{message.venue.title}, {message.venue.address}"
        return f"[location: {place.latitude}, {place.longitude} ({venue})]"
    if message.location is not None:
        return f"[location: {message.location.latitude}, {message.location.longitude}]"
    if message.contact is not None:
        person = message.contact
        name = " ".join(filter(None, (person.first_name, person.last_name)))
        return f"[contact: {name}, {person.phone_number}]"
    if message.sticker is not None and message.sticker.emoji:
        return message.sticker.emoji
    return ""


def _files(message: Message) -> tuple[FileRef, ...]:
    if message.photo:
        best = message.photo[-1]
        return (FileRef(best.file_id, "photo.jpg", "image/jpeg", best.file_size or 0),)
    for name, file in (
        ("file", message.document),
        ("video.mp4", message.video),
        ("audio.mp3", message.audio),
        ("voice.ogg", message.voice),
        ("video.mp4", message.video_note),
    ):
        if file is not None:
            given = getattr(file, "file_name", None) or name
            media = getattr(file, "mime_type", None) or "application/octet-stream"
            is_voice = file is message.voice
            return (FileRef(file.file_id, given, media, file.file_size or 0, is_voice),)
    return ()
