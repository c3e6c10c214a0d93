"""`make bench`: every figure of docs/performance.md and docs/answers.md, in one run.

`python -m tests.bench [NAME]...`: all, or these of engine, web, rest, store, telegram, answers,
voice, ears, hearing, calls, voicepeer. The last one takes half an hour at ten sounds of a class and
language; `--each 50` hours.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable

from tests.bench import (
    bench_answers,
    bench_call,
    bench_ears,
    bench_engine,
    bench_hearing,
    bench_peer_voice,
    bench_rest,
    bench_store,
    bench_telegram,
    bench_two_calls,
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


VOICE_PEER = "voicepeer"
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
    "calls": bench_two_calls.main,
}


def main() -> None:
    """The engine, the page, the store, Telegram and the answers, beside their peers; voice."""
    parser = argparse.ArgumentParser(prog="tests.bench")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join([*ALL, VOICE_PEER]))
    parser.add_argument("--each", type=int, default=10, help="sounds of a class and language")
    parser.add_argument("--own-clock", action="store_true", help="the machine may be busy")
    parser.add_argument("--lanes", type=int, default=1, help="languages at the same time")
    told = parser.parse_args()

    def voice_peer() -> None:
        bench_peer_voice.main(told.each, told.lanes, own_clock=told.own_clock)

    all_ = {**ALL, VOICE_PEER: voice_peer}
    sys.argv.append("--peers")
    for name in told.names or all_:
        all_[name]()


main()
