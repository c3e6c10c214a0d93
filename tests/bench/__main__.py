"""`make bench`: every figure of docs/performance.md and docs/answers.md, in one run.

`python -m tests.bench [NAME]...`: all, or these of engine, web, rest, store, telegram, answers,
voice, ears, hearing.
"""

import asyncio
import sys
from collections.abc import Callable

from tests.bench import (
    bench_answers,
    bench_call,
    bench_ears,
    bench_engine,
    bench_hearing,
    bench_rest,
    bench_store,
    bench_telegram,
    bench_voice_core,
    bench_voice_engines,
    bench_web,
)


def store() -> None:
    """The store alone."""
    for name, value in asyncio.run(bench_store.main()).items():
        print(f"{name}: {value:,.2f}")


def voice() -> None:
    """The engines of a call, its pure core, and whole calls."""
    bench_voice_engines.main()
    bench_voice_core.main()
    bench_call.main()


ALL: dict[str, Callable[[], None]] = {
    "engine": bench_engine.main,
    "web": bench_web.main,
    "rest": bench_rest.main,
    "store": store,
    "telegram": bench_telegram.main,
    "answers": bench_answers.main,
    "voice": voice,
    "ears": bench_ears.main,
    "hearing": bench_hearing.main,
}


def main() -> None:
    """The engine, the page, the store, Telegram and the answers, beside their peers; voice."""
    chosen = sys.argv[1:] or list(ALL)
    sys.argv.append("--peers")
    for name in chosen:
        ALL[name]()


main()
