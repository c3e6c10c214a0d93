"""Random schedules of one person against a store that stalls: commits and new inputs, each apart.

What must hold: every input one outcome, never two model calls at once, one result a call in every
model input, no call run twice, and no call begun between a stop and the answer to it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.faults import HoldingStore
from tests.acceptance.people import Person
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime
MODES = ["steer", "enqueue", "interrupt", "rollback", "collect"]
WORDS = ["eu", "yes", "no", "cancel", "стоп", "/retry"]
EPSILON = 0.002


def tools(started: list[tuple[float, str]]) -> list[Any]:
    """One of each kind; each notes when its work begins."""

    def begins(context: ToolContext) -> None:
        started.append((asyncio.get_running_loop().time(), context.call_id))

    @tool
    async def finish(seconds: float, context: ToolContext) -> str:
        """Can't be cut."""
        begins(context)
        await asyncio.sleep(seconds)
        return "finished"

    @tool(behavior="COOPERATIVE")
    async def listen(seconds: float, context: ToolContext) -> str:
        """Listens for the stop."""
        begins(context)
        try:
            async with asyncio.timeout(seconds):
                await context.signal.wait()
        except TimeoutError:
            return "listened"
        context.signal.checkpoint()
        return "not reached"

    @tool(behavior="THREAD_INTERRUPT")
    async def wait(seconds: float, context: ToolContext) -> str:
        """Is cancelled."""
        begins(context)
        await asyncio.sleep(seconds)
        return "waited"

    @tool(behavior="COOPERATIVE")
    async def ask(seconds: float, context: ToolContext) -> str:
        """Asks first."""
        region = await context.interrupt(message="Where?", response_schema={"enum": ["eu", "us"]})
        begins(context)
        await asyncio.sleep(seconds)
        return f"asked {region}"

    @tool(approval=True)
    async def wipe(seconds: float, context: ToolContext) -> str:
        """Needs leave."""
        begins(context)
        await asyncio.sleep(seconds)
        return "wiped"

    return [finish, listen, wait, ask, wipe]


def scripted(random: Random) -> Script:
    """A model that talks or calls, at random."""

    def step(request: Any) -> list[Any]:
        if random.random() < 0.35:
            return ["Some ", random.uniform(0.01, 0.5), "text."]
        names = ["finish", "listen", "wait", "ask", "wipe"]
        calls = [
            call(random.choice(names), seconds=round(random.uniform(0.01, 1.2), 3))
            for _ in range(random.randint(1, 3))
        ]
        return [random.uniform(0.01, 0.4), *(["Hm. "] if random.random() < 0.5 else []), *calls]

    return Script(step)


class Schedule:
    """What one person does, and how the store stalls; `stops` are (sent, answered)."""

    def __init__(self, random: Random, store: HoldingStore, ann: Person, thumb: Person) -> None:
        self.stops: list[tuple[float, float]] = []
        self._random, self._store, self._ann, self._thumb = random, store, ann, thumb
        self._tasks: list[asyncio.Task[Any]] = []

    async def play(self, steps: int = 25) -> None:
        acts = [self._say, self._stop, self._press, self._word]
        acts += [self._store.hold, self._store.hold_accepts]
        acts += [self._store.release, self._store.release_accepts]
        for act in self._random.choices(acts, weights=[35, 15, 12, 8, 8, 8, 6, 6], k=steps):
            act()
            await asyncio.sleep(self._random.choice([0, 0.001, 0.05, 0.3, 1.0]))
        self._store.release()
        self._store.release_accepts()
        for task in self._tasks:
            await asyncio.wait_for(task, 30)

    def _do(self, coroutine: Any) -> None:
        self._tasks.append(asyncio.create_task(coroutine))

    def _say(self) -> None:
        override = self._random.choice([None, None, "now", "next", "later"])
        self._do(self._ann.say("go", id_=f"say-{len(self._tasks)}", override=override))

    def _word(self) -> None:
        self._do(self._ann.say(self._random.choice(WORDS), id_=f"say-{len(self._tasks)}"))

    def _press(self) -> None:
        questions = [frame for frame in self._ann.frames if frame["type"] == "question"]
        if questions:
            approval = questions[-1]["data"]["question"]["kind"] == "approval"
            self._do(self._ann.press(questions[-1], "approve" if approval else "0"))

    def _stop(self) -> None:
        async def stop() -> None:
            sent = asyncio.get_running_loop().time()
            await self._thumb.stop()
            self.stops.append((sent, asyncio.get_running_loop().time()))

        self._do(stop())


def broken(request: Any) -> list[str]:
    """The calls of a model input that don't have exactly one result."""
    asked = [c.id for m in request.messages for c in getattr(m, "calls", ())]
    answered = Counter(m.call_id for m in request.messages if hasattr(m, "call_id"))
    return [id_ for id_ in asked if answered[id_] != 1]


@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(n, marks=pytest.mark.soak) for n in range(2, 60))]
)
@pytest.mark.parametrize("mode", MODES)
async def test_a_person_against_a_store_that_stalls(tmp_path: Path, mode: str, seed: int):
    random = Random(f"{mode} {seed}")
    started: list[tuple[float, str]] = []
    store, model = HoldingStore(), scripted(random)
    agent = Agent("tester", model, "", tools(started))
    async with Desk(tmp_path, agent, wrap=store, queue_mode=mode) as desk:
        ann, thumb = await desk.person("ann"), await desk.person("ann")
        schedule = Schedule(random, store, ann, thumb)
        await schedule.play()
        await asyncio.sleep(5)
        for _ in range(8):
            await ann.stop()
            await asyncio.sleep(15)
        assert await ann.call("pauses.list") == []
        assert [row for row in (await ann.export())["inputs"] if row["outcome"] is None] == []
        assert [wrong for request in model.requests for wrong in broken(request)] == []
        assert model.open_streams == []
        ordered = sorted(model.streams, key=lambda stream: stream.opened_at)
        assert all(b.opened_at >= (a.closed_at or 0) - EPSILON for a, b in pairwise(ordered))
        assert len(started) == len({call_id for _, call_id in started})
        for sent, answered in schedule.stops:
            assert [c for t, c in started if sent + EPSILON < t < answered - EPSILON] == []
