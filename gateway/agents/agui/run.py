"""One task of a run whose agent is an AG-UI server."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from gateway.agents.agui import events as ev
from gateway.agents.agui import outgoing, questions
from gateway.agents.agui.errors import broken
from gateway.agents.agui.files import TOLD, Files, Taking, own, sent
from gateway.agents.agui.pending import as_read, asked_item, left_by, legacy_question
from gateway.agents.agui.questions import LEGACY
from gateway.agents.agui.stream import NotTaken, Server, encoded
from gateway.agents.agui.turn import Turn
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import AgentFailed, RunEnded
from gateway.core.events import Asked, Began, End, Ended, StepDone
from gateway.core.interrupts import Interrupt, QuestionKind, Status, iso
from gateway.core.messages import (
    DECLINED,
    Json,
    ToolCall,
    ToolResult,
    declined_text,
    expired_text,
)
from gateway.ports.agent import CallFacts, Leave, RunHost, RunStart
from gateway.runs.refusing import code_of
from gateway.runs.runtime import Runtime
from gateway.supervise import Caught, DaemonExecutor, guarded_await, in_thread

VERSION: Final = 1
UNREADABLE: Final = frozenset({400, 413, 415, 422})
"""How a server says that it doesn't take what a request holds."""
CRASHED: Final = frozenset({500, 502, 504})
OWN_NAME: Final = "question"


class AguiRun:
    """Asks the server for a run, and tells the host what happens in it.

    A run that was broken off, or whose answers the server may have got, is asked for anew under
    another thread: calls without a result read OUTCOME_UNKNOWN there, and nothing is sent twice.
    """

    def __init__(
        self,
        start: RunStart,
        host: RunHost,
        *,
        server: Server,
        taking: Taking,
        runtime: Runtime,
    ) -> None:
        self.reason: InterruptReason | None = None
        self._start = start
        self._host = host
        self._server = server
        self._taking = taking
        self._runtime = runtime
        self._pending = left_by(start)
        self._sent = False
        self._refused: set[str] = set()
        known = outgoing.Known(start.history)
        again = bool(start.step) and not self._pending
        kept = self._pending.get("thread")
        self._thread = kept or outgoing.thread_id(start, known, again=again)
        state = self._pending.get("state", known.state)
        asked = outgoing.messages(start, {}, self._open_calls())
        self.turn = Turn(
            host=host,
            step=start.step + 1,
            state=state,
            checkpoint=self._checkpoint,
            heard=frozenset(message["id"] for message in asked),
            open_calls=self._open_calls(),
            forgets=again,
        )

    async def run(self) -> Ended | Asked:
        """Everything up to the end or the pause, which is for the caller to tell."""
        await self._host.emit(Began())
        files = await self._taking.files_of(self._start, self._runtime)
        body = await self._body(files)
        if body is None:
            return self._ended(End.INTERRUPTED, InterruptReason.TASK_CANCELLED)
        await self._tell(files, files.keys())
        served = await guarded_await(self._served(body, files))
        if isinstance(served, Caught):
            if isinstance(served.error, NotTaken) and self._sent:
                self._sent = False
                await self._save()
            raise served.error
        return await self._outcome(served)

    async def _served(self, body: Mapping[str, Any], files: Files) -> ev.RunFinished:
        """The answer; without the files' contents where the server takes no request with them."""
        held = sent(files)
        try:
            finished = await self._serve(body, held)
        except NotTaken as error:
            status = error.params.get("status")
            if status in CRASHED:
                self._taking.failed(files)
            if not held or status not in UNREADABLE:
                raise
        except AgentFailed:
            self._taking.failed(files)
            raise
        else:
            self._taking.worked(held)
            return finished
        without = await self._taking.files_of(self._start, self._runtime, none=True)
        messages = outgoing.messages(self._start, without, self._open_calls())
        again = {**body, "runId": self._runtime.ids.uuid(), "messages": messages}
        finished = await self._serve(again)
        self._taking.refused({one.blob for one in own(self._start)} & held or held)
        await self._tell(without, held)
        return finished

    async def _tell(self, files: Files, about: Collection[str]) -> None:
        """Tell the run's persons which of these files, that came now, the agent doesn't get."""
        for one in own(self._start):
            code = TOLD.get(files[one.blob].why)
            if one.blob in about and code is not None:
                await self._host.tell(code, name=one.name or one.media_type)

    async def _serve(self, body: Mapping[str, Any], held: Collection[str] = ()) -> ev.RunFinished:
        executor = DaemonExecutor("agui-request") if held else None
        data = encoded(body) if executor is None else await in_thread(executor, encoded, body)
        async with self._server.run(data) as events:
            async for event in events:
                over = await self.turn.take(event)
                if isinstance(event, ev.RunStarted):
                    await self._answers_are_in()
                if over and self.turn.finished is not None:
                    return self.turn.finished
        raise broken("the answer broke off before its end")

    # -- what the server is asked --------------------------------------------------------------

    async def _body(self, files: Files) -> dict[str, Any] | None:
        """The request; None where what is left of a pause can't be told the server."""
        start = self._start
        body: dict[str, Any] = {
            "threadId": self._thread,
            "runId": self._runtime.ids.uuid(),
            "state": {} if self.turn.state is None else self.turn.state,
            "messages": outgoing.messages(start, files, self._open_calls()),
            "tools": [],
            "context": [],
            "forwardedProps": {},
        }
        asked = self._pending.get("asked", [])
        if not asked:
            return body
        self._refused = refused = await self._no_longer(asked)
        legacy = [item for item in asked if item["interrupt"] == LEGACY]
        if legacy:
            given = self._legacy_answer(legacy[0], refused)
            if given is None:
                await self._close_unanswered(legacy[0])
                return None
            body["forwardedProps"] = {"command": {"resume": as_read(given[0])}}
        else:
            body["resume"] = questions.resume(asked, start, refused)
        await self._start_again()
        return body

    async def _no_longer(self, asked: Sequence[Mapping[str, Any]]) -> set[str]:
        """The questions whose answers don't count any more: whoever gave them may not."""
        decided = {question.id: question for question in self._start.questions}
        refused = set()
        for item in asked:
            question = decided.get(item["question"])
            if question is None or question.status not in (Status.APPROVED, Status.ANSWERED):
                continue
            leave = question.kind is not QuestionKind.INPUT
            call = ToolCall(item["call"], item["tool"], {})
            facts = CallFacts(call, leave, destructive=True, approval=question if leave else None)
            if await self._host.may_run(facts) is not Leave.RUN:
                refused.add(question.id)
        return refused

    def _legacy_answer(self, item: Mapping[str, Any], refused: set[str]) -> tuple[Json] | None:
        question = self._decided(item)
        if question is None:
            return None
        return questions.answer(question, refused=question.id in refused)

    async def _close_unanswered(self, item: Mapping[str, Any]) -> None:
        """The server has no words for a question that nobody answered: its call ends here."""
        question = self._decided(item)
        message = "" if question is None else question.message
        text = declined_text(message)
        if question is not None and question.status is Status.EXPIRED:
            text = expired_text(message, iso(question.expires_at) or "")
        step, call = self._open_calls()[item["call"]]
        await self.turn.give(step, ToolResult(call.id, call.name, text, DECLINED))

    def _decided(self, item: Mapping[str, Any]) -> Interrupt | None:
        found = (q for q in self._start.questions if q.id == item["question"])
        return next(found, None)

    async def _start_again(self) -> None:
        """The calls that were asked about may run from here on: that is stored first, so that no
        crash lets them run twice.
        """
        self._sent = True
        every = self._open_calls().values()
        for step, call in every:
            await self.turn.start_call(step, call, [known for _, known in every])

    async def _answers_are_in(self) -> None:
        """Questions that belong to no call of the agent's are done once it goes on."""
        for item in self._pending.get("asked", []):
            question = self._decided(item)
            if item["call"].startswith(outgoing.OWN_CALL) and question is not None:
                step, call = self._open_calls()[item["call"]]
                refused = question.id in self._refused
                await self.turn.give(step, questions.result(call, question, refused=refused))

    # -- what is kept --------------------------------------------------------------------------

    def _open_calls(self) -> dict[str, tuple[int, ToolCall]]:
        return {
            item["call"]: (item["step"], ToolCall(item["call"], item["tool"], item["arguments"]))
            for item in self._pending.get("asked", [])
        }

    def _checkpoint(self) -> Json:
        kept = {**self._pending, "sent": True} if self._sent else dict(self._pending)
        return {"version": VERSION, outgoing.KEY: kept}

    async def _save(self) -> None:
        step = self._start.step
        await self._host.emit(StepDone(step, "", None, self._checkpoint()))

    # -- how it ends ---------------------------------------------------------------------------

    async def _outcome(self, finished: ev.RunFinished) -> Ended | Asked:
        outcome = finished.outcome
        if outcome is not None and outcome.type == "interrupt":
            return await self._asked([(interrupt, None) for interrupt in outcome.interrupts])
        if outcome is None and self.turn.legacy:
            first = self.turn.legacy[0]
            return await self._asked([(legacy_question(first), first)])
        if outcome is not None and outcome.type == "cancelled":
            return self._ended(End.INTERRUPTED, InterruptReason.TASK_CANCELLED)
        return self._ended(End.COMPLETED)

    async def _asked(self, interrupts: Sequence[tuple[ev.Interrupt, Json]]) -> Asked:
        turn, now = self.turn, self._runtime.clock.now()
        asked: list[Json] = []
        made: list[Interrupt] = []
        about: list[ToolCall] = []
        for ordinal, (interrupt, legacy) in enumerate(interrupts):
            id_ = self._runtime.ids.uuid()
            step, call = self._call_of(interrupt, id_, alone=len(interrupts) == 1)
            question = questions.ask(
                interrupt, call, self._start, id_=id_, ordinal=ordinal, now=now
            )
            made.append(question)
            about.append(call)
            name = LEGACY if legacy is not None else interrupt.id
            asked.append(asked_item(id_, name, step, call))
        self._pending = {"thread": self._thread, "state": turn.state, "asked": asked}
        self._sent = False
        own = {call.id: call for call in turn.batch}
        batch = tuple({**own, **{call.id: call for call in about}}.values())
        text, parts = turn.text, turn.parts()
        return Asked(turn.step, tuple(made), batch, text, parts, self._checkpoint())

    def _call_of(self, interrupt: ev.Interrupt, id_: str, *, alone: bool) -> tuple[int, ToolCall]:
        """The call that an interrupt is about: the one it names, the only one that waits, or one
        that stands in the log for the question itself.
        """
        turn = self.turn
        every = {**turn.open_calls, **turn.calls}
        named = every.get(interrupt.tool_call_id or "")
        if named is not None:
            return named
        if interrupt.tool_call_id is not None:
            raise broken("an interrupt is about a call that was never told")
        waiting = [known for name, known in turn.calls.items() if name not in turn.returned]
        if alone and len(waiting) == 1:
            return waiting[0]
        call = ToolCall(outgoing.OWN_CALL + id_, OWN_NAME, {})
        turn.batch.append(call)
        return turn.step, call

    def _ended(self, end: End, reason: InterruptReason | None = None) -> Ended:
        parts = self.turn.last_parts() if end is End.COMPLETED and self.turn.text else None
        return Ended(end, self.turn.step, self.turn.text, parts, reason)

    def broke(self, error: Exception | None) -> Ended:
        """The end of a run that was stopped or that broke."""
        if self.reason is not None or error is None or isinstance(error, RunEnded):
            return self._ended(End.INTERRUPTED, self.reason or InterruptReason.TASK_CANCELLED)
        error_id = self._runtime.ids.uuid()[:8]
        self._runtime.report(f"run {self._start.run} ({error_id})", error)
        code, turn = code_of(error), self.turn
        return Ended(End.FAILED, turn.step, turn.text, error=code, error_id=error_id)


async def settle(run: AguiRun, leg: asyncio.Task[Ended | Asked | Caught], host: RunHost) -> None:
    """Wait for the task that reads the answer, and tell the host how it ended."""
    await asyncio.wait({leg})
    result = None if leg.cancelled() else leg.result()
    if isinstance(result, Caught):
        final: Ended | Asked = run.broke(result.error)
    elif result is None or run.reason is not None:
        final = run.broke(None)
    else:
        final = result
    told = await guarded_await(host.emit(final))
    if isinstance(told, Caught) and isinstance(final, Asked):
        await guarded_await(host.emit(run.broke(told.error)))
