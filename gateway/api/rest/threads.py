"""Threads over HTTP: list, look, log, branches, queue, retry, rewind, export, delete; pauses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from aiohttp.web import StreamResponse

from gateway.api.door import Door, Saying, Sight
from gateway.api.feed import Follow
from gateway.api.gate import Arrived
from gateway.api.rest import models, requests, views
from gateway.api.rest.answers import json_answer
from gateway.api.rest.runs import Runs, key_of
from gateway.core.errors import (
    AccessDenied,
    NotFound,
    ThreadBusy,
)
from gateway.core.log import Entry, path
from gateway.ports.rows import InputKind, ThreadRow
from gateway.state import ThreadState

RETRY_BUSY: Final = "RETRY_BUSY"
GONE: Final = "QUEUE_ITEM_GONE"


class Threads:
    """The handlers of threads. `deleted` is told the ids of those that are gone."""

    def __init__(self, door: Door, runs: Runs, deleted: Callable[[str], object]) -> None:
        self._door = door
        self._runs = runs
        self._deleted = deleted

    def _id(self, arrived: Arrived) -> str:
        return self._door.thread_of(arrived.caller, arrived.request.match_info["thread"])

    async def _row(self, arrived: Arrived) -> ThreadRow:
        return await self._door.thread(arrived.caller, self._id(arrived))

    async def _stored(self, arrived: Arrived) -> ThreadRow:
        """The thread as it is stored: its log, read after that, is as far. Its actor is ahead."""
        row = await self._row(arrived)
        return await self._door.router.wiring.store.thread(row.id) or row

    # -- looking -------------------------------------------------------------------------------

    async def list(self, arrived: Arrived) -> StreamResponse:
        query = arrived.query(requests.ThreadsQuery)
        store = self._door.router.wiring.store
        admin = self._door.router.wiring.access.is_admin(arrived.caller.principal)
        rows = await store.threads(None if admin else arrived.caller.principal)
        begin = 0
        if query.cursor is not None:
            ids = [row.id for row in rows]
            if query.cursor not in ids:
                raise NotFound("cursor: there is no such place in the list any more")
            begin = ids.index(query.cursor) + 1
        page = rows[begin : begin + query.limit]
        more = begin + query.limit < len(rows)
        return json_answer(
            models.Threads(
                threads=[views.thread(row) for row in page], next=page[-1].id if more else None
            )
        )

    async def get(self, arrived: Arrived) -> StreamResponse:
        row = await self._row(arrived)
        who = arrived.caller.principal

        def look(state: ThreadState, work: object) -> tuple[models.ThreadView, Sight]:
            view = _view(state, who, self._door.feed.name)
            asked = [question.id for question in view.interrupts]
            return view, self._door.sight(arrived.caller, state, asked)

        view, sight = await self._door.router.ask(row.id, look)
        if view.interrupts:
            self._door.saw(arrived.caller, sight)
        return json_answer(view)

    async def entries(self, arrived: Arrived) -> StreamResponse:
        query = arrived.query(requests.EntriesQuery)
        row = await self._stored(arrived)
        store = self._door.router.wiring.store
        if query.branch is None:
            later = await store.entries(row.id, query.after, query.limit + 1)
        else:
            entries = await store.entries(row.id)
            chain = path(entries, _leaf(entries, query.branch, row))
            later = [entry for entry in chain if entry.seq > query.after]
        page = later[: query.limit]
        more = len(later) > query.limit
        return json_answer(
            models.Entries(
                entries=[views.entry(entry) for entry in page], next=page[-1].seq if more else None
            )
        )

    async def branches(self, arrived: Arrived) -> StreamResponse:
        row = await self._stored(arrived)
        entries = await self._door.router.wiring.store.entries(row.id)
        return json_answer(models.Branches(branches=_branches(entries, row)))

    async def input(self, arrived: Arrived) -> StreamResponse:
        row = await self._row(arrived)
        seq = _number(arrived, "input")
        item = await self._door.router.wiring.store.input(row.id, seq)
        if item is None:
            raise NotFound(f"no message {seq} on {row.id}", thread=row.id)
        return json_answer(views.row(item))

    async def export(self, arrived: Arrived) -> StreamResponse:
        row = await self._row(arrived)
        store = self._door.router.wiring.store
        inputs = await store.inputs(row.id)
        entries = await store.entries(row.id)  # what is answered by then is in it
        return json_answer(
            models.Export(
                **views.thread_data(row),
                entries=[views.entry(entry) for entry in entries],
                inputs=[views.row(item) for item in inputs],
            )
        )

    # -- changing ------------------------------------------------------------------------------

    async def delete(self, arrived: Arrived) -> StreamResponse:
        row = await self._row(arrived)
        await self._door.router.delete(row.id, arrived.caller.principal)
        self._deleted(row.id)
        return json_answer(models.Deleted(deleted=row.id))

    async def retry(self, arrived: Arrived) -> StreamResponse:
        body = arrived.read(requests.Wait)
        row = await self._row(arrived)
        saying = Saying(thread=row.id, text="/retry", kind=InputKind.COMMAND, key=key_of(arrived))
        follow = await self._door.say(arrived.caller, saying)
        try:
            if follow.outcome == "handled" and follow.detail == RETRY_BUSY:
                raise ThreadBusy(f"a run is on in {row.id}", thread=row.id)
            if follow.outcome == "handled":
                raise NotFound("Nothing to retry", thread=row.id)
            return await self._runs.followed(arrived, follow, body.wait_seconds)
        finally:
            self._door.feed.unfollow(follow)

    async def rewind(self, arrived: Arrived) -> StreamResponse:
        arrived.read(requests.Nothing)
        row = await self._row(arrived)
        turn = await self._door.router.rewind_last_turn(row.id, arrived.caller.principal)
        return json_answer(models.Turn(text=turn.text, sender=turn.sender))

    async def stop(self, arrived: Arrived) -> StreamResponse:
        arrived.read(requests.Nothing)
        row = await self._row(arrived)
        saying = Saying(thread=row.id, text="", kind=InputKind.STOP, key=key_of(arrived))
        follow = await self._door.command(arrived.caller, saying)
        mine = views.given_back(follow, arrived.caller)
        return json_answer(
            models.StoppedThread(
                stopped=follow.detail == "STOPPED",
                undelivered=[one.text for one in mine],
                returned=mine,
            )
        )

    # -- pauses --------------------------------------------------------------------------------

    async def pauses(self, arrived: Arrived) -> StreamResponse:
        router, caller = self._door.router, arrived.caller
        upto = self._door.feed.sequence.last
        found = await router.pauses(caller.principal)
        asked: dict[str, set[str]] = {}
        for item in found:
            asked.setdefault(str(item["thread"]), set()).add(str(item["id"]))
        sights = [Sight(name, upto, frozenset(ids), frozenset(ids)) for name, ids in asked.items()]
        on = [thread for thread in asked if router.is_on(thread)]
        sights += [await self._door.look(caller, thread, asked[thread]) for thread in on]
        for sight in sights:
            self._door.saw(caller, sight)
        return json_answer(models.Pauses(pauses=views.pauses(found)))

    async def thread_pauses(self, arrived: Arrived) -> StreamResponse:
        thread = self._id(arrived)
        asked = await self._door.router.waits_on(thread, arrived.caller.principal)
        who = arrived.caller.principal
        found = [question for question in asked if views.may_see(question, who)]
        sight = await self._door.look(arrived.caller, thread, [question.id for question in found])
        self._door.saw(arrived.caller, sight)
        return json_answer(
            models.Pauses(
                pauses=[
                    models.Pause(
                        **views.interrupt(question).model_dump(), thread=thread, run=question.run
                    )
                    for question in found
                ]
            )
        )

    async def cancel_pauses(self, arrived: Arrived) -> StreamResponse:
        body = arrived.read(requests.Reason)
        row = await self._row(arrived)
        count = await self._door.router.cancel_pause(row.id, arrived.caller.principal, body.reason)
        return json_answer(models.Cancelled(cancelled=count))

    async def resume(self, arrived: Arrived) -> StreamResponse:
        body = arrived.read(requests.Resume)
        return await self._runs.resumed(arrived, self._id(arrived), body)

    # -- the queue -----------------------------------------------------------------------------

    async def queue(self, arrived: Arrived) -> StreamResponse:
        row = await self._row(arrived)

        def look(state: ThreadState, work: object) -> list[models.Input]:
            return [views.row(item) for item in state.waiting()]

        return json_answer(models.Queue(queue=await self._door.router.ask(row.id, look)))

    async def edit(self, arrived: Arrived) -> StreamResponse:
        body = arrived.read(requests.EditInput)
        row, seq = await self._row(arrived), _number(arrived, "input")
        if body.text is not None:
            await self._item(arrived, row, f"/queue edit #{seq} {body.text}")
        if body.priority is not None:
            await self._item(arrived, row, f"/queue now #{seq}")
        return await self.input(arrived)

    async def drop(self, arrived: Arrived) -> StreamResponse:
        row, seq = await self._row(arrived), _number(arrived, "input")
        await self._item(arrived, row, f"/queue drop #{seq}")
        return await self.input(arrived)

    async def _item(self, arrived: Arrived, row: ThreadRow, command: str) -> Follow:
        """Change what waits, in one step of the thread's actor.

        Raises:
            NotFound: it waits no more. AccessDenied: it is somebody else's.
        """
        saying = Saying(thread=row.id, text=command, kind=InputKind.COMMAND)
        follow = await self._door.command(arrived.caller, saying)
        if follow.detail == GONE:
            raise NotFound("that message waits no more", thread=row.id)
        if follow.detail == AccessDenied.code:
            raise AccessDenied("that message is somebody else's", thread=row.id)
        return follow


def _view(state: ThreadState, who: str, channel: str) -> models.ThreadView:
    mode, source = state.mode_and_source(channel)
    asked = [q for q in state.open_questions() if views.may_see(q, who)]
    return models.ThreadView(
        **views.thread_data(state.thread),
        mode=models.ThreadMode(mode=mode, source=source),
        runs=[views.live_run(state, live, who) for live in state.runs.values()],
        queue=[views.row(item) for item in state.waiting()],
        interrupts=[views.interrupt(question) for question in asked],
    )


def _number(arrived: Arrived, name: str) -> int:
    text = arrived.request.match_info[name]
    if not (text.isascii() and text.isdecimal() and len(text) <= 16):
        raise NotFound(f"there is no {name} {text[:40]}")
    return int(text)


def _leaf(entries: Iterable[Entry], branch: int, row: ThreadRow) -> int:
    if branch == row.branch:
        return row.leaf
    own = [entry.seq for entry in entries if entry.branch == branch]
    if not own:
        raise NotFound(f"no branch {branch} on {row.id}", thread=row.id)
    return own[-1]


def _branches(entries: Iterable[Entry], row: ThreadRow) -> list[models.Branch]:
    own: dict[int, list[Entry]] = {}
    for entry in entries:
        own.setdefault(entry.branch, []).append(entry)
    made: list[models.Branch] = [
        models.Branch(
            branch=number,
            leaf=row.leaf if number == row.branch else mine[-1].seq,
            forked_from=mine[0].parent,
            entries=len(mine),
            active=number == row.branch,
        )
        for number, mine in own.items()
    ]
    if row.branch not in own:
        made.append(
            models.Branch(
                branch=row.branch, leaf=row.leaf, forked_from=row.leaf, entries=0, active=True
            )
        )
    return made
