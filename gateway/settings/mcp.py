"""Servers of tools, over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, model_validator

from gateway.settings.base import Names, Seconds, Section


class McpServerSettings(Section):
    """A server whose tools the agent gets: a program (`command`) or an address (`url`), one of
    them. Needs the extra `mcp`.
    """

    command: str | None = Field(None, min_length=1, description="the program that is the server")
    args: Names = Field((), description="what it is started with")
    env: dict[str, SecretStr] = Field(
        default_factory=dict, description="variables that it gets beside PATH, HOME and the like"
    )
    directory: Path | None = Field(None, description="where it is started")
    log: Path | None = Field(None, description="what it says on standard error is added to this")
    url: str | None = Field(None, pattern="^https?://", description="where it is, over HTTP")
    headers: dict[str, SecretStr] = Field(
        default_factory=dict, description="what is sent with each request, as `Authorization`"
    )
    tools: Names = Field((), description="only these of its tools; none named: all")
    approval: Literal["annotations", "always", "never"] = Field(
        "annotations", description="when a person has to allow a call"
    )
    timeout_seconds: Seconds = Field(120.0, description="a call, without the time people take")
    answer_seconds: Seconds = Field(
        86_400.0, description="how long a question of the server waits for its answer"
    )
    connections: int = Field(
        16, ge=1, le=256, description="connections at once; a call that waits for a person has one"
    )

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.command is None) == (self.url is None):
            raise ValueError("either command or url has to be set")
        return self


ServerName = Annotated[str, Field(pattern="^[A-Za-z][A-Za-z0-9_]{0,31}$")]
"""What the names of its tools begin with."""
