"""A call in which the server asks: an answer is for the question that it was given to."""

import asyncio
from typing import Any

from mcp.types import CallToolResult, ElicitRequestFormParams, TextContent

from gateway.agents.mcp.call import Asks, Call
from gateway.agents.mcp.questions import answered
from gateway.supervise import Supervisor

FORM = {"type": "object", "properties": {"ok": {"type": "boolean"}}}


def params(message: str) -> ElicitRequestFormParams:
    return ElicitRequestFormParams(message=message, requested_schema=FORM)


class Impatient:
    """A server that takes a question back after a while and asks another one."""

    name, modern = "shop", False

    def __init__(self) -> None:
        self.elicited: Any = None
        self.given: list[Any] = []
        self.took_back = asyncio.Event()

    @property
    def session(self) -> Any:
        return self

    async def call_tool(self, *args: Any, **more: Any) -> CallToolResult:
        try:
            async with asyncio.timeout(0.01):
                self.given.append(await self.elicited(params("Empty the cache?")))
        except TimeoutError:
            self.took_back.set()
        self.given.append(await self.elicited(params("Delete everything?")))
        return CallToolResult(content=[TextContent(type="text", text="done")])

    def lost(self) -> None:
        raise AssertionError("it was lost")


async def test_a_yes_to_a_question_that_was_taken_back_is_none_to_the_next():
    failed: list[BaseException] = []
    supervisor = Supervisor(lambda where, error: failed.append(error))
    server, released = Impatient(), list[Call]()
    call = Call(server, "clean", {}, supervisor, released.append)  # type: ignore[arg-type]
    call.start()
    first = await call.next()
    assert isinstance(first, Asks)
    async with asyncio.timeout(5):
        await server.took_back.wait()
    call.answer(first.questions[0].key, answered({"ok": True}))
    second = await call.next()
    assert isinstance(second, Asks)
    assert second.questions[0].message == "Delete everything?"
    call.answer(second.questions[0].key, answered({"ok": False}))
    assert await call.next() == "done"
    assert [given.content for given in server.given] == [{"ok": False}]
    assert (len(released), failed) == (1, [])
