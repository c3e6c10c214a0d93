"""Runs over HTTP: start, look, stream, say something to, stop, answer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Final

from aiohttp.web import Response, StreamResponse

from gateway.access import Relation
from gateway.api.door import Door, Saying
from gateway.api.feed import Follow
from gateway.api.gate import Arrived
from gateway.api.rest import models, requests, views
from gateway.api.rest.answers import json_answer
from gateway.api.rest.loose import LooseRun
from gateway.api.rest.loose_runs import LooseRuns
from gateway.api.rest.stored import StoredRun, resume
from gateway.api.rest.streaming import Streams, wants_events
from gateway.api.runlog import RunLog
from gateway.api.sse import last_event_id
from gateway.core.errors import NotFound, ValidationFailed
from gateway.core.messages import Attachment
from gateway.core.queueing import Priority
from gateway.files import Files
from gateway.ports.rows import RunRow

KEY_HEADER: Final = "Idempotency-Key"
_KEY = re.compile(r"[\x21-\x7e]{1,128}")


def key_of(arrived: Arrived) -> str:
    """The request's idempotency key, "" without one.

    Raises:
        ValidationFailed: it is none.
    """
    if KEY_HEADER not in arrived.request.headers:
        return ""
    key = arrived.request.headers[KEY_HEADER]
    if not _KEY.fullmatch(key):
        raise ValidationFailed(f"{KEY_HEADER}: 1 to 128 visible ASCII characters")
    return key


def without_thread(name: str) -> ValidationFailed:
    """Something was given that a run without a thread has no use for."""
    return ValidationFailed(f"{name}: there is nothing to do so to without a thread")


class Runs:
    """The handlers of runs."""

    def __init__(self, door: Door, streams: Streams, loose: LooseRuns | None, files: Files) -> None:
        self._door = door
        self._files = files
        self._streams = streams
        self._loose = loose

    # -- starting ------------------------------------------------------------------------------

    async def start(self, arrived: Arrived) -> StreamResponse:
        body = arrived.read(requests.StartRun)
        self.known_agent(body.agent)
        if body.thread is None:
            return await self._start_loose(arrived, body)
        thread = self._door.thread_of(arrived.caller, body.thread)
        await self._door.may_open(arrived.caller, thread)
        saying = Saying(
            thread=thread,
            text=body.input,
            key=key_of(arrived),
            mode=body.multitask_strategy,
            priority=None if body.priority is None else Priority[body.priority.upper()],
            language=body.language,
            options=body.options.options(),
            branch=body.branch,
            reply_to=body.reply_to,
            attachments=await self._attached(arrived, body.attachments),
        )
        follow = await self._door.say(arrived.caller, saying)
        try:
            return await self.followed(arrived, follow, body.wait_seconds)
        finally:
            self._door.feed.unfollow(follow)

    async def _attached(
        self, arrived: Arrived, files: Sequence[requests.Attached]
    ) -> tuple[Attachment, ...]:
        """The files that come with a message.

        Raises:
            NotFound: one is not there for the caller.
        """
        given = [Attachment(file.blob, "", file.name) for file in files]
        return await self._files.all_attached(given, arrived.caller.principal)

    async def _start_loose(self, arrived: Arrived, body: requests.StartRun) -> StreamResponse:
        if self._loose is None:
            raise ValidationFailed("thread: this agent needs one")
        for name in ("multitask_strategy", "priority", "branch", "reply_to", "attachments"):
            if getattr(body, name) not in (None, []):
                raise without_thread(name)
        run = self._loose.start(arrived.caller, body, key_of(arrived))
        if wants_events(arrived):
            return await self._streams.run(arrived, run.log, run, "")
        return self._made(await run.after(body.wait_seconds))

    async def followed(
        self, arrived: Arrived, follow: Follow, wait_seconds: float
    ) -> StreamResponse:
        """What a message comes to: its run, as JSON or as events."""
        if wants_events(arrived):
            return await self._stream_followed(arrived, follow)
        if wait_seconds and not follow.run:
            before = asyncio.get_running_loop().time()
            await follow.until(lambda: bool(follow.run or follow.outcome), wait_seconds)
            wait_seconds -= asyncio.get_running_loop().time() - before
        if not follow.run:
            return self._made(self.without_run(follow))
        run = await self.stored(arrived, follow.run)
        made = await run.after(max(wait_seconds, 0.0))
        run.wrote()
        return self._made(made.model_copy(update={"input": views.input_(follow.input)}))

    async def _stream_followed(self, arrived: Arrived, follow: Follow) -> StreamResponse:
        if follow.run:
            run = StoredRun(self._door, arrived.caller, follow.run, follow.thread)
            return await self._streams.run(arrived, run.log, run, "")
        opening = _Opening(self, arrived, follow)
        return await self._streams.follow(arrived, follow, self.without_run(follow), opening)

    def without_run(self, follow: Follow) -> models.Run:
        return views.waiting(self._door.router.wiring.agent.name, follow.thread, follow.input)

    def _made(self, run: models.Run) -> Response:
        """A run that a request brought about: 201, or 202 while its message waits."""
        headers = {} if run.id is None else {"Location": f"/v1/runs/{run.id}"}
        return json_answer(run, 202 if run.id is None else 201, headers)

    def known_agent(self, name: str | None) -> None:
        """Whether there is an agent of that name; None is the only one there is.

        Raises:
            NotFound: there is not.
        """
        if name not in (None, self._door.router.wiring.agent.name):
            raise NotFound(f"no agent {name}")

    # -- one run -------------------------------------------------------------------------------

    async def stored(self, arrived: Arrived, run: str) -> StoredRun:
        row = await self._door.run(arrived.caller, run)
        found = StoredRun.of(self._door, arrived.caller, row)
        await found.told()
        return found

    async def _run(self, arrived: Arrived) -> StoredRun | LooseRun:
        id_ = arrived.request.match_info["run"]
        loose = None if self._loose is None else self._loose.find(arrived.caller, id_)
        return loose or await self.stored(arrived, id_)

    async def get(self, arrived: Arrived) -> StreamResponse:
        run = await self._run(arrived)
        return _written(run, await run.view())

    async def events(self, arrived: Arrived) -> StreamResponse:
        run = await self._run(arrived)
        return await self._streams.run(arrived, run.log, run, last_event_id(arrived.request))

    async def steer(self, arrived: Arrived) -> StreamResponse:
        return await self._say(arrived, "steer")

    async def follow_up(self, arrived: Arrived) -> StreamResponse:
        return await self._say(arrived, "followUp")

    async def inject(self, arrived: Arrived) -> StreamResponse:
        return await self._say(arrived, "inject")

    async def _say(self, arrived: Arrived, how: str) -> StreamResponse:
        body, key = arrived.read(requests.Say), key_of(arrived)
        run = await self._run(arrived)
        if isinstance(run, LooseRun):
            if body.attachments:
                raise without_thread("attachments")
            run.say(how, body.text)
        else:
            files = await self._attached(arrived, body.attachments)
            await run.say(how, body.text, key, files)
        return _written(run, await run.view(), 202)

    async def abort(self, arrived: Arrived) -> StreamResponse:
        arrived.read(requests.Nothing)
        key = key_of(arrived)
        run = await self._run(arrived)
        if isinstance(run, LooseRun):
            texts = await run.stop()
            return json_answer(models.Stopped(run=run.now(), undelivered=texts))
        return _written(run, await run.stop(key))

    async def abort_child(self, arrived: Arrived) -> StreamResponse:
        arrived.read(requests.Nothing)
        key = key_of(arrived)
        run = await self._run(arrived)
        child = arrived.request.match_info["child"]
        view = await run.view()
        if isinstance(run, LooseRun) or child not in [one.run for one in view.children]:
            raise NotFound(f"no child run {child} is on", run=child)
        return _written(run, await run.stop(key, child))

    async def resume(self, arrived: Arrived) -> StreamResponse:
        body = arrived.read(requests.Resume)
        id_ = arrived.request.match_info["run"]
        loose = None if self._loose is None else self._loose.find(arrived.caller, id_)
        if loose is not None:
            place = loose.log.place
            made = await loose.resume(body)
            if wants_events(arrived):
                return await self._streams.run(arrived, loose.log, loose, place)
            return json_answer(made)
        row = await self._door.router.wiring.store.run(id_)
        if row is None:
            raise NotFound(f"no run {id_}", run=id_)
        return await self.resumed(arrived, row.thread, body, row)

    async def resumed(
        self, arrived: Arrived, thread: str, body: requests.Resume, of: RunRow | None = None
    ) -> StreamResponse:
        """Answer questions of a thread (of one run there); the run as JSON or as events."""
        known = None if of is None else self._door.feed.known(of.id)
        place = "" if known is None else known.place
        run = await resume(self._door, arrived.caller, thread, body, of)
        row = await self._door.router.wiring.store.run(run)
        if row is None:
            raise NotFound(f"no run {run}", run=run)
        mine = StoredRun.of(self._door, arrived.caller, row)
        if not await self._member(arrived, thread):
            return _written(mine, await mine.for_approver())
        if wants_events(arrived):
            return await self._streams.run(arrived, mine.log, mine, place)
        return _written(mine, await mine.after(body.wait_seconds))

    async def _member(self, arrived: Arrived, thread: str) -> bool:
        """Whether the caller may look at the thread: an approver may only answer."""
        wiring = self._door.router.wiring
        row = await wiring.store.thread(thread)
        return row is not None and (
            wiring.access.relation(arrived.caller.principal, row) is not Relation.STRANGER
        )


class _Opening:
    """What a message that waits comes to."""

    def __init__(self, runs: Runs, arrived: Arrived, follow: Follow) -> None:
        self._runs = runs
        self._arrived = arrived
        self._follow = follow

    async def open(self, run: str) -> tuple[RunLog, StoredRun]:
        found = await self._runs.stored(self._arrived, run)
        return found.log, found

    def without_run(self) -> models.Run:
        return self._runs.without_run(self._follow)


def _written(
    run: StoredRun | LooseRun, made: models.Run | models.Stopped, status: int = 200
) -> Response:
    """How the run stands; the caller sees what it asks."""
    run.wrote()
    return json_answer(made, status)
