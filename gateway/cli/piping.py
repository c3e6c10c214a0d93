"""`bargein mcp` and `bargein acp`: this program's lines to the server that runs on the file, or to
one of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import Final

from gateway.channels.local import READ_BYTES, open_frame, socket_path
from gateway.channels.terminal.codes import FAILED, OK
from gateway.cli.running import server
from gateway.i18n import known_language
from gateway.settings import Settings, system_language
from gateway.supervise import DaemonExecutor, Supervisor, in_thread

OPEN_SECONDS: Final = 10.0
END_SECONDS: Final = 5.0
"""How long the server may take to answer what came before the input's end."""


async def pipe(settings: Settings, protocol: str, principal: str) -> int:
    """Serve whoever started this program, until they hang up; the exit code."""
    supervisor = Supervisor(_complain)
    async with server(settings):
        reader, writer = await asyncio.open_unix_connection(
            str(socket_path(settings.database)), limit=READ_BYTES
        )
        language = known_language(system_language())
        writer.write(open_frame(protocol, principal, language))
        async with asyncio.timeout(OPEN_SECONDS):
            opened = await reader.readline()
        if b'"opened"' not in opened:
            _complain(protocol, ConnectionError(_why(opened)))
            return FAILED
        coming = supervisor.spawn(_in(writer), name="input")
        going = supervisor.spawn(_out(reader), name="output")
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, coming.cancel)
        await asyncio.wait({coming, going}, return_when=asyncio.FIRST_COMPLETED)
        if not going.done() and writer.can_write_eof() and not writer.is_closing():
            writer.write_eof()
        await asyncio.wait({going}, timeout=END_SECONDS)
        for task in (coming, going):
            task.cancel()
        writer.close()
    return OK


async def _in(writer: asyncio.StreamWriter) -> None:
    executor = DaemonExecutor("stdin")
    while data := await in_thread(executor, os.read, sys.stdin.fileno(), READ_BYTES):
        writer.write(data)
        await writer.drain()


async def _out(reader: asyncio.StreamReader) -> None:
    executor = DaemonExecutor("stdout")
    while data := await reader.read(READ_BYTES):
        await in_thread(executor, _write, data)


def _write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _why(line: bytes) -> str:
    try:
        return str(json.loads(line)["data"]["reason"])
    except (ValueError, KeyError, TypeError):
        return "the server hung up"


def _complain(where: str, error: BaseException) -> None:
    sys.stderr.write(f"error: {where}: {error}\n")
