"""Agents under test: what a person writes chooses what the model does."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import Any

from gateway import Agent, ToolContext, tool
from gateway.core.messages import UserMessage
from tests.acceptance.scripted import Script, by_text, call

LONG = "Russian labels that are sixty letters long"
CITIES = [f"Вариант {n:02d}: очень длинная подпись кнопки на шестьдесят букв" for n in range(20)]


DAY = {"enum": [f"day {n}" for n in range(1, 11)]}


class Size(StrEnum):
    SMALL = "small"
    LARGE = "large"


@tool(behavior="COOPERATIVE")
async def slow(context: ToolContext) -> str:
    """Works for 30 seconds, or until stopped."""
    try:
        async with asyncio.timeout(30):
            await context.signal.wait()
    except TimeoutError:
        return "worked"
    context.signal.checkpoint()
    return "not reached"


@tool
async def ask(context: ToolContext, what: str = "bool") -> str:
    """Asks: bool, number, text, size, sizes, days, maybe, cities, short (expires in 1,000 s)."""
    schemas: dict[str, Any] = {
        "bool": bool,
        "number": {"type": "integer", "minimum": 1, "maximum": 5},
        "text": str,
        "size": {"enum": ["small", "large"]},
        "sizes": {"type": "array", "items": {"enum": ["small", "large", "huge"]}, "minItems": 1},
        "days": {"type": "array", "items": {"$ref": "#/$defs/Day"}, "$defs": {"Day": DAY}},
        "maybe": {"anyOf": [{"enum": ["small", "large"]}, {"type": "null"}]},
        "cities": {"enum": CITIES},
        "short": bool,
    }
    value = await context.interrupt(
        message=f"The {what}?",
        response_schema=schemas[what],
        expires_in=1000 if what == "short" else None,
    )
    return f"{what}={value}"


@tool
async def boss(context: ToolContext) -> str:
    """Asks the approvers."""
    yes = await context.interrupt(message="May I?", kind="approval", to="approvers")
    return f"may={yes}"


@tool(approval=True)
async def deploy(region: str) -> str:
    """Deploys; each time with an approval."""
    return f"deployed to {region}"


@tool
async def plan(context: ToolContext) -> str:
    """Shows a plan."""
    agreed = await context.interrupt(
        message="Follow it?", kind="plan", details={"plan": ["dig", "plant"]}
    )
    return f"plan={agreed}"


def said(request: Any) -> str:
    """What the person said last."""
    texts = [m.text for m in request.messages if isinstance(m, UserMessage)]
    return texts[-1]


def step(request: Any) -> Any:
    """The model's next step: after a tool its result in words, else by the first word."""
    last = request.messages[-1]
    if type(last).__name__ == "ToolResult":
        return [f"result: {last.content}"]
    word, _, rest = said(request).partition(" ")
    if word == "echo":
        return [f"you said {len(said(request))}: {rest}"]
    if word == "ask":
        return [call("ask", what=rest or "bool")]
    if word == "deploy":
        return [call("deploy", region="eu")]
    return by_text(
        slow=[call("slow")],
        boss=[call("boss")],
        plan=[call("plan")],
        count=[item for n in range(1, 21) for item in (f"{n} ", 1.0)],
        hello=["hello there"],
        fail=[RuntimeError("broken")],
    )(request)


def agent(*more: Any) -> tuple[Agent, Script]:
    """The agent and its model."""
    model = Script(step)
    return Agent("tester", model, "", [slow, ask, boss, deploy, plan, *more]), model
