"""A process that accepts inputs one after the other and says each one that was taken."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.fakes.kill import killing
from tests.store.make import NOON, a_thread, an_input, open_store


async def accept_until_killed(path: Path, lanes: int, total: int) -> None:
    store = killing(await open_store(path))
    await store.make_thread(a_thread())

    async def lane(number: int) -> None:
        for n in range(number, total, lanes):
            row, new = await store.accept(an_input(f"k{n}"), NOON)
            assert new
            print(f"k{n} {row.seq}", flush=True)

    async with asyncio.TaskGroup() as group:
        for number in range(lanes):
            group.create_task(lane(number))
    await store.close()


if __name__ == "__main__":
    asyncio.run(accept_until_killed(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
