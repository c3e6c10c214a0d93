"""The unix socket: frames in, answers out, in a file that only this user can open."""

import asyncio
import json
import socket
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from gateway.channels.calls import OPERATOR
from gateway.channels.connection import Door
from gateway.channels.hub import Hub
from gateway.channels.lines import Lines, TooLong
from gateway.channels.local import local_user
from gateway.channels.socket import SocketServer, SocketUnusable
from gateway.core.errors import StoreFailed
from gateway.core.queueing import Priority
from gateway.ports.channel import Notice, TextRef
from gateway.ports.rows import InputKind
from gateway.supervise import Supervisor
from gateway.wire import MAX_FRAME_BYTES
from tests.builders import CountingIds, LoopClock
from tests.fakes.engine import FakeEngine, FakeTaken

WITHIN_SECONDS = 30.0


class Peer:
    """A client that speaks raw lines."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.seen: list[dict[str, Any]] = []

    async def send(self, frame: dict[str, Any] | bytes) -> None:
        line = frame if isinstance(frame, bytes) else json.dumps(frame).encode()
        self.writer.write(line + b"\n")
        await self.writer.drain()

    async def next(self, type_: str = "") -> dict[str, Any]:
        while True:
            line = await asyncio.wait_for(self.reader.readline(), WITHIN_SECONDS)
            assert line, f"closed while waiting for {type_}"
            self.seen.append(json.loads(line))
            if type_ in ("", self.seen[-1]["type"]):
                return self.seen[-1]

    async def closed(self) -> bool:
        return await asyncio.wait_for(self.reader.read(), WITHIN_SECONDS) == b""

    async def hello(self, thread: str = "t", as_: str = "ann", **more: Any) -> dict[str, Any]:
        await self.send({"type": "hello", "v": 1, "thread": thread, "as": as_, **more})
        return await self.next()


class House:
    """A socket server over a fake engine."""

    def __init__(self, path: Path) -> None:
        self.engine = FakeEngine()
        self.reports: list[BaseException] = []
        self.supervisor = Supervisor(self._failed)
        self.hub = Hub("local", clock=LoopClock(), ids=CountingIds(), supervisor=self.supervisor)
        self.door = Door(self.hub, self.engine, self.supervisor, self._report, local="me")
        self.server = SocketServer(self.door, path)
        self.peers: list[Peer] = []

    def _failed(self, where: str, error: BaseException) -> None:
        self.reports.append(error)

    def _report(self, where: str, error: BaseException) -> str:
        self.reports.append(error)
        return f"e{len(self.reports)}"

    async def peer(self) -> Peer:
        peer = Peer(*await asyncio.open_unix_connection(str(self.server.path), limit=2**22))
        self.peers.append(peer)
        return peer

    async def deaf(self, thread: str = "t", as_: str = "ann") -> socket.socket:
        """A client that says hello and never reads."""
        came = asyncio.Event()
        self.hub.on_client = lambda thread, principal: came.set()
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        client.connect(str(self.server.path))
        client.send(json.dumps({"type": "hello", "v": 1, "thread": thread, "as": as_}).encode())
        client.send(b"\n")
        await asyncio.wait_for(came.wait(), WITHIN_SECONDS)
        return client

    async def close(self) -> None:
        await self.server.stop()
        self.hub.close_all("shutdown")
        assert await self.supervisor.settle(5) == 0
        for peer in self.peers:
            peer.writer.close()


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House(tmp_path / "bargein.db.sock")
    await house.server.start()
    yield house
    await house.close()


async def test_only_this_user_may_open_it(house: House):
    assert stat.S_IMODE(house.server.path.stat().st_mode) == 0o600


async def test_an_input_is_stored_before_it_is_answered(house: House):
    peer = await house.peer()
    welcome = await peer.hello(language="ru-RU")
    assert welcome["data"]["snapshot"] == {"thread": "t"}
    await peer.send({"type": "input", "id": "1", "text": "привет", "override": "later"})
    receipt = await peer.next("receipt")
    assert (receipt["id"], receipt["data"]) == (
        "1",
        {"code": "", "duplicate": False, "params": {}, "input": 1},
    )
    (new,) = house.engine.inputs
    assert (new.dedup, new.thread, new.channel) == ("local:ann:1", "t", "local")
    assert (new.principal, new.text, new.language) == ("ann", "привет", "ru")
    assert new.override is Priority.LATER
    assert new.seen == welcome["data"]["seq"]


async def test_the_same_frame_twice_is_one_input(house: House):
    peer = await house.peer()
    await peer.hello()
    for _ in range(2):
        await peer.send({"type": "input", "id": "1", "text": "x"})
    assert (await peer.next("receipt"))["data"]["duplicate"] is False
    assert (await peer.next("receipt"))["data"]["duplicate"] is True
    assert len(house.engine.inputs) == 1


async def test_what_a_person_claims_to_have_seen_was_written_to_them(house: House):
    peer = await house.peer()
    seq = (await peer.hello())["data"]["seq"]
    house.hub.tell(Notice("t", "NOTHING_TO_STOP"))
    told = (await peer.next("notice"))["seq"]
    await peer.send({"type": "input", "id": "1", "text": "x", "seen": 2**53 - 1})
    await peer.send({"type": "input", "id": "2", "text": "x", "seen": seq})
    await peer.send({"type": "ack", "seq": seq})
    await peer.send({"type": "input", "id": "3", "text": "x"})
    for _ in range(3):
        await peer.next("receipt")
    assert [new.seen for new in house.engine.inputs] == [told, seq, seq]


async def test_stop_and_press_reach_the_engine(house: House):
    peer = await house.peer()
    await peer.hello()
    await peer.send({"type": "stop", "id": "1", "run": "r1"})
    await peer.send({"type": "press", "id": "2", "token": "tok", "option": "approve"})
    await peer.next("receipt")
    await peer.next("receipt")
    assert (house.engine.inputs[0].kind, house.engine.inputs[0].run) == (InputKind.STOP, "r1")
    assert house.engine.presses == [("tok", "approve", "ann", "local:ann:2", "local", None)]


async def test_a_refusal_is_told_in_the_persons_language(house: House):
    peer = await house.peer()
    await peer.hello(language="ru")
    house.engine.answers = [FakeTaken(code="THREAD_BUSY")]
    await peer.send({"type": "input", "id": "1", "text": "x"})
    data = (await peer.next("receipt"))["data"]
    assert data["code"] == "THREAD_BUSY"
    assert data["text"].startswith("Не принято")


async def test_a_stranger_is_refused_and_sees_nothing(house: House):
    ann, eve = await house.peer(), await house.peer()
    await ann.hello(as_="ann")
    denied = await eve.hello(as_="eve")
    assert (denied["type"], denied["data"]["code"]) == ("error", "THREAD_ACCESS_DENIED")
    house.hub.show(TextRef("t", "r", 0), "secret", final=True)
    await ann.next("text")
    await eve.send({"type": "ping"})
    assert (await eve.next())["type"] == "pong"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"not json", "FRAME_INVALID"),
        (b'{"type": "input", "id": "1", "text": 5}', "FRAME_INVALID"),
        (b'{"type": "input", "id": "1", "text": "  "}', "FRAME_INVALID"),
        (b'{"type": "nothing"}', "FRAME_INVALID"),
        (b"\xff\xfe", "FRAME_INVALID"),
        (b"x" * (MAX_FRAME_BYTES + 5), "FRAME_INVALID"),
        (b'{"type": "call", "id": "1", "method": "nothing"}', "NOT_FOUND"),
        (b'{"type": "call", "id": "1", "method": "threads.export"}', "FRAME_INVALID"),
    ],
)
async def test_a_bad_frame_is_named_and_the_connection_stays(house: House, line: bytes, code: str):
    peer = await house.peer()
    await peer.hello()
    await peer.send(line)
    error = await peer.next("error")
    assert error["data"]["code"] == code
    assert error["data"]["message"]
    await peer.send({"type": "input", "id": "9", "text": "still here"})
    assert (await peer.next("receipt"))["id"] == "9"


async def test_garbage_without_end_is_sent_away(house: House):
    peer = await house.peer()
    await peer.hello()
    for _ in range(25):
        await peer.send(b"garbage")
    assert (await peer.next("bye"))["data"]["reason"] == "invalid"


async def test_hello_comes_first_and_in_a_version_that_is_spoken(house: House):
    peer = await house.peer()
    await peer.send({"type": "input", "id": "1", "text": "x"})
    assert (await peer.next())["data"]["code"] == "HELLO_FIRST"
    await peer.send({"type": "hello", "v": 99})
    assert (await peer.next())["data"]["code"] == "PROTOCOL_VERSION_UNKNOWN"
    assert await peer.closed()


async def test_a_store_that_fails_is_told_with_an_id_and_nothing_else(house: House):
    peer = await house.peer()
    await peer.hello()
    house.engine.fails = StoreFailed("STORE_FULL", "disk /secret/path is full")
    await peer.send({"type": "input", "id": "1", "text": "x"})
    data = (await peer.next("error"))["data"]
    assert (data["code"], data["params"]) == ("STORE_FULL", {"errorId": "e1"})
    assert "secret" not in json.dumps(data)
    house.engine.fails = ZeroDivisionError("secret")
    await peer.send({"type": "input", "id": "2", "text": "x"})
    data = (await peer.next("error"))["data"]
    assert (data["code"], data["params"]) == ("INTERNAL", {"errorId": "e2"})
    assert "e2" in data["text"]


async def test_who_names_nobody_is_the_operator(house: House):
    peer = await house.peer()
    welcome = await peer.hello(thread="", as_="")
    assert welcome["data"]["principal"] == "me"
    await peer.send({"type": "call", "id": "1", "method": "threads.list"})
    assert (await peer.next("result"))["data"]["result"] == [{"id": "t"}]
    claims = await house.peer()
    assert (await claims.hello(thread="", as_=OPERATOR))["data"]["code"] == "FRAME_INVALID"
    named = await house.peer()
    await named.hello(thread="", as_="ann")
    params = {"thread": "t", "reason": "done"}
    await named.send({"type": "call", "id": "1", "method": "pauses.cancel", "params": params})
    assert (await named.next("result"))["data"]["result"] == {"cancelled": 1}
    assert house.engine.calls == [("threads", OPERATOR), ("cancel_pause", "t", "ann", "done")]


async def test_a_deleted_thread_sends_its_clients_away(house: House):
    peer, other = await house.peer(), await house.peer()
    await peer.hello()
    await other.hello(thread="")
    params = {"thread": "t"}
    await other.send({"type": "call", "id": "1", "method": "threads.delete", "params": params})
    assert (await peer.next("bye"))["data"]["reason"] == "deleted"


async def test_a_second_hello_moves_the_connection(house: House):
    peer = await house.peer()
    await peer.hello()
    assert (await peer.hello(thread="u"))["thread"] == "u"
    house.hub.tell(Notice("t", "NOTHING_TO_STOP"))
    house.hub.tell(Notice("u", "THREAD_BUSY"))
    assert (await peer.next("notice"))["data"]["code"] == "THREAD_BUSY"
    assert house.hub.count() == 1


async def test_a_client_that_stops_reading_delays_nobody(house: House):
    reading = await house.peer()
    await reading.hello()
    ref = TextRef("t", "r", 0)
    text = ""
    with await house.deaf():
        for _ in range(40):
            text += "x" * 50_000
            house.hub.show(ref, text, final=False)
            await reading.next("text")
        assert len(house.hub.shown(ref).text) == len(text)


async def test_shown_is_what_the_system_took_of_a_client_that_stops_reading(house: House):
    ref = TextRef("t", "r", 0)
    text = ""
    with await house.deaf():
        for _ in range(40):
            text += "x" * 50_000
            house.hub.show(ref, text, final=False)
            await asyncio.sleep(0.005)
        shown = len(house.hub.shown(ref).text)
        assert 0 < shown < len(text)
        assert house.hub.cut(ref).text == text[:shown]


async def test_a_client_that_leaves_is_forgotten(house: House):
    peer = await house.peer()
    await peer.hello()
    peer.writer.close()
    await peer.writer.wait_closed()
    for _ in range(3_000):
        if house.hub.count() == 0:
            break
        await asyncio.sleep(0.01)
    assert house.hub.count() == 0


async def test_a_dead_servers_socket_is_taken_over(tmp_path: Path):
    path = tmp_path / "a.sock"
    dead = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    dead.bind(str(path))
    dead.close()
    house = House(path)
    await house.server.start()
    peer = await house.peer()
    assert (await peer.hello())["type"] == "welcome"
    await house.close()
    assert not path.exists()


async def test_a_living_servers_socket_is_left_alone(house: House):
    second = SocketServer(house.door, house.server.path)
    with pytest.raises(SocketUnusable, match="already runs"):
        await second.start()
    await second.stop()
    assert (await (await house.peer()).hello())["type"] == "welcome"


async def test_what_is_no_socket_is_left_alone(tmp_path: Path):
    path = tmp_path / "a.sock"
    path.write_text("precious", encoding="utf-8")
    with pytest.raises(SocketUnusable, match="no socket"):
        await House(path).server.start()
    assert path.read_text(encoding="utf-8") == "precious"
    with pytest.raises(SocketUnusable, match="too long"):
        await House(tmp_path / ("x" * 120)).server.start()


def test_the_local_user_has_a_name():
    assert local_user()


def test_lines_are_cut_and_a_long_one_is_skipped():
    lines = Lines(10)
    assert list(lines.feed(b"one\r\n\ntw")) == [b"one"]
    assert list(lines.feed(b"o\n" + b"x" * 11)) == [b"two"]
    assert list(lines.feed(b"xx")) == []
    assert list(lines.feed(b"x\nlast\n")) == [TooLong(14), b"last"]
