"""How well and how fast answers are understood, beside the libraries that could do it.

`python -m tests.bench.bench_answers`, or with `--peers` beside them, in a venv of their own. Reads
the shared rows where they are (BARGEIN_SHARED, or `shared` beside the checkout), else our own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gateway.core.answers import Value
from tests.core.answers.rows import FILES, Row, answer, means_the_same, own, shared, shared_folder

PEER = Path(__file__).with_name("peer_answers.py")
PEER_VENV = Path(__file__).resolve().parents[2] / "build" / "bench-answers"
PEER_PACKAGES = (
    "rapidfuzz==3.14.6",
    "text2num==3.1.0",
    "number-parser==0.3.2",
    "dateparser==1.5.0",
    "ovos-yes-no-plugin==0.3.0",
    "ovos-number-parser==0.19.13",
    "ovos-date-parser==0.29.0",
)
CALLS = 5


def rows(name: str) -> list[Row]:
    """The rows of a file, the shared ones where they are."""
    folder = shared_folder()
    return list(shared(folder, name) if folder is not None else own(name))


def figures(results: Iterable[tuple[Row, bool, Any]]) -> tuple[float, float]:
    """Recall and wrong values, in percent, of what was taken with which value."""
    known = right = wrong = total = 0
    for row, taken, value in results:
        total += 1
        known += row.expected is not None
        fits = taken and row.expected is not None and means_the_same(row, value)
        right += fits
        wrong += taken and not fits
    return 100 * right / max(1, known), 100 * wrong / max(1, total)


def ours(name: str) -> tuple[float, float, float, float]:
    """Recall, wrong, and the middle and the 99th of a hundred times, in microseconds."""
    results, spent = [], []
    for row in rows(name):
        outcome = answer(row)
        spent.append(min(timed(row) for _ in range(CALLS)) * 1e6)
        value = outcome.value if isinstance(outcome, Value) else None
        results.append((row, isinstance(outcome, Value), value))
    spent.sort()
    return *figures(results), spent[len(spent) // 2], spent[int(len(spent) * 0.99)]


def timed(row: Row) -> float:
    """Seconds of one reading."""
    began = time.perf_counter()
    answer(row)
    return time.perf_counter() - began


def peers(name: str) -> dict[str, tuple[float, float, float]]:
    """Recall, wrong and the middle time in microseconds of each library that can read the file."""
    python = PEER_VENV / "bin" / "python"
    if not python.exists():
        PEER_VENV.parent.mkdir(exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", str(PEER_VENV)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PEER_PACKAGES], check=True)
    read = rows(name)
    sent = [
        {
            "text": row.text,
            "lang": row.lang,
            "schema": dict(row.schema),
            "now": row.now.isoformat() if row.now else None,
        }
        for row in read
    ]
    done = subprocess.run(
        [str(python), str(PEER), name],
        input=json.dumps(sent),
        check=True,
        capture_output=True,
        text=True,
    )
    found = {}
    for peer, result in json.loads(done.stdout.strip().splitlines()[-1]).items():
        taken = [(row, *one) for row, one in zip(read, result["values"], strict=True)]
        found[peer] = (*figures(taken), result["middle_us"])
    return found


def main() -> None:
    """Print the table of docs/answers.md."""
    lines = ["| file | reader | recall | wrong | p50 µs | p99 µs |", "|---|---|---|---|---|---|"]
    for name in FILES:
        recall, wrong, middle, slowest = ours(name)
        times = f"{middle:.0f} | {slowest:.0f}"
        lines.append(f"| {name} | **Bargein** | {recall:.1f} % | {wrong:.1f} % | {times} |")
        for peer, (right, bad, took) in peers(name).items() if "--peers" in sys.argv else ():
            lines.append(f"| {name} | {peer} | {right:.1f} % | {bad:.1f} % | {took:.0f} | |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
