"""One call each: send, edit, delete, react, typing. What fails raises `Failed`."""

from __future__ import annotations

from dataclasses import dataclass

from telegram import (
    Bot,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    MessageEntity,
    ReactionTypeEmoji,
    ReplyParameters,
)
from telegram.constants import ChatAction

from gateway.channels.telegram.api import Failed, Fate
from gateway.channels.telegram.markdown import Rendered, Span

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
LABEL_LENGTH = 128
NO_SUCH_METHOD = 404


@dataclass(frozen=True, slots=True)
class Button:
    """A button: what it says, the token behind it, and its colour ("danger", "success")."""

    label: str
    token: str
    style: str | None = None


Keyboard = tuple[tuple[Button, ...], ...]
"""Rows of buttons; () is none."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A message as it should stand: text, formats, buttons."""

    rendered: Rendered
    keyboard: Keyboard = ()


@dataclass(frozen=True, slots=True)
class Target:
    """Where something is sent: chat, topic, and the message that it replies to."""

    chat: int
    topic: int | None = None
    reply_to: int | None = None


class Sender:
    """The calls of one bot."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    async def send(self, target: Target, frame: Frame, *, ask_back: str | None = None) -> int:
        """Send a message; its number. `ask_back` opens the reply field, with this placeholder."""
        markup: InlineKeyboardMarkup | ForceReply | None = _markup(frame.keyboard)
        if markup is None and ask_back is not None:
            markup = ForceReply(selective=True, input_field_placeholder=ask_back[:64] or None)
        reply = None if target.reply_to is None else ReplyParameters(target.reply_to)
        sent = await self.bot.send_message(
            target.chat,
            frame.rendered.text,
            entities=_entities(frame.rendered.spans),
            reply_markup=markup,
            reply_parameters=reply,
            message_thread_id=target.topic,
            link_preview_options=NO_PREVIEW,
        )
        return sent.message_id

    async def edit(self, chat: int, message: int, frame: Frame) -> None:
        """Let a message stand as this."""
        await self.bot.edit_message_text(
            frame.rendered.text,
            chat,
            message,
            entities=_entities(frame.rendered.spans),
            reply_markup=_markup(frame.keyboard),
            link_preview_options=NO_PREVIEW,
        )

    async def draft(self, chat: int, topic: int | None, id_: int, text: str) -> None:
        """Show a preview that grows; the client can stop it, and keeps it until we say more."""
        stop = {"can_stop": True, "keep_on_stop": True}
        try:
            await self.bot.send_message_draft(
                chat, id_, text, message_thread_id=topic, api_kwargs=stop
            )
        except Failed as failed:
            if failed.code == NO_SUCH_METHOD:
                raise Failed(Fate.REFUSED, failed.code, failed.description) from None
            raise

    async def edit_keyboard(self, chat: int, message: int, keyboard: Keyboard) -> None:
        """Change a message's buttons only."""
        await self.bot.edit_message_reply_markup(chat, message, reply_markup=_markup(keyboard))

    async def delete(self, chat: int, message: int) -> None:
        """Take a message away."""
        await self.bot.delete_message(chat, message)

    async def react(self, chat: int, message: int, emoji: str) -> None:
        """Put a reaction under a message; "" takes it away."""
        reaction = ReactionTypeEmoji(emoji) if emoji else None
        await self.bot.set_message_reaction(chat, message, reaction)

    async def typing(self, chat: int, topic: int | None) -> None:
        """Say that somebody types, for about five seconds."""
        await self.bot.send_chat_action(chat, ChatAction.TYPING, message_thread_id=topic)


def _entities(spans: tuple[Span, ...]) -> list[MessageEntity] | None:
    return [
        MessageEntity(
            span.kind,
            span.offset,
            span.length,
            url=span.url or None,
            language=span.language or None,
        )
        for span in spans
    ] or None


def _markup(keyboard: Keyboard) -> InlineKeyboardMarkup | None:
    if not keyboard:
        return None
    rows = [
        [
            InlineKeyboardButton(
                shortened(button.label), callback_data=button.token, style=button.style
            )
            for button in row
        ]
        for row in keyboard
    ]
    return InlineKeyboardMarkup(rows)


def shortened(label: str) -> str:
    """A label that fits a button."""
    flat = " ".join(label.split()) or "—"
    return flat if len(flat) <= LABEL_LENGTH else f"{flat[: LABEL_LENGTH - 1]}…"
