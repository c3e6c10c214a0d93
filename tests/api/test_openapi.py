"""The OpenAPI document is true: a fuzzer that reads it finds no answer that it doesn't tell of.
Each phase of the fuzzer has a time of its own: by itself the third would take all that is left.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECONDS = {"examples": 2, "coverage": 6, "fuzzing": 7, "stateful": 7}
"""With what the fuzzer takes to start four times, 30 in all."""


async def output(*command: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    return process.returncode or 0, said.decode()


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_fuzzer_finds_the_document_true(tmp_path: Path) -> None:
    await fuzz(tmp_path, examples=2, times=1)


@pytest.mark.soak
@pytest.mark.timeout(1_800)
async def test_a_fuzzer_finds_it_true_for_long(tmp_path: Path) -> None:
    await fuzz(tmp_path, examples=100, times=40)


def _ran(phase: str, said: str) -> bool:
    """Whether a phase is reported as passed, with something that was asked in it."""
    asked = re.search(r"(\d+) generated, (\d+) passed", said)
    return f"✅ {phase.title()}" in said and asked is not None and asked[1] == asked[2] != "0"


async def fuzz(folder: Path, *, examples: int, times: int) -> None:
    """Let the fuzzer ask a server of its own so much, for so many times its least time."""
    server = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.api.served",
        str(folder),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert server.stdout is not None
        url = (await asyncio.wait_for(server.stdout.readline(), 60)).decode().strip()
        fuzzer = str(Path(sys.executable).with_name("st"))
        config = ["--config-file", str(Path(__file__).with_name("schemathesis.toml"))]
        options = ["--max-examples", str(examples), "--seed", "7", "--warnings", "off"]
        options += ["--request-timeout", "20", "--generation-database", "none", "--no-color"]
        run = [fuzzer, *config, "run", f"{url}/v1/openapi.json", *options]
        for phase, seconds in SECONDS.items():
            bounded = ["--phases", phase, "--max-time", str(seconds * times)]
            code, said = await output(*run, *bounded)
            assert code == 0, "\n".join(line[:300] for line in said.splitlines())
            assert _ran(phase, said), said
        lines = [json.loads(line) for line in (folder / "log").read_text().splitlines()]
        ours = [line for line in lines if line["level"] == "error" and "library" not in line]
        assert not ours
    finally:
        server.kill()
        await server.wait()
