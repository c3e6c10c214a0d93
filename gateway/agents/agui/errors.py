"""What goes wrong with an agent in another process."""

from __future__ import annotations

from typing import Final

from gateway.core.errors import AgentFailed

UNREACHABLE: Final = "AGENT_UNREACHABLE"
REFUSED: Final = "AGENT_REFUSED"
SILENT: Final = "AGENT_SILENT"
BROKEN: Final = "AGENT_BROKEN_STREAM"
FAILED: Final = "AGENT_FAILED"
NOT_ALLOWED: Final = "TOOL_NOT_ALLOWED"


def broken(why: str) -> AgentFailed:
    """The server doesn't keep to the protocol."""
    return AgentFailed(BROKEN, why)
