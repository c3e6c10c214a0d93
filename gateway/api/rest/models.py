"""What goes out over the wire. The OpenAPI document is made from these."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.alias_generators import to_camel

from gateway.core.queueing import Mode

RETURNED: Final = "the same messages with their files, where they were said on a thread"


class Answer(BaseModel):
    """What all answers share: camelCase, and nothing that is not there."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)


class Agent(Answer):
    """An agent that can be talked to."""

    name: str
    steer: bool = Field(description="whether a message may join a run that is on")
    ask: bool = Field(description="whether its tools may ask people")


class Agents(Answer):
    """Every agent."""

    agents: list[Agent]


class Interrupt(Answer):
    """A question that a run waits for. `expiresAt` is missing until somebody could see it."""

    id: str
    kind: Literal["input", "approval", "plan"]
    reason: str
    message: str
    response_schema: dict[str, JsonValue]
    form: str = Field("", description="what an answer in words looks like")
    details: dict[str, JsonValue]
    tool_call_id: str
    tool_name: str
    expires_at: str | None = None
    status: Literal["pending", "answered", "approved", "denied", "cancelled", "expired"]
    decided_at: str | None = None


class File(Answer):
    """A picture or file. `mediaType` is what its first bytes say, whatever its name does."""

    blob: str = Field(description="its SHA-256, by which it is named")
    media_type: str
    name: str = ""
    size_bytes: int


class Input(Answer):
    """A message: where it stands, and what became of it."""

    seq: int
    id: str
    state: Literal["new", "waiting", "running", "done"]
    outcome: str | None = None
    detail: str = ""
    run: str | None = None
    text: str
    kind: str
    priority: Literal["NOW", "NEXT", "LATER"]
    principal: str
    attachments: list[File] = Field(default_factory=list)


class RefusedMessage(Answer):
    """A message that a check refused, and with which code."""

    text: str
    code: str


Status = Literal[
    "queued",
    "starting",
    "running",
    "stopping",
    "paused",
    "delivering",
    "completed",
    "interrupted",
    "failed",
    "cancelled",
]


class Child(Answer):
    """A run inside a tool call, which can be stopped alone by its id."""

    run: str
    agent: str


class Run(Answer):
    """A run: how it stands, what was shown of its last text, what it asks. `id` is missing while
    its message waits.
    """

    id: str | None = None
    thread: str | None = None
    agent: str
    status: Status
    text: str = ""
    interrupts: list[Interrupt] = Field(default_factory=list)
    queued: list[str] = Field(default_factory=list, description="messages to it that wait")
    undelivered: list[str] = Field(default_factory=list, description="those that it gave back")
    returned: list[Input] = Field(default_factory=list, description=RETURNED)
    refused: list[RefusedMessage] = Field(default_factory=list)
    children: list[Child] = Field(default_factory=list)
    reason: str | None = None
    error: str | None = None
    error_id: str | None = None
    started_at: str | None = None
    input: Input | None = Field(None, description="the message that the request brought")


class Pause(Interrupt):
    """A question with where it is asked."""

    thread: str
    run: str


class Pauses(Answer):
    """Every question that waits for the caller, or in their threads."""

    pauses: list[Pause]


class Cancelled(Answer):
    """How many questions were declined."""

    cancelled: int


class Thread(Answer):
    """A conversation."""

    id: str
    title: str
    private: bool
    owner: str
    created_at: str | None


class Threads(Answer):
    """A page of conversations, newest first; `next` is the cursor of the page after it."""

    threads: list[Thread]
    next: str | None = None


class ThreadMode(Answer):
    """What a message does while a run is on, and where that was set."""

    mode: Mode
    source: str


class ThreadView(Thread):
    """A conversation as it stands."""

    mode: ThreadMode
    runs: list[Run]
    queue: list[Input]
    interrupts: list[Interrupt]


class Entry(Answer):
    """A line of the log. What is in `body` goes by its `kind`."""

    seq: int
    parent: int
    branch: int
    run: str
    step: int
    kind: str
    body: dict[str, Any]


class Entries(Answer):
    """A page of the log; `next` is where the next one begins."""

    entries: list[Entry]
    next: int | None = None


class Branch(Answer):
    """One line of a conversation's history: its last entry, and what it grew out of."""

    branch: int
    leaf: int
    forked_from: int = Field(description="the entry before its first own one, 0 at the beginning")
    entries: int = Field(description="how many entries are its own")
    active: bool


class Branches(Answer):
    """Every branch, in the order begun."""

    branches: list[Branch]


class Export(Thread):
    """Everything that was said, and what became of it."""

    entries: list[Entry]
    inputs: list[Input]


class Queue(Answer):
    """What waits, in the order in which it will be taken."""

    queue: list[Input]


class Turn(Answer):
    """A turn that was taken back: what had been said."""

    text: str
    sender: str | None = None


class Stopped(Answer):
    """A stop: the run, and the caller's messages that were given back unsent."""

    run: Run
    undelivered: list[str]
    returned: list[Input] = Field(default_factory=list, description=RETURNED)


class StoppedThread(Answer):
    """Whether there was something to stop, and the caller's messages that were given back."""

    stopped: bool
    undelivered: list[str]
    returned: list[Input] = Field(default_factory=list, description=RETURNED)


class Deleted(Answer):
    """What is gone."""

    deleted: str
