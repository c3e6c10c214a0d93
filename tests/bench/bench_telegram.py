"""Figures of the Telegram channel. `python -m tests.bench.bench_telegram [--peers]`

Updates a second from the first poll to the confirmed offset, beside echo bots; how fast presses,
stops and first words are while 200 runs go on; what a stream of ten minutes sends to a group, in
virtual time.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from io import StringIO
from pathlib import Path
from statistics import quantiles
from typing import Any

import looptime

from gateway import Agent
from gateway.app import App
from gateway.settings import Settings, TelegramSettings
from tests.acceptance.scripted import Script
from tests.acceptance.telegram import TelegramDesk
from tests.acceptance.telegram_agents import agent, said, step
from tests.fakes.telegram.people import Window
from tests.fakes.telegram.server import FakeTelegram

TOKEN = "42:AAA"
UPDATES, CHATS = 3_000, 300
RUNS, PROBES = 200, 60
STREAM_SECONDS = 700
VENV = Path(".venv-bench") / "aiogram"


def settings_of(url: str, directory: str, **more: Any) -> Settings:
    section = {"token": TOKEN, "api_url": url, "allow": ["*"], "reactions": False}
    return Settings(
        database=Path(directory) / "bench.db",
        http={"port": 0},  # type: ignore[arg-type]
        telegram=TelegramSettings(**section),  # type: ignore[arg-type]
        **more,
    )


# -- in --------------------------------------------------------------------------------------------


def served(play: Callable[[str], Awaitable[None] | subprocess.Popen[bytes]]) -> dict[str, float]:
    """One bot against a server of its own process."""
    command = [sys.executable, "-m", "tests.bench.telegram_server", str(UPDATES), str(CHATS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        bot = play(server.stdout.readline().strip())
        try:
            if isinstance(bot, subprocess.Popen):
                return dict(json.loads(server.stdout.readline()))
            return asyncio.run(_beside(bot, server))
        finally:
            server.kill()
            if isinstance(bot, subprocess.Popen):
                bot.kill()
                bot.wait()


async def _beside(bot: Awaitable[None], server: subprocess.Popen[str]) -> dict[str, float]:
    playing = asyncio.ensure_future(bot)
    assert server.stdout is not None
    line = await asyncio.to_thread(server.stdout.readline)
    playing.cancel()
    await asyncio.wait([playing])
    return dict(json.loads(line))


async def ours(url: str) -> None:
    """Every message is stored and its run started; the model is quick, the limiter off."""
    with tempfile.TemporaryDirectory() as directory:
        app = App(
            settings_of(url, directory, max_concurrent_runs=1),
            agent=Agent("echo", Script([3600.0, "ok"]), ""),
            log=StringIO(),
        )
        await app.start()
        unlimited: Any = app.bot
        unlimited.ways.limited = False
        try:
            await asyncio.Event().wait()
        finally:
            app.supervisor._tasks.clear()


def peer(script: str, python: str) -> Callable[[str], subprocess.Popen[bytes]]:
    return lambda url: subprocess.Popen([python, f"tests/bench/{script}", url])


def inbound(peers: bool) -> dict[str, float]:
    """Updates a second; the ratio to the faster peer."""
    figures = {"ours": UPDATES / served(ours)["confirmed"]}
    if peers:
        ptb = served(peer("peer_ptb.py", sys.executable))
        figures["python-telegram-bot"] = UPDATES / ptb["confirmed"]
        python = VENV / "bin" / "python"
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "aiogram>=3"], check=True)
        aiogram = served(peer("peer_aiogram.py", str(python)))
        figures["aiogram"] = UPDATES / aiogram["confirmed"]
        best = max(value for name, value in figures.items() if name != "ours")
        figures["ratio of the faster peer to ours"] = best / figures["ours"]
    return figures


class Streaming(Script):
    """The agent's own script, and a stream of ten minutes."""

    def __init__(self) -> None:
        super().__init__(_step)


def _step(request: Any) -> Any:
    if said(request) == "stream":
        return [item for n in range(600) for item in (f"word {n} ", 1.0)]
    return step(request)


# -- while 200 runs go on --------------------------------------------------------------------------


async def busy() -> dict[str, float]:
    """99th percentiles in milliseconds while 200 people's runs stream."""
    found: dict[str, list[float]] = {"press to ack": [], "/stop to stopped": [], "first reply": []}
    with tempfile.TemporaryDirectory() as directory:
        async with FakeTelegram(Path(directory) / "tg") as telegram:
            bot = telegram.bot(TOKEN)
            tester, _ = agent()
            tester = tester.with_model(Streaming())
            app = App(
                settings_of(telegram.url, directory, max_concurrent_runs=1000),
                agent=tester,
                log=StringIO(),
            )
            await app.start()
            people = [telegram.person(5000 + n, f"P{n}").private(bot) for n in range(RUNS)]
            for person in people:
                person.say("stream")
            await asyncio.sleep(RUNS / 20)  # until each has its first words, at 30 a second
            for n in range(PROBES):
                probe = telegram.person(9000 + n, "Probe").private(bot)
                await _probe(probe, found)
            await app.stop()
    return {f"{name}, p99 ms": quantiles(times, n=100)[98] * 1000 for name, times in found.items()}


async def _probe(window: Window, found: dict[str, list[float]]) -> None:
    began = time.perf_counter()
    window.say("hello")
    await window.shows(lambda message: bool(message.text))
    found["first reply"].append(time.perf_counter() - began)
    await asyncio.sleep(0.05)
    window.say("ask bool")
    question = await window.asks("The bool?")
    began = time.perf_counter()
    await window.press(question, "yes").notice(within=10)
    found["press to ack"].append(time.perf_counter() - began)
    await window.shows("result")
    window.say("slow")
    await asyncio.sleep(0.2)
    began = time.perf_counter()
    window.say("/stop")
    await window.shows("Stopped.")
    found["/stop to stopped"].append(time.perf_counter() - began)


# -- a long stream into a group, in virtual time ---------------------------------------------------


async def _stream(directory: Path) -> dict[str, float]:
    words = [f"w{n}" for n in range(1_190)]
    script = Script([item for word in words for item in (f"{word} ", 0.5)])
    async with TelegramDesk(directory, Agent("a", script, ""), limits=True) as desk:
        window = desk.group()
        window.mention("go")
        await asyncio.sleep(STREAM_SECONDS)
        log = [seen for seen in window.chat.log if seen.what in ("sent", "edited")]
        busiest = max(window.chat.sent_between(seen.at, seen.at + 60) for seen in log)
        whole = " ".join(window.texts()).split() == words
    return {"most sends and edits in any 60 s": busiest, "final text exact": whole}


def stream() -> dict[str, float]:
    """Ten minutes of words, one each half second, with Telegram's own limits enforced."""
    loop = looptime.new_event_loop(start=0)
    with tempfile.TemporaryDirectory() as directory:
        try:
            return loop.run_until_complete(_stream(Path(directory)))
        finally:
            loop.close()
            asyncio.set_event_loop(None)


def main() -> None:
    """Print every figure."""
    for name, value in inbound("--peers" in sys.argv).items():
        print(f"telegram in, {name}: {value:,.2f}")
    for name, value in asyncio.run(busy()).items():
        print(f"telegram with {RUNS} runs, {name}: {value:,.0f}")
    for name, value in stream().items():
        print(f"telegram, ten minutes into a group, {name}: {value:,.0f}")


if __name__ == "__main__":
    main()
