"""The peer of the pause figure: LangGraph with AsyncSqliteSaver, run in a venv of its own.

Prints conversations a second. Each conversation is invoked up to its interrupt and resumed with an
answer, durable (`synchronous=FULL`), all at once.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import TypedDict

import aiosqlite
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt


class State(TypedDict):
    text: str
    answer: bool


def model(state: State) -> dict[str, str]:
    return {"text": state["text"] + "."}


def deploy(state: State) -> dict[str, bool]:
    return {"answer": interrupt("Deploy?")}


def reply(state: State) -> dict[str, str]:
    return {"text": "done"}


async def conversation(graph, name: str) -> None:
    config = {"configurable": {"thread_id": name}}
    await graph.ainvoke({"text": "deploy", "answer": False}, config, durability="sync")
    out = await graph.ainvoke(Command(resume=True), config, durability="sync")
    assert out["answer"] is True


async def main(conversations: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with aiosqlite.connect(Path(folder) / "peer.db") as connection:
            saver = AsyncSqliteSaver(connection)
            await saver.setup()
            await connection.execute("PRAGMA journal_mode=WAL")
            await connection.execute("PRAGMA synchronous=FULL")
            builder = StateGraph(State)
            for name, node in (("model", model), ("deploy", deploy), ("reply", reply)):
                builder.add_node(name, node)
            builder.add_edge(START, "model")
            builder.add_edge("model", "deploy")
            builder.add_edge("deploy", "reply")
            builder.add_edge("reply", END)
            graph = builder.compile(checkpointer=saver)
            await conversation(graph, "warm")
            began = time.perf_counter()
            for number in range(rounds):
                names = [f"{number}-{index}" for index in range(conversations)]
                async with asyncio.TaskGroup() as group:
                    for name in names:
                        group.create_task(conversation(graph, name))
            print(conversations * rounds / (time.perf_counter() - began))


asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
