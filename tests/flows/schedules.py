"""Random schedules: several people, modes, messages, stops, NOWs, commands, answers, failures and
crashes, from one seed; and what has to hold of each.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateway.access import Access
from gateway.core.cancellation import InterruptBehavior
from gateway.core.errors import ModelFailed
from gateway.core.log import Entry, Kind, path
from gateway.core.messages import ToolResult, UserMessage
from gateway.core.queueing import Drop, Mode, Priority
from gateway.policy import Policy
from gateway.ports.channel import Capabilities
from gateway.ports.model import ModelRequest
from gateway.ports.rows import InputKind, InputRow, InputState, Outcome
from gateway.router import Receipt
from gateway.runs.context import ToolContext
from gateway.runs.tools import Tool, tool
from tests.builders import LoopClock
from tests.fakes.channel import FakeChannel
from tests.flows.desk import Script, agent_of, call, open_desk
from tests.flows.watching import open_calls

WORDS = ("hi", "talk", "work", "finish", "sync", "ask", "fail", "never")
ANSWERS = ("yes", "no", "maybe", "skip", "cancel", "да", "стоп", "wait")
COMMANDS = (
    "/queue",
    "/status",
    "/queue drop 1",
    "/queue edit 1 hi edited",
    "/queue now 1",
    "/retry",
    "/questions",
    "/new",
)
THREADS = ("fake:1", "fake:2")
SECONDS = 8.0
LAST_SECONDS = 600.0


@dataclass
class Said:
    """Something somebody said: what, when, and what the door answered."""

    text: str
    by: str
    thread: str
    more: dict[str, Any]
    dedup: str
    receipt: Receipt | None = None


@dataclass
class Seen:
    """What one process showed, in order, and the runs whose model streams were open."""

    channel: FakeChannel
    killed: bool = False


@dataclass
class World:
    """One schedule and everything it left behind."""

    seed: int
    mode: Mode
    shared: bool
    said: list[Said] = field(default_factory=list)
    processes: list[Seen] = field(default_factory=list)
    ran: Counter[str] = field(default_factory=Counter)
    streams: dict[str, set[str]] = field(default_factory=dict)
    overlaps: list[str] = field(default_factory=list)
    rows: dict[str, list[InputRow]] = field(default_factory=dict)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    leaves: dict[str, int] = field(default_factory=dict)
    requests: list[ModelRequest] = field(default_factory=list)
    errors: list[tuple[str, BaseException]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


class Brain(Script):
    """Acts by the last message's first word; each reply's text is said once in a world."""

    def __init__(self, world: World) -> None:
        super().__init__(self._next)
        self._world = world
        self._replies = 0

    def stream(self, request: ModelRequest) -> Any:
        on = self._world.streams.setdefault(request.thread, set())
        if on - {request.run} and self._world.mode is not Mode.PARALLEL:
            self._world.overlaps.append(f"model call of {request.run} beside {on}")
        return _Noted(super().stream(request), on, request.run)

    def _next(self, request: ModelRequest) -> Sequence[object]:
        self._replies += 1
        last = request.messages[-1]
        number = self._replies
        if isinstance(last, ToolResult):
            return [f"reply {number} ", 0.2, f"to {last.content}"]
        word, _, rest = (
            last.text.partition(" ") if isinstance(last, UserMessage) else ("hi", "", "")
        )
        if word in ("work", "finish", "sync", "ask", "never"):
            return [f"reply {number} first ", 0.1, call(word, what=f"{rest} {number}")]
        if word == "fail":
            return [f"reply {number} half", 0.3, ModelFailed("MODEL_UNAVAILABLE", "down")]
        if word == "talk":
            return [f"reply {number} ", 0.7, "two ", 0.7, "three ", 0.7, "four"]
        return [f"reply {number}"]


class _Noted:
    """A model call that is counted as open while it is."""

    def __init__(self, inner: Any, on: set[str], run: str) -> None:
        self._inner, self._on, self._run = inner, on, run

    async def __aenter__(self) -> Any:
        self._on.add(self._run)
        return await self._inner.__aenter__()

    async def __aexit__(self, *raised: Any) -> Any:
        self._on.discard(self._run)
        return await self._inner.__aexit__(*raised)


def tools_of(world: World) -> tuple[Tool, ...]:
    """One tool of each kind; `ran` counts how often each call was begun."""

    @tool(behavior=InterruptBehavior.COOPERATIVE)
    async def work(what: str, context: ToolContext) -> str:
        """Takes a second, or until it is stopped."""
        world.ran[what] += 1
        try:
            await asyncio.wait_for(context.signal.wait(), 1.0)
        except TimeoutError:
            return "worked"
        return "stopped"

    @tool
    async def finish(what: str) -> str:
        """Takes a second and can't be interrupted."""
        world.ran[what] += 1
        await asyncio.sleep(1.0)
        return "finished"

    @tool(behavior=InterruptBehavior.THREAD_INTERRUPT)
    async def sync(what: str) -> str:
        """Takes a second; its task is cancelled."""
        world.ran[what] += 1
        await asyncio.sleep(1.0)
        return "synced"

    @tool(behavior=InterruptBehavior.COOPERATIVE)
    async def never(what: str) -> str:
        """Never returns and doesn't look at the signal."""
        world.ran[what] += 1
        await asyncio.sleep(1_000.0)
        return "never"

    @tool
    async def ask(what: str, context: ToolContext) -> str:
        """Asks."""
        answer = await context.interrupt(
            message=f"Really {what}?", response_schema=bool, expires_in=15.0
        )
        return f"answer {answer}"

    return work, finish, sync, never, ask


# -- playing ---------------------------------------------------------------------------------------


async def play(seed: int, directory: Path) -> World:
    """Play one schedule on a file in `directory`."""
    chance = random.Random(seed)
    world = World(seed, chance.choice(list(Mode)), chance.random() < 0.6)
    player = _Player(world, chance, directory / "a.db")
    await player.start()
    moments = sorted(chance.uniform(0, SECONDS) for _ in range(chance.randint(6, 16)))
    if chance.random() < 0.5:
        moments = [round(moment * 4) / 4 for moment in moments]
    now = 0.0
    for moment in moments:
        await asyncio.sleep(moment - now)
        now = moment
        await player.act()
    await asyncio.sleep(LAST_SECONDS)
    await player.end()
    return world


class _Player:
    def __init__(self, world: World, chance: random.Random, file: Path) -> None:
        self._world = world
        self._chance = chance
        self._file = file
        self._clock = LoopClock()
        self._pending: set[asyncio.Task[None]] = set()
        self._count = 0
        self._people = ["ann", "bob", "cid"] if world.shared else ["ann"]
        self._durable = chance.random() < 0.6
        self._share = chance.choice((0.3, 0.5, 1.0))
        self._limit = chance.choice((1, 2, 100))
        self._policy = Policy(
            mode=world.mode,
            shared_mode=world.mode,
            cap=chance.choice((2, 20)),
            drop=chance.choice(list(Drop)),
            debounce_ms=chance.choice((0, 0, 300)),
            run_seconds=chance.choice((4.0, 20.0)),
            linger_seconds=chance.choice((0.0, 0.5, 30.0)),
        )
        self._agent = agent_of(Brain(world), *tools_of(world))

    async def start(self) -> None:
        channel = FakeChannel(
            "fake",
            Capabilities(durable=self._durable),
            share=self._share,
            settles=not self._durable,
        )
        self._world.processes.append(Seen(channel))
        access = Access(open_channels=("fake",), admins=("root",))
        self.desk = await open_desk(
            self._file,
            self._agent,
            policy=self._policy,
            access=access,
            channels={"fake": channel},
            limit=self._limit,
            first_id=1_000_000 * len(self._world.processes),
            clock=self._clock,
        )
        if self._world.shared and len(self._world.processes) == 1:
            for thread in THREADS:
                await self.desk.share(thread)

    async def act(self) -> None:
        """One random thing that somebody does, or that happens to the process."""
        chance, dice = self._chance, self._chance.random()
        if dice < 0.06:
            await self._die(orderly=False)
        elif dice < 0.09:
            await self._die(orderly=True)
        elif dice < 0.2:
            self._say(chance.choice(("/stop", "stop", "стоп")), {})
        elif dice < 0.24:
            runs = [str(u["run"]) for u in self._channel.of_type("run")]
            if runs:
                self._say("", {"kind": InputKind.STOP, "run": chance.choice(runs)})
        elif dice < 0.36:
            self._say(chance.choice(ANSWERS), {})
        elif dice < 0.42 and self._channel.prompts:
            self._spawn(self._press())
        elif dice < 0.54:
            self._say(chance.choice(COMMANDS), {})
        else:
            self._say_something()

    def _say_something(self) -> None:
        self._count += 1
        wish = self._chance.choice((None, None, None, *Priority))
        self._say(f"{self._chance.choice(WORDS)} m{self._count}", {"override": wish})

    @property
    def _channel(self) -> FakeChannel:
        return self._world.processes[-1].channel

    def _say(self, text: str, more: dict[str, Any]) -> None:
        by = self._chance.choice(self._people)
        if text.startswith("/new") and self._world.shared:
            by = "root"
        thread = THREADS[self._chance.random() < 0.2]
        said = Said(text, by, thread, more, f"fake:bot:{len(self._world.said) + 1}")
        self._world.said.append(said)
        self._spawn(self._hand_in(said))

    async def _hand_in(self, said: Said) -> None:
        said.receipt = await self.desk.say(
            said.text, by=said.by, thread=said.thread, dedup=said.dedup, **said.more
        )

    async def _press(self) -> None:
        prompt = self._chance.choice(self._channel.prompts)
        option = self._chance.choice(("yes", "no", "skip", "cancel"))
        dedup = f"fake:press:{self._chance.random()}"
        row = prompt.row
        await self.desk.router.press(row.token, option, row.principal, dedup=dedup, channel="fake")

    def _spawn(self, doing: Any) -> None:
        task = asyncio.get_running_loop().create_task(doing)
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)

    async def _die(self, *, orderly: bool) -> None:
        """End the process, often right after somebody spoke, and start it again."""
        if self._chance.random() < 0.6:
            self._say_something()
            await asyncio.sleep(self._chance.choice((0, 0, 0.001, 0.002)))
        self._world.errors += self.desk.errors
        if orderly:
            await self.desk.close()
        else:
            self._world.processes[-1].killed = True
            await self.desk.kill()
        for task in list(self._pending):
            task.cancel()
        if self._pending:
            await asyncio.wait(self._pending, timeout=1)
        self._world.streams.clear()
        await self.start()
        for said in self._world.said:
            if said.receipt is None or said.receipt.code == "SHUTTING_DOWN":
                self._spawn(self._hand_in(said))

    async def end(self) -> None:
        """Everybody has had their time: what is left without an outcome, and the whole log."""
        world, store = self._world, self.desk.store
        world.left = await store.busy_threads()
        for row in await store.threads():
            world.rows[row.id] = await store.inputs(row.id)
            world.entries[row.id] = await store.entries(row.id)
            world.leaves[row.id] = row.leaf
        world.requests = self._agent.model.requests  # type: ignore[attr-defined]
        world.errors += self.desk.errors
        await self.desk.close()


# -- judging ---------------------------------------------------------------------------------------


def faults(world: World) -> list[str]:
    """Everything that must not be."""
    found = list(world.overlaps)
    found += [f"left over: {thread}" for thread in world.left]
    found += [f"{where}: {error!r}" for where, error in world.errors if not _expected(error)]
    found += _outcomes(world) + _runs(world) + _stops(world) + _said_once(world)
    found += _replies(world)
    found += [f"call {c} without one result" for r in world.requests for c in open_calls(r)]
    found += [f"{what} ran {n} times" for what, n in world.ran.items() if n > 1]
    return found


def _expected(error: BaseException) -> bool:
    return isinstance(error, ModelFailed)


def _outcomes(world: World) -> list[str]:
    found = []
    taken = {(row.new.thread, row.new.dedup) for rows in world.rows.values() for row in rows}
    for said in world.said:
        if said.receipt is None:
            found.append(f"{said} never got a receipt")
        elif said.receipt.row is not None and (said.thread, said.dedup) not in taken:
            found.append(f"{said} is lost")
    return found + _ends(world)


def _ends(world: World) -> list[str]:
    """Each stored input has its outcome, shown once (or not, where the process died on it)."""
    found = []
    shown: Counter[tuple[str, int]] = Counter()
    for process in world.processes:
        for update in process.channel.updates:
            if update.type == "input" and update.data["outcome"] is not None:
                shown[update.thread, int(str(update.data["seq"]))] += 1
    crashed = any(process.killed for process in world.processes)
    for thread, rows in world.rows.items():
        for row in rows:
            name = f"{thread} #{row.seq} {row.new.text!r} ({row.state}, {row.outcome})"
            if row.outcome is None or row.state is not InputState.DONE:
                found.append(f"{name} has no outcome")
            elif shown[thread, row.seq] > 1 or (not shown[thread, row.seq] and not crashed):
                found.append(f"{name} was shown to end {shown[thread, row.seq]} times")
    return found


def _runs(world: World) -> list[str]:
    if world.mode is Mode.PARALLEL:
        return []
    found = []
    for process in world.processes:
        on: dict[str, set[str]] = {}
        for update in process.channel.updates:
            if update.type != "run":
                continue
            here = on.setdefault(update.thread, set())
            here.add(str(update.data["run"]))
            if update.data["state"] == "ended":
                here.discard(str(update.data["run"]))
            if len(here) > 1:
                found.append(f"{update.thread}: two runs at once: {here}")
    return found


def _stops(world: World) -> list[str]:
    """Nothing of a person's that came before their stop starts after it."""
    found = []
    for thread, rows in world.rows.items():
        stops = [r for r in rows if r.detail == "STOPPED" and r.new.run is None]
        for stop in stops:
            earlier = {
                row.seq
                for row in rows
                if row.seq < stop.seq and row.new.principal == stop.new.principal
            }
            over = False
            for process in world.processes:
                for update in process.channel.updates:
                    if update.type != "input" or update.thread != thread:
                        continue
                    if update.data["seq"] == stop.seq and update.data["outcome"]:
                        over = True
                    elif over and update.data["seq"] in earlier and not update.data["outcome"]:
                        found.append(f"{thread} {update.data} after stop #{stop.seq}")
    return found


def _said_once(world: World) -> list[str]:
    """On the active branch each message and each reply stands once; so does each shown text."""
    found = []
    for thread, entries in world.entries.items():
        chain = path(entries, world.leaves[thread])
        for kind in (Kind.USER, Kind.ASSISTANT):
            texts = Counter(str(e.body["text"]) for e in chain if e.kind is kind)
            repeated = [t for t, n in texts.items() if n > 1 and _unique(t)]
            found += [f"{thread}: {kind} {text!r} stands twice" for text in repeated]
    for process in world.processes:
        given = Counter(text for text in process.channel.given.values() if text)
        found += [f"shown {n} times: {text!r}" for text, n in given.items() if n > 1]
    return found


def _replies(world: World) -> list[str]:
    """What was answered has its reply in the log."""
    found = []
    for thread, rows in world.rows.items():
        said = {e.run for e in world.entries[thread] if e.kind is Kind.ASSISTANT}
        answered = [row for row in rows if row.outcome is Outcome.ANSWERED]
        found += [f"{thread} #{r.seq}: no reply of {r.run}" for r in answered if r.run not in said]
    return found


def _unique(text: str) -> bool:
    return any(char.isdigit() for char in text)


def story(world: World) -> str:
    """The schedule in words, for a failing seed."""
    lines = [f"seed {world.seed}: {world.mode.value}, shared={world.shared}"]
    for thread, rows in world.rows.items():
        lines += [
            f"{thread} #{r.seq} {(r.accepted_at.minute, r.accepted_at.second)} {r.new.principal}"
            f" {r.new.override and r.new.override.name} {r.new.kind} {r.new.text!r}"
            f" -> {r.state} {r.outcome} {r.detail}"
            for r in rows
        ]
    return "\n".join(lines)
