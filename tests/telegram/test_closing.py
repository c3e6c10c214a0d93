"""What is asked of Telegram while its connections close was not sent, and says so."""

import asyncio
from pathlib import Path

import pytest

from gateway.channels.telegram.api import Failed, Fate, Http


async def test_what_is_said_while_connections_close_was_not_sent(tmp_path: Path):
    """Sixty notices of a busy server failed with a RuntimeError of aiohttp's, at its end."""
    asked = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        await reader.read()
        writer.close()

    path = str(tmp_path / "api")
    http = Http(path)
    await http.initialize()

    async def ask() -> Fate:
        with pytest.raises(Failed) as failed:
            await http.do_request("http://telegram/getMe", "POST")
        return failed.value.fate

    async def close() -> Fate:
        await asked.wait()
        _, later = await asyncio.gather(http.shutdown(), ask())
        return later

    async with await asyncio.start_unix_server(silent, path), asyncio.timeout(10):
        before, later = await asyncio.gather(ask(), close())
    assert (before, later) == (Fate.UNKNOWN, Fate.UNREACHED)
