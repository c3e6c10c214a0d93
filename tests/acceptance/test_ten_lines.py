"""The README's ten lines, as they stand there: on Telegram by the real command, and on a call."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script, call
from tests.fakes.provider import FakeProvider, calls, fragments, says
from tests.fakes.telegram.server import FakeTelegram

README = Path(__file__).resolve().parents[2] / "README.md"
BARGEIN = str(Path(sys.executable).with_name("bargein"))


def ten_lines() -> str:
    section = README.read_text(encoding="utf-8").split("in ten lines\n")[1]
    found = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert found is not None
    return found[1]


def test_they_are_ten():
    assert len([line for line in ten_lines().splitlines() if line.strip()]) <= 10


async def one(directory: Path, environment: dict[str, str], *args: str) -> None:
    process = await asyncio.create_subprocess_exec(
        BARGEIN, *args, cwd=directory, env=environment, stdout=asyncio.subprocess.DEVNULL
    )
    assert await process.wait() == 0


@pytest.mark.process
@pytest.mark.slow
async def test_on_telegram(tmp_path: Path):
    (tmp_path / "my_agent.py").write_text(ten_lines(), encoding="utf-8")
    asks = calls(*fragments(0, "c1", "book_table", '{"guests": 4}'))
    async with FakeTelegram() as telegram, FakeProvider(asks, says("See you!")) as provider:
        eve = telegram.person(1001, "Eve").private(telegram.bot("42:AAA"))
        environment = {
            "PATH": os.environ["PATH"],
            "OPENAI_API_KEY": "a key",
            "OPENAI_BASE_URL": provider.base_url,
            "BARGEIN_TELEGRAM__TOKEN": "42:AAA",
            "BARGEIN_AGENT": "my_agent:agent",
            "BARGEIN_TELEGRAM__API_URL": telegram.url,
            "BARGEIN_HTTP__PORT": "0",
            "BARGEIN_VOICE__ENABLED": "false",
        }
        serve = await asyncio.create_subprocess_exec(
            BARGEIN, "serve", cwd=tmp_path, env=environment, stdout=asyncio.subprocess.PIPE
        )
        assert serve.stdout is not None
        assert b"ready" in await asyncio.wait_for(serve.stdout.readline(), 20)
        eve.say("hello")
        code = (await eve.shows("runs me", 20)).text.split("runs me: ")[1].split()[0]
        await one(tmp_path, environment, "pair", "approve", code)
        await eve.shows("You are let in", 20)
        eve.say("A table for four, please")
        await eve.shows("For which day?", 40)
        eve.say("15 march 2031")
        await eve.shows("See you!", 20)
        serve.terminate()
        assert await asyncio.wait_for(serve.wait(), 20) == 0
    last = provider.exchanges[1].messages()[-1]
    assert (last["role"], last["content"]) == ("tool", "Booked for 4 on 2031-03-15.")
    assert provider.exchanges[0].key == "a key"


@CALLING
async def test_on_a_call(tmp_path: Path):
    written: dict[str, Any] = {}
    exec(compile(ten_lines(), "my_agent.py", "exec"), written)  # as `import my_agent` does
    agent: Agent = written["agent"]
    model = Script([call("book_table", guests=4)], ["See you!"])
    async with CallDesk(tmp_path, agent.with_model(model)) as desk:
        page, ann = await desk.person("ann"), await desk.caller()
        await ann.say("a table for four please")
        await ann.hears("which day")
        await asyncio.sleep(2)
        await ann.say("fifteenth of march")
        await ann.hears("See you")
        await page.frame("run", within=20, state="ended")
        results = [
            e["body"] for e in (await page.export())["entries"] if e["kind"] == "tool_result"
        ]
        assert "-03-15" in results[0]["content"]
