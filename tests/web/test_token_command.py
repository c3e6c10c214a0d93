"""`bargein token`: on the file and over a running server."""

import asyncio
import sys
from pathlib import Path

import pytest

from gateway import Agent
from gateway.app import App
from gateway.ports.tokens import Scope
from gateway.settings import HttpSettings, Settings
from tests.acceptance.scripted import Script

COMMAND = [sys.executable, "-c", "from gateway.cli import main; main()", "token"]


async def token(directory: Path, *arguments: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        *arguments,
        "--database",
        str(directory / "a.db"),
        cwd=directory,
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    return process.returncode or 0, out.decode()


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_a_token_is_made_listed_and_revoked(tmp_path: Path) -> None:
    code, made = await token(tmp_path, "create", "ann")
    assert code == 0
    link = made.strip().splitlines()[-1]
    assert link.startswith("http://127.0.0.1:8642/?token=")
    settings = Settings(database=tmp_path / "a.db", http=HttpSettings(port=0, require_tokens=True))
    app = App(settings, agent=Agent("a", Script(["Hello."]), ""))
    await app.start()
    holder = await app.front.people.holder(link.partition("token=")[2])
    assert holder is not None
    assert holder.principal == "ann"
    assert holder.scopes == {Scope.PAGE}
    assert (await token(tmp_path, "create", "no spaces"))[0] == 1
    assert (await token(tmp_path, "create", "bob", "--scope", "everything"))[0] == 1
    code, secret = await token(tmp_path, "create", "bob", "--scope", "api", "--scope", "mcp")
    program = await app.front.people.holder(secret.strip())
    assert code == 0
    assert program is not None
    assert program.scopes == {Scope.API, Scope.MCP}
    code, listed = await token(tmp_path, "list")
    lines = [line.split("\t") for line in listed.splitlines()]
    assert [(line[0], line[3]) for line in lines] == [("ann", "page"), ("bob", "api mcp")]
    assert link.partition("token=")[2] not in listed
    code, revoked = await token(tmp_path, "revoke", "ann")
    assert (code, revoked.strip()) == (0, "Revoked: 1.")
    assert await app.front.people.holder(link.partition("token=")[2]) is None
    assert (await token(tmp_path, "revoke", "ann"))[0] == 1
    await app.stop()
