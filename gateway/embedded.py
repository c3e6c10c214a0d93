"""`Gateway`: the engine inside a program, without socket and HTTP."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TextIO

from gateway.api.handles import MemoryHandle, ThreadHandle
from gateway.api.library import LibraryChannel, Watch
from gateway.api.refusals import error_of
from gateway.app import App
from gateway.core.errors import NotFound, ThreadBusy, ValidationFailed
from gateway.core.interrupts import Interrupt
from gateway.core.messages import Attachment, Json
from gateway.core.queueing import Mode, Priority
from gateway.files import Files
from gateway.ports.agent import RunOptions
from gateway.ports.clock import Clock, Ids
from gateway.ports.rows import InputKind, NewInput, Outcome
from gateway.resuming import Turn
from gateway.runs.agent import Agent
from gateway.runs.memory import MemoryHost
from gateway.settings import Settings

PROGRAM = "program"
"""The person for whom a program acts where it names nobody."""
CHANNEL = LibraryChannel.name


@dataclass(frozen=True, slots=True)
class PausedRun:
    """A run that waits for answers."""

    thread: str
    run: str
    interrupts: tuple[Interrupt, ...]


class Gateway:
    """An agent with threads that outlive the program, in one SQLite file.

    `async with Gateway("chat.db", agent=agent) as gateway:` takes up what a crash or an earlier end
    left; leaving it ends what runs (SYSTEM_SHUTDOWN) and keeps what asks. A thread is private to
    the person who first spoke on it. `settings` holds everything else (access, graces, the queue).

    Raises (on entering):
        StoreFailed: the file is locked by another process, damaged, newer, or can't be written.
    """

    def __init__(
        self,
        store: str | Path,
        *,
        agent: Agent,
        settings: Settings | None = None,
        clock: Clock | None = None,
        ids: Ids | None = None,
        log: TextIO | None = None,
    ) -> None:
        chosen = (settings or Settings()).model_copy(update={"database": Path(store)})
        self._app = App(chosen, agent=agent, clock=clock, ids=ids, log=log or sys.stderr)

    async def __aenter__(self) -> Self:
        kept, http = await self._app.open(), self._app.settings.http
        may_look = self._app.router.wiring.access.may_look
        self._files = Files(kept, kept, may_look, http.upload_limit_bytes)
        await self._app.router.recover()
        app = self._app
        tidying = self._files.tidy(http.upload_keep_seconds, app.clock, app.observer.report)
        self._tidying = app.supervisor.spawn(tidying, name="files")
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._tidying.cancel()
        await self._app.router.shutdown(self._app.settings.timeouts.shutdown_seconds)
        await self._app.close()

    async def bring(self, data: bytes, name: str = "", *, principal: str = PROGRAM) -> Attachment:
        """Keep a picture or file that a person brings, for a message of theirs (`start`, and what
        is said to a run). What it is its first bytes say. Unsent it is kept for
        `http.upload_keep_seconds`.

        Raises:
            UploadTooLarge: it is over `http.upload_limit_bytes`.
        """
        return await self._files.keep(data, name, principal)

    async def start(
        self,
        text: str,
        *,
        thread: str | None = None,
        principal: str = PROGRAM,
        multitask_strategy: str | None = None,
        priority: str | None = None,
        run: str | None = None,
        branch: int | None = None,
        language: str = "en",
        attachments: tuple[Attachment, ...] = (),
        options: RunOptions | None = None,
    ) -> ThreadHandle | MemoryHandle:
        """Say something; the handle of the run that it starts, joins or waits for.

        While a run is on, `multitask_strategy` says what the message does (`queue_mode`'s words;
        without it the thread's mode, `enqueue` by default) and `priority` (now, next, later)
        overrides it. On a thread that asks, the text is read as an answer first. `run` addresses
        it: a NOW to a child run stops that child alone, and joins the run around it; to a run that
        has ended it is NEXT. `branch` names an entry of the thread's log that the run goes on from
        (0: the beginning; `RunOutcome.entry` is a run's last). Where that is not the end of the
        active branch, the run doesn't occupy the thread and moves nothing of it: it starts beside
        whatever is on, and is no answer to a question. Without a thread the run is in memory.
        `attachments` were brought before (`bring`), by the same person.

        Raises:
            ValidationFailed: no such strategy, priority or branch; one, or files, without a thread;
                too many files.
            NotFound: a file is not there for this person.
            ThreadBusy, QueueFull, AccessDenied, AnswerInvalid, InterruptExpired, InputRefused: the
                message was not taken.
        """
        if thread is None and (branch is not None or run is not None):
            raise ValidationFailed("a branch or a run is one of a thread: name the thread too")
        if thread is None and attachments:
            raise ValidationFailed("attachments: files need a thread")
        if thread is None:
            return self._in_memory(text, principal, language, options)
        new = self._new(
            thread,
            principal,
            text=text,
            language=language,
            attachments=await self._files.all_attached(attachments, principal),
            options=options or RunOptions(),
            mode=_strategy(multitask_strategy),
            override=_priority(priority),
            run=run,
            branch=branch,
        )
        handle = await self._enter(new)
        await handle.taken()
        return handle

    async def resume(
        self, thread: str, responses: Mapping[str, Json], *, principal: str = PROGRAM
    ) -> ThreadHandle:
        """Answer questions by their ids, all or none; the handle of the run they belong to.

        The answer to an approval is `{"approved": bool, "reason"?, "updatedArguments"?,
        "remember"?}`. Where questions stay open, the run waits for the rest. The same answer again
        is confirmed.

        Raises:
            RunNotPaused: the thread waits on nothing.
            ValidationFailed: it doesn't wait on one of these.
            AnswerInvalid, InterruptExpired, AlreadyDecided: with `params["interruptId"]`.
            AccessDenied: one is asked of somebody else.
        """
        run = await self._app.router.resume(thread, principal, responses, CHANNEL)
        handle = self._handle(thread, principal, "")
        await handle.attach(run)
        return handle

    async def paused_run(self, thread: str, *, principal: str = PROGRAM) -> PausedRun | None:
        """What the thread waits on; the newest run where several ask, None where none does.

        Raises:
            NotFound, AccessDenied: there is no such thread for this person.
        """
        found = await self._app.router.waits_on(thread, principal)
        if not found:
            return None
        run = found[-1].run
        return PausedRun(thread, run, tuple(question for question in found if question.run == run))

    async def cancel_pause(self, thread: str, *, principal: str = PROGRAM, reason: str = "") -> int:
        """End a pause without an answer: every question is declined; how many there were.

        Raises:
            RunNotPaused: the thread waits on nothing.
        """
        return await self._app.router.cancel_pause(thread, principal, reason)

    async def retry(self, thread: str, *, principal: str = PROGRAM) -> ThreadHandle:
        """Run an interrupted run's message anew, or let a failed run go on from its last step.

        Raises:
            NotFound: nothing to retry. ThreadBusy: a run is on.
        """
        handle = await self._enter(
            self._new(thread, principal, text="/retry", kind=InputKind.COMMAND)
        )
        await handle.taken()
        if handle.done_as(Outcome.HANDLED) == "RETRY_BUSY":
            raise ThreadBusy(f"a run is on in {thread}")
        if handle.done_as(Outcome.HANDLED):
            raise NotFound(f"nothing to retry in {thread}")
        return handle

    async def rewind_last_turn(self, thread: str, *, principal: str = PROGRAM) -> Turn:
        """Take the last turn back: the history goes on from before it; its message.

        Raises:
            NotFound: there is none. ThreadBusy: a run is on. AccessDenied: it is somebody else's.
        """
        return await self._app.router.rewind_last_turn(thread, principal)

    # -- inside --------------------------------------------------------------------------------

    def _in_memory(
        self, text: str, principal: str, language: str, options: RunOptions | None
    ) -> MemoryHandle:
        agent = self._app.router.wiring.agent
        if not isinstance(agent, Agent):
            raise ValidationFailed("a run without a thread needs an agent in this process")
        host = MemoryHost(
            agent,
            text,
            principals=(principal,),
            language=language,
            options=options,
            saves_history=False,
        )
        return MemoryHandle(host)

    def _new(self, thread: str, principal: str, **said: Any) -> NewInput:
        return NewInput(
            dedup=f"{CHANNEL}:{principal}:{self._app.ids.uuid()}",
            thread=thread,
            channel=CHANNEL,
            principal=principal,
            sender=principal,
            how="api",
            **said,
        )

    def _handle(self, thread: str, principal: str, dedup: str) -> ThreadHandle:
        watch = self._app.library.watch(Watch(thread, dedup))

        async def attach(given: tuple[Attachment, ...]) -> tuple[Attachment, ...]:
            return await self._files.all_attached(given, principal)

        return ThreadHandle(self._app.router, watch, principal, self._stop, attach)

    async def _enter(self, new: NewInput) -> ThreadHandle:
        handle = self._handle(new.thread, new.principal, new.dedup)
        receipt = await self._app.router.accept(new)
        if receipt.code:
            handle.let_go(self._app.library)
            raise error_of(receipt.code)
        return handle

    async def _stop(self, thread: str, principal: str, run: str | None) -> None:
        new = self._new(thread, principal, text="", kind=InputKind.STOP, run=run)
        receipt = await self._app.router.accept(new)
        if receipt.code:
            raise error_of(receipt.code)


def _priority(name: str | None) -> Priority | None:
    if name is None:
        return None
    if name.upper() not in Priority.__members__:
        raise ValidationFailed(f"priority: {name!r} is none of now, next, later")
    return Priority[name.upper()]


def _strategy(name: str | None) -> Mode | None:
    if name is None:
        return None
    if name not in list(Mode):
        raise ValidationFailed(f"multitask_strategy: {name!r} is none of {', '.join(Mode)}")
    return Mode(name)
