"""The methods of the fake Bot API, with the checks that the real one makes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from tests.fakes.telegram.chats import Chat, Message
from tests.fakes.telegram.faults import NOT_MODIFIED, REPLY_GONE, Refusal, bad

if TYPE_CHECKING:
    from tests.fakes.telegram.server import Bot, FakeTelegram

Given = Mapping[str, Any]
LONGEST = 4096
KINDS = {"bold", "italic", "code", "pre", "text_link", "strikethrough", "blockquote"}
REACTIONS = set("✍👍👎🔥👀👌💔🤷🕊🤔🙏🎉😢👏🥱🤝🫡")


def units(text: str) -> int:
    """Its length as Telegram counts."""
    return len(text.encode("utf-16-le")) // 2


def _check_text(given: Given) -> tuple[str, list[dict[str, Any]]]:
    text = str(given.get("text", ""))
    if "parse_mode" in given:
        raise bad("the product never sends a parse_mode")
    if not text.strip():
        raise bad("message text is empty")
    if units(text) > LONGEST:
        raise bad("message is too long")
    entities = list(given.get("entities") or [])
    if len(entities) > 100:
        raise bad("too many entities")
    for entity in entities:
        inside = entity["offset"] >= 0 and entity["offset"] + entity["length"] <= units(text)
        if entity["type"] not in KINDS or not inside or entity["length"] <= 0:
            raise bad("can't parse entities: wrong entity")
    return text, entities


def _check_markup(given: Given) -> dict[str, Any] | None:
    markup = given.get("reply_markup")
    if not markup or "inline_keyboard" not in markup:
        return markup or None
    rows = markup["inline_keyboard"]
    if sum(map(len, rows)) > 100 or any(len(row) > 8 or not row for row in rows):
        raise bad("reply markup is too long")
    for button in (button for row in rows for button in row):
        if not 1 <= len(button.get("callback_data", "x").encode()) <= 64:
            raise bad("BUTTON_DATA_INVALID")
        if not button["text"].strip():
            raise bad("text buttons must have text")
    return markup if rows else None


def _chat(server: FakeTelegram, given: Given) -> Chat:
    chat = server.chats.get(int(given["chat_id"]))
    if chat is None:
        raise bad("chat not found")
    if chat.moved_to is not None:
        refusal = bad("group chat was upgraded to a supergroup chat")
        refusal.parameters = {"migrate_to_chat_id": chat.moved_to}
        raise refusal
    if chat.refuses:
        raise Refusal(403, chat.refuses)
    return chat


def _own(server: FakeTelegram, bot: Bot, given: Given, what: str) -> Message:
    chat = _chat(server, given)
    message = chat.messages.get(int(given["message_id"]))
    if message is None or message.deleted or message.sender["id"] != bot.id:
        raise bad(f"message to {what} not found")
    return message


async def get_me(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    return bot.user() | {"can_join_groups": True, "can_read_all_group_messages": False}


async def get_updates(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    if bot.webhook:
        raise Refusal(409, "Conflict: can't use getUpdates method while webhook is active")
    return await bot.take(given)


async def set_webhook(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    bot.webhook, bot.secret = str(given["url"]), str(given.get("secret_token", ""))
    bot.allowed = given.get("allowed_updates")
    if given.get("drop_pending_updates"):
        bot.dropped = True
    return True


async def delete_webhook(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    bot.webhook = ""
    if given.get("drop_pending_updates"):
        bot.dropped = True
    return True


async def send_message(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    chat = _chat(server, given)
    text, entities = _check_text(given)
    markup = _check_markup(given)
    reply = (given.get("reply_parameters") or {}).get("message_id")
    lenient = (given.get("reply_parameters") or {}).get("allow_sending_without_reply")
    target = chat.messages.get(int(reply)) if reply else None
    if reply and (target is None or target.deleted):
        if not lenient:
            raise bad(REPLY_GONE)
        reply = None
    topic = given.get("message_thread_id")
    server.count(bot, chat)
    message = chat.add(
        bot.user(),
        text,
        entities=entities,
        markup=markup,
        reply_to=int(reply) if reply else None,
        topic=int(topic) if topic else None,
    )
    return message.json()


async def send_draft(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    chat = _chat(server, given)
    if chat.kind != "private":
        raise bad("drafts are for private chats")
    text = str(given.get("text", ""))
    if not int(given["draft_id"]) or units(text) > LONGEST:
        raise bad("DRAFT_INVALID")
    topic = given.get("message_thread_id")
    server.count(bot, chat)
    chat.show_draft(int(topic) if topic else None, int(given["draft_id"]), text, given)
    return True


async def edit_message_text(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    message = _own(server, bot, given, "edit")
    text, entities = _check_text(given)
    markup = _check_markup(given)
    if (text, entities, markup) == (message.text, message.entities, message.markup):
        raise bad(NOT_MODIFIED)
    server.count(bot, message.chat)
    message.text, message.entities, message.markup = text, entities, markup
    message.edited_at = message.chat.now()
    message.chat.note("edited", message)
    return message.json()


async def edit_markup(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    message = _own(server, bot, given, "edit")
    markup = _check_markup(given)
    if markup == message.markup:
        raise bad(NOT_MODIFIED)
    server.count(bot, message.chat)
    message.markup = markup
    message.chat.note("edited", message)
    return message.json()


async def delete_message(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    message = _own(server, bot, given, "delete")
    message.deleted = True
    message.chat.note("deleted", message)
    return True


async def chat_action(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    _chat(server, given).note("typing", None)
    return True


async def answer_callback(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    press = server.presses.get(str(given["callback_query_id"]))
    if press is None:
        raise bad("query is too old and response timeout expired or query ID is invalid")
    if len(str(given.get("text", ""))) > 200:
        raise bad("MESSAGE_TOO_LONG")
    press.answer(str(given.get("text", "")), bool(given.get("show_alert")))
    return True


async def set_commands(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    for command in given["commands"]:
        name = command["command"]
        if not (1 <= len(name) <= 32 and name.isascii() and name == name.lower()):
            raise bad("BOT_COMMAND_INVALID")
    scope = (given.get("scope") or {}).get("type", "default")
    key = (scope, given.get("language_code", ""))
    bot.commands[key] = {c["command"]: c["description"] for c in given["commands"]}
    return True


async def set_reaction(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    chat = _chat(server, given)
    emoji = [r["emoji"] for r in given.get("reaction") or []]
    if any(e not in REACTIONS for e in emoji):
        raise bad("REACTION_INVALID")
    chat.reactions[int(given["message_id"])] = emoji[0] if emoji else ""
    chat.note("reaction", chat.messages.get(int(given["message_id"])), emoji[0] if emoji else "")
    return True


async def get_file(server: FakeTelegram, bot: Bot, given: Given) -> Any:
    file = str(given["file_id"])
    if file not in server.files:
        raise bad("wrong file_id or the file is temporarily unavailable")
    size = len(server.files[file])
    if size > 20 * 2**20:
        raise bad("file is too big")
    return {"file_id": file, "file_unique_id": file, "file_size": size, "file_path": f"f/{file}"}


Method = Callable[["FakeTelegram", "Bot", Given], Awaitable[Any]]
METHODS: Mapping[str, Method] = {
    "getMe": get_me,
    "getUpdates": get_updates,
    "setWebhook": set_webhook,
    "deleteWebhook": delete_webhook,
    "sendMessage": send_message,
    "sendMessageDraft": send_draft,
    "editMessageText": edit_message_text,
    "editMessageReplyMarkup": edit_markup,
    "deleteMessage": delete_message,
    "sendChatAction": chat_action,
    "answerCallbackQuery": answer_callback,
    "setMyCommands": set_commands,
    "setMessageReaction": set_reaction,
    "getFile": get_file,
}


async def wait_for(event: asyncio.Event, seconds: float) -> None:
    """Wait for news, at most so long."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
