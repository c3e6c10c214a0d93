"""JSON Patch (RFC 6902), which changes of an agent's state come as. Nothing given is changed.

What copies can make of a few bytes has a limit, and so has a state.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gateway.agents.agui.errors import broken
from gateway.core.canonical import canonical_json
from gateway.core.messages import Json

MOST: Final = 4 * 2**20
"""So long may a state be as JSON, and so much of it may one list of changes copy or compare."""


def patched(value: Json, changes: Sequence[Mapping[str, Any]]) -> Json:
    """The value with the changes made, in order.

    Raises:
        AgentFailed: a change can't be made, or makes too much of it.
    """
    made: Any = copy.deepcopy(value)
    left = MOST
    for change in changes:
        try:
            left -= _weight(made, change)
            if left < 0:
                raise ValueError("too much of the state is copied or compared")
            made = _one(made, change)
        except (KeyError, IndexError, ValueError, TypeError) as error:
            raise broken(f"STATE_DELTA: {change.get('op')} can't be done: {error}") from None
    if _length(made) > MOST:
        raise broken(f"STATE_DELTA: a state has more than {MOST} characters, or is too deep")
    return made  # type: ignore[no-any-return]


def _weight(value: Any, change: Mapping[str, Any]) -> int:
    """How much of the state a change copies or compares."""
    named = {"copy": "from", "test": "path"}.get(change["op"])
    return 0 if named is None else _length(_get(value, _path(change[named])))


def _length(value: Any) -> int:
    """How long it is as JSON; one that is nested too deep to be written has no end."""
    try:
        return len(json.dumps(value))
    except RecursionError:
        return MOST + 1


def _one(value: Any, change: Mapping[str, Any]) -> Any:
    path = _path(change["path"])
    match change["op"]:
        case "add":
            return _add(value, path, copy.deepcopy(change["value"]))
        case "remove":
            return _remove(value, path)
        case "replace":
            return _replace(value, path, copy.deepcopy(change["value"]))
        case "move":
            source = _path(change["from"])
            moved = _get(value, source)
            return _add(_remove(value, source), path, moved)
        case "copy":
            return _add(value, path, copy.deepcopy(_get(value, _path(change["from"]))))
        case "test":
            if canonical_json(_get(value, path)) != canonical_json(change["value"]):
                raise ValueError("the value is another one")
            return value
        case other:
            raise ValueError(f"no such operation: {other}")


def _path(pointer: Any) -> list[str]:
    if not isinstance(pointer, str) or (pointer and not pointer.startswith("/")):
        raise ValueError("no JSON pointer")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def _index(part: str, length: int) -> int:
    if not (part.isascii() and part.isdecimal()) or (len(part) > 1 and part[0] == "0"):
        raise ValueError(f"no index: {part}")
    if int(part) >= length:
        raise IndexError(f"no item {part}")
    return int(part)


def _get(value: Any, path: Sequence[str]) -> Any:
    for part in path:
        value = value[_index(part, len(value))] if isinstance(value, list) else value[part]
    return value


def _add(value: Any, path: Sequence[str], new: Any) -> Any:
    if not path:
        return new
    parent = _get(value, path[:-1])
    if isinstance(parent, list):
        last = path[-1]
        parent.insert(len(parent) if last == "-" else _index(last, len(parent) + 1), new)
    else:
        parent[path[-1]] = new
    return value


def _remove(value: Any, path: Sequence[str]) -> Any:
    if not path:
        return None
    parent = _get(value, path[:-1])
    del parent[_index(path[-1], len(parent)) if isinstance(parent, list) else path[-1]]
    return value


def _replace(value: Any, path: Sequence[str], new: Any) -> Any:
    if not path:
        return new
    _get(value, path)
    parent = _get(value, path[:-1])
    parent[_index(path[-1], len(parent)) if isinstance(parent, list) else path[-1]] = new
    return value
