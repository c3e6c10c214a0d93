"""Access tokens."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from gateway.ports.tokens import AccessToken, Scope
from gateway.store.codec import moment, stamp
from gateway.store.rows import Reader, Row

TOKEN = "SELECT digest, principal, created_at, revoked_at, scopes FROM access_token"


def insert_token(connection: sqlite3.Connection, token: AccessToken) -> None:
    """Keep a token."""
    connection.execute(
        "INSERT INTO access_token (digest, principal, created_at, scopes) VALUES (?, ?, ?, ?)",
        (token.digest, token.principal, stamp(token.created_at), " ".join(sorted(token.scopes))),
    )


def revoke(connection: sqlite3.Connection, principal: str, at: datetime) -> list[str]:
    """Revoke a person's tokens; the digests of those that were valid."""
    valid = connection.execute(
        "SELECT digest FROM access_token WHERE principal = ? AND revoked_at IS NULL", (principal,)
    ).fetchall()
    connection.execute(
        "UPDATE access_token SET revoked_at = ? WHERE principal = ? AND revoked_at IS NULL",
        (stamp(at), principal),
    )
    return [digest for (digest,) in valid]


def tokens(reader: Reader) -> list[AccessToken]:
    """Every token, in the order made."""
    rows = reader.rows(f"{TOKEN} ORDER BY created_at, digest")
    return [token for row in rows for token in reader.keep("access token", _token, row)]


def token(reader: Reader, digest: str) -> AccessToken | None:
    """The token with this digest."""
    rows = reader.rows(f"{TOKEN} WHERE digest = ?", digest)
    found = [token for row in rows for token in reader.keep("access token", _token, row)]
    return found[0] if found else None


def _token(row: Row) -> AccessToken:
    digest, principal, created_at, revoked_at, scopes = row
    return AccessToken(
        digest=digest,
        principal=principal,
        created_at=moment(created_at),
        revoked_at=None if revoked_at is None else moment(revoked_at),
        scopes=frozenset(Scope(name) for name in scopes.split()),
    )
