"""Tokens for people and programs that come from elsewhere: make, list, revoke."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from typing import Any

from gateway.clock import SystemClock, SystemIds
from gateway.ports.tokens import Scope
from gateway.settings import Settings
from gateway.store.sqlite import SqliteStore
from gateway.tokens import Keys, scopes_of

EVERYWHERE = ("0.0.0.0", "::")


async def on_file(store: SqliteStore, method: str, params: Mapping[str, str]) -> Any:
    """The call's result where no server runs.

    Raises:
        ValidationFailed: it is no name.
        NotFound: they have no valid token.
    """
    keys = Keys(store, SystemClock(), SystemIds())
    if method == "tokens.list":
        return await keys.listed()
    if method == "tokens.create":
        scopes = scopes_of(params.get("scope", ""))
        return {"token": await keys.create(params["name"], scopes), "name": params["name"]}
    return {"revoked": await keys.revoke(params["name"])}


def shown(settings: Settings, secret: str, scopes: list[str]) -> str:
    """A new token as it is shown: the page's link, or the secret alone."""
    opens_page = Scope.PAGE in scopes_of(" ".join(scopes))
    return link(settings, secret) if opens_page else secret


def link(settings: Settings, secret: str) -> str:
    """The link that lets its holder in."""
    http = settings.http
    host = socket.gethostname() if http.host in EVERYWHERE else http.host
    shown = f"[{host}]" if ":" in host else host
    return f"{http.public_url or f'http://{shown}:{http.port}'}/?token={secret}"


def show(lines: list[Mapping[str, Any]], as_json: bool) -> None:
    """A list of tokens, without their secrets."""
    if as_json:
        print(json.dumps(lines, ensure_ascii=False, indent=2))
        return
    for line in lines:
        state = f"revoked {line['revokedAt']}" if line["revokedAt"] else "valid"
        print(f"{line['name']}\t{line['createdAt']}\t{state}\t{' '.join(line['scopes'])}")
