"""Reading an exported log."""

from __future__ import annotations

from typing import Any


def bodies(log: dict[str, Any], kind: str, run: str | None = None) -> list[dict[str, Any]]:
    """The bodies of all entries of a kind (user, assistant, tool_call, tool_result, interrupt)."""
    return [e["body"] for e in log["entries"] if e["kind"] == kind and run in (None, e["run"])]


def results(log: dict[str, Any]) -> dict[str, tuple[str, str | None]]:
    """What each call got, by the tool's name: (content, error)."""
    return {body["name"]: (body["content"], body["error"]) for body in bodies(log, "tool_result")}


def said(log: dict[str, Any]) -> list[str]:
    """The texts of people and agent, in order."""
    kinds = ("user", "assistant")
    return [entry["body"]["text"] for entry in log["entries"] if entry["kind"] in kinds]
