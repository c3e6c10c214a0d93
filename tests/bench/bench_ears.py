"""Rows 81, 82 and 91 with real ears: the corpus's held-out half over replies, in virtual time."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from tests.corpus.calling import TOOK, Echoed, Outcome, echoed, through
from tests.corpus.stimuli import INTERRUPTION, KINDS, stimuli
from tests.corpus.voices import missing
from tests.virtual import new_loop

AMOUNT, SEED = 50, 82
LATE_MS = (120, 180, 260, 330, 400)


def percentile(spans: list[int], share: float) -> int:
    return sorted(spans)[min(len(spans) - 1, int(len(spans) * share))] if spans else 0


def line(language: str, kind: str, found: list[Outcome], seconds: float) -> str:
    """A row of the table."""
    good = [one.yielded if kind == INTERRUPTION else one.through for one in found]
    held = sum(one.held_ms > 0 for one in found)
    worst = max(one.held_ms for one in found)
    times = " | ".join(
        f"{percentile(known, 0.5)} / {percentile(known, 0.95)}"
        for known in (
            [one.ducked_after_ms for one in found if one.ducked_after_ms is not None],
            [one.silent_after_ms for one in found if one.silent_after_ms is not None],
            [one.decided_after_ms for one in found if one.decided_after_ms is not None],
        )
    )
    return (
        f"| {language} | {kind} | {sum(good)} of {len(good)} ({statistics.mean(good):.2f}) "
        f"| {held / len(found):.2f}, longest {worst} ms | {times} | {seconds / len(found):.2f} |"
    )


async def _all(directory: Path, cache: Path, language: str, kind: str) -> list[Outcome]:
    found = stimuli(kind, language, "held", AMOUNT, SEED)
    return await through(directory, cache, found, language, SEED)


def main() -> None:
    """Print the figures."""
    for package in missing():
        print(f"voices of {package} are left out: it is not installed")
    print(
        "| language | class | right | held | from the onset, p50 / p95 ms, to ducked | silent "
        "| decided | CPU s each |"
    )
    print("|---|---|---|---|---|---|---|---|")
    echoes: dict[str, list[Echoed]] = {}
    with tempfile.TemporaryDirectory() as own:
        cache = Path(own)
        for language in ("en", "ru"):
            for kind in KINDS:
                began = time.process_time()
                with tempfile.TemporaryDirectory() as there, _loop() as runner:
                    found = runner.run(_all(Path(there), cache, language, kind))
                print(line(language, kind, found, time.process_time() - began), flush=True)
            with tempfile.TemporaryDirectory() as there, _loop() as runner:
                echoes[language] = runner.run(echoed(Path(there), cache, language, LATE_MS))
    for kind, seconds in TOOK.items():
        spans = [round(second * 1000) for second in seconds]
        print(f"decodes, {kind}: {len(spans)}, p50 {percentile(spans, 0.5)} ms", end=", ")
        print(f"p95 {percentile(spans, 0.95)} ms")
    for language, heard in echoes.items():
        whole = sum(one.whole and not one.taken for one in heard)
        ducks = max(one.ducks for one in heard)
        print(
            f"own echo at -15 dB, {language}: {whole} of {len(heard)} whole, ducks at most {ducks}"
        )


def _loop() -> asyncio.Runner:
    return asyncio.Runner(loop_factory=lambda: new_loop(start=0, noop_cycles=8))
