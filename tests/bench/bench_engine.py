"""The engine's figures: pauses beside LangGraph, stops, bursts, idle threads, start."""

from __future__ import annotations

import asyncio
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gateway import Agent
from gateway.ports.rows import InputKind, ThreadRow
from tests.bench.engine import Bench
from tests.bench.models import CallingSlow, Deploying, Streaming, deploy, slow

CONVERSATIONS, ROUNDS = 64, 3
SETTLE_SECONDS = 3.0
"""Until the actors of the last burst have gone."""
PEER = Path(__file__).with_name("peer_langgraph.py")
PEER_VENV = Path(__file__).resolve().parents[2] / ".venv-bench"
PEER_PACKAGES = ("langgraph", "langgraph-checkpoint-sqlite", "aiosqlite")


async def pauses() -> tuple[float, float]:
    """Conversations a second, to a question and on from its answer; commits of one."""
    with tempfile.TemporaryDirectory() as folder:
        bench = await Bench.open(Path(folder) / "a.db", Agent("b", Deploying(), "", [deploy]))
        cycles: list[int] = []

        async def conversation(thread: str) -> None:
            asked = bench.until(thread, type="run", state="asking")
            await bench.say(thread, "deploy")
            await asked
            answered = bench.until(thread, type="run", state="ended")
            await bench.say(thread, "yes")
            await answered

        await conversation("api:warm")
        before = bench.store.commits
        await conversation("api:counted")
        cycles.append(bench.store.commits - before)
        began = time.perf_counter()
        for number in range(ROUNDS):
            async with asyncio.TaskGroup() as group:
                for index in range(CONVERSATIONS):
                    group.create_task(conversation(f"api:{number}-{index}"))
        rate = CONVERSATIONS * ROUNDS / (time.perf_counter() - began)
        await bench.close()
        return rate, float(cycles[0])


def peer() -> float:
    """The same with LangGraph, in its own venv."""
    python = PEER_VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(PEER_VENV)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PEER_PACKAGES], check=True)
    done = subprocess.run(
        [str(python), str(PEER), str(CONVERSATIONS), str(ROUNDS)],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


async def stops(deltas: int, count: int = 60) -> float:
    """p95 in milliseconds from the stop at the door to the closed model stream."""
    took = []
    with tempfile.TemporaryDirectory() as folder:
        model = Streaming(deltas)
        bench = await Bench.open(Path(folder) / "a.db", Agent("b", model))
        for number in range(count):
            thread = f"api:{number}"
            model.closed.clear()
            model.streaming.clear()
            await bench.say(thread, "go")
            await model.streaming.wait()
            began = time.perf_counter()
            stop = asyncio.get_running_loop().create_task(bench.say(thread, "/stop"))
            await model.closed.wait()
            took.append((time.perf_counter() - began) * 1000)
            await stop
        await bench.close()
    return statistics.quantiles(took, n=20)[-1]


async def idle_after_stop(count: int = 60) -> float:
    """p95 in milliseconds from the stop to the idle thread, with a cooperative tool running."""
    took = []
    with tempfile.TemporaryDirectory() as folder:
        bench = await Bench.open(Path(folder) / "a.db", Agent("b", CallingSlow(), "", [slow]))
        for number in range(count):
            thread = f"api:{number}"
            started = bench.until(thread, type="call", state="started")
            await bench.say(thread, "go")
            await started
            ended = bench.until(thread, type="run", state="ended")
            began = time.perf_counter()
            await bench.say(thread, "/stop", InputKind.STOP)
            await ended
            took.append((time.perf_counter() - began) * 1000)
        await bench.close()
    return statistics.quantiles(took, n=20)[-1]


def _rss_mib() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


async def idle_threads(count: int = 100_000) -> float:
    """MiB that touching this many idle threads leaves behind."""
    with tempfile.TemporaryDirectory() as folder:
        bench = await Bench.open(Path(folder) / "a.db", Agent("b", Streaming(1)))
        await _make_threads(bench, 1_000, "warm")
        await asyncio.sleep(SETTLE_SECONDS)
        before = _rss_mib()
        await _make_threads(bench, count, "idle")
        await asyncio.sleep(SETTLE_SECONDS)
        grown = _rss_mib() - before
        await bench.close()
        return grown


async def _make_threads(bench: Bench, count: int, name: str) -> None:
    for start in range(0, count, 500):
        numbers = range(start, min(start + 500, count))
        async with asyncio.TaskGroup() as group:
            for number in numbers:
                group.create_task(bench.say(f"api:{name}{number}", "/whoami"))


async def _fill(file: Path) -> None:
    """10,000 threads and 100 open questions."""
    bench = await Bench.open(file, Agent("b", Deploying(), "", [deploy]))
    now = bench.router.wiring.clock.now()
    for first in range(0, 10_000, 500):
        async with asyncio.TaskGroup() as group:
            for number in range(first, first + 500):
                row = ThreadRow(id=f"local:{number}", private=True, owner="p", created_at=now)
                group.create_task(bench.store.make_thread(row))
    for number in range(100):
        thread = f"api:{number}"
        asked = bench.until(thread, type="run", state="asking")
        await bench.say(thread, "deploy")
        await asked
    await bench.close()


def start_seconds() -> float:
    """The median of five starts on such a file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.db"
        asyncio.run(_fill(file))
        command = [sys.executable, "-m", "tests.bench.start_once", str(file)]
        runs = [
            subprocess.run(command, check=True, capture_output=True, text=True) for _ in range(5)
        ]
        return statistics.median(float(run.stdout) for run in runs)


def main() -> None:
    """Print every figure."""
    rate, commits = asyncio.run(pauses())
    other = peer()
    print(f"pause, answer, resume, {CONVERSATIONS} at once: {rate:.0f} a second")
    print(f"  LangGraph with AsyncSqliteSaver, same run: {other:.0f} a second")
    print(f"  ratio: {rate / other:.1f} (wanted: at least 3)")
    print(f"  commits of a whole conversation: {commits:.0f}")
    plain, behind = asyncio.run(stops(3)), asyncio.run(stops(300))
    print(f"stop to closed model stream, p95: {plain:.1f} ms (wanted: at most 20)")
    print(f"  behind 300 deltas: {behind:.1f} ms, ratio {behind / plain:.2f}")
    print(f"stop to idle thread, cooperative tool, p95: {asyncio.run(idle_after_stop()):.1f} ms")
    print(f"RSS after touching 100,000 idle threads: +{asyncio.run(idle_threads()):.1f} MiB")
    print(f"start to ready, 10,000 threads, 100 questions: {start_seconds():.2f} s")


if __name__ == "__main__":
    main()
