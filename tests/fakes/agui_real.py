"""Real AG-UI servers made of published integrations, each in a venv of its own with a scripted
model. Where a venv can't be made, tests that need it are skipped, and say so.
"""

from __future__ import annotations

import fcntl
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1] / "agents" / "agui_real"
WANTED = {
    "langgraph": ("ag-ui-langgraph[fastapi]>=0.0.47", "uvicorn"),
    "pydantic": ("pydantic-ai-slim[ag-ui]>=2.68", "ag-ui-protocol>=1.0", "uvicorn"),
}
KEPT = Path("/var/tmp")
"""Where the venvs stay for the next time."""
INSTALL_SECONDS = 240
STARTS_SECONDS = 60.0


def python_of(name: str) -> Path:
    """The interpreter of the integration's venv, made where it isn't there."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    home = KEPT / f"bargein-agui-{name}-{version}"
    with home.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (home / "ready").exists():
            _make(home, WANTED[name])
    return home / "bin" / "python"


def _make(home: Path, wanted: tuple[str, ...]) -> None:
    steps = (
        [sys.executable, "-m", "venv", str(home)],
        [str(home / "bin" / "python"), "-m", "pip", "install", "-q", *wanted],
    )
    for step in steps:
        try:
            done = subprocess.run(
                step, check=False, capture_output=True, text=True, timeout=INSTALL_SECONDS
            )
        except subprocess.TimeoutExpired:
            pytest.skip(f"{wanted[0]} can't be installed here: it takes too long")
        if done.returncode:
            pytest.skip(f"{wanted[0]} can't be installed here: {done.stderr.strip()[-200:]}")
    (home / "ready").touch()


@contextmanager
def real_server(name: str, path: str, *arguments: str) -> Iterator[str]:
    """The server's address while it runs."""
    python = python_of(name)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    script = str(HERE / f"{name}_server.py")
    process = subprocess.Popen([str(python), script, str(port), *arguments])
    try:
        _wait_for(process, port)
        yield f"http://127.0.0.1:{port}/{path}"
    finally:
        process.terminate()
        process.wait(10)


def _wait_for(process: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(round(STARTS_SECONDS / 0.2)):
        assert process.poll() is None, "the server ended"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError("the server doesn't start")
