"""`POST /agui/{agent}`: a run for an AG-UI client, from its request to what is streamed of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from aiohttp.web import StreamResponse, json_response
from pydantic import ValidationError

from gateway.api.agui.events import interrupted
from gateway.api.agui.files import kept
from gateway.api.agui.interrupts import wire
from gateway.api.agui.messages import MESSAGE_ID, conversation, message_id, snapshot
from gateway.api.agui.requests import RunAgentInput, Said
from gateway.api.agui.resuming import Leg, asked_by, resume
from gateway.api.auth import Caller
from gateway.api.bodies import mistakes
from gateway.api.door import Door, Saying
from gateway.api.feed import Follow
from gateway.api.gate import Arrived
from gateway.api.problems import NO_STORE
from gateway.core.cancellation import InterruptReason
from gateway.core.canonical import digest
from gateway.core.errors import GatewayError, NotFound, RequestRefused, RunEnded
from gateway.core.events import End
from gateway.core.interrupts import Interrupt
from gateway.core.log import Entry, Kind
from gateway.core.messages import Attachment
from gateway.core.queueing import Mode, Priority
from gateway.files import Files
from gateway.ports.rows import InputKind, InputRow, RunRow, ThreadRow
from gateway.state import ThreadState

EVENTS: Final = "text/event-stream"


@dataclass(slots=True)
class Asked:
    """One request: who asks for which run on which thread. `leg` is known once it runs, `follow`
    while its message waits; `refused` is why its answers were not taken; `place` where the events
    that follow them begin.
    """

    arrived: Arrived
    body: RunAgentInput
    thread: str
    said: Said | None = None
    attached: tuple[Attachment, ...] = ()
    follow: Follow | None = None
    leg: Leg | None = None
    refused: GatewayError | None = None
    place: str | None = None

    @property
    def caller(self) -> Caller:
        """Who asks."""
        return self.arrived.caller


class AguiRuns:
    """What the requests of AG-UI clients mean to the engine."""

    def __init__(self, door: Door, files: Files) -> None:
        self.door = door
        self._files = files
        self._store = door.router.wiring.store

    # -- requests ------------------------------------------------------------------------------

    async def capabilities(self, arrived: Arrived) -> StreamResponse:
        """What the agent can do, as the protocol declares it."""
        self._known_agent(arrived)
        return json_response(
            {
                "identity": {"name": self.door.router.wiring.agent.name, "type": "bargein"},
                "transport": {"streaming": True, "resumable": False},
                "tools": {"supported": True, "clientProvided": False},
                "multimodal": {"input": {"image": True, "pdf": True, "file": True}},
                "state": {"snapshots": False, "deltas": False, "persistentState": False},
                "humanInTheLoop": {
                    "supported": True,
                    "approvals": True,
                    "interventions": True,
                    "feedback": True,
                    "interrupts": True,
                    "approveWithEdits": True,
                },
            },
            headers=NO_STORE,
        )

    async def read(self, arrived: Arrived) -> Asked:
        """Take what a request says or answers; returns once that is stored.

        Raises:
            GatewayError: it can't be read, or was not taken; nothing is streamed.
        """
        self._known_agent(arrived)
        accept = arrived.request.headers.get("Accept", "*/*").lower()
        if not any(kind in accept for kind in (EVENTS, "text/*", "*/*")):
            raise RequestRefused("NOT_ACCEPTABLE", f"it answers {EVENTS}")
        body = arrived.read(RunAgentInput)
        arrived.forget()
        asked = Asked(arrived, body, self.door.thread_of(arrived.caller, body.thread_id))
        await self.door.may_open(arrived.caller, asked.thread)
        if await self._store.thread(asked.thread) is not None:
            await self.door.thread(arrived.caller, asked.thread)
        if body.resume:
            await self._answer(asked)
        else:
            await self._say(asked)
        asked.body = body.light()
        return asked

    def _known_agent(self, arrived: Arrived) -> None:
        name = arrived.request.match_info["agent"]
        if name != self.door.router.wiring.agent.name:
            raise NotFound(f"no agent {name[:100]}")

    # -- messages ------------------------------------------------------------------------------

    async def _say(self, asked: Asked) -> None:
        body, row = asked.body, await self._store.thread(asked.thread)
        inputs = await self._store.inputs(asked.thread) if row is not None else []
        asked.said = body.said(frozenset(message_id(item) for item in inputs))
        if asked.said is None:
            return
        try:
            wishes = body.wishes
        except ValidationError as error:
            raise mistakes(error, ("forwardedProps",)) from None
        asked.attached = await kept(asked.said.files, self._files, asked.caller.principal)
        asked.said = replace(asked.said, files=())
        saying = Saying(
            thread=asked.thread,
            text=asked.said.text,
            key=f"{body.thread_id} {body.run_id}",
            mode=wishes.multitask_strategy,
            priority=None if wishes.priority is None else Priority[wishes.priority.upper()],
            language=wishes.language,
            value={MESSAGE_ID: asked.said.id},
            attachments=asked.attached,
            same=digest({"message": asked.said.id, **wishes.model_dump(mode="json")}),
        )
        if wishes.priority != "now" and await self.open_to(asked):
            # No answer, and no reason to let go of the questions: it joins what they are for.
            saying = replace(saying, mode=Mode.STEER, priority=Priority.NEXT)
        asked.follow = await self.door.say(asked.caller, saying)
        self.look(asked)

    def look(self, asked: Asked) -> None:
        """Whether its message runs by now."""
        if asked.leg is None and asked.follow is not None and asked.follow.run:
            joined = asked.follow.outcome not in ("", "answered", "interrupted", "failed", "merged")
            number, repeated = -1 if joined else 0, asked.follow.repeated
            asked.leg = Leg(asked.follow.run, number, repeated=repeated)

    async def open_to(self, asked: Asked) -> list[Interrupt]:
        """The open questions of the caller's runs on the thread; none where it isn't there yet."""
        if await self._store.thread(asked.thread) is None:
            return []
        who = asked.caller.principal

        def look(state: ThreadState, work: object) -> list[Interrupt]:
            return [q for q in state.open_questions() if who in (*q.asked, *q.principals)]

        found: list[Interrupt] = await self.door.router.ask(asked.thread, look)
        return found

    # -- answers -------------------------------------------------------------------------------

    async def _answer(self, asked: Asked) -> None:
        await self.door.thread(asked.caller, asked.thread)
        past = {q.id: q for q in await self._store.questions(thread=asked.thread)}
        given_to = {entry.interrupt_id for entry in asked.body.resume or ()}
        for question in past.values():
            if question.id in given_to and question.decision is None:
                asked.place = self.door.feed.log(question.run, asked.thread).place
        given = partial(
            resume,
            principal=asked.caller.principal,
            run_id=asked.body.run_id,
            entries=asked.body.resume or (),
            past=past,
            channel=self.door.feed.name,
        )
        try:
            asked.leg = await self.door.router.ask(asked.thread, given)
        except GatewayError as error:
            asked.refused = error

    # -- how things stand ----------------------------------------------------------------------

    async def recorded(self, leg: Leg) -> dict[str, Any] | None:
        """How a task of a run ended, None while it goes on: the fields of its last event."""
        row = await self._store.run(leg.run)
        if row is None:
            raise NotFound(f"no run {leg.run}", run=leg.run)
        pauses = asked_by(await self._store.run_entries(leg.run), leg.run)
        if leg.open:
            return await self.asks(leg.run, leg.open)
        if 0 <= leg.number < len(pauses):
            return await self.asks(leg.run, pauses[leg.number])
        return None if row.end is None else ended(row)

    async def asks(self, run: str, questions: Any) -> dict[str, Any]:
        """The last event of a task that asks."""
        found = await self._store.questions(run=run)
        return {"outcome": interrupted([wire(q) for q in found if q.id in questions])}

    async def messages(
        self, asked: Asked, *, ended: bool = False, always: bool = False
    ) -> list[dict[str, Any]] | None:
        """The conversation, where the client holds another one, or `always`; with what the run
        itself said where it has `ended`.
        """
        row: ThreadRow | None = await self._store.thread(asked.thread)
        if row is None or not row.head:
            return None
        try:
            chain, waiting = await self.door.router.ask(asked.thread, _stands)
        except (NotFound, RunEnded):
            return None  # it is being deleted: its run's end is all that is still told
        inputs = await self._store.inputs(asked.thread)
        leg = asked.leg
        growing = "" if leg is None or ended else leg.run
        upto = row.head if leg is None else leg.upto
        ours = conversation(chain, waiting, inputs, growing, upto)
        return snapshot(ours, asked.body.messages, asked.said, asked.attached, always=always)

    async def call(self, leg: Leg, call_id: str) -> Any:
        """A tool call of a run with its step, None where it isn't in the log."""
        entries = await self._store.run_entries(leg.run)
        found = [entry for entry in entries if entry.body.get("id") == call_id]
        return found[-1] if found else None

    async def calls(self, leg: Leg) -> list[Any]:
        """The tool calls of a run, in the log's order."""
        entries = await self._store.run_entries(leg.run)
        return [entry for entry in entries if entry.kind is Kind.TOOL_CALL]

    # -- a client that is gone -----------------------------------------------------------------

    async def gone(self, asked: Asked) -> None:
        """The client of a run left: it is stopped (USER_SIGINT), unless it asks or has ended; what
        still waits is taken back.
        """
        follow, leg = asked.follow, asked.leg
        if leg is not None and await self.recorded(leg) is None:
            stop = Saying(thread=asked.thread, text="", kind=InputKind.STOP, run=leg.run)
            await self.door.command(asked.caller, stop)
        elif leg is None and follow is not None and not follow.outcome:
            text = f"/queue drop #{follow.input['seq']}"
            drop = Saying(thread=asked.thread, text=text, kind=InputKind.COMMAND)
            await self.door.command(asked.caller, drop)


def _stands(state: ThreadState, work: object) -> tuple[list[Entry], list[InputRow]]:
    """The active branch and what waits, at one moment: what begins to run is in one of them."""
    return [*state.chain], state.waiting()


def ended(row: RunRow) -> dict[str, Any]:
    """The last event of a run that has ended."""
    return last_event(row.end, row.reason, row.error, row.error_id)


def last_event(
    end: str | None, reason: str | None, error: str | None, error_id: str | None
) -> dict[str, Any]:
    """The fields of a run's last event: what was stopped, by a limit too, is cancelled."""
    if end == End.COMPLETED:
        return {"outcome": {"type": "success"}}
    if end == End.INTERRUPTED or reason == InterruptReason.BUDGET_EXCEEDED:
        return {"outcome": {"type": "cancelled"}}
    return {"code": error or "RUN_FAILED", "message": f"the run failed (error {error_id})"}
