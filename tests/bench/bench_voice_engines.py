"""What the engines of a call cost. `python -m tests.bench voice`

The speech detector by its window; each voice from the clause to its first sound and for a second of
sound; Whisper for words of a second and sentences of three, as espeak says them, and how many words
of recorded people it understands. CPU time beside wall time, for the machine may be shared.
"""

from __future__ import annotations

import asyncio
import importlib
import resource
import tempfile
import time
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import median, quantiles

import numpy as np

from gateway.supervise import Supervisor
from tests.voice.engines.sounds import FOLDERS, PROMPTS, clause, espeak, in_a_room, prompt
from voice.core.words import plain
from voice.engines.espeak import EspeakVoice, Library
from voice.engines.silero import RATES, SileroDetector
from voice.engines.whisper import WhisperSpeechToText
from voice.ports import SpeechToText, TextToSpeech

WORDS = {"en": ("Stop.", "Yes.", "Tuesday."), "ru": ("Стоп.", "Да.", "Вторник.")}
SENTENCES = {
    "en": ("Please delete three servers tomorrow morning.", "No, not Monday but Tuesday please."),
    "ru": ("Удалите три сервера завтра утром.", "Нет, не в понедельник, а во вторник."),
}
REPEATS = 5
SPOKEN = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty sunday monday tuesday wednesday thursday "
    "friday saturday",
    "ru": "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать "
    "тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать "
    "воскресенье понедельник вторник среда четверг пятница суббота",
}
NAMES = (*(f"digits/{n}" for n in range(21)), *(f"digits/day-{n}" for n in range(7)))
"""Debian's recorded prompts of these words, in their order."""


def report(name: str, error: BaseException) -> None:
    print(f"{name}: {error!r}")


def spread(times: list[float], unit: str = "ms") -> str:
    p95 = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    return f"median {median(times):.2f}, p95 {p95:.2f} {unit}"


def detector() -> None:
    for rate in RATES:
        vad = SileroDetector(rate)
        noise = np.random.default_rng(1).normal(0, 0.05, vad.window).astype(np.float32)
        wall, cpu = list[float](), time.thread_time()
        for _ in range(2_000):
            began = time.perf_counter()
            vad.probability(noise)
            wall.append((time.perf_counter() - began) * 1_000)
        each = (time.thread_time() - cpu) / 2_000 * 1_000
        print(f"detector, {rate} Hz, a window: {spread(wall)}, {each:.3f} ms of a core")


async def voice(speaker: TextToSpeech, language: str) -> None:
    began = time.perf_counter()
    await speaker.load()
    loaded = (time.perf_counter() - began) * 1_000
    first, factor = list[float](), list[float]()
    for text in SENTENCES[language] * REPEATS:
        saying = clause(text, language)
        began, cpu, made = time.perf_counter(), time.process_time(), 0
        async for piece in speaker.speak(saying, language):
            if not made:
                first.append((time.perf_counter() - began) * 1_000)
            made += len(piece.samples)
        factor.append((time.process_time() - cpu) / (made / speaker.rate))
    print(
        f"voice {speaker.name}, {language}: load {loaded:.0f} ms, clause to first sound "
        f"{spread(first)}, {median(factor):.4f} core seconds a second of sound"
    )


async def timed(wait: Callable[[], Awaitable[object]], into: list[float]) -> None:
    began = time.perf_counter()
    await wait()
    into.append((time.perf_counter() - began) * 1_000)


async def recogniser(engine: SpeechToText) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    await engine.load()
    seconds = time.perf_counter() - began
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    print(f"whisper: joined, checked and loaded in {seconds:.2f} s, peak +{peak} MB")
    library = Library()
    for language in ("en", "ru"):
        for name, texts in (("words", WORDS[language]), ("sentences", SENTENCES[language])):
            partials, finals, cpu = list[float](), list[float](), list[float]()
            for text in texts * REPEATS:
                utterance = engine.listen(language, None)
                utterance.feed(in_a_room(espeak(library, text, language), 16_000))
                began = time.process_time()
                await timed(utterance.partial, partials)
                cpu.append((time.process_time() - began) * 1_000)
                await timed(utterance.final, finals)
            print(
                f"whisper, {language}, {name}: partial {spread(partials)} "
                f"({median(cpu):.0f} ms of cores); final {spread(finals)}"
            )


async def people(engine: SpeechToText) -> None:
    """Single words of one woman a language, with a little room around them."""
    for language in ("en", "ru"):
        if not (PROMPTS / FOLDERS[language]).is_dir():
            print(f"whisper, {language}, people: Debian's asterisk-core-sounds are not installed")
            continue
        right, silent = 0, 0
        for number, (name, word) in enumerate(zip(NAMES, SPOKEN[language].split(), strict=True)):
            utterance = engine.listen(language, None)
            utterance.feed(in_a_room(prompt(language, name), 16_000))
            text = plain((await utterance.final()).text)
            right += text in {word, str(number)} if number <= 20 else text == word
            silent += not text
        print(f"whisper, {language}, people: {right} of {len(NAMES)} words, {silent} of them lost")


async def run() -> None:
    supervisor = Supervisor(report)
    detector()
    speaker = EspeakVoice(supervisor)
    for language in ("en", "ru"):
        await voice(speaker, language)
    if find_spec("hibari") is not None:
        hibari = importlib.import_module("voice.engines.hibari").hibari_voice(supervisor)
        await voice(hibari, "en")
    else:
        print("voice hibari: not installed")
    with tempfile.TemporaryDirectory() as cache:
        whisper = WhisperSpeechToText(Path(cache), supervisor)
        await recogniser(whisper)
        await people(whisper)
        await whisper.stop(10.0)


def main() -> None:
    """Detector, voices, recogniser."""
    asyncio.run(run())
