"""Calls to the server itself: threads and pauses, over any connection that speaks the protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from gateway.channels.engine import Engine
from gateway.channels.hub import Hub
from gateway.channels.pairing import Pairing
from gateway.channels.people import People
from gateway.core.errors import AccessDenied, FrameInvalid, NotFound
from gateway.core.messages import Json
from gateway.tokens import scopes_of

OPERATOR = "local:operator"
"""Who calls where nobody is named on a socket that only this system's user can open. The name can't
be claimed; it is an admin's.
"""

Answer = Awaitable[Json]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: a person, or the operator, who sees everybody's pauses."""

    engine: Engine
    principal: str
    hub: Hub
    people: People | None = None


async def _threads_list(caller: Caller, params: Mapping[str, str]) -> Json:
    return [dict(line) for line in await caller.engine.threads(caller.principal)]


async def _threads_export(caller: Caller, params: Mapping[str, str]) -> Json:
    return dict(await caller.engine.export(params["thread"], caller.principal))


async def _threads_delete(caller: Caller, params: Mapping[str, str]) -> Json:
    await caller.engine.delete(params["thread"], caller.principal)
    caller.hub.forget(params["thread"])
    return {"deleted": params["thread"]}


async def _pauses_list(caller: Caller, params: Mapping[str, str]) -> Json:
    whose = None if caller.principal == OPERATOR else caller.principal
    return [dict(pause) for pause in await caller.engine.pauses(whose)]


async def _pauses_cancel(caller: Caller, params: Mapping[str, str]) -> Json:
    reason = params.get("reason", "")
    return {
        "cancelled": await caller.engine.cancel_pause(params["thread"], caller.principal, reason)
    }


def _people(caller: Caller) -> People:
    if caller.people is None:
        raise NotFound("this server has no tokens and no links")
    return caller.people


def _tokens(caller: Caller) -> People:
    if caller.principal != OPERATOR:
        raise AccessDenied("only the operator gives tokens")
    return _people(caller)


async def _threads_share(caller: Caller, params: Mapping[str, str]) -> Json:
    return {"key": await _people(caller).share(params["thread"], caller.principal)}


async def _threads_join(caller: Caller, params: Mapping[str, str]) -> Json:
    await _people(caller).join(params["thread"], caller.principal, params["key"])
    return {"joined": params["thread"]}


async def _threads_unshare(caller: Caller, params: Mapping[str, str]) -> Json:
    await _people(caller).unshare(params["thread"], caller.principal)
    caller.hub.expel(params["thread"], caller.principal)
    return {"private": params["thread"]}


async def _tokens_create(caller: Caller, params: Mapping[str, str]) -> Json:
    scopes = scopes_of(params.get("scope", ""))
    return {"token": await _tokens(caller).create(params["name"], scopes), "name": params["name"]}


async def _tokens_list(caller: Caller, params: Mapping[str, str]) -> Json:
    return await _tokens(caller).listed()


async def _tokens_revoke(caller: Caller, params: Mapping[str, str]) -> Json:
    return {"revoked": await _tokens(caller).revoke(params["name"])}


def _pairing(caller: Caller) -> Pairing:
    if caller.principal != OPERATOR:
        raise AccessDenied("only the operator lets people in")
    pairing = _people(caller).pairing
    if pairing is None:
        raise NotFound("this server lets nobody in by codes")
    return pairing


async def _pairing_list(caller: Caller, params: Mapping[str, str]) -> Json:
    return await _pairing(caller).listed()


async def _pairing_approve(caller: Caller, params: Mapping[str, str]) -> Json:
    row = await _pairing(caller).approve(params["code"], caller.principal)
    return {"principal": row.principal, "name": row.name, "channel": row.channel}


async def _pairing_revoke(caller: Caller, params: Mapping[str, str]) -> Json:
    row = await _pairing(caller).revoke(params["person"])
    return {"principal": row.principal, "name": row.name, "channel": row.channel}


@dataclass(frozen=True, slots=True)
class Method:
    """A call: its function, the parameters it needs, and those it may have; all are texts."""

    run: Callable[[Caller, Mapping[str, str]], Answer]
    needs: frozenset[str] = frozenset()
    may: frozenset[str] = frozenset()


METHODS: Mapping[str, Method] = {
    "threads.list": Method(_threads_list),
    "threads.export": Method(_threads_export, frozenset({"thread"})),
    "threads.delete": Method(_threads_delete, frozenset({"thread"})),
    "threads.share": Method(_threads_share, frozenset({"thread"})),
    "threads.join": Method(_threads_join, frozenset({"thread", "key"})),
    "threads.unshare": Method(_threads_unshare, frozenset({"thread"})),
    "tokens.create": Method(_tokens_create, frozenset({"name"}), frozenset({"scope"})),
    "tokens.list": Method(_tokens_list),
    "tokens.revoke": Method(_tokens_revoke, frozenset({"name"})),
    "pairing.list": Method(_pairing_list),
    "pairing.approve": Method(_pairing_approve, frozenset({"code"})),
    "pairing.revoke": Method(_pairing_revoke, frozenset({"person"})),
    "pauses.list": Method(_pauses_list),
    "pauses.cancel": Method(_pauses_cancel, frozenset({"thread"}), frozenset({"reason"})),
}


async def call(caller: Caller, method: str, params: Mapping[str, Json]) -> Json:
    """The call's result.

    Raises:
        NotFound: there is no such method.
        FrameInvalid: a parameter is missing, unknown, or no text.
    """
    found = METHODS.get(method)
    if found is None:
        raise NotFound(f"there is no method {method!r}; there are {', '.join(METHODS)}")
    for name in found.needs - params.keys():
        raise FrameInvalid(f"params.{name}: missing", at=f"params.{name}")
    for name in params.keys() - found.needs - found.may:
        raise FrameInvalid(f"params.{name}: unknown", at=f"params.{name}")
    texts = {name: value for name, value in params.items() if isinstance(value, str)}
    for name in params.keys() - texts.keys():
        raise FrameInvalid(f"params.{name}: must be a text", at=f"params.{name}")
    return await found.run(caller, texts)
