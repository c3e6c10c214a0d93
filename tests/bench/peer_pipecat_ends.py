"""The ends of `peer_pipecat`'s pipeline: microphone, line, voice and model."""

import asyncio
import time
from dataclasses import dataclass, field

import numpy as np
from pipecat.frames.frames import (
    InputAudioRawFrame,
    InterruptionFrame,
    LLMContextFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    TTSAudioRawFrame,
)
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.services.settings import TTSSettings
from pipecat.services.tts_service import TTSService
from pipecat.transcriptions.language import Language
from pipecat.transports.base_input import BaseInputTransport
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.transports.base_transport import TransportParams

MIC_RATE, LINE_RATE = 16_000, 24_000
FRAME_SECONDS = 0.02


@dataclass
class Reply:
    """What is said, and the prepared sound of it."""

    words: list[str]
    starts: list[float]
    sound: bytes

    @property
    def seconds(self) -> float:
        return len(self.sound) / 2 / LINE_RATE

    def begun(self, end: float) -> int:
        """How many words have begun where the sound was played so far."""
        return sum(at < end - 1e-3 for at in self.starts)

    def span(self, first: int, last: int) -> tuple[float, float]:
        """From when to when these words are said."""
        ends = [*self.starts, self.seconds]
        return self.starts[first], ends[last]

    def cut(self, start: float, end: float) -> bytes:
        return self.sound[2 * round(start * LINE_RATE) : 2 * round(end * LINE_RATE)]


@dataclass
class Line:
    """What left the pipeline, and when: (when, from, to) in seconds, the place is in the reply."""

    reply: Reply
    played: list[tuple[float, float, float]] = field(default_factory=list)

    def take(self, sound: bytes) -> None:
        at = 0.0 if not self.played else self.played[-1][2]
        place = 2 * round(at * LINE_RATE)
        whole = self.reply.sound
        body = sound.rstrip(b"\0")
        body = body + b"\0" * (len(body) % 2)
        if body and whole[place : place + len(body)] != body:
            found = whole.find(body)
            while found % 2 == 1:
                found = whole.find(body, found + 1)
            assert found >= 0, "sound that is no part of the reply"
            place = found
        start = place / 2 / LINE_RATE
        self.played.append((time.monotonic(), start, start + len(sound) / 2 / LINE_RATE))


class Microphone(BaseInputTransport):
    """Twenty milliseconds at a time, always."""

    def __init__(self, params: TransportParams) -> None:
        super().__init__(params)
        self.waiting = np.zeros(0, dtype=np.int16)
        self.onset: float | None = None
        self._speaks = None

    async def start(self, frame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)
        self._speaks = self.create_task(self._speak())

    async def cancel(self, frame) -> None:
        if self._speaks is not None:
            await self.cancel_task(self._speaks)
            self._speaks = None
        await super().cancel(frame)

    async def _speak(self) -> None:
        size = round(MIC_RATE * FRAME_SECONDS)
        due = time.monotonic()
        while True:
            part, self.waiting = self.waiting[:size], self.waiting[size:]
            if len(part) and self.onset is None:
                self.onset = time.monotonic()
            sound = np.concatenate([part, np.zeros(size - len(part), dtype=np.int16)]).tobytes()
            await self.push_audio_frame(InputAudioRawFrame(sound, MIC_RATE, 1))
            due += FRAME_SECONDS
            await asyncio.sleep(max(0.0, due - time.monotonic()))


class Loudspeaker(BaseOutputTransport):
    """Takes a chunk, and the next when that has been played."""

    def __init__(self, params: TransportParams, line: Line) -> None:
        super().__init__(params)
        self._line = line
        self.free_at = 0.0

    async def start(self, frame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def process_frame(self, frame, direction) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, InterruptionFrame):
            self.free_at = 0.0

    async def write_audio_frame(self, frame) -> bool:
        self._line.take(frame.audio)
        seconds = len(frame.audio) / 2 / LINE_RATE
        now = time.monotonic()
        self.free_at = max(now, self.free_at) + seconds
        await asyncio.sleep(self.free_at - now)
        return True


class Prepared(TTSService):
    """Plays the words that it is given from the recording, and says when each begins."""

    def __init__(self, reply: Reply, language: str) -> None:
        super().__init__(
            push_text_frames=False,
            push_start_frame=True,
            push_stop_frames=True,
            settings=TTSSettings(model=None, voice=None, language=Language(language)),
        )
        self._reply = reply
        self.next_word = 0
        self._spoken = 0.0

    def begin(self, word: int) -> None:
        """A response begins with this word."""
        self.next_word, self._spoken = word, 0.0

    async def run_tts(self, text: str, context_id: str):
        words = text.split()
        first, last = self.next_word, self.next_word + len(words)
        assert words == self._reply.words[first:last], text
        self.next_word = last
        start, end = self._reply.span(first, last)
        yield TTSAudioRawFrame(self._reply.cut(start, end), LINE_RATE, 1, context_id=context_id)
        times = [
            (word, self._spoken + at - start)
            for word, at in zip(words, self._reply.starts[first:last], strict=True)
        ]
        await self.add_word_timestamps(times, context_id)
        self._spoken += end - start


class Model(FrameProcessor):
    """Says the reply; asked again, what is left of it behind what the context holds."""

    def __init__(self, reply: Reply, voice: Prepared) -> None:
        super().__init__()
        self._reply, self._voice = reply, voice
        self.asked: list[int] = []

    async def process_frame(self, frame, direction) -> None:
        await super().process_frame(frame, direction)
        if not isinstance(frame, LLMContextFrame):
            await self.push_frame(frame, direction)
            return
        said = saved(frame.context)
        self.asked.append(len(said))
        self._voice.begin(len(said))
        await self.push_frame(LLMFullResponseStartFrame())
        for word in self._reply.words[len(said) :]:
            await self.push_frame(LLMTextFrame(f"{word} "))
        await self.push_frame(LLMFullResponseEndFrame())


def saved(context: LLMContext) -> list[str]:
    """The words that the context says the agent has said."""
    texts = [one["content"] for one in context.get_messages() if one.get("role") == "assistant"]
    return " ".join(texts).split()
