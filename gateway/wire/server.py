"""What the server sends: `{type, seq?, thread?, id?, data}`.

Frames of a thread carry its name and a `seq` that only grows, also across restarts; answers carry
the `id` of what they answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import ClassVar

from gateway.core.messages import Json


@dataclass(frozen=True, slots=True)
class ServerFrame:
    """One frame. `to` is the person it is for ("" everybody on the thread); it is not sent."""

    type: str
    data: Mapping[str, Json] = field(default_factory=dict)
    seq: int | None = None
    thread: str = ""
    id: str | None = None
    to: str = ""

    def to_wire(self) -> dict[str, Json]:
        """The object that is sent."""
        frame: dict[str, Json] = {"type": self.type}
        if self.seq is not None:
            frame["seq"] = self.seq
        if self.thread:
            frame["thread"] = self.thread
        if self.id is not None:
            frame["id"] = self.id
        frame["data"] = dict(self.data)
        return frame


def encode(frame: ServerFrame) -> bytes:
    """The frame as one line of JSON, with its line's end; a lone surrogate becomes "?"."""
    text = json.dumps(frame.to_wire(), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace") + b"\n"


@dataclass(frozen=True, slots=True)
class Data:
    """Base of what stands in `data`; field names are camelCase on the wire, None is left out."""

    TYPE: ClassVar[str]

    def to_data(self) -> dict[str, Json]:
        """The data as JSON."""
        values = ((f.name, getattr(self, f.name)) for f in fields(self))
        return {camel(name): value for name, value in values if value is not None}


def camel(name: str) -> str:
    """`snake_case` as camelCase."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


@dataclass(frozen=True, slots=True)
class Welcome(Data):
    """Answers `hello`. `resumed`: the missed frames follow; else `snapshot` holds the thread."""

    TYPE = "welcome"
    boot: str
    v: int
    seq: int
    principal: str
    language: str
    resumed: bool
    snapshot: Json = None


@dataclass(frozen=True, slots=True)
class Text(Data):
    """More of a step's text: it reads on from `offset` (in code points) with `text`."""

    TYPE = "text"
    run: str
    step: int
    offset: int
    text: str
    final: bool


@dataclass(frozen=True, slots=True)
class Closed(Data):
    """The step's text as it stays; `reason` says why it was cut, missing where it was not."""

    TYPE = "closed"
    run: str
    step: int
    text: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Question(Data):
    """A question to the reader of this frame.

    `form` says what an answer looks like; `token` is what its buttons carry; `again` says why it is
    asked again, "" where the person wanted to see it once more.
    """

    TYPE = "question"
    question: Json
    run: str
    token: str
    form: str
    again: str | None = None


@dataclass(frozen=True, slots=True)
class Folded(Data):
    """The question takes no more answers here; `question.status` tells its outcome."""

    TYPE = "folded"
    question: Json
    run: str
    token: str


@dataclass(frozen=True, slots=True)
class Told(Data):
    """Something to tell: a stable `code`, its `params`, and `text` in the reader's language."""

    TYPE = "notice"
    code: str
    params: Json
    text: str
    input: int | None = None
    run: str | None = None


@dataclass(frozen=True, slots=True)
class Receipt(Data):
    """Answers `input`, `press` and `stop`: stored (`code` "") or not taken, and why.

    `input` is the sequence number of the stored input; `text` the reason in the reader's language.
    """

    TYPE = "receipt"
    code: str
    duplicate: bool
    params: Json
    input: int | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Result(Data):
    """Answers `call`."""

    TYPE = "result"
    result: Json


@dataclass(frozen=True, slots=True)
class Failure(Data):
    """A frame or call that failed: a stable `code`, what is wrong, and `at` which field."""

    TYPE = "error"
    code: str
    message: str
    params: Json
    text: str | None = None
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Pong(Data):
    """Answers `ping`."""

    TYPE = "pong"


@dataclass(frozen=True, slots=True)
class Listed(Data):
    """The reader's list of conversations is another, or what waits in them: `threads.list` and
    `pauses.list` tell it anew. It comes whatever thread the reader looks at.
    """

    TYPE = "threads"


@dataclass(frozen=True, slots=True)
class Bye(Data):
    """The server closes this connection: `reason` is shutdown, slow, invalid, busy,
    deleted, unshared or revoked.
    """

    TYPE = "bye"
    reason: str


SERVER_FRAMES: tuple[type[Data], ...] = (
    Welcome,
    Text,
    Closed,
    Question,
    Folded,
    Told,
    Receipt,
    Result,
    Failure,
    Pong,
    Listed,
    Bye,
)

UPDATES: Mapping[str, str] = {
    "input": "An input changed: `seq`, `state`, `outcome`, `detail`, `run`, `addressed`, "
    "`text`, `priority`, `principal`, `sender`, `attachments`.",
    "run": "A run changed: `run`, `state`, `reason`, `end`, `error`, `errorId`, `agent`, `step`, "
    "`principals`, `retryOf` (the run whose input it runs anew).",
    "call": "A tool call: `run`, `step`, `callId`, `name`, `arguments`, `state` (started, "
    "returned), `content`, `error`, `metadata` (`took_ms`: how long it ran).",
    "progress": "How a call goes on: `run`, `callId`, `text`, `fraction`.",
    "child": "A child run of a call: `run`, `callId`, `child` (its id: a stop or NOW may name it), "
    "`agent`, `on` (False once it has settled).",
    "entry": "A new line of the log: `seq`, `kind`, `run`, `step`, `body`.",
    "queue": "What waits: `items`.",
    "mode": "What a message does while the agent works: `mode`, and `source`, where it was set.",
    "armed": "A question's time runs: `id`, `run`, `armedAt`, `expiresAt`, `seconds`.",
    "decided": "A question was decided: the question, `by`, `how`, `understood`.",
}
"""The changes of a thread that the engine reports; their data is the engine's."""
