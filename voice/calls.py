"""Who is on a call, on which thread: one call a thread and person."""

from __future__ import annotations

from voice.call import Call
from voice.ports import Line


class Calls:
    """Where transports bring their callers."""

    def loading(self) -> tuple[str, ...]:
        """The parts that are not ready yet, by name; nobody can be answered before."""
        raise NotImplementedError

    async def answer(
        self,
        line: Line,
        *,
        thread: str,
        principal: str,
        language: str,
        call: str = "",
        microphone_rate: int = 16_000,
    ) -> Call:
        """A call on this line. The thread is made where it isn't there.

        Where `call` names one of this person on this thread whose connection was lost less than
        10 s ago, or is being lost, it goes on with that. Any other call of theirs on the thread is
        told `elsewhere` and ends.

        Raises:
            AccessDenied: this person may not enter the thread.
        """
        raise NotImplementedError

    def end(self, reason: str) -> None:
        """Hang up every call from our side; nothing is stopped, questions stay."""
        raise NotImplementedError
