"""The real product with a bot on the fake Bot API server, and you as a person in its chat.

`make demo-telegram`, or `python -m tests.fakes.telegram.demo [--ru]`. What you type is sent;
`!2` presses the second button of the last message that has buttons; `@N text` replies to message
N, `~N text` changes your message N; Ctrl+D ends it. Nothing leaves this machine.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from io import StringIO
from pathlib import Path
from typing import Any

from gateway.app import App
from gateway.settings import Settings, TelegramSettings
from tests.fakes.telegram.people import Window
from tests.fakes.telegram.server import FakeTelegram

YOU = 1001
TOKEN = "42:DEMO"
CHANGES = re.compile(r"([@~])(\d+)\s+(.+)", re.DOTALL)


class Screen:
    """Prints what happens in the chat, as it happens."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self._seen = 0

    async def watch(self) -> None:
        """Print until cancelled."""
        chat = self.window.chat
        while True:
            chat.news.clear()
            for moment in chat.log[self._seen :]:
                self._print(moment)
            self._seen = len(chat.log)
            await chat.news.wait()

    def _print(self, moment: Any) -> None:
        message = self.window.chat.messages.get(moment.message)
        if moment.what == "draft":
            print(f"  draft  {moment.text}", flush=True)
        elif moment.what == "typing":
            print("      · types", flush=True)
        elif moment.what == "reaction":
            print(f"      · {moment.text or 'no reaction'} on {moment.message}", flush=True)
        elif message is not None and message.by_bot:
            sign = {"sent": "+", "edited": "~", "deleted": "-"}[moment.what]
            text = moment.text.replace("\n", "\n        ")
            print(f"{sign} {moment.message:>4}  {text}", flush=True)
            for number, button in enumerate(message.buttons, 1):
                print(f"        !{number} [{button['text']}]", flush=True)


async def do(window: Window, line: str) -> None:
    """Do what a typed line says."""
    shown = [message for message in window.visible() if message.buttons]
    if re.fullmatch(r"!\d+", line) and shown:
        buttons = shown[-1].buttons
        at = int(line[1:]) - 1
        if at < len(buttons):
            press = window.press_data(shown[-1], buttons[at]["callback_data"])
            print(f"      · {await press.notice(within=15) or 'pressed'}", flush=True)
        return
    changes = CHANGES.fullmatch(line)
    message = window.chat.messages.get(int(changes[2])) if changes else None
    if changes is None or message is None:
        window.say(line)
    elif changes[1] == "@":
        window.say(changes[3], reply_to=message)
    else:
        window.edit(message, changes[3])


async def main(language: str) -> None:
    """Serve, and be the person at the keyboard."""
    with tempfile.TemporaryDirectory() as directory:
        async with FakeTelegram() as telegram:
            bot = telegram.bot(TOKEN)
            section: dict[str, Any] = {"token": TOKEN, "api_url": telegram.url, "allow": [str(YOU)]}
            settings = Settings(
                database=Path(directory) / "demo.db",
                http={"port": 0},  # type: ignore[arg-type]
                telegram=TelegramSettings(**section),
            )
            log = StringIO()
            app = App(settings, log=log)
            await app.start()
            window = telegram.person(YOU, "You", language).private(bot)
            print(__doc__, flush=True)
            watching = asyncio.create_task(Screen(window).watch())
            pace = 0.3 if sys.stdin.isatty() else 3.0
            reader = asyncio.StreamReader()
            loop = asyncio.get_running_loop()
            await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
            while line := (await reader.readline()).decode().rstrip("\n"):
                await do(window, line)
                await asyncio.sleep(pace)
            await asyncio.sleep(3.0)
            watching.cancel()
            await app.stop()
            errors = [entry for entry in log.getvalue().splitlines() if '"level": "error"' in entry]
            print("\n".join(errors), file=sys.stderr)


if __name__ == "__main__":
    asyncio.run(main("ru" if "--ru" in sys.argv else "en"))
