"""A server of tools for tests: it books seats, asks for them, takes its time, dies, misbehaves.

As a program: python -m tests.mcp.air [--old]
"""

import asyncio
import os
import sys
from collections.abc import Callable
from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.server.runner import serve_loop
from mcp.server.stdio import stdio_server
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field


class Seat(BaseModel):
    """What is asked."""

    seat: Literal["aisle", "window"] = Field(title="Seat")


class Bags(BaseModel):
    bags: int = Field(ge=0, le=5)


class Air:
    """The server, and what it did."""

    def __init__(self) -> None:
        self.done: list[Any] = []
        self.started: list[str] = []
        self.cancelled: list[str] = []
        self.gate = asyncio.Event()
        self.server = MCPServer("air", version="1")
        for make in (
            self._booking,
            self._checking,
            self._asking_late,
            self._waiting,
            self._wiping,
            self._looking,
        ):
            make()

    def _tool(self, **hints: Any) -> Callable[..., Any]:
        return self.server.tool(annotations=ToolAnnotations(**hints))

    def _booking(self) -> None:
        async def ask_seat(passenger: str) -> Elicit[Seat]:
            return Elicit(f"Which seat for {passenger}?", Seat)

        @self._tool(destructive_hint=False)
        async def book(passenger: str, seat: Annotated[Seat, Resolve(ask_seat)]) -> str:
            """Books a seat."""
            self.done.append((passenger, seat.seat))
            return f"{passenger} sits at the {seat.seat}"

    def _checking(self) -> None:
        async def ask_bags() -> Elicit[Bags]:
            return Elicit("How many bags?", Bags)

        async def ask_seat(bags: Annotated[Bags, Resolve(ask_bags)]) -> Elicit[Seat]:
            return Elicit(f"Which seat, with {bags.bags} bags?", Seat)

        @self._tool(read_only_hint=True)
        async def check_in(
            bags: Annotated[Bags, Resolve(ask_bags)], seat: Annotated[Seat, Resolve(ask_seat)]
        ) -> str:
            """Checks in."""
            self.done.append((bags.bags, seat.seat))
            return f"{bags.bags} bags, {seat.seat}"

    def _asking_late(self) -> None:
        @self._tool(destructive_hint=False)
        async def late(passenger: str, context: Context) -> str:
            """Asks inside the call, once the gate is open."""
            self.started.append(passenger)
            await self.gate.wait()
            answer = await context.elicit(f"Which seat for {passenger}?", Seat)
            assert answer.action == "accept"
            self.done.append((passenger, answer.data.seat))
            return f"{passenger} sits at the {answer.data.seat}"

    def _waiting(self) -> None:
        @self._tool(read_only_hint=True)
        async def wait(context: Context) -> str:
            """Takes its time."""
            self.started.append("wait")
            await context.report_progress(1, 4, "boarding")
            try:
                await self.gate.wait()
            except BaseException:
                self.cancelled.append("wait")
                raise
            self.done.append("wait")
            return "waited"

    def _wiping(self) -> None:
        @self._tool(destructive_hint=True)
        async def wipe(what: str) -> str:
            """Wipes."""
            self.done.append(what)
            return f"{what} is gone"

        @self.server.tool()
        async def unmarked() -> str:
            """Says nothing of itself."""
            self.done.append("unmarked")
            return "did"

    def _looking(self) -> None:
        @self._tool(read_only_hint=True)
        async def fail(how: str) -> str:
            """Fails."""
            self.started.append("fail")
            if how == "die":
                os._exit(1)
            raise ValueError("no such flight")


async def _as_before(server: Any) -> None:
    """Serve only the generation before, as a server of that time does."""
    async with stdio_server() as (heard, said):
        await serve_loop(server, heard, said, lifespan_state={})


if __name__ == "__main__":
    made = Air().server
    if "--old" in sys.argv:
        asyncio.run(_as_before(made._lowlevel_server))
    else:
        made.run("stdio")
