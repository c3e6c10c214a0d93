"""What a program says to a run by its handle, and what became of it."""

from __future__ import annotations

from typing import TypeAlias

from gateway.core.errors import ValidationFailed
from gateway.core.messages import Attachment, UserMessage
from gateway.files import checked_number
from gateway.runs.handle import InProcessHandle
from gateway.runs.queue import Attach, Refused

Attachments: TypeAlias = tuple[Attachment, ...]


class RunMessages:
    """What every handle does by the handle of the run's task. The messages are kept by the run:
    those that it can't deliver come back in `undelivered`, with their files in `returned`. Files
    need a thread (`attach`); whether they are the person's is asked when they are delivered.
    """

    def __init__(self, attach: Attach | None = None) -> None:
        self._inner: InProcessHandle | None = None
        self._takes = True
        self._attach = attach

    @property
    def queued(self) -> list[str]:
        """Messages that wait to be delivered."""
        return [] if self._inner is None else self._inner.queued

    @property
    def refused(self) -> list[Refused]:
        """Messages that an input check refused, or whose files are not there for the person, with
        the error.
        """
        return [] if self._inner is None else self._inner.refused

    @property
    def undelivered(self) -> tuple[str, ...]:
        """Messages that the run gave back when it paused, was stopped or failed."""
        return () if self._inner is None else self._inner.undelivered

    @property
    def returned(self) -> tuple[UserMessage, ...]:
        """The same messages with their files."""
        return () if self._inner is None else self._inner.returned

    @property
    def children(self) -> tuple[str, ...]:
        """The ids of its child runs that are on, at any depth."""
        return () if self._inner is None else self._inner.children

    def steer(self, text: str, attachments: Attachments = ()) -> bool:
        """Join before the next model call; False once the run takes no more.

        Raises:
            ValidationFailed: there are too many files, or no thread for them.
        """
        run = self._taking(attachments)
        return run is not None and run.steer(text, attachments, self._attach)

    def follow_up(self, text: str, attachments: Attachments = ()) -> bool:
        """Start a new turn, with its own iteration budget, when the run would end.

        Raises:
            ValidationFailed: as `steer`.
        """
        run = self._taking(attachments)
        return run is not None and run.follow_up(text, attachments, self._attach)

    def inject(self, text: str, attachments: Attachments = ()) -> bool:
        """Join the next model call, start none; kept in the thread if none is left.

        Raises:
            ValidationFailed: as `steer`.
        """
        run = self._taking(attachments)
        return run is not None and run.inject(text, attachments, self._attach)

    def _taking(self, attachments: Attachments) -> InProcessHandle | None:
        """The run's handle, None once it takes no more."""
        if attachments and self._attach is None:
            raise ValidationFailed("attachments: files need a thread")
        checked_number(attachments)
        return self._inner if self._takes else None

    def _drain(self) -> list[str]:
        self._takes = False
        return [] if self._inner is None else self._inner.abort()
