"""The peer on calls: Pipecat's own pipeline, in a venv of its own.

Jobs come as JSON lines on stdin, and for each a line of what was heard at the transport goes out.
Told on the command line: the replies and how to wait (JSON), the directory of the Whisper weights,
and the language.

The pipeline is the one of Pipecat's manual: transport, speech to text, user aggregator with Silero,
model, speech, transport, assistant aggregator. All that is ours are its ends: a microphone of 20 ms
frames, a line that takes sound as fast as it is played (as Pipecat's WebSocket transport does), a
voice that plays a prepared recording and knows when each word begins, and a model without delay
that goes on with the reply behind the words that the context says were said.
"""

import asyncio
import functools
import json
import resource
import sys
import time
from pathlib import Path

import numpy as np
from faster_whisper import WhisperModel
from loguru import logger
from own_clock import OwnClock, take_over
from peer_pipecat_ends import (
    FRAME_SECONDS,
    LINE_RATE,
    MIC_RATE,
    Line,
    Loudspeaker,
    Microphone,
    Model,
    Prepared,
    Reply,
    saved,
)
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.frames.frames import (
    LLMRunFrame,
    TranscriptionFrame,
)
from pipecat.observers.base_observer import BaseObserver
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.services.whisper import stt as whisper
from pipecat.transcriptions.language import Language
from pipecat.transports.base_transport import TransportParams
from pipecat.turns.user_start import MinWordsUserTurnStartStrategy
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.workers.runner import WorkerRunner

MIN_WORDS = 3
OPENING = "go on"

# The weights are read once; the service makes its model anew for each pipeline.
whisper.WhisperModel = functools.cache(WhisperModel)


def strategies(setting: str) -> UserTurnStrategies | None:
    """None is what Pipecat takes by itself."""
    if setting == "timeout":
        return UserTurnStrategies(stop=[SpeechTimeoutUserTurnStopStrategy()])
    if setting == "words":
        return UserTurnStrategies(start=[MinWordsUserTurnStartStrategy(min_words=MIN_WORDS)])
    assert setting == "default"
    return None


class Seen(BaseObserver):
    """What was understood, and when it was interrupted."""

    def __init__(self) -> None:
        super().__init__()
        self.words: dict[int, str] = {}

    async def on_push_frame(self, data) -> None:
        if isinstance(data.frame, TranscriptionFrame):
            self.words[data.frame.id] = data.frame.text.strip()


class Call:
    """One reply in a pipeline of its own, and a sound over it."""

    def __init__(self, setting: str, language: str, reply: Reply, weights: str) -> None:
        self.line, self.seen = Line(reply), Seen()
        self.context = LLMContext([{"role": "user", "content": OPENING}])
        user, assistant = LLMContextAggregatorPair(
            self.context,
            user_params=LLMUserAggregatorParams(
                vad_analyzer=SileroVADAnalyzer(), user_turn_strategies=strategies(setting)
            ),
        )
        self.microphone = Microphone(TransportParams(audio_in_enabled=True))
        output = Loudspeaker(TransportParams(audio_out_enabled=True), self.line)
        hearing = whisper.WhisperSTTService(
            device="cpu",
            compute_type="int8",
            settings=whisper.WhisperSTTService.Settings(model=weights, language=Language(language)),
        )
        voice = Prepared(reply, language)
        self.model = Model(reply, voice)
        stages = [self.microphone, hearing, user, self.model, voice, output, assistant]
        self.worker = PipelineWorker(
            Pipeline(stages),
            params=PipelineParams(audio_in_sample_rate=MIC_RATE, audio_out_sample_rate=LINE_RATE),
            observers=[self.seen],
            enable_rtvi=False,
        )

    async def over(self, sound: np.ndarray, after: float, kind: str, waits: dict) -> dict:
        """Make the sound so long after the reply's begin, and see what comes of it."""
        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(self.worker)
        running = asyncio.create_task(runner.run())
        try:
            await asyncio.sleep(waits["before"])
            began, cpu, late = time.monotonic(), _cpu(), asyncio.create_task(_lag())
            await self.worker.queue_frames([LLMRunFrame()])
            await _until(lambda: bool(self.line.played), 5.0)
            await asyncio.sleep(max(0.0, self.line.played[0][0] + after - time.monotonic()))
            self.microphone.waiting = np.rint(np.clip(sound, -1, 1) * 32767).astype(np.int16)
            found = await self._watch(len(sound) / MIC_RATE, waits[kind], waits["gap"])
            late.cancel()
            used = {"seconds": time.monotonic() - began, "cpu": _cpu() - cpu, "late": await late}
            return {**found, **used}
        finally:
            await self.worker.cancel()
            await running

    async def _watch(self, seconds: float, wait: float, gap: float) -> dict:
        played, reply = self.line.played, self.line.reply

        def ended() -> float:
            when, start, end = played[-1]
            return when + end - start

        def whole() -> bool:
            return played[-1][2] >= reply.seconds - 0.05

        assert await _until(lambda: self.microphone.onset is not None, 5.0)
        onset = self.microphone.onset
        await _until(lambda: whole() or time.monotonic() - ended() > gap, reply.seconds + 20)
        stopped = not whole()
        found = {"stopped": stopped, "through": not stopped, "pauses": [], "silent_after": None}
        found["heard"] = reply.begun(played[-1][2])
        if stopped:
            silent, count = ended(), len(played)
            found["silent_after"] = found["stopped_after"] = silent - onset
            left = seconds - (time.monotonic() - onset)
            if await _until(lambda: len(played) > count, max(left, 0.0) + wait):
                found["went_on_after"] = played[count][0] - silent
            asked = self.model.asked[1:]
            found["saved"] = asked[0] if asked else len(saved(self.context))
            roles = [one.get("role") for one in self.context.get_messages()]
            found["told_to_ask"] = "developer" in roles
        found["words"] = " | ".join(self.seen.words.values())
        return found


async def _lag() -> float:
    """How late a clock of 20 ms ran, 99th percentile; until it is cancelled."""
    found: list[float] = []
    try:
        while True:
            due = time.monotonic() + FRAME_SECONDS
            await asyncio.sleep(FRAME_SECONDS)
            found.append(time.monotonic() - due)
    except asyncio.CancelledError:
        return sorted(found)[int(len(found) * 0.99)]


async def _until(fits, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not fits():
        if time.monotonic() >= end:
            return False
        await asyncio.sleep(0.01)
    return True


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def main(told: dict, weights: str, language: str) -> None:
    reply, waits = told["replies"][language], told["waits"]
    prepared = Reply(reply["words"], reply["starts"], np.load(reply["sound"]).tobytes())
    for line in sys.stdin:
        job = json.loads(line)
        call = Call(job["setting"], language, prepared, weights)
        found = await call.over(np.load(job["sound"]), job["after"], job["kind"], waits)
        print(json.dumps(found), flush=True)


logger.remove()
logger.add(sys.stderr, level="ERROR")
told = json.loads(Path(sys.argv[1]).read_text())
with asyncio.Runner(loop_factory=OwnClock if told["own_clock"] else None) as runner:
    if told["own_clock"]:
        take_over(runner.get_loop())
    runner.run(main(told, *sys.argv[2:]))
