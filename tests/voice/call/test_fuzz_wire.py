"""Pages that talk nonsense: whatever comes over a call's line, in whatever order, from however many
pages, the server says why it hangs up, the thread stays usable, and nothing is left running.

In real time, over real sockets, with the real call behind them. Each seed is a schedule of its own.
"""

from __future__ import annotations

import asyncio
import json
import random
import struct
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from gateway import Agent
from gateway.channels.local import local_user
from tests.acceptance.asking import asked, asker, results
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call
from tests.fakes.voice import FakeEngines, noise, silence
from voice.core.pcm import to_pcm16
from voice.transports.browser import LINES_A_PERSON, LONGEST_MESSAGE_BYTES

pytestmark = pytest.mark.timeout(120)
ME = local_user()
THREAD = f"local:{ME}"
STEPS = 50
FRAME = 320
PAGES = LINES_A_PERSON - 2
FLAT = {"loading", "ready", "state", "sound", "clear", "caller", "agent", "understood", "told"}
TOLD = FLAT | {"numbers", "bye"}
REASONS = {"elsewhere", "busy", "invalid", "flooding"}
"""Why a page may be sent away here: nobody was denied, nothing failed."""
GONE_SECONDS = 15.0
"""A call whose connection was lost is over by then."""
TASKS = ("call ", "expect ", "final ", "heard ", "inputs of", "partial ", "pause ", "speech ")
"""How the names of a call's tasks begin."""


class Page:
    """One page's line, and what it was told."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.told: list[dict[str, Any]] = []
        self._news = asyncio.Event()
        self.reading = asyncio.create_task(self._read(), name="a page reads")

    async def _read(self) -> None:
        async for message in self.socket:
            if message.type is aiohttp.WSMsgType.TEXT:
                self.told.append(json.loads(message.data))
                self._news.set()
            else:
                assert message.type is aiohttp.WSMsgType.BINARY
                assert len(message.data) > 12
                assert len(message.data) % 2 == 0

    @property
    def id(self) -> str:
        ready = [frame["call"] for frame in self.told if frame["type"] == "ready"]
        return str(ready[-1]) if ready else ""

    @property
    def reasons(self) -> list[str]:
        return [frame["reason"] for frame in self.told if frame["type"] == "bye"]

    async def is_told(self, kind: str) -> None:
        async with asyncio.timeout(GONE_SECONDS):
            while all(frame["type"] != kind for frame in self.told):
                self._news.clear()
                await self._news.wait()

    async def send(self, data: bytes | str) -> None:
        """Whether it still arrives or not."""
        if self.socket.closed:
            return
        try:
            if isinstance(data, bytes):
                await self.socket.send_bytes(data)
            else:
                await self.socket.send_str(data)
        except ConnectionError:
            pass

    async def over(self) -> None:
        await asyncio.wait_for(self.reading, GONE_SECONDS)

    async def leave(self) -> None:
        await self.socket.close()
        await self.over()


class Fuzz:
    """A schedule: what the pages do, step by step."""

    def __init__(self, desk: Desk, session: aiohttp.ClientSession, seed: int) -> None:
        self.desk, self.session = desk, session
        self.chance = random.Random(seed)
        self.asks = seed % 2 == 0
        self.pages: list[Page] = []
        self.all: list[Page] = []
        self.too_big: list[Page] = []
        self.number = 0

    async def dial(self, id_: str = "") -> Page:
        query = {"thread": THREAD, "language": self.chance.choice(["en", "ru", "xx", ""])}
        page = Page(
            await self.session.ws_connect(
                self.desk.app.address + "/call",
                params={**query, "call": id_},
                headers={"Origin": self.desk.app.address},
                max_msg_size=0,
            )
        )
        self.pages.append(page)
        self.all.append(page)
        return page

    async def run(self) -> None:
        await self.dial()
        for _ in range(STEPS):
            self.pages = [page for page in self.pages if not page.socket.closed]
            if not self.pages:
                await self.dial(self.chance.choice(self.all).id)
            page = self.chance.choice(self.pages)
            act = self.chance.choice(ACTS)
            await getattr(self, act)(page)
            if self.chance.random() < 0.3:
                await asyncio.sleep(self.chance.choice([0, 0.001, 0.02]))

    # -- what pages do

    async def nonsense(self, page: Page) -> None:
        for _ in range(self.chance.randint(1, 5)):
            await page.send(self._nonsense())

    async def bytes_(self, page: Page) -> None:
        length = self.chance.choice([0, 1, 3, 4, 5, 6, 7, 45, 643, 645, 6_405, 12_000])
        await page.send(self.chance.randbytes(length))

    async def sound(self, page: Page) -> None:
        """Noise in frames: in order, twice, backwards, with gaps, or of another count."""
        order = self.chance.choice(["order", "twice", "back", "gaps", "wild"])
        for step in range(self.chance.randint(1, 20)):
            self.number += {"back": -FRAME, "gaps": 7 * FRAME}.get(order, FRAME)
            first = self.number % 2**32
            if order == "wild":
                first = self.chance.choice([0, 2**32 - 1, 2**31, self.chance.getrandbits(32)])
            made = noise(20) if step % 3 else silence(20)
            for _ in range(2 if order == "twice" else 1):
                await page.send(struct.pack("<I", first) + to_pcm16(made))

    async def well_formed(self, page: Page) -> None:
        """What a page may say, with counts of any size."""
        count = self.chance.choice([0, 1, 2, 320, 2**31, 2**32 - 1])
        kinds: list[dict[str, Any]] = [
            {"type": "played", "generation": count, "flight": 0, "position": count},
            {"type": "cleared", "generation": 1, "position": count},
            {"type": "talk", "on": self.chance.random() < 0.5},
            {"type": "mute", "on": self.chance.random() < 0.5},
            {"type": "key", "key": self.chance.choice("*#0789" if self.asks else "0123456789*#")},
            *([] if self.asks else [{"type": "stop"}]),
        ]
        for _ in range(self.chance.randint(1, 8)):
            await page.send(json.dumps(self.chance.choice(kinds)))

    async def huge(self, page: Page) -> None:
        self.too_big.append(page)
        size = LONGEST_MESSAGE_BYTES + self.chance.choice([1, 100_000])
        await page.send(b"\0" * size if self.chance.random() < 0.5 else "[" * size)

    async def flood(self, page: Page) -> None:
        for _ in range(self.chance.choice([30, 300])):
            await page.send('{"type": "mute", "on": false}')

    async def hang_up(self, page: Page) -> None:
        await page.send('{"type": "bye"}')

    async def vanish(self, page: Page) -> None:
        """A connection that breaks: no word, no handshake."""
        transport = page.socket._response.connection
        if transport is not None and transport.transport is not None:
            transport.transport.abort()

    async def another(self, page: Page) -> None:
        if len(self.pages) < PAGES:
            await self.dial(self.chance.choice(["", page.id, "no such call", "x" * 3_000]))

    async def storm(self, page: Page) -> None:
        """Many at once come back to the same call."""
        await asyncio.gather(*(self.dial(page.id) for _ in range(PAGES - len(self.pages))))

    def _nonsense(self) -> str:
        chance = self.chance
        leaf: Any = chance.choice(
            [None, True, -1, 1e400, 10**30, "", "é\ud800", "[" * 50, {}, [], {"on": {"on": []}}]
        )
        kind = chance.choice(["played", "cleared", "key", "talk", "mute", "ready", "", leaf])
        made: dict[str, Any] = {"type": kind}
        for name in chance.sample(["generation", "flight", "position", "key", "on", "reason"], 2):
            made[name] = chance.choice([leaf, 1, "1", [1]])
        text = json.dumps(made, ensure_ascii=True)
        return chance.choice(
            [
                text[: chance.randrange(len(text))],
                text + text,
                "[" * chance.choice([1, 3_000]),
                json.dumps([made]),
                text.replace(":", "\u0000"),
                "x" * chance.choice([1, 5_000]),
                '{"type": "key", "key": "12"}',
            ]
        )


ACTS = (
    *("nonsense", "bytes_", "sound", "sound", "well_formed", "well_formed"),
    *("huge", "flood", "hang_up", "vanish", "another", "storm"),
)


def running() -> list[str]:
    names = [task.get_name() for task in asyncio.all_tasks()]
    return [name for name in names if name.startswith(TASKS)]


async def at_rest() -> list[str]:
    """The tasks of lines and calls that are left, once what was said last was handed in."""
    for _ in range(round(GONE_SECONDS / 0.05)):
        if not running():
            break
        await asyncio.sleep(0.05)
    return running()


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(n, marks=pytest.mark.soak) for n in range(4, 200))]
)
async def test_whatever_pages_say(tmp_path: Path, seed: int) -> None:
    steps = [[call("ask")]] if seed % 2 == 0 else []
    agent = Agent("a", Script(*steps, ["Fine."]), "", [asker("Well?", bool)])
    async with (
        Desk(tmp_path, agent, engines=FakeEngines()) as desk,
        aiohttp.ClientSession() as session,
    ):
        typed = await desk.person(ME, THREAD)
        question = await asked(typed) if seed % 2 == 0 else None
        fuzz = Fuzz(desk, session, seed)
        await fuzz.run()
        for page in fuzz.all:
            await page.leave()
            assert {frame["type"] for frame in page.told} <= TOLD
            assert set(page.reasons) <= REASONS
            told_why = page.reasons or page in fuzz.too_big
            assert told_why or page.socket.close_code in (1000, 1006)
        assert desk.failures() == []
        if question is not None:
            assert not typed.find("decided")
        last = await fuzz.dial()
        await last.is_told("ready")
        await last.send('{"type": "bye"}')
        await last.over()
        left = await at_rest()
        if question is not None:
            await typed.press(question, "yes")
        else:
            await typed.say("still there?")
        await typed.ended(within=20)
        assert await results(typed) == (["ask=True"] if question is not None else [])
        assert left == []
        assert desk.app.calls is not None
        assert desk.app.calls.count() == 0
