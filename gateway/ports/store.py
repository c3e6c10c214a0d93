"""Durable truth: one commit is one transaction, and its epoch is checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol, TypeAlias

from gateway.core.interrupts import Interrupt
from gateway.core.log import Entry
from gateway.ports.agent import JournalRecord
from gateway.ports.rows import InputRow, NewInput, PromptRow, Rule, RunRow, ThreadRow

EVERY: Final = 2**62
"""More rows than there are."""


@dataclass(frozen=True, slots=True)
class AppendEntry:
    """Append to the log and move the thread's leaf (and branch) to it; `beside` leaves those."""

    entry: Entry
    input_seq: int | None = None
    beside: bool = False


@dataclass(frozen=True, slots=True)
class SetLeaf:
    """Rewind or fork: the active branch and its leaf."""

    branch: int
    leaf: int


@dataclass(frozen=True, slots=True)
class SaveThread:
    """Settings, members, title of the thread."""

    row: ThreadRow


@dataclass(frozen=True, slots=True)
class SaveInput:
    """The input's state, outcome, priority and text."""

    row: InputRow


@dataclass(frozen=True, slots=True)
class SaveRun:
    """The run's row."""

    row: RunRow


@dataclass(frozen=True, slots=True)
class SaveQuestion:
    """A question: new, armed, or with a try counted."""

    question: Interrupt


@dataclass(frozen=True, slots=True)
class DecideQuestion:
    """A decided question; the commit fails with `AlreadyDecided` where it was decided before."""

    question: Interrupt


@dataclass(frozen=True, slots=True)
class AskAnew:
    """A decided question whose answer did not fit: another one asks anew, its decision is void."""

    question: Interrupt


@dataclass(frozen=True, slots=True)
class SavePrompt:
    """A prompt and its delivery."""

    row: PromptRow


@dataclass(frozen=True, slots=True)
class SaveJournal:
    """A line of a call's journal."""

    run: str
    record: JournalRecord


@dataclass(frozen=True, slots=True)
class SaveRule:
    """A remembered approval."""

    rule: Rule


Write: TypeAlias = (
    AppendEntry
    | SetLeaf
    | SaveThread
    | SaveInput
    | SaveRun
    | SaveQuestion
    | DecideQuestion
    | AskAnew
    | SavePrompt
    | SaveJournal
    | SaveRule
)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A thread as an actor starts from it."""

    thread: ThreadRow
    inputs: tuple[InputRow, ...]
    runs: tuple[RunRow, ...]
    questions: tuple[Interrupt, ...]
    prompts: tuple[PromptRow, ...]
    entries: tuple[Entry, ...]
    rules: tuple[Rule, ...]
    last_run: RunRow | None = None


class Store(Protocol):
    """Durable truth. Every write is one whole transaction; a returned call is on disk.

    Raises `StoreFailed` where the file can't take or give the data, `LeaseLost` on a stale epoch.
    """

    async def accept(self, new: NewInput, accepted_at: datetime) -> tuple[InputRow, bool]:
        """Store an input; (the stored row, False) where `dedup` is known. The thread must exist."""

    async def commit(self, thread: str, epoch: int, writes: Sequence[Write]) -> None:
        """All writes or none."""

    async def acquire(self, thread: str, owner: str) -> Loaded:
        """Own the thread: raise its epoch by one, and load what is live of it."""

    async def thread(self, thread: str) -> ThreadRow | None:
        """The thread's row."""

    async def make_thread(self, row: ThreadRow) -> ThreadRow:
        """Make the thread unless it is there; the stored row."""

    async def threads(self, principal: str | None = None) -> list[ThreadRow]:
        """All threads, or those this person owns or is a member of; newest first."""

    async def delete_thread(self, thread: str) -> None:
        """Remove a thread with everything that belongs to it."""

    async def entries(self, thread: str, after: int = 0, limit: int = EVERY) -> list[Entry]:
        """The whole log, in order of sequence; a damaged row is left out, its neighbours stay. Or
        at most so many entries from behind one: a parent before these may be one that is damaged.
        """

    async def run_entries(self, run: str) -> list[Entry]:
        """What one run left in its log, in order."""

    async def has_entry(self, thread: str, seq: int) -> bool:
        """Whether the thread's log has an entry of that number."""

    async def inputs(self, thread: str) -> list[InputRow]:
        """All inputs of a thread, in order."""

    async def input(self, thread: str, seq: int) -> InputRow | None:
        """One input."""

    async def run(self, run: str) -> RunRow | None:
        """One run."""

    async def journal(self, run: str) -> list[JournalRecord]:
        """A run's journal, in order written."""

    async def questions(
        self, *, thread: str | None = None, run: str | None = None, open_only: bool = False
    ) -> list[Interrupt]:
        """Questions, in order asked."""

    async def question_thread(self, question: str) -> str | None:
        """The thread in which a question was asked."""

    async def known(self, dedup: str) -> bool:
        """Whether an input with this `dedup` was accepted."""

    async def prompt(self, token: str) -> PromptRow | None:
        """The prompt that a button's token belongs to."""

    async def last_shown(self, channel: str) -> int:
        """The greatest sequence number at which a question that is open was shown on a channel."""

    async def asked_elsewhere(self) -> list[tuple[PromptRow, Interrupt]]:
        """Prompts in other chats than the thread's own: of open questions, in the order asked, then
        of each person's last one in a chat, where it expired and they said nothing there since.
        """

    async def busy_threads(self) -> list[str]:
        """Threads with an input without outcome, a run that has not ended or an open question."""

    async def expiries(self, until: datetime) -> tuple[list[str], datetime | None]:
        """The threads with an open question whose time is over at `until`, in the order in which
        the times went by, and the earliest expiry after that.
        """

    async def close(self) -> None:
        """Finish what was handed in, then close. Idempotent."""


class Blobs(Protocol):
    """Pictures and files, by the SHA-256 of their bytes.

    A file stays while a message needs it; until it is sent, `drop_unsent` may remove it.
    """

    async def put(self, data: bytes, media_type: str, principal: str = "") -> str:
        """Keep the bytes that this person brought; their key."""

    async def hold(self, key: str, principal: str) -> tuple[str, int]:
        """The media type and length of a file that is about to be sent; the time for which it is
        kept unsent begins anew.

        Raises:
            NotFound: no such key.
        """

    async def get(self, key: str) -> tuple[bytes, str]:
        """The bytes and their media type.

        Raises:
            NotFound: no such key.
        """

    async def threads_with(self, key: str) -> list[str]:
        """The threads on which the file was attached to something said."""

    async def brought_by(self, key: str, principal: str) -> bool:
        """Whether this person brought the file and has not sent it."""

    async def drop_unsent(self, before: datetime) -> int:
        """Remove the files that were brought before, and that nobody sent; how many."""
