"""Calls beside Pipecat: the same sounds over the same reply, one system after the other.

`python -m tests.bench voicepeer [--each N] [--own-clock] [--lanes 1|2]`: N of each class and
language from the corpus's held-out half. Each sound goes to every system in turn, so that whatever
the machine does meanwhile hits all alike; the languages are lanes beside each other, or one behind
the other. In real time, for which the machine has to be quiet; or, both sides alike, by a clock of
their own on which recognising takes the processor time it used (`own_clock`).
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from gateway.supervise import Supervisor
from tests.corpus.stimuli import BACKCHANNEL, INTERRUPTION, KINDS, NOISE, Stimulus, stimuli
from tests.corpus.texts import REPLIES
from tests.corpus.voices import missing
from voice.core.clauses import Clauses
from voice.core.pcm import Samples
from voice.engines import espeak, whisper_weights
from voice.synthesis import sounded

SEED = 82
VENV = Path(".venv-bench") / "pipecat"
PACKAGE = "pipecat-ai[silero,whisper]==1.14.0"
OURS = "Bargein"
SETTINGS = {
    "Pipecat, as it comes": "default",
    "without Smart Turn": "timeout",
    "3 words to interrupt": "words",
}
SYSTEMS = (OURS, *SETTINGS)
LINE_RATE = 24_000
WAITS = {"before": 0.5, "gap": 0.6, INTERRUPTION: 2.0, BACKCHANNEL: 9.0, NOISE: 9.0}
"""In seconds: before a reply; the longest pause in one that goes on; for what comes after it was
stopped, behind the sound's end. Pipecat takes 5 s to find that a sound had no words.
"""
JOB_SECONDS = 90.0
LATE_SECONDS, TRIES = 0.1, 3
"""A run whose 20 ms clock was later than this (99th percentile) is made again, so often at most."""
EARLIEST, LATEST = 0.6, 2.0
THREADS = 2


@dataclass(frozen=True)
class Result:
    """What one system did under one sound."""

    system: str
    stimulus: Stimulus
    found: dict[str, Any]

    @property
    def right(self) -> bool:
        """An interruption is yielded to, all else talked through."""
        yields = self.stimulus.kind == INTERRUPTION
        return bool(self.found["stopped"] if yields else self.found["through"])

    @property
    def off(self) -> int | None:
        """How many words too many the saved text has, or (below 0) too few; None: it ended."""
        return int(self.found["saved"] - self.found["heard"]) if self.found["stopped"] else None


# -- what both are given ---------------------------------------------------------------------------


async def replies(directory: Path) -> dict[str, Any]:
    """The sound of each reply, and when its words begin."""
    voice = espeak.EspeakVoice(Supervisor(lambda where, error: None))
    await voice.load()
    found = {}
    for language, text in REPLIES.items():
        state, clauses = Clauses(language).feed(text)
        parts: list[Samples] = []
        known: dict[int, int] = {}
        words = length = 0
        for clause in (*clauses, *state.close()[1]):
            places = {word.spoken_start: words + at for at, word in enumerate(clause.spoken.words)}
            words += len(places)
            before = length
            async for piece in sounded(voice, clause, language, LINE_RATE):
                parts.append(piece.samples)
                length += len(piece.samples)
                known |= {places[mark.place]: before + mark.sample for mark in piece.marks}
        # Two words may be one event: the second begins halfway to the next.
        order = sorted(known)
        starts = np.interp(range(words), order, [known[at] / LINE_RATE for at in order])
        path = directory / f"reply-{language}.npy"
        np.save(path, np.rint(np.clip(np.concatenate(parts), -1, 1) * 32767).astype(np.int16))
        found[language] = {"words": text.split(), "starts": list(starts), "sound": str(path)}
    await voice.stop(2)
    return found


def peer_python() -> Path:
    """The peer's interpreter; its venv is made the first time."""
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", PACKAGE], check=True)
    return python


# -- runs ------------------------------------------------------------------------------------------


class Process:
    """A system that takes a job a line."""

    def __init__(self, *command: str) -> None:
        self._command = command

    async def start(self) -> None:
        environment = {**os.environ, "OMP_NUM_THREADS": str(THREADS)}
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=pipe, env=environment
        )

    async def do(self, job: dict[str, Any]) -> dict[str, Any]:
        """The result of a job."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(job).encode() + b"\n")
        await process.stdin.drain()
        line = await asyncio.wait_for(process.stdout.readline(), JOB_SECONDS)
        assert line, f"{self._command} has ended"
        return dict(json.loads(line))

    async def stop(self) -> None:
        """It ends with its input."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        await asyncio.wait_for(self._process.wait(), JOB_SECONDS)


async def punctual(process: Process, job: dict[str, Any]) -> dict[str, Any]:
    """The result of a job, made again while other work of the machine had held it up."""
    tries, found = 1, await process.do(job)
    while found["late"] > LATE_SECONDS and tries < TRIES:
        tries, found = tries + 1, await process.do(job)
    return {**found, "tries": tries}


async def lane(
    directory: Path, weights: Path, language: str, sounds: list[Stimulus]
) -> list[Result]:
    """The sounds of a language, each to every system."""
    given = str(directory / "given.json")
    ours = Process(sys.executable, "-m", "tests.bench.call_server", given, str(directory), language)
    script = str(Path(__file__).with_name("peer_pipecat.py"))
    theirs = Process(str(peer_python()), script, given, str(weights), language)
    await ours.start()
    await theirs.start()
    chance = np.random.default_rng([SEED, REPLIES[language].count(" ")])
    found, path = [], directory / f"sound-{language}.npy"
    np.save(path, sounds[-1].samples)
    for system in SYSTEMS:
        # What is loaded with the first call is no part of the figures.
        first = {"sound": str(path), "kind": INTERRUPTION, "after": EARLIEST}
        process = ours if system == OURS else theirs
        await process.do({**first, "setting": SETTINGS.get(system)})
    for number, stimulus in enumerate(sounds):
        np.save(path, stimulus.samples)
        after = float(chance.uniform(EARLIEST, LATEST))
        job = {"sound": str(path), "kind": stimulus.kind, "after": after}
        turn = number % len(SYSTEMS)
        for system in (*SYSTEMS[turn:], *SYSTEMS[:turn]):
            process = ours if system == OURS else theirs
            result = await punctual(process, {**job, "setting": SETTINGS.get(system)})
            found.append(Result(system, stimulus, result))
            line = {"system": system, "stimulus": stimulus.name, "after": after, **result}
            print(json.dumps(line, ensure_ascii=False), file=sys.stderr, flush=True)
    await ours.stop()
    await theirs.stop()
    return found


async def run(each: int, lanes: int, *, own_clock: bool) -> list[Result]:
    """Everything."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        weights = whisper_weights.ready(directory, whisper_weights.installed())
        given = {"replies": await replies(directory), "waits": WAITS, "own_clock": own_clock}
        (directory / "given.json").write_text(json.dumps(given))
        beside = asyncio.Semaphore(lanes)
        # All are made before the first is played: making them wants the processor too.
        sounds = {
            language: [one for kind in KINDS for one in stimuli(kind, language, "held", each, SEED)]
            for language in REPLIES
        }

        async def one(language: str) -> list[Result]:
            async with beside:
                return await lane(directory, weights, language, sounds[language])

        return [result for lane_ in await asyncio.gather(*map(one, REPLIES)) for result in lane_]


# -- figures ---------------------------------------------------------------------------------------


def spread(found: Iterable[float | None], unit: float = 1000) -> str:
    """The middle and the 95th percentile, in milliseconds."""
    order = sorted(one * unit for one in found if one is not None)
    if not order:
        return "–"
    return (
        f"{order[len(order) // 2]:,.0f} / {order[min(len(order) - 1, int(len(order) * 0.95))]:,.0f}"
    )


def share(found: list[bool]) -> str:
    return f"{sum(found)} of {len(found)} ({mean(found):.2f})" if found else "–"


def words_off(found: list[Result]) -> str:
    """Of the replies that were cut: words off on average, those with a word that was not heard."""
    offs = [one.off for one in found if one.off is not None]
    if not offs:
        return "–"
    return f"{mean(abs(off) for off in offs):.2f}; {sum(off > 0 for off in offs)} of {len(offs)}"


def rows(found: list[Result]) -> list[tuple[str, str]]:
    """The figures of one system."""
    real = [one for one in found if one.stimulus.kind == INTERRUPTION]
    false = [one for one in found if one.stimulus.kind != INTERRUPTION]
    hums = [one.right for one in false if one.stimulus.kind == BACKCHANNEL]
    noises = [one.right for one in false if one.stimulus.kind == NOISE]
    silent = [one for one in false if one.found["silent_after"] is not None]
    by_itself = [one for one in silent if not one.found["stopped"]]
    stopped = [one for one in silent if one.found["stopped"]]
    after = [one.found.get("went_on_after") for one in stopped]
    told = sum(bool(one.found.get("told_to_ask")) for one in stopped)
    asking = f", {told} told to ask the caller" if told else ""
    used = sum(one.found["cpu"] for one in found) / sum(one.found["seconds"] for one in found)
    return [
        ("interruptions yielded to", share([one.right for one in real])),
        (
            "onset to silent, p50 / p95 ms",
            spread(one.found["silent_after"] for one in real if one.right),
        ),
        (
            "onset to stopped for good, p50 / p95 ms",
            spread(one.found["stopped_after"] for one in real if one.right),
        ),
        ("saved text of these: words off on average; with a word too many", words_off(real)),
        ("hums talked through", share(hums)),
        ("noises talked through", share(noises)),
        ("hums and noises that silenced the reply at all", f"{len(silent)} of {len(false)}"),
        ("… it went on by itself, at the same sample", f"{len(by_itself)} of {len(silent)}"),
        (
            "… after, p50 / p95 ms",
            spread(max(one.found["pauses"], default=None) for one in by_itself),
        ),
        (
            "… it went on once the model was asked again",
            f"{sum(one is not None for one in after)} of {len(stopped)}{asking}",
        ),
        ("… after, p50 / p95 ms", spread(after)),
        ("… saved text of these: words off; with a word too many", words_off(false)),
        ("processor, share of a core", f"{used:.2f}"),
    ]


def punctuality(found: list[Result]) -> str:
    """How far the machine kept up with real time."""
    late = sorted(one.found["late"] for one in found)
    again = sum(one.found["tries"] - 1 for one in found)
    still = sum(one > LATE_SECONDS for one in late)
    return (
        f"a 20 ms clock was late in a run (p99) by {late[len(late) // 2] * 1000:.0f} ms, at worst "
        f"{late[-1] * 1000:.0f} ms; {again} runs made again for that, {still} of {len(found)} late"
    )


def table(found: list[Result]) -> Iterable[str]:
    """Each language, and each system beside the others."""
    for language in REPLIES:
        here = [one for one in found if one.stimulus.language == language]
        columns = [rows([one for one in here if one.system == system]) for system in SYSTEMS]
        yield f"| {language} | {' | '.join(SYSTEMS)} |"
        yield "|---" * (len(SYSTEMS) + 1) + "|"
        for line in zip(*columns, strict=True):
            yield f"| {line[0][0]} | {' | '.join(value for _, value in line)} |"
        yield ""


def main(each: int, lanes: int, *, own_clock: bool) -> None:
    """Print the figures; what each system did under each sound goes to stderr, a line each."""
    for package in missing():
        print(f"voices of {package} are left out: it is not installed")
    peer_python()
    began, before = time.monotonic(), os.getloadavg()
    found = asyncio.run(run(each, lanes, own_clock=own_clock))
    minutes = (time.monotonic() - began) / 60
    print("\n".join(table(found)))
    load = " ".join(f"{one:.1f}" for one in (*before, *os.getloadavg()))
    print(
        f"{each} of each class and language, {minutes:.0f} minutes, load before and after: {load}"
    )
