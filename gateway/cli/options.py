"""What the commands share: their options, the settings, and the operator's calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from gateway.cli.deferred import Deferred

if TYPE_CHECKING:
    from gateway import settings as setup
    from gateway.cli import admin
else:
    setup = Deferred("gateway.settings")
    admin = Deferred("gateway.cli.admin")

T = TypeVar("T")
Config = Annotated[
    Path | None, typer.Option("--config", help="The settings file (bargein.toml where it exists).")
]
Database = Annotated[Path | None, typer.Option("--database", help="The SQLite file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Machine-readable.")]


def settings_of(config: Path | None, database: Path | None, **overrides: Any) -> setup.Settings:
    """The settings, with what the command line says.

    Raises:
        SettingsInvalid: they are not right.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    if database is not None:
        given["database"] = database
    return setup.load(config, overrides=given)


def run(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What a command does, in a loop of its own."""
    return asyncio.run(main())


def operate(config: Path | None, database: Path | None, method: str, **params: str) -> Any:
    """The result of an operator's call.

    Raises:
        CallRefused, NotFound: as `admin.call`.
    """
    settings = settings_of(config, database)
    return run(lambda: admin.call(settings, method, params))
