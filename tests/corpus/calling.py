"""Stimuli over a reply, on a call whose engine, detector, recogniser and voice are the real ones.

Time is virtual, so that it goes as fast as the processor allows; what a recogniser takes on two
idle cores is added to it (`PARTIAL_SECONDS` and so on). What it really took is in `TOOK`.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gateway import Agent
from gateway.channels.callers import engines_of
from gateway.ports.rows import NewInput
from gateway.settings import Settings
from gateway.supervise import Supervisor
from tests.acceptance.calling import CallDesk, Caller
from tests.acceptance.desk import THREAD
from tests.acceptance.scripted import Script
from tests.corpus import sounds
from tests.corpus.stimuli import Stimulus
from tests.corpus.texts import REPLIES
from tests.corpus.voices import RATE, at_rate
from voice.core.words import Kind, read
from voice.ports import Expected, Hypothesis, Listening, SpeechToText

PARTIAL_SECONDS, PAUSE_SECONDS, FINAL_SECONDS = 0.12, 0.25, 0.35
TOOK: dict[str, list[float]] = {"partial": [], "pause": []}
"""Seconds by the clock, engine's queue included."""
LONGEST_PAUSE_MS = 600
_ENDS_SECONDS = 40.0
_SETTLES_SECONDS = 10.0
_LOADS = 2_000
FRAME_SECONDS = 0.02


async def _timed(kind: str, decode: Awaitable[Hypothesis]) -> Hypothesis:
    began = time.perf_counter()
    found = await decode
    TOOK[kind].append(time.perf_counter() - began)
    return found


class Timed:
    """An utterance whose recognition takes its time."""

    def __init__(self, listening: Listening) -> None:
        self._listening = listening
        self.feed, self.close = listening.feed, listening.close

    async def partial(self) -> Hypothesis:
        await asyncio.sleep(PARTIAL_SECONDS)
        return await _timed("partial", self._listening.partial())

    async def pause(self) -> Hypothesis:
        await asyncio.sleep(PAUSE_SECONDS)
        return await _timed("pause", self._listening.pause())

    async def final(self, *, paused: bool = False) -> Hypothesis:
        await asyncio.sleep(0 if paused else FINAL_SECONDS)
        return await self._listening.final(paused=paused)


class TimedHearing:
    """A recogniser of such utterances."""

    def __init__(self, hearing: SpeechToText) -> None:
        self._hearing = hearing
        self.name, self.rate = hearing.name, hearing.rate

    async def load(self) -> None:
        await self._hearing.load()

    async def expect(self, language: str, expected: Expected) -> tuple[str, ...]:
        return await self._hearing.expect(language, expected)

    def listen(
        self, language: str, expected: Expected | None, *, over_speech: bool = False
    ) -> Timed:
        return Timed(self._hearing.listen(language, expected, over_speech=over_speech))


class Engines:
    """The engines of the settings, in virtual time."""

    def __init__(self, engines: Any) -> None:
        self._engines = engines

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engines, name)

    @property
    def hearing(self) -> TimedHearing:
        return TimedHearing(self._engines.hearing)


@dataclass(frozen=True)
class Outcome:
    """What came of a stimulus. Times are milliseconds from its onset, None where it never was."""

    stimulus: Stimulus
    through: bool
    """The reply reached its last word, with no pause over 600 ms."""
    yielded: bool
    """The reply was stopped for good, or waits for the caller to let it go on."""
    ducks: int
    held_ms: int
    """The longest time that it was held."""
    ducked_after_ms: int | None
    silent_after_ms: int | None
    decided_after_ms: int | None
    """When it was stopped for good, or words had it wait."""
    heard: str
    settled: str
    """What was made of the words, and of the utterance."""


@asynccontextmanager
async def a_call(
    directory: Path, cache: Path, language: str, **voice: Any
) -> AsyncIterator[tuple[CallDesk, Caller]]:
    """Somebody on a call whose agent says the corpus's reply to whatever it is told."""
    given = {"enabled": True, "cache": cache, **voice}
    made = engines_of(Settings.model_validate({"voice": given}))
    assert made is not None

    def engines(supervisor: Supervisor) -> Engines:
        return Engines(made(supervisor))

    agent = Agent("a", Script([REPLIES[language]]), "")
    async with CallDesk(directory, agent, voice=given, engines=engines) as desk:
        calls = desk.app.calls
        assert calls is not None
        for _ in range(_LOADS):
            if not calls.loading():
                break
            await asyncio.sleep(0.05)
        yield desk, await desk.caller(language=language)


async def reply(desk: CallDesk, ann: Caller, number: int) -> None:
    """Let the agent begin its reply."""
    new = NewInput(
        dedup=f"voice:test:{number}",
        thread=THREAD,
        channel="voice",
        principal=ann.name,
        text="go on",
        language=ann.language,
        how="voice",
    )
    assert (await desk.app.router.accept(new)).code == ""
    await ann.until(ann.playing, 10, "a reply")


async def through(
    directory: Path, cache: Path, found: Iterable[Stimulus], language: str, seed: int
) -> list[Outcome]:
    """Each over a reply of its own."""
    chance = random.Random(seed)
    outcomes = []
    async with a_call(directory, cache, language) as (desk, ann):
        for number, stimulus in enumerate(found):
            await reply(desk, ann, number)
            await ann.wait(chance.uniform(0.6, 2.0))
            outcomes.append(await over(ann, stimulus))
    return outcomes


async def over(ann: Caller, stimulus: Stimulus) -> Outcome:
    """Make this sound now, and see what the reply does until it is over and all is settled."""
    seen, began = len(ann.line.events), ann.at_ms()
    captions = len(ann.line.told("agent"))
    ann._add(stimulus.samples)
    ends = REPLIES[stimulus.language].split()[-1]

    def events(kind: str) -> list[tuple[int, dict[str, Any]]]:
        return [(at, data) for at, name, data in ann.line.events[seen:] if name == kind]

    def whole() -> bool:
        return any(ends in told["text"] for told in ann.line.told("agent")[captions:])

    def waits() -> bool:
        held = [data["sound"] for _, data in events("sound")][-1:] == ["held"]
        return held and any(data["outcome"] == "hold" for _, data in events("caller"))

    def over_() -> bool:
        return bool(events("clear")) or whole() or waits()

    await ann.until(over_, _ENDS_SECONDS, f"an end of the reply under {stimulus.name}")
    cleared, held_for = bool(events("clear")), waits()
    went_through = whole() and not cleared
    now = ann.at_ms()
    await ann.wait(stimulus.ms / 1000 + 2.5)
    await settle(ann)
    silences = _silences(events("sound"), events("clear"), now)
    longest = max((b - a for a, b in silences), default=0)
    told = events("caller")
    waited = [at for at, data in told if read(data["text"]).kind is Kind.HOLD]
    decided = [at for at, _ in events("clear")[:1]] if cleared else waited[:1]
    ducked = [at for at, data in events("sound") if data["sound"] != "plain"]
    return Outcome(
        stimulus,
        through=went_through and longest <= LONGEST_PAUSE_MS,
        yielded=cleared or held_for,
        ducks=_ducks([data["sound"] for _, data in events("sound")]),
        held_ms=longest if went_through else 0,
        ducked_after_ms=_after(ducked, began),
        silent_after_ms=_after([first for first, _ in silences], began),
        decided_after_ms=_after(decided, began),
        heard=" | ".join(data["text"] for _, data in told if data["outcome"] is not None),
        settled=" | ".join(str(data["outcome"]) for _, data in told if data["outcome"]),
    )


def _after(times: list[int], began: int) -> int | None:
    return times[0] - began if times else None


async def settle(ann: Caller) -> None:
    """End what still plays, and let everything come to rest."""
    ann.actor.stop()
    quiet = 0
    for _ in range(round(_SETTLES_SECONDS / 0.1)):
        quiet = 0 if ann.playing() or ann.state() != "listening" else quiet + 1
        if quiet >= 5:
            return
        if quiet == 0 and ann.playing():
            ann.actor.stop()
        await ann.wait(0.1)
    raise AssertionError(f"still {ann.state()}: {ann.line.events[-10:]}")


def _ducks(told: list[str]) -> int:
    """How often it became quieter than it was: going on quietly after a hold is none."""
    before = ["plain", *told]
    return sum(a == "plain" and b == "ducked" for a, b in zip(before, told, strict=False))


def _silences(
    sounds: list[tuple[int, dict[str, Any]]], clears: list[tuple[int, dict[str, Any]]], now: int
) -> list[tuple[int, int]]:
    """From when to when the reply was held; being stopped is the last silence."""
    found: list[tuple[int, int]] = []
    since: int | None = None
    for at, data in sounds:
        if data["sound"] == "held":
            since = at if since is None else since
        elif since is not None:
            found.append((since, at))
            since = None
    stopped = clears[0][0] if clears else None
    if since is not None:
        found.append((since, stopped or now))
    elif stopped is not None:
        found.append((stopped, stopped))
    return found


@dataclass(frozen=True)
class Echoed:
    """What came of a reply that its caller's microphone heard: `whole` unless it was stopped."""

    whole: bool
    ducks: int
    holds: int
    taken: tuple[str, ...]
    """Words that were taken for the caller's."""


async def echoed(
    directory: Path, cache: Path, language: str, late_ms: Iterable[float], level: float = -15.0
) -> list[Echoed]:
    """Replies that come back, each so much later and so much quieter."""
    found = []
    async with a_call(directory, cache, language) as (desk, ann):
        for number, late in enumerate(late_ms):
            await reply(desk, ann, number)
            found.append(await _echoed(ann, language, late, level))
    return found


async def _echoed(ann: Caller, language: str, late_ms: float, level: float) -> Echoed:
    """The microphone hears what the line plays, from now on to the reply's end."""
    seen, heard_to = len(ann.line.events), len(ann.line.heard)
    captions = len(ann.line.told("agent"))
    ends = REPLIES[language].split()[-1]
    rate = ann.line.rate

    def stopped() -> bool:
        return any(kind == "clear" for _, kind, _ in ann.line.events[seen:])

    def whole() -> bool:
        return any(ends in told["text"] for told in ann.line.told("agent")[captions:])

    for _ in range(round(_ENDS_SECONDS / FRAME_SECONDS)):
        played = ann.line.heard[heard_to:]
        heard_to += len(played)
        for samples in played:
            ann._add(at_rate(samples, rate, RATE) * np.float32(sounds.decibels(level)))
        # Where the line was still, the echo is too: it stays so late.
        early_ms = round(late_ms - len(ann._waiting) * 1000 / RATE)
        if early_ms >= FRAME_SECONDS * 1000:
            ann.pause(early_ms)
        if stopped() or (whole() and not ann.playing()):
            break
        await ann.wait(FRAME_SECONDS)
    through = whole() and not stopped()
    await ann.wait(late_ms / 1000 + 2.5)
    events = ann.line.events[seen:]
    sounds_ = [data["sound"] for _, kind, data in events if kind == "sound"]
    told = [data for _, kind, data in events if kind == "caller"]
    await settle(ann)
    return Echoed(
        through,
        _ducks(sounds_),
        sounds_.count("held"),
        tuple(data["text"] for data in told if data["outcome"] == "input"),
    )
