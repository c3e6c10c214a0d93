"""`make bench`: every figure of docs/performance.md and docs/answers.md, in one run."""

import asyncio
import sys

from tests.bench import bench_answers, bench_engine, bench_store, bench_telegram, bench_web


def main() -> None:
    """The engine, the page, the store, Telegram and the answers, beside their peers."""
    bench_engine.main()
    bench_web.main()
    for name, value in asyncio.run(bench_store.main()).items():
        print(f"{name}: {value:,.2f}")
    sys.argv.append("--peers")
    bench_telegram.main()
    bench_answers.main()


main()
