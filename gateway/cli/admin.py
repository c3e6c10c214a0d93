"""The operator's calls: over the running server's socket, else on the file itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from gateway import views
from gateway.access import Access
from gateway.channels.calls import OPERATOR
from gateway.channels.link import Back, Link, Lost, Who
from gateway.channels.local import socket_path
from gateway.channels.pairing import Pairing
from gateway.cli import tokens
from gateway.cli.running import is_running, server
from gateway.clock import SystemClock, SystemIds
from gateway.core.errors import GatewayError, NotFound
from gateway.settings import Settings
from gateway.store.sqlite import DefectWarning, SqliteStore


class CallRefused(GatewayError):
    """The server refused the call; its words."""

    code = "CALL_REFUSED"


async def call(settings: Settings, method: str, params: Mapping[str, str]) -> Any:
    """The call's result. A thread may be named without its channel where only one is called so.

    Raises:
        CallRefused: the server says no.
        NotFound: there is no such file or thread, or several threads of that short name.
    """
    if ":" not in params.get("thread", ":"):
        listed = await _call(settings, "threads.list", {})
        ids = [str(line["thread"]) for line in listed]
        params = {**params, "thread": whole_name(params["thread"], ids)}
    return await _call(settings, method, params)


def whole_name(thread: str, ids: Sequence[str]) -> str:
    """The id of the thread of that name: its own, or what follows its channel.

    Raises:
        NotFound: there is none, or more than one.
    """
    if thread in ids:
        return thread
    found = [name for name in ids if name.partition(":")[2] == thread]
    if len(found) == 1:
        return found[0]
    several = f"; it may be {' or '.join(found)}" if found else ""
    raise NotFound(f"there is no thread {thread}{several}")


async def _call(settings: Settings, method: str, params: Mapping[str, str]) -> Any:
    if await is_running(socket_path(settings.database)):
        return await _over_socket(settings, method, params)
    if not settings.database.exists() and method != "tokens.create":
        raise NotFound(f"there is no file {settings.database}")
    if method == "pauses.cancel":
        async with server(settings):
            return await _over_socket(settings, method, params)
    return await _on_file(settings, method, params)


async def _over_socket(settings: Settings, method: str, params: Mapping[str, str]) -> Any:
    path = socket_path(settings.database)
    link = Link(path, Who("", "", "en"), clock=SystemClock(), ids=SystemIds())
    id_ = link.call(method, params)
    async for event in link.events(retry=False):
        if isinstance(event, Lost | Back) or event.get("id") != id_:
            continue
        link.close()
        if event["type"] == "error":
            raise CallRefused(event["data"]["message"] or event["data"]["code"])
        return event["data"]["result"]
    raise CallRefused("the server hung up")


async def _on_file(settings: Settings, method: str, params: Mapping[str, str]) -> Any:
    store = await SqliteStore.open(
        settings.database,
        owner=SystemIds().uuid(),
        clock=SystemClock(),
        report=_complain,
    )
    try:
        if method.startswith("tokens."):
            return await tokens.on_file(store, method, params)
        if method.startswith("pairing."):
            return await _pair(store, method, params)
        return await _read(store, method, params.get("thread", ""))
    finally:
        await store.close()


async def _pair(store: SqliteStore, method: str, params: Mapping[str, str]) -> Any:
    pairing = Pairing(store.telegram, SystemClock(), SystemIds(), Access())
    if method == "pairing.list":
        return await pairing.listed()
    if method == "pairing.approve":
        row = await pairing.approve(params["code"], OPERATOR)
    else:
        row = await pairing.revoke(params["person"])
    return {"principal": row.principal, "name": row.name, "channel": row.channel}


async def _read(store: SqliteStore, method: str, thread: str) -> Any:
    if method == "threads.list":
        return views.thread_lines(await store.threads())
    if method == "pauses.list":
        questions = await store.questions(open_only=True)
        return [
            {**q.to_h(), "thread": await store.question_thread(q.id), "run": q.run}
            for q in questions
        ]
    row = await store.thread(thread)
    if row is None:
        raise NotFound(f"there is no thread {thread}")
    if method == "threads.delete":
        await store.delete_thread(thread)
        return {"deleted": thread}
    return views.export(row, await store.entries(thread), await store.inputs(thread))


def _complain(where: str, error: BaseException) -> None:
    if not isinstance(error, DefectWarning):  # it matters to a server, which says so
        kind = "warning" if isinstance(error, Warning) else "error"
        print(f"{kind}: {where}: {error}", file=sys.stderr)


# -- to read ---------------------------------------------------------------------------------------


def show_threads(lines: list[Mapping[str, Any]], as_json: bool) -> None:
    """A list of threads."""
    if as_json:
        print(json.dumps(lines, ensure_ascii=False, indent=2))
        return
    for line in lines:
        kind = "private" if line["private"] else "shared"
        print(f"{line['thread']}\t{line['owner']}\t{kind}\t{line['createdAt']}\t{line['title']}")


def show_conversation(exported: Mapping[str, Any]) -> None:
    """A thread's log."""
    for entry in exported["entries"]:
        body = entry["body"]
        match entry["kind"]:
            case "user":
                print(f"{body.get('sender') or exported['owner']}: {body['text']}")
            case "assistant":
                cut = "▏" if body.get("metadata", {}).get("interrupted") else ""
                print(f"agent: {body['text']}{cut}")
            case "tool_call":
                print(f"  · {body['name']} {json.dumps(body['arguments'], ensure_ascii=False)}")
            case "tool_result":
                print(f"  {'!' if body['error'] else '='} {body['content']}")
            case _:
                print(f"  [{_noted(entry['kind'], body)}]")


def _noted(kind: str, body: Mapping[str, Any]) -> str:
    """What an entry says that nobody said."""
    if kind == "approval":
        rule = " by a rule" if body.get("rule") else ""
        return f"{'approved' if body['approved'] else 'denied'}{rule}: {body['by']}"
    if kind == "setting":
        changed = ", ".join(f"{name} {value}" for name, value in body.items() if name != "by")
        return f"{changed}: {body['by']}"
    return f"{kind}: {body.get('status', '')}"


def show_pairings(lines: list[Mapping[str, Any]], as_json: bool) -> None:
    """Who waits to be let in, and who was."""
    if as_json:
        print(json.dumps(lines, ensure_ascii=False, indent=2))
        return
    for line in lines:
        let_in = "let in" if line["revokedAt"] is None else "let out"
        print(f"{line['code'] or let_in}\t{line['principal']}\t{line['name']}\t{line['askedAt']}")


def show_pauses(pauses: list[Mapping[str, Any]], as_json: bool) -> None:
    """A list of open questions."""
    if as_json:
        print(json.dumps(pauses, ensure_ascii=False, indent=2))
        return
    for pause in pauses:
        expires = pause["expiresAt"] or "not asked yet"
        print(f"{pause['thread']}\t{pause['toolName']}\t{pause['message']}\t{expires}")
