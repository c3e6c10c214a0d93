"""A real server process and people at real terminals."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.pty import Terminal

BARGEIN = [str(Path(sys.executable).with_name("bargein"))]


class Server:
    """`bargein serve` in a directory of its own, and terminals that join it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.errors = directory / "server.err"
        """What it writes to standard error."""
        self.process: subprocess.Popen[str] | None = None
        self.terminals: list[Terminal] = []

    def _spawn(self) -> subprocess.Popen[str]:
        with self.errors.open("ab") as errors:
            return subprocess.Popen(
                [*BARGEIN, "serve", "--port", "0"],
                cwd=self.directory,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, "BARGEIN_LOG__FORMAT": "json"},
            )

    async def start(self) -> str:
        """Start it; its one line."""
        self.process = self._spawn()
        assert self.process.stdout is not None
        line = await asyncio.to_thread(self.process.stdout.readline)
        assert line, self.errors.read_text()
        return line

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it by a signal; its exit code."""
        assert self.process is not None
        self.process.send_signal(number)
        code = await asyncio.to_thread(self.process.wait, 15)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return code

    def chat(self, *options: str, language: str = "en_US.UTF-8") -> Terminal:
        """A person sits down at a terminal."""
        environment = {"LANG": language}
        terminal = Terminal([*BARGEIN, "chat", *options], self.directory, environment)
        self.terminals.append(terminal)
        return terminal

    async def run(self, *arguments: str, text: str = "") -> tuple[int, str, str]:
        """Run a command to its end: exit code, output, errors."""
        done = await asyncio.to_thread(
            subprocess.run,
            [*BARGEIN, *arguments],
            cwd=self.directory,
            input=text,
            capture_output=True,
            text=True,
            timeout=40,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    async def close(self) -> None:
        for terminal in self.terminals:
            terminal.close()
        if self.process is not None:
            await self.end(signal.SIGKILL)
        if self.errors.exists():
            sys.stderr.write(self.errors.read_text())


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Server]:
    """Nothing runs yet in its directory."""
    server = Server(tmp_path)
    yield server
    await server.close()


@pytest.fixture
async def server(house: Server) -> Server:
    """A server that runs."""
    await house.start()
    return house
