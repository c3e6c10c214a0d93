"""The concierge's tools. They are ordinary tools: a real model calls them as well."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import zlib
from datetime import date
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from gateway.agents.concierge.reading import LANGUAGES
from gateway.core.cancellation import InterruptBehavior
from gateway.core.messages import Json
from gateway.runs.context import SyncToolContext, ToolContext
from gateway.runs.tools import Tool, tool

Region: TypeAlias = Literal["eu", "us", "asia"]
Language: TypeAlias = Literal["en", "ru"]
Replicas: TypeAlias = Annotated[int, Field(ge=1, le=5)]
People: TypeAlias = Annotated[int, Field(ge=1, le=12)]

CHECKS = 6
STEM = 4
"""Words of a query count by their first letters, so that their forms are found too."""
LOOKUP_SECONDS = 2.0
PAGE_SECONDS = 0.6
CHECK_SECONDS = 1.0
DEPLOY_STEP_SECONDS = 1.2
PLAN_STEP_SECONDS = 1.0
END_SECONDS = 5.0
"""How long a process that was told to end may take."""

CHILD = """
import sys, time
for number in range(1, int(sys.argv[1]) + 1):
    time.sleep(float(sys.argv[2]))
    print(number, flush=True)
"""


async def work(context: ToolContext, seconds: float) -> None:
    """Work for a while, and stop at once when the run is stopped.

    Raises:
        CancelledExecutionError: it was.
    """
    try:
        async with asyncio.timeout(seconds):
            await context.signal.wait()
    except TimeoutError:
        return
    context.signal.checkpoint()


def _titles(code: str) -> dict[str, Json]:
    """A region's name in each language: an answer in any of them is understood."""
    return {name: language.asking.regions[code] for name, language in LANGUAGES.items()}


@tool
async def deployment_target(
    context: ToolContext,
    service: str,
    region: Region | None = None,
    replicas: Replicas | None = None,
    language: Language = "en",
) -> dict[str, Json]:
    """Find out where a service shall go. Asks the person for what isn't given.

    Call it before `deploy`; leave out region and replicas unless the person named them.
    """
    texts = LANGUAGES[language].asking
    if region is None:
        options: list[Json] = [
            {"const": code, "title": title, "x-titles": _titles(code)}
            for code, title in texts.regions.items()
        ]
        region = await context.interrupt(
            message=texts.region.format(service=service),
            response_schema={"type": "string", "oneOf": options},
        )
    if replicas is None:
        replicas = await context.interrupt(
            message=texts.replicas.format(service=service),
            response_schema={"type": "integer", "minimum": 1, "maximum": 5},
        )
    return {"service": service, "region": region, "replicas": replicas}


@tool(behavior=InterruptBehavior.COOPERATIVE, approval=True, destructive=True)
async def deploy(
    context: ToolContext, service: str, region: Region, replicas: Replicas
) -> dict[str, Json]:
    """Deploy a service. Changes what is live; a person has to approve each call."""
    texts = LANGUAGES.get(context.language, LANGUAGES["en"]).asking
    steps = texts.deploying
    for number, step in enumerate(steps):
        text = step.format(region=texts.regions[region], replicas=replicas)
        await context.progress(text, number / len(steps))
        await work(context, DEPLOY_STEP_SECONDS)
    return {"service": service, "region": region, "replicas": replicas}


@tool(behavior=InterruptBehavior.COOPERATIVE)
async def search_pages(
    context: ToolContext,
    query: str,
    pages: Annotated[int, Field(ge=1, le=12)] = 12,
    language: Language = "en",
) -> dict[str, Json]:
    """Search the handbook page by page. Takes several seconds; can be stopped."""
    texts = LANGUAGES[language]
    stems = [word[:STEM] for word in query.lower().replace("ё", "е").split() if len(word) >= STEM]
    found: list[Json] = []
    for number, (title, text) in enumerate(texts.handbook[:pages], 1):
        progress = texts.asking.page.format(page=number, pages=pages)
        await context.progress(progress, number / pages)
        await work(context, PAGE_SECONDS)
        page = f"{title} {text}".lower().replace("ё", "е")
        if any(stem in page for stem in stems):
            found.append({"title": title, "text": text})
    return {"pages": pages, "found": found}


def checks_tool(check_seconds: float) -> Tool:
    """`run_checks`, whose child process takes so long for each check."""

    @tool(behavior=InterruptBehavior.EXTERNALLY_TERMINATED)
    def run_checks(context: SyncToolContext, language: Language = "en") -> dict[str, Json]:
        """Run the checks in a child process of their own; a stop ends the process."""
        text = LANGUAGES[language].asking.check
        command = [sys.executable, "-c", CHILD, str(CHECKS), str(check_seconds)]
        passed = 0
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            if context.registrar is not None:
                context.registrar.register(process.terminate)
            for line in process.stdout or ():
                passed = int(line)
                context.progress(text.format(check=passed, checks=CHECKS), passed / CHECKS)
            exit_code = process.wait(END_SECONDS)
        context.signal.checkpoint()
        return {"passed": passed, "exitCode": exit_code}

    return run_checks


@tool(behavior=InterruptBehavior.NON_INTERRUPTIBLE)
async def look_up_order(order: int, language: Language = "en") -> dict[str, Json]:
    """Look up how an order stands. Takes two seconds and is never cut short."""
    await asyncio.sleep(LOOKUP_SECONDS)
    return {"order": order, "status": LANGUAGES[language].orders.get(order)}


@tool(behavior=InterruptBehavior.COOPERATIVE)
async def follow_plan(
    context: ToolContext, goal: str, steps: list[str], language: Language = "en"
) -> dict[str, Json]:
    """Show the person a plan and, once they agree to it, carry it out step by step."""
    texts = LANGUAGES[language].asking
    plan: list[Json] = list(steps)
    answer = await context.interrupt(
        message=texts.plan.format(goal=goal), kind="plan", details={"plan": plan}
    )
    if not answer["approved"]:
        return {"approved": False, "reason": answer.get("reason"), "steps": 0}
    for number, step in enumerate(steps):
        await context.progress(step, number / len(steps))
        await work(context, PLAN_STEP_SECONDS)
    return {"approved": True, "reason": None, "steps": len(steps)}


@tool
async def book_table(
    context: ToolContext,
    restaurant: str,
    day: date | None = None,
    people: People | None = None,
    language: Language = "en",
) -> dict[str, Json]:
    """Book a table. Asks the person for the day and the number of people unless they are given."""
    texts = LANGUAGES[language].asking
    if day is None:
        day = await context.interrupt(
            message=texts.date.format(restaurant=restaurant), response_schema=date
        )
    if people is None:
        people = await context.interrupt(
            message=texts.people,
            response_schema={"type": "integer", "minimum": 1, "maximum": 12},
        )

    def reserve() -> int:
        return 1000 + zlib.crc32(context.call_id.encode()) % 9000

    number = await context.once("reserve", reserve)
    return {
        "restaurant": restaurant,
        "date": day.isoformat(),
        "people": people,
        "number": number,
    }


def concierge_tools(check_seconds: float = CHECK_SECONDS) -> tuple[Tool, ...]:
    """All of them."""
    return (
        deployment_target,
        deploy,
        search_pages,
        checks_tool(check_seconds),
        look_up_order,
        follow_plan,
        book_table,
    )
