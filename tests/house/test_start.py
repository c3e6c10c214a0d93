"""A command starts with what it needs: people and scripts wait for it."""

import subprocess
import sys
from pathlib import Path

import pytest

LOADED = """
import sys
from gateway.start import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print("loaded:", *sorted(sys.modules))
"""
SERVER = {"aiohttp", "structlog", "gateway.app", "prompt_toolkit"}
SETTINGS = {"gateway.settings"}


@pytest.mark.parametrize(
    ("command", "unneeded"),
    [
        (["version"], SERVER | SETTINGS),
        (["--help"], SERVER | SETTINGS),
        (["answers", "yes", "--schema", '{"type": "boolean"}'], SERVER | SETTINGS),
        (["token", "create", "ann", "--database", "a.db"], SERVER),
        (["models", "list"], SERVER),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_a_command_loads_no_more_than_it_needs(
    tmp_path: Path, command: list[str], unneeded: set[str]
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    loaded = set(done.stdout.rpartition("loaded:")[2].split())
    assert "gateway.cli" in loaded
    assert not loaded & unneeded
