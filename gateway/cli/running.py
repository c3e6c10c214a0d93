"""The server on a file: whether one runs, or one of our own while it is needed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gateway.channels.local import socket_path
from gateway.cli.deferred import Deferred

if TYPE_CHECKING:
    from gateway import app as product
    from gateway.settings import Settings
else:
    product = Deferred("gateway.app")


async def is_running(path: Path) -> bool:
    """Whether a server answers on this socket."""
    try:
        _, writer = await asyncio.open_unix_connection(str(path))
    except OSError:
        return False
    writer.close()
    return True


@asynccontextmanager
async def server(settings: Settings) -> AsyncIterator[bool]:
    """A server on this file while the context is open; True where it is one of our own, which logs
    into a file beside it.
    """
    if await is_running(socket_path(settings.database)):
        yield False
        return
    http = settings.http.model_copy(update={"port": 0})
    database = settings.database
    with database.with_name(f"{database.name}.log").open("a", encoding="utf-8") as log:
        app = product.App(settings.model_copy(update={"http": http}), log=log)
        await app.start()
        try:
            yield True
        finally:
            await app.stop()
