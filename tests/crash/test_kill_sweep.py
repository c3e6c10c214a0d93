"""kill -9 at any point of a conversation (row 58): before and after commits and outbound effects.

Each conversation is two or three real processes: the first ones kill themselves, the last goes on.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _sweep(*arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.crash.sweep", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize(
    "arguments",
    [
        ("--every", "16", "--seed", "1"),
        ("--every", "24", "--seed", "2", "--spoken"),
        ("--every", "24", "--seed", "3", "--twice"),
        ("--every", "32", "--seed", "4", "--twice", "--spoken"),
    ],
    ids=["written", "spoken", "twice", "spoken twice"],
)
async def test_a_killed_conversation_goes_on(arguments: tuple[str, ...]) -> None:
    code, out = await asyncio.to_thread(_sweep, *arguments)
    assert code == 0, out


@pytest.mark.soak
@pytest.mark.process
@pytest.mark.parametrize("spoken", [(), ("--spoken",)], ids=["written", "spoken"])
@pytest.mark.parametrize("twice", [(), ("--twice",)], ids=["once", "twice"])
async def test_a_conversation_killed_anywhere_goes_on(
    spoken: tuple[str, ...], twice: tuple[str, ...]
) -> None:
    code, out = await asyncio.to_thread(_sweep, *spoken, *twice)
    assert code == 0, out
