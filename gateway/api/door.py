"""What programs do over HTTP, as the engine knows it: say, stop, command, resume, look."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from gateway.access import Relation
from gateway.api.auth import Caller
from gateway.api.feed import Feed, Follow
from gateway.api.refusals import error_of
from gateway.core.canonical import digest
from gateway.core.errors import (
    AccessDenied,
    AnswerInvalid,
    GatewayError,
    KeyReused,
    NotFound,
    StoreFailed,
)
from gateway.core.messages import Attachment, Json
from gateway.core.queueing import Mode, Priority
from gateway.drawn import input_data
from gateway.ports.agent import RunOptions
from gateway.ports.clock import Ids
from gateway.ports.rows import InputKind, InputRow, NewInput, RunRow, ThreadRow
from gateway.resuming import Response
from gateway.router import Router
from gateway.state import ThreadState

TAKEN_SECONDS: Final = 10.0
"""The longest that it is waited for to know what becomes of what was said."""


SEEN_KEPT: Final = 10_000


class InputFailed(GatewayError):
    """What was said broke something here, and is handled no more."""

    code = "INPUT_FAILED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """What a caller says, on which thread, and how. `key` makes a repetition the same message;
    `same` is what a repetition has to have in common, where that is not everything. `value` is kept
    with the message.
    """

    thread: str
    text: str
    key: str = ""
    kind: InputKind = InputKind.TEXT
    run: str | None = None
    mode: Mode | None = None
    priority: Priority | None = None
    language: str = "en"
    options: RunOptions = field(default_factory=RunOptions)
    branch: int | None = None
    reply_to: str | None = None
    queued: str = ""
    same: str = ""
    value: Json = None
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """What somebody is written of a thread's questions: `written`, while it `asked` them these, at
    `upto` of the feed's sequence.
    """

    thread: str
    upto: int
    written: frozenset[str]
    asked: frozenset[str]


@dataclass(slots=True)
class _Seen:
    """What a person was written of a thread's questions: all, up to a number of the feed's
    sequence; `written` are those that are open.
    """

    upto: int = 0
    written: frozenset[str] = frozenset()


class Door:
    """The engine for callers on one feed's channel."""

    def __init__(self, router: Router, feed: Feed, ids: Ids) -> None:
        self.router = router
        self.feed = feed
        self.ids = ids
        self._seen: OrderedDict[tuple[str, str], _Seen] = OrderedDict()

    def saw(self, caller: Caller, sight: Sight) -> None:
        """The caller is being written this, if they are still there. Once they were written all
        that they are asked, what they say may answer it, but nothing that came after that: words
        don't tell which question they are for.
        """
        if not caller.here():
            return
        key = sight.thread, caller.principal
        seen = self._seen.setdefault(key, _Seen())
        seen.written = sight.asked & (seen.written | sight.written)
        if seen.written == sight.asked:
            seen.upto = max(sight.upto, seen.upto)
        self._seen.move_to_end(key)
        if len(self._seen) > SEEN_KEPT:
            self._seen.popitem(last=False)

    async def look(self, caller: Caller, thread: str, questions: Collection[str]) -> Sight:
        """The sight of these questions of a thread, as they are stored: that may be a moment before
        they have their place in the feed.
        """
        sight: Sight = await self.router.ask(
            thread, lambda state, work: self.sight(caller, state, questions)
        )
        return sight

    def sight(self, caller: Caller, state: ThreadState, questions: Iterable[str]) -> Sight:
        """The same inside the thread's actor."""
        asked = frozenset(q.id for q in state.open_questions() if caller.principal in q.asked)
        return Sight(state.thread.id, self.feed.sequence.last, frozenset(questions), asked)

    def thread_of(self, caller: Caller, name: str) -> str:
        """A thread's whole id: a name without a colon is one of the caller's own."""
        return name if ":" in name else f"{self.feed.name}:{caller.principal}:{name}"

    async def may_open(self, caller: Caller, thread: str) -> None:
        """Whether a caller may speak on a thread: one that is there (whether they may look at it is
        the engine's to say), or one by a name that is theirs to give.

        Raises:
            NotFound: neither.
        """
        own = thread.startswith(f"{self.feed.name}:{caller.principal}:")
        if not own and await self.router.thread_row(thread) is None:
            raise NotFound(f"no thread {thread}", thread=thread)

    # -- saying --------------------------------------------------------------------------------

    async def say(self, caller: Caller, saying: Saying) -> Follow:
        """Say something; returns once it is stored and known what becomes of it. Whoever calls
        this unfollows.

        Raises:
            GatewayError: it was not taken, with the code of the refusal.
        """
        new = self._new(caller, saying)
        follow = self.feed.follow(new.thread, new.dedup)
        try:
            receipt = await self.router.accept(new)
            if receipt.code:
                raise error_of(receipt.code, thread=new.thread)
            if receipt.row is not None:
                self._stored(follow, new, receipt.row, repeated=receipt.duplicate)
            await follow.until(lambda: follow.known, TAKEN_SECONDS)
            self._refused(follow)
        except BaseException:
            self.feed.unfollow(follow)
            raise
        return follow

    async def command(self, caller: Caller, saying: Saying) -> Follow:
        """Do what a command says, or stop; returns once that is stored.

        Raises:
            GatewayError: as `say`.
            StoreFailed: STORE_WAITS, it is taken, and is done once the storage lets it.
        """
        follow = await self.say(caller, saying)
        self.feed.unfollow(follow)
        if not follow.known:
            raise StoreFailed("STORE_WAITS", f"what was taken on {saying.thread} waits for it")
        return follow

    def _new(self, caller: Caller, saying: Saying) -> NewInput:
        return NewInput(
            dedup=f"{self.feed.name}:{caller.principal}:{saying.key or self.ids.uuid()}",
            thread=saying.thread,
            channel=self.feed.name,
            principal=caller.principal,
            sender=caller.principal,
            text=saying.text,
            kind=saying.kind,
            override=saying.priority,
            language=saying.language,
            run=saying.run,
            how="api",
            mode=saying.mode,
            branch=saying.branch,
            reply_to=saying.reply_to,
            queued=saying.queued,
            seen=self._seen.get((saying.thread, caller.principal), _Seen()).upto,
            options=saying.options,
            value=saying.value,
            attachments=saying.attachments,
            fingerprint=saying.same or digest({**asdict(saying), "key": ""}),
        )

    def _stored(self, follow: Follow, new: NewInput, row: InputRow, *, repeated: bool) -> None:
        """A message as it is stored, where nothing was told of it yet: that is newer. Where it is
        the same again, that is what became of it; another one under its key is refused.
        """
        if row.new.fingerprint != new.fingerprint:
            raise KeyReused("this idempotency key was used for another request")
        follow.repeated = repeated
        if not follow.input:
            follow.see(input_data(row))

    def _refused(self, follow: Follow) -> None:
        detail, seq = follow.detail, follow.input.get("seq")
        if follow.outcome == "failed" and not follow.run:
            raise InputFailed(f"input {seq} on {follow.thread}: {detail}")
        if follow.outcome not in ("refused", "dropped"):
            return
        told = next((n.params for n in follow.told if n.code == detail), {})
        ids = {name: told[name] for name in ("interruptId",) if name in told}
        problem = str(told.get("problem") or "")
        raise error_of(detail, problem, thread=follow.thread, input=seq, **ids)

    # -- answering -----------------------------------------------------------------------------

    async def resume(self, caller: Caller, thread: str, responses: Mapping[str, Response]) -> str:
        """Answer questions by their ids; the run they belong to.

        Raises:
            GatewayError: as `resuming.resume`.
        """
        try:
            return await self.router.resume(thread, caller.principal, responses, self.feed.name)
        except AnswerInvalid as error:
            error.params.setdefault("thread", thread)
            raise

    # -- looking -------------------------------------------------------------------------------

    async def run(self, caller: Caller, run: str) -> RunRow:
        """A run of a thread that the caller may look at.

        Raises:
            NotFound, AccessDenied: there is none for them.
        """
        row = await self.router.wiring.store.run(run)
        if row is None:
            raise NotFound(f"no run {run}", run=run)
        await self.thread(caller, row.thread)
        return row

    async def thread(self, caller: Caller, thread: str) -> ThreadRow:
        """A thread that the caller may look at.

        Raises:
            NotFound, AccessDenied: there is none for them.
        """
        row = await self.router.thread_row(thread)
        if row is None:
            raise NotFound(f"no thread {thread}", thread=thread)
        if self.router.wiring.access.relation(caller.principal, row) is Relation.STRANGER:
            raise AccessDenied(f"{caller.principal} may not enter {thread}", thread=thread)
        return row
