"""`bargein serve` in a process of its own, on a file."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from gateway.channels.local import socket_path
from tests.acceptance.people import Person

ROOT = Path(__file__).resolve().parents[2]
STARTS_SECONDS = 30.0
COMMAND = "import sys; from gateway.cli import main; sys.argv[0] = 'bargein'; main()"


class Server:
    """One start of the server; `said` is its first line. What it writes to standard error goes to a
    file beside the database, and is shown where the test fails.
    """

    def __init__(self, database: Path) -> None:
        self.database = database
        self.said = ""
        self._process = self._start("0")

    def _start(self, port: str) -> subprocess.Popen[str]:
        folder = self.database.parent
        with tempfile.NamedTemporaryFile(suffix=".err", dir=folder, delete=False) as errors:
            self._errors = Path(errors.name)
            return subprocess.Popen(
                [
                    *(sys.executable, "-c", COMMAND, "serve", "--database", str(self.database)),
                    *("--port", port, "--agent", "tests.acceptance.real_agent:agent"),
                ],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )

    @property
    def address(self) -> str:
        """Where the page is."""
        return self.said[self.said.index("http://") :].split()[0].rstrip(",;.")

    async def again(self) -> Server:
        """Start it anew, where it was, after it has ended."""
        self._process = self._start(self.address.rsplit(":", 1)[1].strip("/"))
        return await self.ready()

    async def ready(self) -> Server:
        """Wait until it listens."""
        assert self._process.stdout is not None
        async with asyncio.timeout(STARTS_SECONDS):
            self.said = await asyncio.to_thread(self._process.stdout.readline)
        assert "ready" in self.said, self._errors.read_text()
        return self

    async def person(self, name: str, thread: str = "local:1") -> Person:
        person = Person(name, socket_path(self.database))
        await person.connect(thread)
        return person

    async def ended(self, within: float) -> tuple[int, str]:
        """The exit code and what it wrote to standard error."""
        await asyncio.to_thread(self._process.communicate, timeout=within)
        return self._process.returncode, self._errors.read_text()

    async def terminate(self, within: float) -> int:
        """SIGTERM; the exit code."""
        self._process.send_signal(signal.SIGTERM)
        return (await self.ended(within))[0]

    def kill(self) -> None:
        """Kill it, whatever it does."""
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        sys.stderr.write(self._errors.read_text())
