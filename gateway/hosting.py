"""The host that a run speaks to."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from gateway import delivery, ending, joining
from gateway.core.errors import RunEnded
from gateway.core.events import State
from gateway.core.interrupts import Interrupt, Status
from gateway.core.log import said_text, user_body
from gateway.core.messages import Json, ToolCall
from gateway.live import LiveRun, Work
from gateway.mail import Ask, DeadlineOver, FromRun, KeepJoined, RefuseOwn, TakeJoins
from gateway.ports.agent import CallFacts, Check, Joined, Leave, RunEvent
from gateway.ports.channel import Notice, Update
from gateway.ports.rows import Rule
from gateway.state import ThreadState


class Host:
    """`RunHost` for one task of one run. It is dead once the run is abandoned or resumed anew."""

    def __init__(self, state: ThreadState, live: LiveRun) -> None:
        self._state = state
        self._live = live
        self._epoch = live.epoch

    def _check(self) -> None:
        if self._epoch != self._live.epoch or self._live.machine.state is State.ENDED:
            raise RunEnded(f"run {self._live.id} is over for this task")

    async def _ask(self, make: Any) -> Any:
        """Have the actor do something; returns once that is stored. The wait ends by the run's
        deadline and grace, after which the task that waits is abandoned, and where the actor fails:
        that fails everything it was asked.
        """
        self._check()
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._state.post(make(done))
        return await done

    async def emit(self, event: RunEvent) -> None:
        """Return when the event is stored."""
        await self._ask(lambda done: FromRun(self._live.id, self._epoch, event, done))

    def waits_for_end(self) -> bool:
        """Whether something waits for this run to end its turn; nothing is asked of the actor."""
        return bool(joining.joinable(self._state, self._live, ending=True))

    async def take(self, check: Check, *, ending: bool = False) -> Sequence[Joined]:
        """The inputs that join now, checked before they are taken; nothing is asked of the actor
        where none waits.
        """
        self._check()
        rows = joining.joinable(self._state, self._live, ending=ending)
        if not rows:
            return ()
        texts = {row.seq: row.new.text for row in rows}
        read = {row.seq: said_text(user_body(joining.message_of(self._state, row))) for row in rows}
        codes = {seq: await check(text) for seq, text in read.items()}
        refused = {seq: code for seq, code in codes.items() if code is not None}
        joined: Sequence[Joined] = await self._ask(
            lambda done: TakeJoins(self._live.id, self._epoch, texts, refused, done, ending)
        )
        return joined

    async def refuse(self, own: Mapping[int, str]) -> None:
        """Let no model read these of the run's own inputs."""
        await self._ask(lambda done: RefuseOwn(self._live.id, self._epoch, own, done))

    async def keep(self, joined: Joined) -> bool:
        """Store a message that joined by the handle."""
        await self._ask(lambda done: KeepJoined(self._live.id, self._epoch, joined, done))
        return True

    def say(self, step: int, more: str) -> None:
        """Hand more of the step's text over; nothing is revealed once the output is closed."""
        live = self._live
        if self._epoch != live.epoch:
            return
        text = live.more.get(step)
        if text is None:
            delivery.begin_text(self._state, live, step, more)
            return
        add, go_on = text
        add(more)
        go_on(more)
        if live.ticking is None:
            delivery.watch_shown(self._state, live)

    def progress(self, call_id: str, text: str, fraction: float | None) -> None:
        """Draw how a call goes on; refused silently from a dead task."""
        if self._epoch != self._live.epoch:
            return
        data: dict[str, Json] = {
            "run": self._live.id,
            "callId": call_id,
            "text": text,
            "fraction": fraction,
        }
        self._draw("progress", data)

    def child(self, call_id: str, run: str, agent: str, on: bool) -> None:
        """Know a child run by its address, and draw it; refused silently from a dead task."""
        live = self._live
        if self._epoch != live.epoch:
            return
        if on:
            live.children[run] = agent
        else:
            live.children.pop(run, None)
        data: dict[str, Json] = {
            "run": live.id,
            "callId": call_id,
            "child": run,
            "agent": agent,
            "on": on,
        }
        self._draw("child", data)

    def _draw(self, kind: str, data: Mapping[str, Json]) -> None:
        for channel in self._state.lookers(self._live.id):
            channel.update(Update(self._state.thread.id, kind, data))

    def spent(self, tokens: int, cost_usd: float, *, over: bool) -> None:
        """Count it; where a budget is used up the run is stopped as at its deadline."""
        metrics = self._state.wiring.metrics
        metrics("model_tokens", {}, tokens)
        metrics("model_cost_usd", {}, cost_usd)
        if over and self._epoch == self._live.epoch:
            self._state.post(DeadlineOver(self._live.id))

    async def tell(self, code: str, **params: Json) -> None:
        """Tell it where the run is shown."""
        row = self._live.row
        notice = Notice(row.thread, code, params, "", row.language, None, row.id)

        def told(state: ThreadState, work: Work) -> None:
            work.then(state.channel(row.channel).tell, notice)

        await self._ask(lambda done: Ask(told, done))

    async def may_run(self, facts: CallFacts) -> Leave:
        """Whether the call may run for this run's persons, by what the lists say now."""
        self._check()
        access, row = self._state.wiring.access, self._live.row
        tool = facts.call.name
        if not access.may_run(tool, row.principals):
            return Leave.REFUSE
        if not all(self._still_may(question) for question in self._granted(facts)):
            return Leave.REFUSE
        if facts.approval is not None:
            return Leave.RUN if facts.approval.status is Status.APPROVED else Leave.REFUSE
        if not facts.needs_approval:
            return Leave.RUN
        rules = {Rule(self._state.thread.id, who, tool) for who in row.principals}
        if facts.destructive or not rules <= self._state.rules:
            return Leave.ASK
        await self._ask(lambda done: Ask(lambda state, work: self._by_rule(work, facts.call), done))
        return Leave.RUN

    def _by_rule(self, work: Work, call: ToolCall) -> None:
        """Log that a call runs by its persons' rules, once a call."""
        self._check()
        ending.note_rule(self._state, work, self._live, call)

    def _granted(self, facts: CallFacts) -> list[Interrupt]:
        """What people have answered and approved for this call."""
        return [
            question
            for question in self._state.questions.values()
            if (question.run, question.tool_call_id) == (self._live.id, facts.call.id)
            and question.status in (Status.ANSWERED, Status.APPROVED)
        ]

    def _still_may(self, question: Interrupt) -> bool:
        """Whether whoever decided it has the right to still (RACES 28)."""
        access, decision = self._state.wiring.access, question.decision
        if decision is None:
            return False
        if question.approvers:
            return access.may_approve(decision.by)
        channels = {self._live.row.channel, *(view.name for view in self._state.views())}
        return any(access.may_talk(decision.by, channel) for channel in channels)
