"""What a client sends: one JSON object a frame, `type` says which."""

from __future__ import annotations

import math
from typing import Annotated, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from gateway.core.errors import FrameInvalid
from gateway.core.messages import Attachment

VERSION = 1
"""The protocol's version; a client that speaks another one is refused by name."""
MAX_FRAME_BYTES = 256 * 1024
MAX_DEPTH = 32
MAX_ATTACHMENTS = 20


def _finite(value: JsonValue) -> JsonValue:
    pending: list[tuple[JsonValue, int]] = [(value, 0)]
    while pending:
        item, depth = pending.pop()
        if depth > MAX_DEPTH:
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
        if isinstance(item, float) and not math.isfinite(item):
            raise ValueError("a number is not finite")
        if isinstance(item, dict):
            pending.extend((child, depth + 1) for child in item.values())
        elif isinstance(item, list):
            pending.extend((child, depth + 1) for child in item)
    return value


FreeJson = Annotated[JsonValue, AfterValidator(_finite)]
FrameId = Annotated[str, StringConstraints(min_length=1, max_length=128)]
ThreadId = Annotated[str, StringConstraints(max_length=256, pattern=r"^[^\s\x00-\x1f\x7f]*$")]
Name = Annotated[str, StringConstraints(max_length=64, pattern=r"^[^\x00-\x1f\x7f]*$")]
Seq = Annotated[int, Field(ge=0, le=2**53 - 1)]


class ClientFrame(BaseModel):
    """What all frames share: known keys only, no guessing of types, camelCase on the wire."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, alias_generator=to_camel, validate_by_name=True
    )


class Last(ClientFrame):
    """Up to where a client has seen a thread: the server's `boot` and the last frame's `seq`."""

    boot: str = Field(max_length=64)
    seq: Seq


class Hello(ClientFrame):
    """Opens a connection, or moves it to another thread. Answered with `welcome`.

    Without `thread` the connection only makes calls. `last` asks to go on from there instead of
    getting a snapshot.
    """

    type: Literal["hello"] = "hello"
    v: int
    thread: ThreadId = ""
    as_: Name = Field(default="", alias="as")
    language: str = Field(default="en", max_length=35)
    last: Last | None = None


class File(ClientFrame):
    """A picture or file that was stored before; `blob` is its key."""

    blob: str = Field(max_length=128)
    media_type: str = Field(max_length=127)
    name: str = Field(default="", max_length=255)
    size_bytes: int = Field(default=0, ge=0)

    def attachment(self) -> Attachment:
        """The same as the engine's value."""
        return Attachment(self.blob, self.media_type, self.name, self.size_bytes)


class Input(ClientFrame):
    """What a person said; commands too. Answered with `receipt` once it is stored.

    `id` is the client's own and makes a repeated frame a duplicate. `seen` is the `seq` of the last
    frame that the person could have seen when they wrote; `replyTo` a question; `run` the run that
    it is addressed to; `override` what Enter was told to do, instead of what the mode says.
    """

    type: Literal["input"] = "input"
    id: FrameId
    text: str
    override: Literal["now", "next", "later"] | None = None
    reply_to: str | None = Field(default=None, max_length=128)
    run: str | None = Field(default=None, max_length=128)
    seen: Seq | None = None
    attachments: tuple[File, ...] = Field(default=(), max_length=MAX_ATTACHMENTS)


class Press(ClientFrame):
    """A button of a question: its token, the option, a value where the option takes one.

    Answered with `receipt`.
    """

    type: Literal["press"] = "press"
    id: FrameId
    token: str = Field(min_length=1, max_length=128)
    option: str = Field(min_length=1, max_length=128)
    value: FreeJson = None


class Stop(ClientFrame):
    """The stop button: the person's run here, or the one named. Answered with `receipt`."""

    type: Literal["stop"] = "stop"
    id: FrameId
    run: str | None = Field(default=None, max_length=128)


class Call(ClientFrame):
    """A question to the server itself, as `threads.list`. Answered with `result` or `error`."""

    type: Literal["call"] = "call"
    id: FrameId
    method: str = Field(min_length=1, max_length=64)
    params: dict[str, FreeJson] = Field(default_factory=dict)


class Ping(ClientFrame):
    """Is anybody there? Answered with `pong`."""

    type: Literal["ping"] = "ping"


class Ack(ClientFrame):
    """The person could see everything up to `seq`; stands in for an input's missing `seen`."""

    type: Literal["ack"] = "ack"
    seq: Seq


AnyClientFrame: TypeAlias = Hello | Input | Press | Stop | Call | Ping | Ack
CLIENT_FRAMES: tuple[type[ClientFrame], ...] = (Hello, Input, Press, Stop, Call, Ping, Ack)

_FRAMES: TypeAdapter[AnyClientFrame] = TypeAdapter(
    Annotated[AnyClientFrame, Field(discriminator="type")]
)
_ID: TypeAdapter[dict[str, object]] = TypeAdapter(dict[str, object])


def decode(data: bytes | str) -> AnyClientFrame:
    """The frame.

    Raises:
        FrameInvalid: it is too large, no JSON, or not one of the frames; `params["at"]` is the path
            of the first mistake, `params["id"]` the frame's own id where it could be read.
    """
    size = len(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
    if size > MAX_FRAME_BYTES:
        text = f"the frame has {size} bytes, at most {MAX_FRAME_BYTES} are allowed"
        raise FrameInvalid(text, at="", id=None)
    try:
        return _FRAMES.validate_json(data, by_alias=True, by_name=False)
    except ValidationError as error:
        raise _explained(error, data) from None


def encode_client(frame: ClientFrame) -> bytes:
    """The frame as a client sends it, without its line's end."""
    return frame.model_dump_json(by_alias=True).encode()


def _explained(error: ValidationError, data: bytes | str) -> FrameInvalid:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    at = ".".join(str(part) for part in first["loc"][1:])  # the first part names the frame
    text = f"{at}: {first['msg']}" if at else first["msg"]
    return FrameInvalid(text, at=at, id=_id(data))


def _id(data: bytes | str) -> str | None:
    try:
        found = _ID.validate_json(data).get("id")
    except ValidationError:
        return None
    return found if isinstance(found, str) and len(found) <= 128 else None
