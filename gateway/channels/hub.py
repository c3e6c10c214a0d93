"""The channel of connected clients: the unix socket's, and whatever else speaks the protocol.

A text counts as shown as far as a client's transport has taken it: the furthest client counts, and
what only waits counts for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from gateway.channels.notices import notice_text
from gateway.channels.outbox import Line, LiveText, Outbox, Transport
from gateway.channels.prompting import FirstWritten, places
from gateway.core.interrupts import Interrupt
from gateway.core.messages import Json
from gateway.i18n import DEFAULT_LANGUAGE, known_language
from gateway.ports.channel import (
    Capabilities,
    Delivery,
    Notice,
    Prompt,
    Sent,
    Shown,
    TextRef,
    Update,
)
from gateway.ports.clock import Clock, Ids
from gateway.ports.rows import PromptRow
from gateway.supervise import Supervisor
from gateway.wire import (
    VERSION,
    Bye,
    Closed,
    Data,
    Folded,
    Last,
    Listed,
    Question,
    Rings,
    Sequence,
    ServerFrame,
    Told,
    Welcome,
    encode,
)


@dataclass(slots=True, eq=False)
class Client:
    """One connected client: who it is, which thread it looks at, its language and its way out."""

    principal: str
    thread: str
    language: str
    outbox: Outbox


class Hub:
    """The channel `name`: every client of every thread, kept in step."""

    capabilities = Capabilities(buttons=True, reply_to=True, edit=True, voice=False, durable=True)

    def __init__(
        self,
        name: str,
        *,
        clock: Clock,
        ids: Ids,
        supervisor: Supervisor,
        rings: Callable[[Sequence], Rings] = Rings,
    ) -> None:
        self.name = name
        self.boot = ids.uuid()
        self.on_client: Callable[[str, str], None] = _nobody_waits
        self._supervisor = supervisor
        self._sequence = Sequence(clock.now())
        self._rings = rings(self._sequence)
        self._clients: dict[str, list[Client]] = {}
        self._texts: dict[str, dict[TextRef, LiveText]] = {}

    def go_on_from(self, number: int) -> None:
        """Number frames above an earlier process's, so that what it showed counts as seen."""
        self._sequence.go_on_from(number)

    # -- clients -------------------------------------------------------------------------------

    def join(self, transport: Transport, principal: str, thread: str, language: str) -> Client:
        """A new client: what happens from now on waits for it, until `open` or `leave`."""
        outbox = Outbox(transport, thread, self._text)
        outbox.hold()
        client = Client(principal, thread, language, outbox)
        self._clients.setdefault(thread, []).append(client)
        outbox.sent_seq = self._sequence.last
        self._supervisor.spawn(self._serve(client), name=f"client of {self.name}")
        return client

    def open(self, client: Client, last: Last | None, snapshot: Mapping[str, Json]) -> None:
        """Welcome a client who may look: what it missed, or a snapshot; then what has waited."""
        since = client.outbox.sent_seq
        missed = self._missed(client, last, since)
        welcome = Welcome(
            boot=self.boot,
            v=VERSION,
            seq=since,
            principal=client.principal,
            language=client.language,
            resumed=missed is not None,
            snapshot=None if missed is not None else dict(snapshot),
        )
        if client.thread:
            self._rings.watch(client.thread)
        first = encode(ServerFrame(Welcome.TYPE, welcome.to_data(), thread=client.thread))
        lines = b"".join(self._line(frame, client.language) for frame in missed or ())
        client.outbox.release(Line(first + lines))
        for ref in self._texts.get(client.thread, ()):
            client.outbox.post_text(ref)
        if client.thread:
            self.on_client(client.thread, client.principal)

    def leave(self, client: Client) -> None:
        """The client's connection is gone."""
        client.outbox.cut_off("gone")
        self._drop(client)

    def let_go(self, client: Client) -> None:
        """The client looks elsewhere; its connection stays."""
        client.outbox.detach("moved")
        self._drop(client)

    def send(self, client: Client, data: Data, id_: str | None = None) -> None:
        """An answer to this client alone."""
        frame = ServerFrame(data.TYPE, data.to_data(), thread=client.thread, id=id_)
        client.outbox.post(Line(encode(frame)))

    def listed(self, people: Collection[str]) -> None:
        """The lists of these people are to be asked for anew, whatever they look at."""
        line = Line(encode(ServerFrame(Listed.TYPE)))
        for client in [client for clients in self._clients.values() for client in clients]:
            if client.principal in people:
                client.outbox.post(line)

    def count(self, thread: str | None = None) -> int:
        """How many clients are connected, to one thread or at all."""
        threads = self._clients.values() if thread is None else [self._clients.get(thread, [])]
        return sum(len(clients) for clients in threads)

    def forget(self, thread: str) -> None:
        """The thread was deleted: its clients are told and let go."""
        self._rings.forget(thread)
        self._texts.pop(thread, None)
        for client in list(self._clients.get(thread, ())):
            self.dismiss(client, "deleted")

    def expel(self, thread: str, owner: str) -> None:
        """The thread is its owner's alone again: everybody else on it is let go."""
        for client in list(self._clients.get(thread, ())):
            if client.principal != owner:
                self.dismiss(client, "unshared")

    def close_all(self, reason: str) -> None:
        """Say goodbye to every client; their tasks end once that is written."""
        for clients in list(self._clients.values()):
            for client in list(clients):
                self.dismiss(client, reason)

    def dismiss(self, client: Client, reason: str) -> None:
        """Say goodbye to one client, after what waits for it; then its connection is closed."""
        client.outbox.finish(Line(encode(ServerFrame(Bye.TYPE, Bye(reason).to_data()))))

    async def _serve(self, client: Client) -> None:
        await client.outbox.run()
        self._drop(client)
        client.outbox.cut_off("closed")

    def _drop(self, client: Client) -> None:
        clients = self._clients.get(client.thread, [])
        if client in clients:
            clients.remove(client)
        if not clients:
            self._clients.pop(client.thread, None)

    def _missed(self, client: Client, last: Last | None, since: int) -> list[ServerFrame] | None:
        if last is None or last.boot != self.boot:
            return None
        frames = self._rings.since(client.thread, last.seq, client.principal)
        if frames is None:
            return None
        return [frame for frame in frames if (frame.seq or 0) <= since]

    # -- the port ------------------------------------------------------------------------------

    def show(self, ref: TextRef, text: str, final: bool) -> None:
        live = self._texts.setdefault(ref.thread, {}).setdefault(ref, LiveText())
        if live.cut:
            return
        live.grow(text, final)
        for client in self._clients.get(ref.thread, ()):
            client.outbox.post_text(ref)

    def shown(self, ref: TextRef) -> Shown:
        live = self._text(ref)
        return Shown("" if live is None else live.text[: live.written])

    def cut(self, ref: TextRef) -> Shown:
        live = self._texts.setdefault(ref.thread, {}).setdefault(ref, LiveText())
        live.cut = True
        return self.shown(ref)

    def close(self, ref: TextRef, text: str, reason: str | None) -> None:
        self._broadcast(ref.thread, Closed(ref.run, ref.step, text, reason))
        self._drop_texts(ref.thread, [ref])

    async def ask(self, prompt: Prompt) -> Sent:
        row, question = prompt.row, prompt.question
        readers = sum(
            client.principal == row.principal
            for thread in places(row)
            for client in self._clients.get(thread, ())
        )
        if not readers:
            return Sent(Delivery.NOBODY)
        first = FirstWritten(readers)
        data = Question(question.to_h(), question.run, row.token, prompt.form, prompt.again)
        numbers = [
            self._broadcast(thread, data, row.principal, first.written).seq
            for thread in places(row)
        ]
        return Sent(await first.delivery(), message_ref=row.token, seq=numbers[0] or 0)

    def withdraw(self, prompt: PromptRow, question: Interrupt) -> None:
        data = Folded(question.to_h(), question.run, prompt.token)
        for thread in places(prompt):
            self._broadcast(thread, data, prompt.principal)

    def tell(self, notice: Notice) -> None:
        if notice.code == "LANG_SET":
            for client in self._clients.get(notice.thread, ()):
                if client.principal == notice.to:
                    client.language = known_language(notice.language)
        data = Told(notice.code, dict(notice.params), "", notice.input_seq, notice.run)
        self._broadcast(notice.thread, data, notice.to)

    def update(self, update: Update) -> None:
        self._number_and_post(update.thread, update.type, update.data, "")
        if update.type == "run" and update.data.get("state") == "ended":
            run = update.data.get("run")
            live = self._texts.get(update.thread, {})
            self._drop_texts(update.thread, [ref for ref in live if ref.run == run])

    # -- sending -------------------------------------------------------------------------------

    def _broadcast(
        self,
        thread: str,
        data: Data,
        to: str = "",
        written: Callable[[bool], None] | None = None,
    ) -> ServerFrame:
        return self._number_and_post(thread, data.TYPE, data.to_data(), to, written)

    def _number_and_post(
        self,
        thread: str,
        type_: str,
        data: Mapping[str, Json],
        to: str,
        written: Callable[[bool], None] | None = None,
    ) -> ServerFrame:
        frame = self._rings.number(type_, thread, data, to)
        lines: dict[str, bytes] = {}
        for client in list(self._clients.get(thread, ())):
            if to in ("", client.principal):
                line = lines.get(client.language) or self._line(frame, client.language)
                lines[client.language] = line
                client.outbox.post(Line(line, frame.seq or 0, written))
        if self._rings.watches(thread):
            line = next(iter(lines.values()), None) or self._line(frame, DEFAULT_LANGUAGE)
            self._rings.keep(frame, len(line))
        return frame

    def _line(self, frame: ServerFrame, language: str) -> bytes:
        if frame.type != Told.TYPE:
            return encode(frame)
        params = frame.data["params"]
        text = notice_text(str(frame.data["code"]), params, language)
        data = {**frame.data, "text": text}
        return encode(ServerFrame(frame.type, data, frame.seq, frame.thread, frame.id))

    def _text(self, ref: TextRef) -> LiveText | None:
        return self._texts.get(ref.thread, {}).get(ref)

    def _drop_texts(self, thread: str, refs: Iterable[TextRef]) -> None:
        live = self._texts.get(thread, {})
        for ref in refs:
            live.pop(ref, None)
            for client in self._clients.get(thread, ()):
                client.outbox.forget(ref)
        if not live:
            self._texts.pop(thread, None)


def _nobody_waits(thread: str, principal: str) -> None:
    """Stands in until the application says what to do when a client connects."""
