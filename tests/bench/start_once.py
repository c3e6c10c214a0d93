"""Start the product on a file, print the seconds from the process's start to ready, and stop."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

BEGAN = time.time()

from gateway.app import App  # noqa: E402 - the import is a part of what is measured
from gateway.settings import load  # noqa: E402


def _process_began() -> float:
    ticks = int(Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19])
    up = float(Path("/proc/uptime").read_text().split()[0])
    return time.time() - (up - ticks / os.sysconf("SC_CLK_TCK"))


async def main(file: str) -> None:
    settings = load(overrides={"database": file, "http": {"port": 0}, "log": {"level": "error"}})
    app = App(settings)
    await app.start()
    print(time.time() - min(BEGAN, _process_began()))
    await app.stop()


asyncio.run(main(sys.argv[1]))
