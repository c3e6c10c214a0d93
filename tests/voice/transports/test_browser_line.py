"""A call's WebSocket, without a browser: who may call, what means nothing, who doesn't read."""

import asyncio
import json
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
import pytest

from gateway import Agent
from gateway.app import App
from gateway.channels.local import local_user
from gateway.clock import SystemClock
from gateway.core.errors import AccessDenied, EngineFailed
from gateway.limits import Bucket
from gateway.settings import HttpSettings, Settings
from tests.acceptance.scripted import Script
from tests.fakes.calls import ScriptedCall, ScriptedCalls
from tests.fakes.voice import Ears, FakeEngines
from voice.core.floor import Sound
from voice.transports.browser import LINES_A_PERSON, LONGEST_MESSAGE_BYTES
from voice.transports.frames import Garbage, read_sound, read_text
from voice.transports.line import (
    ALIVE_SECONDS,
    GARBAGE_IN_A_ROW,
    RATE,
    BrowserLine,
    Connection,
    write,
)
from voice.transports.outgoing import LONGEST_QUEUE_BYTES, Frame, Outgoing

ME = local_user()
THREAD = f"local:{ME}"
WITHIN_SECONDS = 30.0
SILENCE = b"\0" * 640


class Deaf(FakeEngines):
    """A recogniser that could not be loaded."""

    @property
    def hearing(self) -> Ears:
        raise self.failed["whisper"]


@dataclass(frozen=True, slots=True)
class Anybody:
    """Who is at a page."""

    principal: str
    token: str = ""


class Desk:
    """The product with scripted calls, and pages that call it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.calls = ScriptedCalls()
        self.session = aiohttp.ClientSession()
        self.log = StringIO()

    async def start(self, engines: Deaf | None = None, **http: Any) -> None:
        settings = Settings(database=self.directory / "a.db", http=HttpSettings(port=0, **http))
        agent = Agent("a", Script(["Hello."]), "")
        made = None if engines is None else lambda _: engines
        self.app = App(settings, agent=agent, calls=self.calls, engines=made, log=self.log)
        await self.app.start()
        self.url = self.app.address

    async def dial(
        self, thread: str = THREAD, language: str = "en", call: str = "", **headers: str
    ) -> Any:
        query = {"thread": thread, "language": language, "call": call}
        given = {"Origin": self.url, **headers}
        return await self.session.ws_connect(self.url + "/call", params=query, headers=given)

    async def call(self) -> tuple[Any, ScriptedCall]:
        socket = await self.dial()
        assert (await heard(socket))["type"] == "ready"
        return socket, await self.calls.came()

    async def close(self) -> None:
        await self.session.close()
        await self.app.stop()


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    await desk.close()


async def heard(socket: Any) -> Any:
    """What the page is told next, signs of life apart."""
    while (told := await socket.receive_json(timeout=WITHIN_SECONDS)) == {"type": "alive"}:
        pass
    return told


async def no_text(socket: Any) -> Any:
    """The agent's voice, or the end of the line: what comes next that is no sign of life."""
    while (message := await socket.receive(timeout=WITHIN_SECONDS)).type is aiohttp.WSMsgType.TEXT:
        assert json.loads(message.data) == {"type": "alive"}
    return message


async def farewell(socket: Any) -> str:
    """Why the server hung up; it closes the line after that."""
    while True:
        message = await socket.receive(timeout=WITHIN_SECONDS)
        if message.type is aiohttp.WSMsgType.TEXT:
            frame = json.loads(message.data)
            if frame["type"] == "bye":
                closing = await socket.receive(timeout=WITHIN_SECONDS)
                assert closing.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
                return str(frame["reason"])


def sound(first: int, pcm: bytes = SILENCE) -> bytes:
    return struct.pack("<I", first) + pcm


# -- both ways


async def test_sound_and_words_come_through_both_ways(desk: Desk) -> None:
    await desk.start()
    socket = await desk.dial(language="ru")
    call = await desk.calls.came()
    ready = await heard(socket)
    assert ready == {
        "type": "ready",
        "call": call.id,
        "rate": RATE,
        "language": "ru",
        "resumed": False,
    }
    assert (call.thread, call.principal, call.language) == (THREAD, ME, "ru")
    await socket.send_bytes(sound(320, struct.pack("<3h", 0, 16384, -32768)))
    [(first, samples)] = await call.heard(1)
    assert first == 320
    assert samples.tolist() == [0.0, 0.5, -1.0]
    call.line.play(3, 1, 441, np.array([0.0, 0.25], dtype=np.float32))
    call.line.sound(3, Sound.DUCKED)
    message = await no_text(socket)
    assert struct.unpack("<III2h", message.data) == (3, 1, 441, 0, 8192)
    assert await heard(socket) == {"type": "sound", "generation": 3, "sound": "ducked"}


async def test_what_the_page_tells_reaches_the_call_in_order(desk: Desk) -> None:
    await desk.start()
    socket, call = await desk.call()
    for frame in (
        {"type": "played", "generation": 1, "flight": 0, "position": 882},
        {"type": "cleared", "generation": 1, "position": 900},
        {"type": "key", "key": "#"},
        {"type": "talk", "on": True},
        {"type": "mute", "on": False},
        {"type": "stop"},
        {"type": "bye"},
    ):
        await socket.send_json(frame)
    await call.told("hung up")
    assert call.events == [
        ("played", 1, 0, 882),
        ("cleared", 1, 900),
        ("key", "#"),
        ("talk", True),
        ("mute", False),
        ("stop",),
        ("hung up",),
    ]


async def test_what_was_cleared_leaves_no_more() -> None:
    outgoing = Outgoing()
    for generation in (1, 2, 3):
        outgoing.put(Frame(b"sound", generation))
    outgoing.put(Frame(b"text"))
    outgoing.drop_sound(2)
    outgoing.close()
    assert [frame async for frame in _all(outgoing)] == [Frame(b"sound", 3), Frame(b"text")]


async def _all(outgoing: Outgoing) -> AsyncIterator[Frame]:
    while frame := await outgoing.get():
        yield frame


# -- who may call


@pytest.mark.parametrize("origin", ["http://evil.example", "null", ""])
async def test_another_page_can_not_call(desk: Desk, origin: str) -> None:
    await desk.start()
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await desk.dial(Origin=origin)
    assert refused.value.status == 403


@pytest.mark.parametrize("path", ["/call", "/ws"])
async def test_a_plain_request_is_the_clients_mistake(desk: Desk, path: str) -> None:
    await desk.start()
    answer = await desk.session.get(desk.url + path, headers={"Origin": desk.url})
    assert answer.status == 400
    assert (await answer.json())["code"] == "VALIDATION_ERROR"
    assert "error" not in desk.log.getvalue()


async def test_nobody_calls_without_a_token_where_tokens_are_needed(desk: Desk) -> None:
    await desk.start()
    await desk.app.front.people.create("ann")
    await desk.app.stop()
    await desk.start(require_tokens=True)
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await desk.dial()
    assert refused.value.status == 401


async def test_a_revoked_token_ends_the_call(desk: Desk) -> None:
    await desk.start()
    secret = await desk.app.front.people.create("ann")
    await desk.app.stop()
    await desk.start(require_tokens=True)
    socket = await desk.dial("local:ann", Cookie=f"bargein={secret}")
    call = await desk.calls.came()
    await desk.app.front.people.revoke("ann")
    assert await farewell(socket) == "revoked"
    await call.told("dismissed")


async def test_a_revoked_token_ends_the_call_whose_line_was_lost(desk: Desk) -> None:
    await desk.start()
    secret = await desk.app.front.people.create("ann")
    await desk.app.stop()
    await desk.start(require_tokens=True)
    socket = await desk.dial("local:ann", Cookie=f"bargein={secret}")
    call = await desk.calls.came()
    await socket.close()
    await call.told("lost")
    await desk.app.front.people.revoke("ann")
    await call.told("dismissed")


async def test_a_strangers_thread_is_not_entered(desk: Desk) -> None:
    await desk.start()
    assert await farewell(await desk.dial("local:somebody")) == "denied"
    assert await farewell(await desk.dial("")) == "denied"
    desk.calls.refuses = AccessDenied("not yours")
    assert await farewell(await desk.dial()) == "denied"
    assert not desk.calls.all


async def test_a_call_that_can_not_be_answered_says_so(desk: Desk) -> None:
    await desk.start()
    desk.calls.refuses = RuntimeError("an engine broke")
    assert await farewell(await desk.dial()) == "failed"


async def test_an_engine_that_failed_is_told_to_the_operator_and_to_who_calls(desk: Desk) -> None:
    await desk.start(Deaf(failed={"whisper": EngineFailed("there are no weights")}))
    await desk.app._loading
    assert await farewell(await desk.dial()) == "unavailable"
    assert "there are no weights" in desk.log.getvalue()


async def test_a_person_has_only_so_many_lines(desk: Desk) -> None:
    await desk.start()
    sockets = [await desk.dial(f"{THREAD}:{n}") for n in range(LINES_A_PERSON)]
    for _ in sockets:
        await desk.calls.came()
    assert await farewell(await desk.dial(f"{THREAD}:more")) == "busy"


# -- loading, coming back, another tab


async def test_a_page_waits_for_what_is_loading_and_begins_by_itself(desk: Desk) -> None:
    await desk.start()
    desk.calls.parts = ("recogniser", "voice")
    socket = await desk.dial()
    assert await heard(socket) == {"type": "loading", "parts": ["recogniser", "voice"]}
    await socket.send_bytes(sound(0))
    desk.calls.parts = ("voice",)
    assert await heard(socket) == {"type": "loading", "parts": ["voice"]}
    desk.calls.parts = ()
    assert (await heard(socket))["type"] == "ready"
    assert not (await desk.calls.came()).frames


async def test_who_hangs_up_while_parts_are_loading_is_gone(desk: Desk) -> None:
    await desk.start()
    desk.calls.parts = ("voice",)
    socket = await desk.dial()
    await heard(socket)
    await socket.send_json({"type": "bye"})
    assert (await no_text(socket)).type is aiohttp.WSMsgType.CLOSE
    assert not desk.calls.all


async def test_a_lost_line_is_told_and_comes_back_to_the_same_call(desk: Desk) -> None:
    await desk.start()
    socket, call = await desk.call()
    await socket.close()
    await call.told("lost")
    again = await desk.dial(call=call.id)
    assert await desk.calls.came() is call
    assert (await heard(again))["resumed"] is True
    call.tell("state", state="listening")
    assert (await heard(again))["state"] == "listening"


async def test_a_second_tab_takes_the_call_over(desk: Desk) -> None:
    await desk.start()
    socket, call = await desk.call()
    await desk.dial()
    await desk.calls.came()
    assert await farewell(socket) == "elsewhere"
    await call.told("lost")


async def test_a_shutdown_ends_lines_that_nobody_answered(desk: Desk) -> None:
    await desk.start()
    desk.calls.parts = ("voice",)
    socket = await desk.dial()
    await heard(socket)
    desk.app.lines.stop()  # type: ignore[union-attr]
    assert await farewell(socket) == "shutdown"


# -- what means nothing


GARBAGE = [
    b"",
    b"\0\0\0",
    sound(0, b""),
    sound(0, b"\0" * 641),
    sound(0, b"\0" * 6402),
    "",
    "{",
    "[]",
    "null",
    "[" * 3000,
    '{"type": 5}',
    '{"type": "shout"}',
    '{"type": "played"}',
    '{"type": "played", "generation": -1, "flight": 0, "position": 0}',
    '{"type": "played", "generation": true, "flight": 0, "position": 0}',
    '{"type": "played", "generation": 0, "flight": 0, "position": 1e300}',
    '{"type": "played", "generation": 0, "flight": 0, "position": 4294967296}',
    '{"type": "cleared", "generation": 0, "position": "12"}',
    '{"type": "key", "key": "A"}',
    '{"type": "key", "key": "12"}',
    '{"type": "key", "key": ""}',
    '{"type": "talk", "on": 1}',
    '{"type": "mute"}',
    '{"type": "stop", "pad": "' + "x" * 5000 + '"}',
]


@pytest.mark.parametrize("given", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_known_as_such(given: bytes | str) -> None:
    with pytest.raises(Garbage):
        read_text(given) if isinstance(given, str) else read_sound(given)


@pytest.mark.parametrize("given", [b"\0\0\0", "{"], ids=["bytes", "text"])
async def test_a_little_garbage_is_dropped_much_in_a_row_ends_the_call(
    desk: Desk, given: bytes | str
) -> None:
    await desk.start()
    socket, call = await desk.call()
    for _ in range(GARBAGE_IN_A_ROW - 1):
        await _send(socket, given)
    await socket.send_bytes(sound(640))
    assert [first for first, _ in await call.heard(1)] == [640]
    for _ in range(GARBAGE_IN_A_ROW):
        await _send(socket, given)
    assert await farewell(socket) == "invalid"
    await call.told("hung up")


async def _send(socket: Any, given: bytes | str) -> None:
    await (socket.send_str(given) if isinstance(given, str) else socket.send_bytes(given))


async def test_a_message_that_is_too_big_closes_the_line_and_keeps_the_call(desk: Desk) -> None:
    await desk.start()
    socket, call = await desk.call()
    await socket.send_bytes(b"\0" * (LONGEST_MESSAGE_BYTES + 1))
    await call.told("lost")
    assert (await no_text(socket)).data == aiohttp.WSCloseCode.MESSAGE_TOO_BIG


async def test_more_sound_than_there_is_time_ends_the_call(desk: Desk) -> None:
    await desk.start()
    socket, call = await desk.call()
    for number in range(400):
        await socket.send_bytes(sound(number * 320))
    assert await farewell(socket) == "flooding"
    await call.told("hung up")
    assert len(call.frames) < 300


async def test_more_words_than_anybody_means_end_the_call(desk: Desk) -> None:
    await desk.start()
    socket, call = await desk.call()
    for _ in range(400):
        await socket.send_json({"type": "key", "key": "1"})
    assert await farewell(socket) == "flooding"
    assert len(call.events) < 300


async def test_a_call_that_breaks_ends_with_a_word_and_is_reported(desk: Desk) -> None:
    await desk.start()
    socket, call = await desk.call()
    call.breaks = True
    await socket.send_json({"type": "key", "key": "1"})
    assert await farewell(socket) == "failed"
    await call.told("hung up")
    assert "RuntimeError" in desk.log.getvalue()


async def test_a_burst_of_late_frames_is_taken(desk: Desk) -> None:
    """A network that stood still for two seconds is no attack."""
    await desk.start()
    socket, call = await desk.call()
    for number in range(100):
        await socket.send_bytes(sound(number * 320))
    await call.heard(100)


# -- who doesn't read


async def test_a_page_that_does_not_read_is_cut_off_and_its_call_kept(desk: Desk) -> None:
    await desk.start()
    socket, call = await desk.call()
    loud = np.zeros(16 * 1024, dtype=np.float32)
    before = call.line
    for position in range(4 * LONGEST_QUEUE_BYTES // 32_768):
        call.line.play(0, 0, position * len(loud), loud)
    await call.told("lost")
    assert call.line is before
    assert before.over  # type: ignore[attr-defined]
    assert before.outgoing._bytes <= LONGEST_QUEUE_BYTES + 40_000  # type: ignore[attr-defined]
    again = await desk.dial(call=call.id)
    assert await desk.calls.came() is call
    assert (await heard(again))["resumed"] is True
    await socket.close()


async def test_a_line_that_is_over_takes_nothing_more(desk: Desk) -> None:
    await desk.start()
    socket, call = await desk.call()
    call.line.hang_up("failed")
    call.line.play(0, 0, 0, np.zeros(10, dtype=np.float32))
    call.tell("state", state="speaking")
    assert await farewell(socket) == "failed"
    await asyncio.wait_for(call.told("lost"), WITHIN_SECONDS)


async def test_what_an_old_page_says_as_it_is_taken_over_is_not_said_in_the_call(
    desk: Desk,
) -> None:
    """At whatever moment its words come in; before it, they count."""
    await desk.start()
    counted = False
    for turns in range(40):
        socket, call = await desk.call()
        await socket.send_json({"type": "bye"})
        for _ in range(turns):
            await asyncio.sleep(0)
        counted = ("hung up",) in call.events
        call.line.hang_up("elsewhere")
        await call.has(lambda event: event[0] in ("lost", "hung up"))
        assert (("hung up",) in call.events) is counted
        await socket.close()
        if counted:
            break
    assert counted


class Told:
    """A socket that notes what is written to it, and when."""

    def __init__(self) -> None:
        self.frames: list[tuple[float, bytes]] = []

    async def send_frame(self, data: bytes, kind: aiohttp.WSMsgType) -> None:
        self.frames.append((asyncio.get_running_loop().time(), data))

    async def close(self) -> None:
        pass


@pytest.mark.looptime
async def test_a_page_that_is_sent_nothing_else_is_sent_signs_of_life() -> None:
    told, line = Told(), BrowserLine(lambda: None)
    plenty = Bucket(SystemClock(), 1, 1)
    visitor = Anybody("ann")
    here = Connection(visitor, told, line, plenty, plenty)  # type: ignore[arg-type]
    writing = asyncio.create_task(write(here))
    for _ in range(100):
        line.play(0, 0, 0, np.zeros(10, dtype=np.float32))
        await asyncio.sleep(0.1)
    assert len(told.frames) == 100
    since = told.frames[-1][0]
    await asyncio.sleep(4 * ALIVE_SECONDS)
    line.hang_up("failed")
    await writing
    *signs, bye = [(at - since, json.loads(data)) for at, data in told.frames[100:]]
    assert [told for _, told in signs] == 4 * [{"type": "alive"}]
    assert [at for at, _ in signs] == pytest.approx([ALIVE_SECONDS * n for n in (1, 2, 3, 4)])
    assert bye[1]["type"] == "bye"
