"""One page's line of a call: what waits to be written, and what its frames mean."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from aiohttp import WSMessage, WSMsgType, web

from gateway.limits import Bucket
from voice.call import Call
from voice.core.floor import Sound
from voice.core.pcm import Samples
from voice.transports.frames import (
    MICROPHONE_RATE,
    Bye,
    Cleared,
    Garbage,
    Heard,
    Key,
    Mute,
    Played,
    Stop,
    Talk,
    Told,
    read_sound,
    read_text,
    sound_frame,
    text_frame,
)
from voice.transports.outgoing import Frame, Outgoing

RATE = 22_050
"""Of the sound that pages play: what the default voice makes."""
WRITE_SECONDS = 5.0
"""A page that takes no frame for so long is cut off; its call stays for it to come back."""
ALIVE_SECONDS = 1.5
"""A page that is sent nothing for so long is sent a sign of life: without one it takes the line for
lost after 5 s.
"""
GARBAGE_IN_A_ROW = 20
"""So many frames that mean nothing, or come too fast, end the call."""


class Visitor(Protocol):
    """Who is at the page; `token` is what let them in."""

    @property
    def principal(self) -> str: ...
    @property
    def token(self) -> str: ...


class BrowserLine:
    """One connection of a page, as the call speaks to it. It ducks, holds and clears on its own."""

    rate = RATE
    steers = True

    def __init__(self, abort: Callable[[], None]) -> None:
        self._abort = abort
        self.outgoing = Outgoing()
        self.over = False
        """Whether it was hung up from our side, or was cut off."""

    def play(self, generation: int, flight: int, position: int, samples: Samples) -> None:
        """Sound to be played after what was sent of this generation."""
        self._put(Frame(sound_frame(generation, flight, position, samples), generation))

    def sound(self, generation: int, sound: Sound) -> None:
        """Quieter, held, or in full."""
        self.tell("sound", {"generation": generation, "sound": sound.value})

    def clear(self, generation: int) -> None:
        """Nothing of this generation or an earlier one leaves, or is played, any more."""
        self.outgoing.drop_sound(generation)
        self.tell("clear", {"generation": generation})

    def tell(self, kind: str, data: Mapping[str, Any]) -> None:
        """Something for the eye."""
        self._put(Frame(text_frame(kind, data)))

    def hang_up(self, reason: str) -> None:
        """Say why, and close."""
        self.tell("bye", {"reason": reason})
        self.over = True
        self.outgoing.close()

    def cut_off(self) -> None:
        """Close without a word: nobody reads there, or nobody is there."""
        self.over = True
        self.outgoing.close()
        self._abort()

    def _put(self, frame: Frame) -> None:
        if not self.over and not self.outgoing.put(frame):
            self.cut_off()


@dataclass(slots=True)
class Connection:
    """An open socket, who is behind it, and their call once it was answered."""

    visitor: Visitor
    socket: web.WebSocketResponse
    line: BrowserLine
    told: Bucket
    sound: Bucket
    call: Call | None = None
    garbage: int = 0
    left: bool = False

    def wrong(self, reason: str) -> None:
        """A frame that can't be taken; too many in a row end the call."""
        self.garbage += 1
        if self.garbage >= GARBAGE_IN_A_ROW:
            self.leave(reason)

    def leave(self, reason: str) -> None:
        """End the call for good."""
        self.left = True
        self.line.hang_up(reason)


async def _next(outgoing: Outgoing) -> Frame | None:
    """The next frame, a sign of life where there is none for long; None after the last."""
    try:
        async with asyncio.timeout(ALIVE_SECONDS):
            return await outgoing.get()
    except TimeoutError:
        return Frame(text_frame("alive", {}))


async def write(here: Connection) -> None:
    """Hand over each frame to the system before the next; cut off a page that takes none."""
    while frame := await _next(here.line.outgoing):
        kind = WSMsgType.TEXT if frame.generation is None else WSMsgType.BINARY
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await here.socket.send_frame(frame.data, kind)
        except (OSError, TimeoutError):
            here.line.cut_off()
            return
    await here.socket.close()


def waits(data: str | bytes, here: Connection) -> bool:
    """While parts are loaded only a farewell means something; whether the page stays."""
    if not here.told.take():
        here.wrong("flooding")
        return not here.line.over
    if isinstance(data, bytes):
        return True
    try:
        return not isinstance(read_text(data), Bye)
    except Garbage:
        here.wrong("invalid")
        return not here.line.over


def taken(message: WSMessage, here: Connection, call: Call) -> bool:
    """Hand one message over; whether the page stays."""
    if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
        return False
    try:
        frame = read_text(message.data) if message.type is WSMsgType.TEXT else None
        heard = read_sound(message.data) if frame is None else None
    except Garbage:
        here.wrong("invalid")
        return not here.line.over
    if not (here.told.take() if heard is None else here.sound.take(_seconds(heard))):
        here.wrong("flooding")
        return not here.line.over
    here.garbage = 0
    if heard is not None:
        call.frame(heard.first, heard.samples)
    elif frame is not None:
        return _told(frame, here, call)
    return True


def _seconds(heard: Heard) -> float:
    return len(heard.samples) / MICROPHONE_RATE


def _told(frame: Told, here: Connection, call: Call) -> bool:
    match frame:
        case Played():
            call.played(frame.generation, frame.flight, frame.position)
        case Cleared():
            call.cleared(frame.generation, frame.position)
        case Key():
            call.key(frame.key)
        case Talk():
            call.talk(frame.on)
        case Mute():
            call.mute(frame.on)
        case Stop():
            call.stop()
        case Bye():
            here.left = True
            return False
    return True
