"""A reply's last message as a draft while it grows: the client's preview, with its own Stop.

A draft is no message: it vanishes after about 30 seconds, and with any message in its chat. So it
is kept up, and what is said in the end is sent as every reply is.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from gateway.channels.telegram.lanes import Want

KEPT_UP_SECONDS = 15.0


def draft_of(run: str) -> int:
    """The number of a run's drafts; never zero."""
    return (uuid.UUID(run).int & 0x7FFFFFFF) or 1


def run_of(draft: int, runs: Iterable[str]) -> str | None:
    """The run whose draft this is, among those known."""
    return next((run for run in runs if draft_of(run) == draft), None)


@dataclass(slots=True)
class Draft:
    """What the preview shows: its text, the end of it in the source, and since when."""

    id: int
    text: str = ""
    end: int = 0
    at: float = -1e9

    def want(self, text: str, pace_seconds: float) -> Want | None:
        """When it is to show `text`: the first words at once, more at the pace of edits."""
        if not text:
            return None
        if not self.text:
            return Want(True)
        seconds = KEPT_UP_SECONDS if text == self.text else pace_seconds
        return Want(False, self.at + seconds)

    def shows(self, text: str, end: int, now: float) -> None:
        """It was confirmed to show this."""
        self.text, self.end, self.at = text, end, now
