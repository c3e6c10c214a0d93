"""The schema's numbered, forward-only migrations."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from importlib.resources import files
from pathlib import Path

from gateway.core.errors import StoreFailed
from gateway.store.codec import stamp


def migrate(connection: sqlite3.Connection, path: Path, now: datetime) -> None:
    """Bring the file's schema up to this version's, each migration in a transaction of its own.

    Raises:
        StoreFailed: STORE_NEWER, a newer version wrote the file; STORE_DAMAGED, it is the database
            of another program.
    """
    steps = migrations()
    done = _version(connection, path)
    if done > steps[-1][0]:
        raise StoreFailed(
            "STORE_NEWER",
            f"{path} was written by a newer version (schema {done}, this one knows {steps[-1][0]})",
            path=str(path),
        )
    for number, name, sql in steps:
        if number > done:
            connection.execute("BEGIN IMMEDIATE")
            for statement in statements(sql):
                connection.execute(statement)
            connection.execute(
                "INSERT INTO migration (number, name, applied_at) VALUES (?, ?, ?)",
                (number, name, stamp(now)),
            )
            connection.execute("COMMIT")


def migrations() -> list[tuple[int, str, str]]:
    """Number, name and SQL of each migration, in order."""
    found = []
    for file in (files("gateway.store") / "schema").iterdir():
        number, _, name = file.name.removesuffix(".sql").partition("_")
        found.append((int(number), name, file.read_text(encoding="utf-8")))
    return sorted(found)


def statements(sql: str) -> Iterator[str]:
    """The single statements of a script; comments stand on lines of their own."""
    statement = ""
    for line in sql.splitlines():
        if line.strip() and not line.startswith("--"):
            statement += f"{line}\n"
            if sqlite3.complete_statement(statement):
                yield statement
                statement = ""


def _version(connection: sqlite3.Connection, path: Path) -> int:
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if tables and "migration" not in tables:
        raise StoreFailed("STORE_DAMAGED", f"not a database of ours: {path}", path=str(path))
    if not tables:
        connection.execute(
            "CREATE TABLE migration"
            " (number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)"
        )
    (number,) = connection.execute("SELECT coalesce(max(number), 0) FROM migration").fetchone()
    return int(number)
