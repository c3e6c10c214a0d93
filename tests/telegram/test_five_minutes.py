"""docs/telegram.md's five minutes, as typed: the real command against the fake Bot API server."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.fakes.telegram.server import FakeTelegram

pytestmark = [pytest.mark.process, pytest.mark.slow]
BARGEIN = str(Path(sys.executable).with_name("bargein"))


async def run(directory: Path, environment: dict[str, str], *args: str) -> str:
    process = await asyncio.create_subprocess_exec(
        BARGEIN, *args, cwd=directory, env=environment, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    return out.decode()


async def test_from_the_token_to_the_first_reply(tmp_path: Path):
    async with FakeTelegram() as telegram:
        eve = telegram.person(1001, "Eve").private(telegram.bot("42:AAA"))
        token = tmp_path / "bot-token"
        token.write_text("42:AAA\n", encoding="utf-8")
        environment = {
            "PATH": os.environ["PATH"],
            "BARGEIN_TELEGRAM__TOKEN_FILE": str(token),
            "BARGEIN_TELEGRAM__API_URL": telegram.url,
            "BARGEIN_HTTP__PORT": "0",
        }
        serve = await asyncio.create_subprocess_exec(
            BARGEIN, "serve", cwd=tmp_path, env=environment, stdout=asyncio.subprocess.PIPE
        )
        assert serve.stdout is not None
        assert b"ready" in await asyncio.wait_for(serve.stdout.readline(), 20)
        eve.say("hello")
        code = (await eve.shows("runs me", 20)).text.split("runs me: ")[1].split()[0]
        assert code in await run(tmp_path, environment, "pair", "list")
        assert "Eve" in await run(tmp_path, environment, "pair", "approve", code)
        await eve.shows("You are let in", 20)
        eve.say("deploy web")
        question = await eve.asks("Which region", 30)
        assert await eve.press(question, "Europe").notice(5) == "Taken: Europe"
        await eve.shows("How many replicas", 20)
        eve.say("/stop")
        await eve.shows("Stopped.", 20)
        serve.terminate()
        assert await asyncio.wait_for(serve.wait(), 20) == 0
        assert b"42:AAA" not in (await serve.stdout.read())
