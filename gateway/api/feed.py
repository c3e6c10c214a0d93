"""A channel of programs over HTTP: what its runs say is kept for whoever reads their events.

A text counts as shown as far as some reader was written it. A question counts as delivered at once:
whoever may answer it can ask for it at any time.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from gateway.api.runlog import RunLog
from gateway.api.watching import Watched, Watches
from gateway.core.interrupts import Interrupt
from gateway.core.messages import Json
from gateway.ports.channel import (
    Capabilities,
    Delivery,
    Notice,
    Prompt,
    Sent,
    Shown,
    TextRef,
    Update,
)
from gateway.ports.clock import Clock
from gateway.ports.rows import PromptRow
from gateway.wire import Sequence

ENDED_KEPT: Final = 512
"""How many runs that have ended are kept for readers who come late."""
ARMING_SECONDS: Final = 1.0
"""How long a pause waits to be told of until all its questions' times are known."""
STARTING, RUNNING, ASKING, ENDED = "starting", "running", "asking", "ended"


@dataclass(eq=False)
class Follow(Watched):
    """What is known of one input: its last state, its run, its notices, and what its person was
    given back until it was handled. `repeated`: it had been taken before.
    """

    told: list[Notice] = field(default_factory=list)
    returned: list[Mapping[str, Any]] = field(default_factory=list)
    repeated: bool = False

    @property
    def detail(self) -> str:
        """What explains its outcome: a code, or an id."""
        return str(self.input.get("detail") or "")

    @property
    def known(self) -> bool:
        """Whether it is known what becomes of it: it runs, waits, or has an outcome."""
        return bool(self.outcome or self.run or self.input.get("state") == "waiting")

    def see(self, data: Mapping[str, Any]) -> None:
        """Take in a change of an input of the thread."""
        if data.get("id") != self.dedup:
            if data.get("outcome") == "returned" and not self.outcome:
                self.returned.append(data)
            return
        self.input = data
        self.run = str(data.get("run") or "") or self.run
        self.changed.set()

    async def until(self, what: Callable[[], bool], seconds: float) -> bool:
        """Wait for something to be so; False where it was not in time."""
        try:
            async with asyncio.timeout(seconds):
                while not what():
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            return False
        return True


@dataclass(slots=True)
class _Pause:
    """A pause that waits to be told of."""

    questions: list[str]
    unarmed: set[str]
    timer: asyncio.TimerHandle


class Feed:
    """The channel `name`, and the logs of its runs and of those that somebody reads."""

    capabilities = Capabilities(buttons=False, reply_to=True, edit=False, durable=True)

    def __init__(self, name: str, clock: Clock) -> None:
        self.name = name
        self.sequence = Sequence(clock.now())
        self._logs: dict[str, RunLog] = {}
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._follows: Watches[Follow] = Watches()
        self._arming: dict[str, _Pause] = {}
        self._paused_at: dict[str, int] = {}
        self._by_thread: dict[str, set[str]] = {}
        self._seen: Mapping[str, Callable[[str, Mapping[str, Any]], None]] = {
            "input": self._input,
            "run": self._run,
            "entry": self._entry,
            "armed": self._armed,
            "decided": self._decided,
            "call": partial(self._passed_on, "tool"),
            "progress": partial(self._passed_on, "progress"),
            "child": partial(self._passed_on, "child"),
        }

    # -- readers -------------------------------------------------------------------------------

    def follow(self, thread: str, dedup: str) -> Follow:
        """Keep an eye on an input until `unfollow`."""
        return self._follows.add(Follow(thread, dedup))

    def unfollow(self, follow: Follow) -> None:
        """Idempotent."""
        self._follows.remove(follow)

    def log(self, run: str, thread: str) -> RunLog:
        """The run's log, begun now where there is none: what came before is not in it then."""
        return self._log(run, thread, whole=False)

    def known(self, run: str) -> RunLog | None:
        """The run's log, where it has one."""
        return self._logs.get(run)

    def begin(self, run: str, thread: str) -> RunLog:
        """The log of a run that begins now."""
        return self._log(run, thread, whole=True)

    def end(self, log: RunLog) -> None:
        """The run is over; its log is kept for a while."""
        log.over = True
        self._ended[log.run] = None
        while len(self._ended) > ENDED_KEPT:
            self._drop(self._ended.popitem(last=False)[0])

    def forget(self, thread: str) -> None:
        """The thread is gone, and with it what was kept of its runs."""
        for run in list(self._by_thread.get(thread, ())):
            self._drop(run)

    def _log(self, run: str, thread: str, *, whole: bool) -> RunLog:
        log = self._logs.get(run)
        if log is None:
            log = self._logs[run] = RunLog(run, thread, self.sequence, whole)
            self._by_thread.setdefault(thread, set()).add(run)
        return log

    def _drop(self, run: str) -> None:
        log = self._logs.pop(run, None)
        self._ended.pop(run, None)
        if log is None:
            return
        runs = self._by_thread.get(log.thread, set())
        runs.discard(run)
        if not runs:
            self._by_thread.pop(log.thread, None)

    # -- the port ------------------------------------------------------------------------------

    def show(self, ref: TextRef, text: str, final: bool) -> None:
        self._log(ref.run, ref.thread, whole=False).grow(ref.step, text)

    def words(self, ref: TextRef) -> Callable[[str], None]:
        return partial(self._log(ref.run, ref.thread, whole=False).more, ref.step)

    def shown(self, ref: TextRef) -> Shown:
        log = self._logs.get(ref.run)
        return Shown("" if log is None else log.shown(ref.step))

    def cut(self, ref: TextRef) -> Shown:
        return Shown(self._log(ref.run, ref.thread, whole=False).cut(ref.step))

    def close(self, ref: TextRef, text: str, reason: str | None) -> None:
        log = self._logs.get(ref.run)
        if log is not None:
            log.add("text-end", {"step": ref.step, "length": len(text), "reason": reason})

    async def ask(self, prompt: Prompt) -> Sent:
        seq = self._paused_at.get(prompt.question.run) or self.sequence.next()
        return Sent(Delivery.CONFIRMED, message_ref=prompt.question.id, seq=seq)

    def withdraw(self, prompt: PromptRow, question: Interrupt) -> None:
        """A decided question is told by its run's events."""

    def tell(self, notice: Notice) -> None:
        for follow in self._follows.of(notice.thread):
            if notice.input_seq is not None and notice.input_seq == follow.input.get("seq"):
                follow.told.append(notice)
                follow.changed.set()

    def update(self, update: Update) -> None:
        seen = self._seen.get(update.type)
        if seen is not None:
            seen(update.thread, update.data)

    # -- changes of threads --------------------------------------------------------------------

    def _input(self, thread: str, data: Mapping[str, Any]) -> None:
        for follow in self._follows.of(thread):
            follow.see(data)
        run, addressed = str(data.get("run") or ""), str(data.get("addressed") or "")
        if run and run not in self._logs and self._begins(data):
            self.begin(run, thread)
        for name in {run, addressed} & self._logs.keys():
            self._logs[name].add("input", data)
        if addressed in self._logs:
            self._logs[addressed].inputs[data["seq"]] = data

    def _begins(self, data: Mapping[str, Any]) -> bool:
        own = str(data.get("id", "")).startswith(f"{self.name}:")
        return own and data.get("state") == RUNNING

    def _run(self, thread: str, data: Mapping[str, Any]) -> None:
        if data["state"] == ENDED:
            self._paused_at.pop(str(data["run"]), None)
        log = self._logs.get(str(data["run"]))
        if log is None:
            return
        if data["state"] in (STARTING, RUNNING):
            log.resting = log.over = False
            self._ended.pop(log.run, None)
        log.add("run", data)
        if data["state"] == ENDED:
            self._asked(log, told=False)
            log.add("finish", data, last=True)
            self.end(log)

    def _entry(self, thread: str, data: Mapping[str, Any]) -> None:
        body, step, run = data["body"], int(data["step"]), str(data["run"])
        pauses = data["kind"] == "interrupt" and body.get("status") == "paused"
        if pauses:  # from here on its questions can be seen, also of a run that nobody reads
            self._paused_at[run] = self.sequence.next()
        log = self._logs.get(run)
        if log is None:
            return
        if data["kind"] == "assistant":
            log.text = str(body["text"])
        if data["kind"] == "assistant" and step not in log.texts:
            log.add("message", {"seq": data["seq"], "role": "assistant", "step": step, **body})
        elif data["kind"] == "user":
            log.add("message", {"seq": data["seq"], "role": "user", "step": step, **body})
        elif pauses:
            self._pause(log, [item["id"] for item in body["interrupts"]])

    def _pause(self, log: RunLog, questions: list[str]) -> None:
        """Tell of a pause once the times of all its questions are known, or after a moment."""
        self._asked(log, told=False)
        log.questions.update(questions)
        timer = asyncio.get_running_loop().call_later(ARMING_SECONDS, self._asked, log)
        self._arming[log.run] = _Pause(questions, set(questions), timer)

    def _asked(self, log: RunLog, told: bool = True) -> None:
        pause = self._arming.pop(log.run, None)
        if pause is not None:
            pause.timer.cancel()
            if told:
                self.paused(log, pause.questions)

    def paused(self, log: RunLog, questions: list[str]) -> None:
        """Tell that a run waits for answers to these questions."""
        data: dict[str, Json] = {"state": ASKING, "questions": [*questions]}
        log.add("interrupt-required", data)
        log.add("finish", data, last=True)

    def _armed(self, thread: str, data: Mapping[str, Any]) -> None:
        run = str(data["run"])
        pause, log = self._arming.get(run), self._logs.get(run)
        if pause is None or log is None:
            return
        pause.unarmed.discard(str(data["id"]))
        if not pause.unarmed:
            self._asked(log)

    def _decided(self, thread: str, data: Mapping[str, Any]) -> None:
        runs = self._by_thread.get(thread, ())
        for log in [self._logs[run] for run in runs]:
            if data["id"] in log.questions:
                log.add("interrupt-decided", data)

    def _passed_on(self, type_: str, thread: str, data: Mapping[str, Any]) -> None:
        """A change that is an event of its run as it is."""
        log = self._logs.get(str(data["run"]))
        if log is not None:
            log.add(type_, data)
