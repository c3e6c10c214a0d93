"""The fake Bot API server in a process of its own, for figures. Prints its port, then JSON lines.

`python -m tests.bench.telegram_server UPDATES CHATS`: so many messages wait; it tells when all were
confirmed and when the last reply came, in seconds from the first poll.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any, cast

from tests.fakes.telegram.server import Bot, FakeTelegram

TOKEN = "42:AAA"


class Timed(FakeTelegram):
    """Notes when what happened."""

    first = confirmed = last_sent = 0.0
    replies = 0

    def watch(self, bot: Bot, updates: int) -> asyncio.Event:
        done = asyncio.Event()
        take, last = bot.take, 1000 + updates

        async def timed(given: Any) -> Any:
            self.first = self.first or time.perf_counter()
            if int(given.get("offset", 0)) >= last and not self.confirmed:
                self.confirmed = time.perf_counter()
                done.set()
            return await take(given)

        bot.take = timed  # type: ignore[method-assign]
        return done


async def main(updates: int, chats: int) -> None:
    async with Timed() as opened:
        server = cast(Timed, opened)
        bot = server.bot(TOKEN)
        people = [server.person(5000 + n, f"P{n}").private(bot) for n in range(chats)]
        for n in range(updates):
            people[n % chats].say(f"hello {n}")
        done = server.watch(bot, updates)
        print(server.url, flush=True)
        await done.wait()
        asked = server.confirmed - server.first
        seen = -1
        while seen != (now := sum(len(person.texts()) for person in people)):
            seen = now
            await asyncio.sleep(2)
        print(json.dumps({"confirmed": asked, "replies": seen}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
