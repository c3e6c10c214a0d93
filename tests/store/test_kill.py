"""kill -9 loses nothing that was taken (row 58)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.kill import VARIABLE
from tests.store.make import opened

pytestmark = pytest.mark.process
FOREVER = 10**9


def _child(path: Path, lanes: int, total: int, kill: str = "") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.child", str(path), str(lanes), str(total)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, VARIABLE: kill},
    )


def _said_until_killed(path: Path, after: int) -> list[str]:
    child = _child(path, 8, FOREVER)
    assert child.stdout is not None
    lines = [child.stdout.readline() for _ in range(after)]
    child.send_signal(signal.SIGKILL)
    rest, _ = child.communicate(timeout=30)
    assert child.returncode == -signal.SIGKILL
    return [line for line in (*lines, *rest.splitlines(True)) if line.endswith("\n")]


async def _stored(path: Path) -> dict[str, int]:
    async with opened(path) as store:
        return {row.new.dedup: row.seq for row in await store.inputs("web:1")}


@pytest.mark.parametrize("after", [1, 40, 333])
async def test_a_kill_between_inputs_loses_none_that_was_taken(path: Path, after: int) -> None:
    lines = await asyncio.to_thread(_said_until_killed, path, after)
    said = {key: int(seq) for key, seq in (line.split() for line in lines)}
    stored = await _stored(path)
    assert len(said) >= after
    assert said.items() <= stored.items()
    assert sorted(stored.values()) == list(range(1, len(stored) + 1))


@pytest.mark.parametrize(
    ("kill", "said", "stored"),
    [("before:3", ["k0 1"], {"k0": 1}), ("after:3", ["k0 1"], {"k0": 1, "k1": 2})],
)
async def test_a_store_that_kills_before_or_after_a_transaction(
    path: Path, kill: str, said: list[str], stored: dict[str, int]
) -> None:
    child = _child(path, 1, 5, kill)
    out, _ = await asyncio.to_thread(child.communicate, timeout=30)
    assert child.returncode == -signal.SIGKILL
    assert (out.splitlines(), await _stored(path)) == (said, stored)


async def test_without_a_wish_nothing_is_killed(path: Path) -> None:
    child = _child(path, 1, 5)
    out, _ = await asyncio.to_thread(child.communicate, timeout=30)
    assert (child.returncode, len(out.splitlines())) == (0, 5)
