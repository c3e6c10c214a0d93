"""A person at a terminal: starts a program on a pty, types, and reads what stands on the screen."""

import asyncio
import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[=>]")
PATIENCE_SECONDS = 30.0
CTRL_C, CTRL_D, ENTER = "\x03", "\x04", "\r"


def _controlling_terminal() -> None:
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """The program and its screen; `seen` is everything written, without escape sequences."""

    def __init__(
        self, command: Sequence[str], cwd: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
        own = {name: value for name, value in os.environ.items() if not name.startswith("BARGEIN")}
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**own, "TERM": "xterm", "LANG": "en_US.UTF-8", **(environment or {})},
            preexec_fn=_controlling_terminal,  # noqa: PLW1509
        )
        os.close(slave)
        self._raw = bytearray()
        self._looked = 0
        asyncio.get_running_loop().add_reader(self._master, self._read)

    @property
    def seen(self) -> str:
        return ESCAPES.sub("", self._raw.decode(errors="replace")).replace("\r", "")

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    async def sees(self, text: str, *, anew: bool = True) -> str:
        """Wait for a text to be written (after the last one waited for); what stands before it."""
        for _ in range(int(PATIENCE_SECONDS / 0.05)):
            start = self._looked if anew else 0
            at = self.seen.find(text, start)
            if at >= 0:
                before, self._looked = self.seen[start:at], at + len(text)
                return before
            await asyncio.sleep(0.05)
        raise AssertionError(f"never saw {text!r}; the screen's end:\n{self.seen[-2000:]}")

    async def left(self) -> int:
        """Wait for the program's end; its exit code."""
        for _ in range(int(PATIENCE_SECONDS / 0.05)):
            code = self.process.poll()
            if code is not None:
                return code
            await asyncio.sleep(0.05)
        raise AssertionError(f"it still runs; the screen's end:\n{self.seen[-2000:]}")

    def close(self) -> None:
        """Close the terminal and end the program."""
        asyncio.get_running_loop().remove_reader(self._master)
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self._master)

    def _read(self) -> None:
        try:
            data = os.read(self._master, 65536)
        except OSError:
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._master)
            return
        if b"\x1b[6n" in data:  # where is the cursor?
            os.write(self._master, b"\x1b[1;1R")
        self._raw += data
