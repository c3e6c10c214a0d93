"""AG-UI clients of a desk.

async with Desk(tmp_path, agent) as desk, agui(desk, "ann") as ann:
run = await ann.say("hi")                      # tests/fakes/agui_client.py says the rest
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from gateway.ports.tokens import Scope
from tests.acceptance.desk import Desk
from tests.fakes.agui_client import AguiClient


@asynccontextmanager
async def agui(desk: Desk, *names: str, thread: str = "t") -> AsyncIterator[Any]:
    """A client of each of these people, or, without a name, of this machine's user."""
    agent = desk.app.router.wiring.agent.name
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        people = [
            AguiClient(
                session,
                desk.app.address,
                agent,
                thread=thread,
                token=await desk.app.front.people.create(name, {Scope.AGUI}),
            )
            for name in names
        ] or [AguiClient(session, desk.app.address, agent, thread=thread, token="")]
        yield people[0] if len(people) == 1 else people
