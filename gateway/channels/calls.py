"""Calls to the server itself: threads and pauses, over any connection that speaks the protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from gateway.channels.engine import Engine
from gateway.core.errors import FrameInvalid, NotFound
from gateway.core.messages import Json

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
    forget: Callable[[str], None]


async def _threads_list(caller: Caller, params: Mapping[str, str]) -> Json:
    return [dict(line) for line in await caller.engine.threads(caller.principal)]


async def _threads_export(caller: Caller, params: Mapping[str, str]) -> Json:
    return dict(await caller.engine.export(params["thread"], caller.principal))


async def _threads_delete(caller: Caller, params: Mapping[str, str]) -> Json:
    await caller.engine.delete(params["thread"], caller.principal)
    caller.forget(params["thread"])
    return {"deleted": params["thread"]}


async def _pauses_list(caller: Caller, params: Mapping[str, str]) -> Json:
    whose = None if caller.principal == OPERATOR else caller.principal
    return [dict(pause) for pause in await caller.engine.pauses(whose)]


async def _pauses_cancel(caller: Caller, params: Mapping[str, str]) -> Json:
    reason = params.get("reason", "")
    return {
        "cancelled": await caller.engine.cancel_pause(params["thread"], caller.principal, reason)
    }


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
