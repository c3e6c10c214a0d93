"""What is stored: inputs, runs, prompts, threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from gateway.core.messages import Attachment, Json, Quote, ToolCall
from gateway.core.queueing import Mode, Priority
from gateway.ports.agent import RunOptions


class InputKind(StrEnum):
    """What an input is."""

    TEXT = "text"
    COMMAND = "command"
    STOP = "stop"
    PRESS = "press"


class InputState(StrEnum):
    """Where an input stands on the way to its outcome."""

    NEW = "new"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"


class Outcome(StrEnum):
    """The one outcome that every accepted input ends in (DESIGN 1.1)."""

    ANSWERED = "answered"
    STEERED = "steered"
    MERGED = "merged"
    DECIDED = "decided"
    HANDLED = "handled"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    RETURNED = "returned"
    REFUSED = "refused"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewInput:
    """What a person said, as a channel hands it over. `dedup` is `channel:account:external id`.

    `seen` is the sequence number of the last thing that the sender could have seen; `reply_to` the
    question it replies to; `run` the run it is addressed to; `said_at` when an utterance began;
    `chat` where an approver said it, if that is another thread than the one that asks; `mode` what
    it does while a run is on, where the sender says so (None: by thread, channel and deployment);
    `quote` what it replies to, where that is no question; `branch` the entry that its run goes on
    from (0: the beginning), None on the active branch; `queued` how it joins the run that it is
    addressed to, as a program said (steer, followUp, inject), "" for what people say;
    `fingerprint` what a program's request said, so that another one under its `dedup` is known.
    """

    dedup: str
    thread: str
    channel: str
    principal: str
    text: str
    kind: InputKind = InputKind.TEXT
    override: Priority | None = None
    sender: str = ""
    language: str = "en"
    attachments: tuple[Attachment, ...] = ()
    quote: Quote | None = None
    seen: int | None = None
    reply_to: str | None = None
    run: str | None = None
    value: Json = None
    how: str = "text"
    said_at: datetime | None = None
    chat: str = ""
    mode: Mode | None = None
    branch: int | None = None
    options: RunOptions = field(default_factory=RunOptions)
    queued: str = ""
    fingerprint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRow:
    """A stored input. `seq` is its place on the thread; `detail` explains its outcome.
    `beside`: its run goes on from another branch than the active one, and waits for nobody.
    """

    seq: int
    new: NewInput
    accepted_at: datetime
    state: InputState = InputState.NEW
    priority: Priority = Priority.NEXT
    collect: bool = False
    joins: bool = False
    beside: bool = False
    outcome: Outcome | None = None
    detail: str = ""
    run: str | None = None

    @property
    def answered_at(self) -> datetime:
        """The moment that counts against an expiry."""
        return self.new.said_at or self.accepted_at


@dataclass(frozen=True, slots=True)
class StepText:
    """A step's text whose delivery has not settled; `shown` is what is known to be shown of it."""

    text: str
    shown: str = ""
    provider_parts: Json = None
    final: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """A stored run. `beside`: it is on another branch than the active one, and doesn't occupy the
    thread. `named`: its input named its branch, which is not rolled back. `retry_of` is the run
    whose input it runs anew.
    """

    id: str
    thread: str
    agent: str
    channel: str
    state: str
    principals: tuple[str, ...]
    inputs: tuple[int, ...]
    started_at: datetime
    language: str = "en"
    options: RunOptions = field(default_factory=RunOptions)
    reason: str | None = None
    end: str | None = None
    error: str | None = None
    error_id: str | None = None
    step: int = 0
    checkpoint: Json = None
    batch: tuple[ToolCall, ...] = ()
    texts: Mapping[int, StepText] = field(default_factory=dict)
    crashes: int = 0
    resumed: bool = False
    rolled_back: bool = False
    retry_of: str | None = None
    beside: bool = False
    named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRow:
    """A question shown in one place. `state` is ready, armed, failed, unknown or withdrawn.

    `token` binds a button to this question, person and message; `seq` is the first sequence number
    (or message id) that shows it.
    """

    question: str
    thread: str
    channel: str
    chat: str
    principal: str
    token: str
    state: str = "ready"
    message_ref: str = ""
    seq: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadRow:
    """A conversation. `settings` holds mode and language where they were set on the thread."""

    id: str
    private: bool
    owner: str
    members: tuple[str, ...] = ()
    epoch: int = 0
    head: int = 0
    leaf: int = 0
    branch: int = 0
    settings: Mapping[str, Json] = field(default_factory=dict)
    title: str = ""
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A remembered approval: this person, this thread, this tool."""

    thread: str
    principal: str
    tool: str
