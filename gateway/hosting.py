"""The host that a run speaks to, and how a run is started, resumed and recovered."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gateway import branches, delivery, effects, ending, joining
from gateway.core import run as table
from gateway.core import run_effects as fx
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import RunEnded
from gateway.core.events import Launched, Run, State, StopRequested
from gateway.core.interrupts import Interrupt, Status
from gateway.core.log import Entry, Kind, Place, assistant_body, history, said_text, user_body
from gateway.core.messages import Json, ToolCall
from gateway.live import LiveRun, Work
from gateway.mail import Ask, DeadlineOver, FromRun, Happened, KeepJoined, RefuseOwn, TakeJoins
from gateway.ports.agent import CallFacts, Check, Joined, Leave, RunEvent, RunStart
from gateway.ports.channel import Update
from gateway.ports.rows import InputRow, InputState, Outcome, Rule, RunRow
from gateway.state import ThreadState

TITLE_LENGTH = 80
"""A thread is called by the beginning of what was first said there."""


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


# -- starting --------------------------------------------------------------------------------------


def new_run(state: ThreadState, work: Work, rows: Sequence[InputRow]) -> None:
    """A run on these inputs: its row, its input's entries; the first is answered, others merged."""
    first = rows[0]
    principals = tuple(dict.fromkeys(row.new.principal for row in rows))
    machine = Run(state.wiring.ids.uuid(), durable=durable(state, first))
    row = RunRow(
        id=machine.id,
        thread=state.thread.id,
        agent=state.wiring.agent.name,
        channel=first.new.channel,
        state=machine.state.value,
        principals=principals,
        inputs=tuple(row.seq for row in rows),
        started_at=state.now(),
        language=first.new.language,
        options=first.new.options,
        beside=first.beside,
        named=first.new.branch is not None,
    )
    live = LiveRun(row, machine)
    live.side = branches.take(state, work, first) if first.beside else None
    take_on(state, work, first, live)
    if not state.thread.title:
        state.save_thread(work, title=" ".join(first.new.text.split())[:TITLE_LENGTH])
    for item in rows:
        body = user_body(joining.message_of(state, item))
        state.append(work, Kind.USER, Place.INPUT, body, run=live.id, input_seq=item.seq)
    for item in rows[1:]:
        state.finish(work, item, Outcome.MERGED, run=live.id)


def durable(state: ThreadState, row: InputRow) -> bool:
    """Whether the input's channel counts a text as delivered once it has it."""
    return state.channel(row.new.channel).capabilities.durable


def take_on(state: ThreadState, work: Work, row: InputRow, live: LiveRun) -> LiveRun:
    """Let a run be one of the thread's, started by an input; its task follows the commit."""
    state.runs[live.id] = live
    state.save_input(work, replace(row, state=InputState.RUNNING, run=live.id))
    delivery.save_run(state, live, work)
    ending.draw_run(state, live, work)
    work.then(state.post, Happened(live.id, fx.Start()))
    return live


def begin(state: ThreadState, live: LiveRun) -> None:
    """Start the run's task: new, or going on from its checkpoint."""
    live.epoch += 1
    live.children.clear()
    delivery.open_output(state, live)
    live.machine, _ = table.step(live.machine, Launched())
    agent = state.wiring.agent
    live.handle = agent.start(_start(state, live), Host(state, live))
    policy = state.wiring.policy
    own = live.row.options.timeout_seconds or agent.timeout_seconds
    timeout = min(own, policy.run_seconds)
    live.deadline = state.later(timeout, DeadlineOver(live.id))


def _start(state: ThreadState, live: LiveRun) -> RunStart:
    row = live.row
    questions = tuple(
        q for q in state.questions.values() if q.run == live.id and q.decision is not None
    )
    return RunStart(
        run=live.id,
        thread=state.thread.id,
        principals=row.principals,
        history=tuple(
            history(
                [*state.chain_of(live.id), *_unsettled(live)],
                state.unfinished(live.id),
                people=not state.thread.private,
            )
        ),
        language=row.language,
        options=row.options,
        checkpoint=row.checkpoint,
        step=live.last_step,
        questions=questions,
        journal=tuple(live.journal),
        own=_own(state, live),
        branch=state.thread.branch if live.side is None else live.side.number,
    )


def _own(state: ThreadState, live: LiveRun) -> tuple[str, ...]:
    """The texts of the run's own input, where no step was made yet."""
    if live.row.checkpoint is not None or live.journal or live.last_step:
        return ()
    return tuple(said_text(entry.body) for entry in joining.own_entries(state, live.id))


def _unsettled(live: LiveRun) -> list[Entry]:
    """Texts that are still being delivered count for the model as said."""
    return [
        Entry(
            0,
            0,
            0,
            live.id,
            step,
            Place.TEXT,
            Kind.ASSISTANT,
            assistant_body(kept.text, provider_parts=kept.provider_parts),
        )
        for step, kept in live.row.texts.items()
        if kept.final
    ]


def stop_run(
    state: ThreadState, live: LiveRun, reason: InterruptReason, work: Work, by: str = ""
) -> None:
    """Stop a run with the reason's grace. One that a person's stop tripped at the door keeps that
    reason, though something else is handled first.
    """
    grace = state.wiring.policy.graces.of(reason, live.machine.running.values())
    first = reason if live.tripped_at is None else InterruptReason.USER_SIGINT
    advance(state, live, StopRequested(first, grace, by), work)


def advance(state: ThreadState, live: LiveRun, event: Any, work: Work) -> None:
    """Give a run's machine an event, and do its effects.

    Raises:
        IllegalEvent: the machine takes no such event now; nothing was changed.
        RunEnded: the event is refused.
    """
    live.machine, wanted = table.step(live.machine, event)
    for effect in wanted:
        effects.perform(state, live, effect, work)
