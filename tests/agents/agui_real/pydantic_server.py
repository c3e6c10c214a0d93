"""A pydantic-ai agent with a scripted model behind its own AG-UI adapter, in a venv of its own.

Run as `python pydantic_server.py PORT`: it refunds, once somebody allows it, and says which
files it got.
"""

import json
import sys
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

refunded: list[int] = []


def files_of(message: ModelMessage) -> list[BinaryContent]:
    """What people attached, as the model gets it."""
    prompts = [part for part in message.parts if isinstance(part, UserPromptPart)]
    items = [item for part in prompts if not isinstance(part.content, str) for item in part.content]
    return [item for item in items if isinstance(item, BinaryContent)]


async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
    last = messages[-1]
    returned = isinstance(last, ModelRequest) and [
        part for part in last.parts if isinstance(part, ToolReturnPart)
    ]
    files = [item for message in messages for item in files_of(message)]
    if files:
        yield ", ".join(f"{file.media_type} {len(file.data)}" for file in files)
        return
    if returned:
        yield "Итог: "
        yield f"{returned[-1].content} (всего {sum(refunded)})"
    else:
        yield {
            0: DeltaToolCall(name="refund", json_args=json.dumps({"euro": 20}), tool_call_id="c1")
        }


agent: Agent[None, Any] = Agent(
    FunctionModel(stream_function=script), output_type=[str, DeferredToolRequests]
)


@agent.tool_plain(requires_approval=True)
def refund(euro: int) -> str:
    """Gives money back."""
    refunded.append(euro)
    return f"возвращено {euro}"


async def serve(request: Request) -> Response:
    return await AGUIAdapter.dispatch_request(request, agent=agent)


if __name__ == "__main__":
    routes = [Route("/clerk", serve, methods=["POST"])]
    uvicorn.run(
        Starlette(routes=routes), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning"
    )
