"""One lane a chat: what is to be said there, in order, one call at a time, within the limits.

A job says what it wants next; what a person waits for goes first, in the order handed over. A
chat's penalty, silence or loss holds up its own lane only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from gateway.channels.telegram.api import Failed, Fate
from gateway.channels.telegram.limits import Overall, window_of
from gateway.supervise import Caught, Supervisor, guarded_await

LONGEST_BACKOFF_SECONDS = 30.0
UNKNOWN_SECONDS = 1.0
"""How long after a call of unknown outcome the lane goes on."""


@dataclass(frozen=True, slots=True)
class Want:
    """A call that a job wants to make, not before `at`; `urgent` where a person waits for it."""

    urgent: bool
    at: float = 0.0


class Job(Protocol):
    """Something to be said in a chat."""

    finished: bool

    def wants(self, now: float) -> Want | None:
        """The next call, or None: nothing for now."""

    async def go(self, chat: int) -> None:
        """Make the next call. Raises `Failed`."""

    async def failed(self, failed: Failed) -> None:
        """The call failed in a way that concerns this job alone."""

    async def dropped(self) -> None:
        """Nobody can be told here."""


@dataclass(slots=True)
class Ways:
    """What all lanes share. `unreachable` and `moved` are told what a chat's errors say of it."""

    overall: Overall
    monotonic: Callable[[], float]
    supervisor: Supervisor
    report: Callable[[str, BaseException], str]
    unreachable: Callable[[int], None]
    moved: Callable[[int, int], None]
    limited: bool = True


@dataclass(slots=True)
class _Pause:
    until: float = 0.0
    failures: int = 0

    def failed(self, now: float) -> None:
        self.failures += 1
        self.until = now + min(2.0 ** (self.failures - 1), LONGEST_BACKOFF_SECONDS)


class Lane:
    """The lane of one chat. `chat` is where it is now; a group can move."""

    def __init__(self, chat: int, ways: Ways) -> None:
        self.chat = chat
        self.closed = False
        self._ways = ways
        self._jobs: list[Job] = []
        self._window = window_of(chat)
        self._pause = _Pause()
        self._news = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def add(self, job: Job) -> None:
        """Something more to say."""
        self._jobs.append(job)
        self.wake()

    def wake(self) -> None:
        """A job wants something else than before."""
        self._news.set()
        if self.task is None and not self.closed:
            self.task = self._ways.supervisor.spawn(self._run(), name="telegram lane")

    def penalised(self, seconds: float) -> None:
        """Nothing goes here for so long."""
        self._pause.until = max(self._pause.until, self._ways.monotonic() + seconds)

    async def _run(self) -> None:
        while not self.closed:
            self._jobs = [job for job in self._jobs if not job.finished]
            if not self._jobs:
                break
            self._news.clear()
            chosen, wait = self._choose(self._ways.monotonic())
            if chosen is None or wait > 0:
                await self._rest(wait)
            else:
                await self._go(*chosen)
        self.task = None

    async def _rest(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds if seconds > 0 else None):
                await self._news.wait()
        except TimeoutError:
            return

    def _choose(self, now: float) -> tuple[tuple[Job, bool] | None, float]:
        """The next job, and how long it has to wait; (None, 0.0) where nobody wants anything."""
        later: tuple[float, Job] | None = None
        for job in self._jobs:
            want = job.wants(now)
            if want is not None and want.urgent:
                return (job, True), self._wait(now, want)
            if want is not None:
                wait = self._wait(now, want)
                later = min(later or (wait, job), (wait, job), key=lambda item: item[0])
        return (None, 0.0) if later is None else ((later[1], False), later[0])

    def _wait(self, now: float, want: Want) -> float:
        window = self._window.wait(now, urgent=want.urgent) if self._ways.limited else 0.0
        return max(window, want.at - now, self._pause.until - now, 0.0)

    async def _go(self, job: Job, urgent: bool) -> None:
        if self._ways.limited:
            if not await self._turn(urgent):
                return
            self._window.note(self._ways.monotonic())
        outcome = await guarded_await(job.go(self.chat))
        if not isinstance(outcome, Caught):
            self._pause.failures = 0
        elif isinstance(outcome.error, Failed):
            await self._failed(job, outcome.error)
        else:
            await self._broke(job, outcome.error)

    async def _turn(self, urgent: bool) -> bool:
        """Wait for the bot's own limit; what isn't urgent steps aside for news of this chat."""
        mine = self._ways.overall.ask(urgent=urgent)
        if urgent or mine.done():
            await mine
            return True
        news = self._ways.supervisor.spawn(self._hear(), name="telegram lane news")
        await asyncio.wait((mine, news), return_when=asyncio.FIRST_COMPLETED)
        news.cancel()
        return not mine.cancel()

    async def _hear(self) -> None:
        await self._news.wait()

    async def _failed(self, job: Job, failed: Failed) -> None:
        now = self._ways.monotonic()
        match failed.fate:
            case Fate.FLOOD:
                self.penalised(failed.retry_after)
            case Fate.SERVER | Fate.UNREACHED | Fate.TOKEN:
                self._pause.failed(now)
            case Fate.MIGRATED:
                self._ways.moved(self.chat, failed.moved_to)
            case Fate.FORBIDDEN:
                await self.drop()
                self._ways.unreachable(self.chat)
            case Fate.UNKNOWN:
                self.penalised(UNKNOWN_SECONDS)
                await self._tell(job, failed)
            case _:
                await self._tell(job, failed)

    async def _tell(self, job: Job, failed: Failed) -> None:
        outcome = await guarded_await(job.failed(failed))
        if isinstance(outcome, Caught):
            await self._broke(job, outcome.error)

    async def _broke(self, job: Job, error: Exception) -> None:
        """A job can't go on; the others of its chat do."""
        self._ways.report("telegram", error)
        await self._over(job)

    async def _over(self, job: Job) -> None:
        dropped = await guarded_await(job.dropped())
        if isinstance(dropped, Caught):
            self._ways.report("telegram", dropped.error)
        job.finished = True

    async def drop(self) -> None:
        """Nobody can be told here: every job is over."""
        jobs, self._jobs = self._jobs, []
        for job in jobs:
            await self._over(job)


@dataclass(slots=True)
class Lanes:
    """The lanes of all chats, by the number that a chat's threads are named by."""

    ways: Ways
    _lanes: dict[int, Lane] = field(default_factory=dict)

    def of(self, chat: int, now_at: int) -> Lane:
        """The lane of a chat, which is at `now_at`."""
        lane = self._lanes.setdefault(chat, Lane(now_at, self.ways))
        lane.chat = now_at
        return lane

    def known(self, chat: int) -> Lane | None:
        """The chat's lane, where something was said."""
        return self._lanes.get(chat)

    async def settle(self, seconds: float) -> None:
        """Wait until everything was said, at most so long."""
        tasks = [lane.task for lane in self._lanes.values() if lane.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    def close(self) -> None:
        """Nothing more goes out."""
        for lane in self._lanes.values():
            lane.closed = True
            lane.wake()
