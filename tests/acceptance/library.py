"""The product inside a program: `Gateway` on the file that a `Desk` can open afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

from gateway import Agent, Gateway
from gateway.ports.clock import Clock
from gateway.settings import Settings
from tests.acceptance.desk import Desk
from tests.builders import LoopClock

T = TypeVar("T")


@asynccontextmanager
async def program(
    directory: Path, agent: Agent, settings: Settings | None = None, clock: Clock | None = None
) -> AsyncIterator[Gateway]:
    """A program that has entered its gateway on `directory`'s file."""
    clock = clock or LoopClock()
    async with Gateway(
        directory / "a.db", agent=agent, settings=settings, clock=clock, log=StringIO()
    ) as gateway:
        yield gateway


async def stored(directory: Path, agent: Agent, thread: str, person: str) -> dict[str, Any]:
    """What the file holds of a thread, exported by its person once the program has ended."""
    async with Desk(directory, agent) as desk:
        return await (await desk.person(person, thread=thread)).export()


async def soon(awaitable: Awaitable[T], seconds: float = 30.0) -> T:
    """Its result, within so many (virtual) seconds."""
    return await asyncio.wait_for(awaitable, seconds)
