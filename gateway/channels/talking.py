"""The page's calls, loaded by name where the server has voice."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from aiohttp import web

from gateway.channels.front import Front
from gateway.channels.visitors import Visitor
from gateway.ports.clock import Clock
from gateway.supervise import Supervisor

if TYPE_CHECKING:
    from voice.calls import Calls

BROWSER = "voice.transports.browser"
PATH = "/call"


class Lines(Protocol):
    """The open lines of pages that call."""

    async def serve(self, request: web.Request, visitor: Visitor) -> web.StreamResponse:
        """Speak with one page."""

    def leave(self, digests: list[str]) -> None:
        """End the calls of those who were let in by these tokens."""

    def stop(self) -> None:
        """Close every line that no call has answered."""


def load_lines(
    calls: Calls,
    front: Front,
    *,
    clock: Clock,
    supervisor: Supervisor,
    report: Callable[[str, BaseException], str],
) -> Lines:
    """Where pages call in. Its libraries are loaded only now."""
    loaded = import_module(BROWSER)
    lines: Lines = loaded.BrowserCalls(
        calls, may_open=front.may_open, clock=clock, supervisor=supervisor, report=report
    )
    front.leaving.append(lines.leave)
    return lines
