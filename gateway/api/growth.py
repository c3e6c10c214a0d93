"""A step's text as it grows in a run's log: its words, and the parts of it between events."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, islice


class Grown:
    """A step's text, put together only when it is read. `add` lets it go on with a word, which is
    what was said at once. `written` is what some reader was written of it.
    """

    __slots__ = ("_ends", "_fresh", "_text", "add", "cut", "written")

    def __init__(self) -> None:
        self._text = ""
        self._ends = array("L")
        self._fresh: list[str] = []
        self.add: Callable[[str], None] = self._fresh.append
        self.written = 0
        self.cut = False

    @property
    def text(self) -> str:
        """All of it so far."""
        self._settle()
        return self._text

    def _settle(self) -> None:
        if self._fresh:
            ends = accumulate(map(len, self._fresh), initial=len(self._text))
            self._ends.extend(islice(ends, 1, None))
            self._text += "".join(self._fresh)
            self._fresh.clear()

    def ends(self, start: int, stop: int) -> array[int]:
        """Where its words end, after `start` and up to `stop`."""
        self._settle()
        return self._ends[bisect_right(self._ends, start) : bisect_right(self._ends, stop)]

    def shorten(self, length: int) -> None:
        """Let only its first characters stand."""
        self._text = self.text[:length]
        del self._ends[bisect_left(self._ends, length) :]
        if length:
            self._ends.append(length)
        self.written = min(self.written, length)


@dataclass(slots=True)
class Piece:
    """A part of a step's text, from `start` on; it grows until `end` is set."""

    seq: int
    step: int
    start: int
    text: Grown
    end: int | None = None

    @property
    def stop(self) -> int:
        """Up to where it can be read now."""
        return len(self.text.text) if self.end is None else self.end
