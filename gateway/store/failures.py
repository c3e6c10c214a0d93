"""What SQLite raises, in the gateway's words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gateway.core.errors import GatewayError, IllegalEvent, StoreFailed, ValidationFailed

_CODES = {
    sqlite3.SQLITE_FULL: ("STORE_FULL", "no space is left for"),
    sqlite3.SQLITE_BUSY: ("STORE_LOCKED", "another program holds a lock on"),
    sqlite3.SQLITE_LOCKED: ("STORE_LOCKED", "another program holds a lock on"),
    sqlite3.SQLITE_CORRUPT: ("STORE_DAMAGED", "damaged:"),
    sqlite3.SQLITE_NOTADB: ("STORE_DAMAGED", "not a database:"),
}


def as_gateway_error(error: Exception, path: Path) -> Exception:
    """The error to raise instead of `error`; one that is no failure of the store stays itself."""
    if isinstance(error, GatewayError):
        return error
    if isinstance(error, sqlite3.IntegrityError):
        return IllegalEvent(f"this contradicts what is stored in {path}")
    if isinstance(error, UnicodeEncodeError | OverflowError):
        return ValidationFailed(f"can't be stored: {type(error).__name__}")
    if isinstance(error, sqlite3.Error | OSError):
        primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
        code, words = _CODES.get(primary, ("STORE_UNAVAILABLE", "can't be read or written:"))
        return StoreFailed(code, f"{words} {path}", path=str(path))
    return error


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Errors of the block as the gateway's own."""
    try:
        yield
    except (sqlite3.Error, OSError, UnicodeEncodeError, OverflowError) as error:
        raise as_gateway_error(error, path) from error
