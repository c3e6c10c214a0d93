"""A LangGraph agent with a scripted model behind `ag-ui-langgraph`, in a venv of its own.

Run as `python langgraph_server.py PORT legacy|outcome`: it asks for a town, then says where to.
"""

import sys
from collections.abc import Iterator
from typing import Any

import uvicorn
from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
from fastapi import FastAPI
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt

TOWNS = ["Рига", "Юрмала"]


class Travel(MessagesState):
    town: str


def ask(state: Travel) -> dict[str, Any]:
    form = {"type": "string", "enum": TOWNS}
    return {"town": interrupt({"message": "В какой город?", "responseSchema": form})}


def kinds(content: Any) -> list[str]:
    """What comes with a message beside its text."""
    blocks = content if isinstance(content, list) else []
    return [block["type"] for block in blocks if block["type"] != "text"]


def go(state: Travel) -> dict[str, Any]:
    said = [message for message in state["messages"] if message.type == "human"]
    asked, files = len(said), [kind for message in said for kind in kinds(message.content)]

    def replies() -> Iterator[AIMessage]:
        got = f" Файлы: {', '.join(files)}." if files else ""
        yield AIMessage(f"Едем: {state['town']}. Вопрос номер {asked}.{got}")

    return {"messages": [GenericFakeChatModel(messages=replies()).invoke(state["messages"])]}


def main(port: int, outcome: bool) -> None:
    graph = StateGraph(Travel)
    graph.add_node("ask", ask)
    graph.add_node("go", go)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", "go")
    graph.add_edge("go", END)
    agent = LangGraphAgent(
        name="travel",
        graph=graph.compile(checkpointer=MemorySaver()),
        emit_interrupt_outcome=outcome,
        enable_legacy_on_interrupt_event=True,
    )
    app = FastAPI()
    add_langgraph_fastapi_endpoint(app, agent, "/travel")
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] == "outcome")
