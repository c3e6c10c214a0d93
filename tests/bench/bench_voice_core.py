"""What the pure core of a call costs. `python -m tests.bench.bench_voice_core`

Twenty minutes of a call in both languages: a frame each 20 ms, a VAD window each 32 ms, partials
each 300 ms, a word played each 300 ms. Each step is timed alone, in CPU time; a policy step, which
is pure, three times, and the quickest counts, for the machine is shared. `share` is the part of one
core that a call takes, at the median and summed.
"""

from __future__ import annotations

import gc
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import numpy as np

from voice.call_asking import warm_up
from voice.core import events as e
from voice.core.barge_in import due_ms, step
from voice.core.clauses import Clauses
from voice.core.floor import Floor
from voice.core.pcm import Fader, Resampler, from_mulaw, from_pcm16, to_mulaw, to_pcm16
from voice.core.playout import Ledger, Mark
from voice.core.vad import Gate, VoiceEnded, VoiceStarted
from voice.core.words import SpokenWord

SECONDS = 1_200
REPLY = (
    "I found three servers, all of them idle; shall I delete them? Да, или подождать до пятницы."
)
SAYINGS = (
    "uh huh",
    "угу",
    "wait",
    "подожди",
    "not Monday but Tuesday please",
    "нет не в понедельник а во вторник",
    "yes",
    "да",
    "stop",
    "go on",
)
EACH_SECOND = {"policy step": 50 + 31 + 4, "VAD gate": 31, "ledger: take and mark": 75}


class Clock:
    """Times of each kind of step, in microseconds."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = defaultdict(list)

    def time(self, kind: str, call: Callable[..., Any], *arguments: Any) -> Any:
        began = time.thread_time_ns()
        result = call(*arguments)
        self.spent[kind].append((time.thread_time_ns() - began) / 1_000)
        return result

    def best(self, kind: str, call: Callable[..., Any], *arguments: Any) -> Any:
        for _ in range(2):
            self.time(kind, call, *arguments)
        result = self.time(kind, call, *arguments)
        self.spent[kind][-3:] = [min(self.spent[kind][-3:])]
        return result


def script() -> list[tuple[int, e.Event]]:
    """What happens in the call, in order."""
    happens: list[tuple[int, e.Event]] = [(at, e.Tick()) for at in range(0, SECONDS * 1_000, 20)]
    for turn, start in enumerate(range(2_000, SECONDS * 1_000 - 9_000, 9_000), 1):
        said = [SpokenWord(w, start + 250 * n) for n, w in enumerate(SAYINGS[turn % 10].split())]
        end = start + 250 * len(said)
        if turn % 5 == 0:
            happens += [(start - 900, e.QuestionOpened(str(turn), approval=True))]
            happens += [(start - 500, e.QuestionHeard(str(turn), start - 500))]
            happens += [(start + 5_000, e.QuestionClosed(str(turn)))]
        happens += [(start - 1_500, e.PlayStarted(turn)), (start + 64, VoiceStarted(start))]
        happens += [(start + 300 * n, e.Words(turn, tuple(said[:n]))) for n in (1, 2, 3)]
        happens += [(end + 96, VoiceEnded(end)), (end + 350, e.TurnEnded(turn))]
        happens += [(end + 700, e.Words(turn, tuple(said), final=True, answers=turn % 2 == 0))]
        happens += [
            (at, e.WordPlayed(turn, word, at, at + 300))
            for at, word in zip(
                range(start - 1_400, start + 4_000, 300), REPLY.split(), strict=False
            )
        ]
    return sorted(happens, key=lambda event: event[0])


def floor_steps(clock: Clock) -> int:
    """The reducer over the script; how many actions came of it."""
    floor, count = Floor(), 0
    for at, event in script():
        floor, actions = clock.best("policy step", step, floor, event, at)
        if isinstance(event, e.Words):
            clock.spent["policy step: words"].append(clock.spent["policy step"][-1])
        clock.time("next due time", due_ms, floor, at)
        count += len(actions)
    return count


def gate_steps(clock: Clock) -> None:
    """The gate over probabilities that wander."""
    chance, gate = np.random.default_rng(4), Gate()
    for at, probability in enumerate(chance.random(SECONDS * 31).tolist(), 1):
        gate, _ = clock.time("VAD gate", gate.window, probability, 32, at * 32)


def ledger_steps(clock: Clock) -> None:
    """A reply of ten times the sentence, taken in frames of 20 ms, marked each 40 ms."""
    state, clauses = Clauses("en").feed(REPLY * 10)
    ledger = Ledger(16_000).begin(1)
    for number, clause in enumerate((*clauses, *state.close()[1])):
        marks = [Mark(w.spoken_start, w.spoken_start * 1_000) for w in clause.spoken.words]
        ledger = ledger.say(1, clause)
        length = len(clause.spoken.text) * 1_000
        ledger = clock.time("ledger: a clause", ledger.synthesised, 1, number, length, marks)
        ledger = ledger.finished(1, number)
    spans: tuple[Any, ...] = (1,)
    position = 0
    while spans:
        ledger, spans = clock.time("ledger: take and mark", ledger.take, 1, 320)
        position += 320
        if position % 640 == 0:
            ledger = clock.time("ledger: take and mark", ledger.acknowledge, 1, 0, position - 3_200)
        clock.time("ledger: heard", ledger.heard, 1)


def sound_steps(clock: Clock) -> None:
    """Frames of 20 ms through every change of form, and text into clauses token by token."""
    samples = np.sin(np.arange(320) / 9).astype(np.float32)
    data, phone = to_pcm16(samples), to_mulaw(samples[:160])
    fader, up = Fader(16_000, target=0.2, ramp_ms=10_000), Resampler(8_000, 16_000)
    for _ in range(3_000):
        clock.time("PCM16 in and out", lambda: to_pcm16(from_pcm16(data)))
        clock.time("mu-law in and out", lambda: to_mulaw(from_mulaw(phone)))
        up, _ = clock.time("8 to 16 kHz", up.apply, samples[:160])
        fader, _ = clock.time("fade", fader.apply, samples)
    for _ in range(100):
        state = Clauses("ru")
        for token in REPLY.split(" "):
            state, _ = clock.time("clauses: a token", state.feed, token + " ")


def main() -> None:
    """Print the table."""
    clock = Clock()
    warm_up(datetime(2026, 3, 2, tzinfo=UTC))  # as every call does at its start
    gc.disable()
    actions = floor_steps(clock)
    for steps in (gate_steps, ledger_steps, sound_steps):
        steps(clock)
    lines = ["| step | calls | p50 µs | p99 µs | worst µs |", "|---|---|---|---|---|"]
    share = 0.0
    for kind, spent in clock.spent.items():
        spent.sort()
        middle, slowest = spent[len(spent) // 2], spent[int(len(spent) * 0.99)]
        lines.append(f"| {kind} | {len(spent)} | {middle:.1f} | {slowest:.1f} | {spent[-1]:.0f} |")
        share += sum(spent) / len(spent) * EACH_SECOND.get(kind, 0) / 1e6
    lines.append(f"\n{actions} actions; policy, gate and ledger take {share:.2%} of a core a call")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
