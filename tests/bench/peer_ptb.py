"""A peer: an echo bot of python-telegram-bot alone, its Application as it comes."""

import logging
import sys

from telegram import Update
from telegram.ext import ApplicationBuilder, MessageHandler, filters


async def echo(update: Update, context) -> None:
    await update.message.reply_text(update.message.text)


logging.disable(logging.CRITICAL)
base = sys.argv[1]
app = ApplicationBuilder().token("42:AAA").base_url(f"{base}/bot").concurrent_updates(True).build()
app.add_handler(MessageHandler(filters.TEXT, echo))
app.run_polling(allowed_updates=["message"])
