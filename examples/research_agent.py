"""A researcher who reads for minutes and takes corrections on the way.

    BARGEIN_AGENT=examples.research_agent:agent make serve
    make chat       # BARGEIN_MODEL=… puts a real model in the script's place

Then: "tidal power", and while it reads: "only in Norway". What you write joins the work before its
next step (`queue_mode = "steer"`). "/now wind power" stops the reading in the middle of a page and
starts the other; what was read stays. "/stop" ends it, "/retry" takes it up again.
"""

from __future__ import annotations

import asyncio

from pydantic import Field

from examples.playing import Turn, played, story_of
from gateway import Agent, InterruptBehavior, ToolContext, tool
from gateway.ports.model import Model, ModelRequest

INSTRUCTIONS = """\
You research a question by reading sources, one at a time, at most six, and then write a short
report of what they say. The person may correct you while you read: go by their last word, and use
what you have read already where it still fits.
"""
PAGES = 3
PAGE_SECONDS = 4.0


# COOPERATIVE: a newer message or a stop ends it here and now, and the model reads that it was cut.
@tool(behavior=InterruptBehavior.COOPERATIVE)
async def read_source(
    context: ToolContext,
    topic: str,
    page: int = Field(ge=1, le=6, description="which of the sources"),
) -> str:
    """Read one source on a topic; takes a few seconds."""
    for quarter in range(4):
        context.signal.checkpoint()
        await context.progress(f"Reading on {topic}, source {page}", quarter / 4)
        await asyncio.sleep(PAGE_SECONDS / 4)
    # Your own search would stand here.
    return f"Source {page} on {topic}: it depends."


def research_agent(model: Model) -> Agent:
    """The researcher on any model."""
    return Agent("research", model, INSTRUCTIONS, [read_source], max_iterations=12)


def script(request: ModelRequest) -> Turn:
    """What a model would do next: the first words are the topic, later ones narrow it."""
    story = story_of(request)
    topic = ", ".join(said.strip().rstrip(".!") for said in story.said)
    read = [result for result in story.results if f" on {topic}:" in result.content]
    if len(read) < PAGES:
        begins = "" if story.results else f"I read on {topic}. "
        corrected = f"Then: {topic}. " if story.results and not read else begins
        return Turn(corrected, "read_source", {"topic": topic, "page": len(read) + 1})
    lines = "\n".join(f"- {result.content}" for result in story.results if result.error is None)
    return Turn(f"On {topic} I have read {len(read)} sources:\n{lines}")


# A model that bargein.toml or BARGEIN_MODEL names is put in the script's place.
agent = research_agent(played(script))
