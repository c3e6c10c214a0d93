"""Bargein: agents on chat and on the phone that people can interrupt.

What a writer of agents needs is importable from here; each name is loaded on first use, so that
``import gateway`` stays cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.core.answers import answer_format, parse_answer
    from gateway.core.cancellation import InterruptBehavior, InterruptReason
    from gateway.core.log import repair_unanswered_tool_calls
    from gateway.embedded import Gateway
    from gateway.ports.agent import RunOptions
    from gateway.runs.agent import Agent
    from gateway.runs.context import SyncToolContext, ToolContext
    from gateway.runs.tools import tool

_EXPORTS = {
    "Agent": "gateway.runs.agent",
    "Gateway": "gateway.embedded",
    "InterruptBehavior": "gateway.core.cancellation",
    "InterruptReason": "gateway.core.cancellation",
    "RunOptions": "gateway.ports.agent",
    "SyncToolContext": "gateway.runs.context",
    "ToolContext": "gateway.runs.context",
    "answer_format": "gateway.core.answers",
    "parse_answer": "gateway.core.answers",
    "repair_unanswered_tool_calls": "gateway.core.log",
    "tool": "gateway.runs.tools",
}

__all__ = [
    "Agent",
    "Gateway",
    "InterruptBehavior",
    "InterruptReason",
    "RunOptions",
    "SyncToolContext",
    "ToolContext",
    "answer_format",
    "parse_answer",
    "repair_unanswered_tool_calls",
    "tool",
]


def __getattr__(name: str) -> object:
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_EXPORTS[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_EXPORTS})
