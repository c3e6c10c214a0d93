"""The actor of one call: what a caller says and presses, and what the agent says to it.

Everything here runs on the loop and returns at once. A transport owns the connection: it hands
over what comes in, and is the call's `Line` for what goes out.
"""

from __future__ import annotations

from voice.core.pcm import Samples
from voice.ports import Line


class Call:
    """One call, from its first connection until it is hung up.

    What it tells the line first is `ready`. A lost connection may come back (`Calls.answer`);
    until then nothing is played and nothing is lost.
    """

    id: str
    thread: str
    principal: str
    language: str

    def frame(self, first: int, samples: Samples) -> None:
        """Sound of the microphone; `first` is the number of its first sample since the call began.

        What comes twice, too late, or in a wrong size is dropped; a gap is silence.
        """
        raise NotImplementedError

    def played(self, generation: int, flight: int, position: int) -> None:
        """The line has played so far."""
        raise NotImplementedError

    def cleared(self, generation: int, position: int) -> None:
        """The line has dropped this generation and earlier ones; it had played so far."""
        raise NotImplementedError

    def key(self, key: str) -> None:
        """A key: 0–9, `*` or `#`; anything else is dropped."""
        raise NotImplementedError

    def talk(self, on: bool) -> None:
        """Push-to-talk is held or let go. Once it was used, the microphone is open only while it
        is held; letting go ends the turn.
        """
        raise NotImplementedError

    def mute(self, on: bool) -> None:
        """The microphone is silence while it is muted."""
        raise NotImplementedError

    def stop(self) -> None:
        """The button: as `/stop`."""
        raise NotImplementedError

    def hang_up(self) -> None:
        """The caller is gone for good: nothing is stopped, questions stay."""
        raise NotImplementedError

    def lost(self, line: Line) -> None:
        """This connection is gone; where the call has another one already, nothing changes."""
        raise NotImplementedError
