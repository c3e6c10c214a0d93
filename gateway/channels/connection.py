"""One client's side of the conversation, over any transport: frames in, answers out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass

from gateway.channels.calls import OPERATOR, Caller, call
from gateway.channels.engine import Engine, Taken
from gateway.channels.guests import attached, who
from gateway.channels.hub import Client, Hub
from gateway.channels.notices import notice_text
from gateway.channels.outbox import Transport
from gateway.channels.people import People
from gateway.channels.spoken import Spoken, as_note, is_note
from gateway.channels.uploads import Uploads
from gateway.core.errors import FrameInvalid, GatewayError
from gateway.core.messages import Attachment, Json
from gateway.core.queueing import Priority
from gateway.i18n import DEFAULT_LANGUAGE, known_language
from gateway.ports.rows import InputKind, NewInput
from gateway.supervise import Caught, Supervisor, guarded_await
from gateway.wire import (
    VERSION,
    Ack,
    AnyClientFrame,
    Bye,
    Call,
    Data,
    Failure,
    Hello,
    Input,
    Ping,
    Pong,
    Press,
    Receipt,
    Result,
    ServerFrame,
    Stop,
    decode,
    encode,
)

INVALID_FRAMES_IN_A_ROW = 20
UNKNOWN_VERSION, HELLO_FIRST = "PROTOCOL_VERSION_UNKNOWN", "HELLO_FIRST"
INTERNAL, RATE_LIMITED = "INTERNAL", "RATE_LIMITED"


@dataclass(frozen=True, slots=True)
class Door:
    """What every connection of a listener shares.

    `local` is the person who is meant where a client names nobody: on a socket that only this
    system's user can open, that is the operator. None where people must name themselves. `people`
    and `uploads` are there where a page is served, `spoken` where recordings are understood.
    """

    hub: Hub
    engine: Engine
    supervisor: Supervisor
    report: Callable[[str, BaseException], str]
    local: str | None
    people: People | None = None
    uploads: Uploads | None = None
    spoken: Spoken | None = None


class Connection:
    """Reads one client's frames in order. `receive` returns False once it is to be closed.

    `person` is who is behind it, where the transport knows that; nobody else can be named then.
    """

    def __init__(self, door: Door, transport: Transport, person: str = "") -> None:
        self._door = door
        self._transport = transport
        self._person = person
        self._client: Client | None = None
        self._principal = ""
        self._operator = False
        self._language = DEFAULT_LANGUAGE
        self._acked: int | None = None
        self._invalid = 0
        self._closed = False

    @property
    def greeted(self) -> bool:
        """Whether the client has said hello and was let in."""
        return self._client is not None

    async def receive(self, data: bytes) -> bool:
        """Read one frame and answer it; what it starts is stored when this returns."""
        try:
            frame = decode(data)
        except FrameInvalid as error:
            return await self._refuse(error)
        self._invalid = 0
        if not isinstance(frame, Hello | Ping) and self._client is None:
            early = FrameInvalid("say hello first", at="type")
            await self._fail(early, getattr(frame, "id", None), code=HELLO_FIRST)
            return True
        outcome = await guarded_await(self._handle(frame))
        if isinstance(outcome, Caught):
            await self._fail(outcome.error, getattr(frame, "id", None))
            return True
        return outcome

    async def too_large(self, size_bytes: int) -> bool:
        """A frame was over the limit and is skipped."""
        return await self._refuse(FrameInvalid(f"the frame is too large ({size_bytes} bytes)"))

    async def too_fast(self, data: bytes) -> bool:
        """A frame came too soon after too many others; it is not taken."""
        try:
            frame_id = getattr(decode(data), "id", None)
        except FrameInvalid as error:
            return await self._refuse(error)
        self._invalid += 1
        await self._fail(FrameInvalid("too many frames"), frame_id, code=RATE_LIMITED)
        return await self._send_away_after(INVALID_FRAMES_IN_A_ROW)

    def dismiss(self, reason: str) -> None:
        """Send the client away, after what waits for it."""
        if self._client is not None:
            self._door.hub.dismiss(self._client, reason)
        else:
            self._transport.abort()

    def closed(self) -> None:
        """The connection is gone."""
        self._closed = True
        if self._client is not None:
            self._door.hub.leave(self._client)
            self._client = None

    # -- frames --------------------------------------------------------------------------------

    async def _handle(self, frame: AnyClientFrame) -> bool:
        match frame:
            case Hello():
                return await self._hello(frame)
            case Ping():
                await self._send(Pong())
            case Ack(seq=seq):
                self._acked = max(self._acked or 0, seq)
            case Call():
                self._spawn(self._call(frame), "call")
            case Input():
                await self._input(frame)
            case Stop():
                await self._receipt(frame.id, await self._door.engine.accept(self._stop(frame)))
            case Press():
                await self._receipt(frame.id, await self._press(frame))
        return True

    async def _hello(self, frame: Hello) -> bool:
        if frame.v != VERSION:
            error = FrameInvalid(f"v: {VERSION} is spoken here", at="v")
            await self._fail(error, None, code=UNKNOWN_VERSION)
            return False
        door = self._door
        principal = await who(frame, self._person, door.local, door.people, door.hub.name)
        if not principal or principal == OPERATOR:
            await self._fail(FrameInvalid("as: a person's name is needed", at="as"), None)
            return True
        if self._client is not None:
            self._door.hub.let_go(self._client)
            self._client = None
        self._principal, self._language = principal, known_language(frame.language)
        self._operator = door.local is not None and not frame.as_ and not self._person
        self._acked = None
        hub = door.hub
        client = hub.join(self._transport, principal, frame.thread, self._language)
        snapshot = await guarded_await(self._snapshot(frame.thread))
        if isinstance(snapshot, Caught):
            hub.let_go(client)
            raise snapshot.error
        hub.open(client, frame.last, snapshot)
        self._client = client
        return True

    async def _snapshot(self, thread: str) -> dict[str, Json]:
        if not thread:
            return {}
        door, who = self._door, self._principal
        return dict(await door.engine.view(thread, who, door.hub.name, self._language))

    async def _input(self, frame: Input) -> None:
        spoken = self._door.spoken
        files = await attached(frame, self._principal, self._door.uploads)
        new = self._new(frame, files if spoken is None else as_note(files, frame.text))
        later = spoken.taken(new) if spoken is not None and is_note(new) else None
        if later is None and not self._door.engine.waits(new):
            await self._receipt(frame.id, await self._door.engine.accept(new))
        else:  # nothing waits for it: a stop least of all
            self._spawn(self._later(frame.id, later or self._door.engine.accept(new)), "input")

    async def _later(self, id_: str, taking: Awaitable[Taken]) -> None:
        taken = await guarded_await(taking)
        if isinstance(taken, Caught):
            await self._fail(taken.error, id_)
        else:
            await self._receipt(id_, taken)

    def _new(self, frame: Input, attachments: tuple[Attachment, ...]) -> NewInput:
        if not frame.text.strip() and not frame.attachments:
            raise FrameInvalid("text: is empty", at="text")
        return NewInput(
            dedup=self._dedup(frame.id),
            thread=self._thread(),
            channel=self._door.hub.name,
            principal=self._principal,
            text=frame.text,
            override=None if frame.override is None else Priority[frame.override.upper()],
            sender=self._principal,
            language=self._language,
            attachments=attachments,
            seen=self._seen(frame.seen),
            reply_to=frame.reply_to,
            run=frame.run,
        )

    def _stop(self, frame: Stop) -> NewInput:
        return NewInput(
            dedup=self._dedup(frame.id),
            thread=self._thread(),
            channel=self._door.hub.name,
            principal=self._principal,
            text="",
            kind=InputKind.STOP,
            sender=self._principal,
            language=self._language,
            run=frame.run,
            how="button",
        )

    async def _press(self, frame: Press) -> Taken:
        return await self._door.engine.press(
            frame.token,
            frame.option,
            self._principal,
            dedup=self._dedup(frame.id),
            channel=self._door.hub.name,
            value=frame.value,
            language=self._language,
        )

    async def _call(self, frame: Call) -> None:
        principal = OPERATOR if self._operator else self._principal
        caller = Caller(self._door.engine, principal, self._door.hub, self._door.people)
        result = await guarded_await(call(caller, frame.method, frame.params))
        if isinstance(result, Caught):
            await self._fail(result.error, frame.id)
        else:
            await self._send(Result(result), frame.id)

    def _spawn(self, work: Coroutine[object, object, None], name: str) -> None:
        self._door.supervisor.spawn(work, name=f"{name} on {self._door.hub.name}")

    def _dedup(self, id_: str) -> str:
        return f"{self._door.hub.name}:{self._principal}:{id_}"

    def _thread(self) -> str:
        if self._client is None or not self._client.thread:
            raise FrameInvalid("this connection looks at no thread; name one in hello", at="thread")
        return self._client.thread

    def _seen(self, claimed: int | None) -> int | None:
        """What the person could have seen: never more than was written to this client."""
        written = self._client.outbox.sent_seq if self._client is not None else 0
        return min(written, next((n for n in (claimed, self._acked) if n is not None), written))

    # -- answers -------------------------------------------------------------------------------

    async def _receipt(self, id_: str, taken: Taken) -> None:
        text = notice_text(taken.code, dict(taken.params), self._language) if taken.code else None
        receipt = Receipt(
            code=taken.code,
            duplicate=taken.duplicate,
            params=dict(taken.params),
            input=None if taken.row is None else taken.row.seq,
            text=text or None,
        )
        await self._send(receipt, id_)

    async def _refuse(self, error: FrameInvalid) -> bool:
        self._invalid += 1
        named = error.params.get("id")
        await self._fail(error, named if isinstance(named, str) else None)
        return await self._send_away_after(INVALID_FRAMES_IN_A_ROW)

    async def _send_away_after(self, limit: int) -> bool:
        if self._invalid < limit:
            return True
        if self._client is not None:
            self._door.hub.dismiss(self._client, "invalid")
            return True
        await self._send(Bye("invalid"))
        return False

    async def _fail(self, error: Exception, id_: str | None, code: str = "") -> None:
        """Answer with an error; one that isn't the client's is logged, and known by its id."""
        params: dict[str, Json] = {}
        message, at = str(error), ""
        if isinstance(error, GatewayError):
            code = code or error.code
            at = str(error.params.get("at") or "")
        if not isinstance(error, GatewayError) or error.http >= 500:
            code = code or INTERNAL
            params["errorId"] = self._door.report(f"connection of {self._door.hub.name}", error)
            message = ""
        text = notice_text(code, params, self._language)
        await self._send(Failure(code, message, params, text, at or None), id_)

    async def _send(self, data: Data, id_: str | None = None) -> None:
        if self._client is not None:
            self._door.hub.send(self._client, data, id_)
        elif not self._closed:
            await self._transport.send(encode(ServerFrame(data.TYPE, data.to_data(), id=id_)))
