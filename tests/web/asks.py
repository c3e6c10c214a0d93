"""A tool that asks for a port; `RAN` is what it was answered."""

from gateway import ToolContext, tool

RAN: list[object] = []


@tool
async def ask(context: ToolContext) -> str:
    """Ask."""
    RAN.append(await context.interrupt(message="Which port?", response_schema=int))
    return "asked"
