"""What a server's tools are called here, and when a person has to allow them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from mcp.types import Tool, ToolAnnotations

LONGEST = 64
_OTHER = re.compile(r"[^A-Za-z0-9_-]+")


def tool_name(server: str, tool: str, taken: Iterable[str] = ()) -> str:
    """`SERVER_TOOL`, in the letters that a model's provider takes. Names that would be the same, or
    too long, end with a digest of the tool's own.
    """
    plain = f"{server}_{_OTHER.sub('_', tool)}"
    if len(plain) <= LONGEST and plain not in set(taken):
        return plain
    mark = hashlib.sha256(tool.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{plain[: LONGEST - 9]}_{mark}"


def needs_approval(tool: Tool, setting: str) -> bool:
    """Whether a person has to allow each call. By the annotations: unless the server says that the
    tool only reads, or destroys nothing. What it doesn't say counts as the protocol has it: it may
    destroy.
    """
    if setting != "annotations":
        return setting == "always"
    hints = tool.annotations or ToolAnnotations()
    return not hints.read_only_hint and hints.destructive_hint is not False


def is_destructive(tool: Tool) -> bool:
    """Whether the server says that it destroys: then a rule may never allow it."""
    hints = tool.annotations
    return hints is not None and hints.destructive_hint is True and not hints.read_only_hint
