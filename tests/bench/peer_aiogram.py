"""A peer: an echo bot of aiogram 3, in a venv of its own."""

import asyncio
import logging
import sys

from aiogram import Bot, Dispatcher
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.types import Message


async def main(base: str) -> None:
    session = AiohttpSession(api=TelegramAPIServer.from_base(base))
    dispatcher = Dispatcher()

    @dispatcher.message()
    async def echo(message: Message) -> None:
        await message.answer(message.text)

    await dispatcher.start_polling(Bot("42:AAA", session=session), handle_signals=False)


logging.disable(logging.CRITICAL)
asyncio.run(main(sys.argv[1]))
