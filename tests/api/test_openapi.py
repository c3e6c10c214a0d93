"""The OpenAPI document is true: a fuzzer that reads it finds no answer that it doesn't tell of."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2"))
"""How many requests each operation gets from the fuzzer; `make soak` takes more."""


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
    server = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.api.served",
        str(tmp_path),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert server.stdout is not None
        url = (await asyncio.wait_for(server.stdout.readline(), 60)).decode().strip()
        fuzzer = str(Path(sys.executable).with_name("st"))
        options = ["--max-examples", str(EXAMPLES), "--seed", "7", "--no-color"]
        phases = ["--phases", "coverage,fuzzing,stateful", "--warnings", "off"]
        checks = ["--request-timeout", "20", "--generation-database", "none", "--max-time", "30"]
        config = ["--config-file", str(Path(__file__).with_name("schemathesis.toml"))]
        document = f"{url}/v1/openapi.json"
        code, said = await output(fuzzer, *config, "run", document, *options, *phases, *checks)
        assert code == 0, "\n".join(line[:300] for line in said.splitlines())
        lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
        ours = [line for line in lines if line["level"] == "error" and "library" not in line]
        assert not ours
    finally:
        server.kill()
        await server.wait()
