"""A text that grows word by word."""

from __future__ import annotations

from collections.abc import Callable


class Growing:
    """Put together only when it is read, so that a word costs the same at the end of a long text as
    at its beginning. `add` lets it go on.
    """

    __slots__ = ("_fresh", "_text", "add")

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._fresh: list[str] = []
        self.add: Callable[[str], None] = self._fresh.append

    @property
    def text(self) -> str:
        """All of it so far."""
        if self._fresh:
            self._text += "".join(self._fresh)
            self._fresh.clear()
        return self._text
