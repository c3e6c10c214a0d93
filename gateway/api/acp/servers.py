"""MCP servers that an editor hands over with a session."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from acp.schema import McpServerHttp, McpServerStdio
from pydantic import ValidationError

from gateway.api.bodies import mistakes
from gateway.core.errors import ServersRefused
from gateway.settings import McpServerSettings

MOST: Final = 32
LONGEST_NAME: Final = 32
_OTHER: Final = re.compile(r"[^A-Za-z0-9]+")


def servers_of(given: Sequence[Any], directory: str) -> dict[str, McpServerSettings]:
    """The servers by what their tools' names begin with; programs are started in `directory`.

    Raises:
        ServersRefused: one is of a kind that is not spoken here, or there are too many.
        ValidationFailed: one has no command, or no address.
    """
    if len(given) > MOST:
        raise ServersRefused(f"a session has at most {MOST} MCP servers")
    made: dict[str, McpServerSettings] = {}
    for number, server in enumerate(given):
        try:
            settings = McpServerSettings.model_validate(_fields(server, directory))
        except ValidationError as error:
            raise mistakes(error, ("mcpServers", str(number))) from None
        made[_name(server.name, made)] = settings
    return made


def _fields(server: Any, directory: str) -> dict[str, Any]:
    if isinstance(server, McpServerStdio):
        env = {variable.name: variable.value for variable in server.env}
        where = Path(directory) if directory else None
        return {
            "command": server.command,
            "args": tuple(server.args),
            "env": env,
            "directory": where,
        }
    if isinstance(server, McpServerHttp):
        headers = {header.name: header.value for header in server.headers}
        return {"url": server.url, "headers": headers}
    kind = type(server).__name__.removeprefix("McpServer").lower()
    raise ServersRefused(f"MCP servers over {kind} are not used, over stdio and http they are")


def _name(given: str, taken: dict[str, McpServerSettings]) -> str:
    """A name of letters and digits that begins with a letter and is nobody else's."""
    plain = _OTHER.sub("_", given).strip("_")
    name = (plain if plain[:1].isalpha() else f"mcp_{plain}")[:LONGEST_NAME].rstrip("_")
    number = 2
    made = name
    while made in taken:
        made, number = f"{name[: LONGEST_NAME - 3]}_{number}", number + 1
    return made
