"""Growing texts as lines of a terminal: whole lines go out, the unfinished one stays below them."""

from __future__ import annotations

from collections.abc import Callable

from gateway.channels.outbox import common_length
from gateway.channels.signs import visible

BAR = "▏"
"""Where a reply was cut."""

Key = tuple[str, int]


class Speech:
    """The texts of runs' steps, each said once. `tail` is the line that still grows.

    `width` is the terminal's, for lines too long for it; 0 leaves them whole.
    """

    def __init__(self, out: Callable[[str], None], width: Callable[[], int]) -> None:
        self._out = out
        self._width = width
        self._texts: dict[Key, str] = {}
        self._said: dict[Key, int] = {}
        self._closed: set[Key] = set()
        self._now: Key | None = None

    @property
    def tail(self) -> str:
        """What is known of the line that grows."""
        return "" if self._now is None else visible(self._texts[self._now][self._said[self._now] :])

    def grows(self, key: Key) -> bool:
        """Whether this text was begun and not closed."""
        return key in self._texts

    def more(self, key: Key, offset: int, text: str) -> None:
        """The text reads on from `offset`."""
        self.whole(key, self._texts.get(key, "")[:offset] + text)

    def whole(self, key: Key, text: str) -> None:
        """All of the text so far."""
        if key in self._closed:
            return
        if self._now not in (None, key):
            self.break_off()
        self._now = key
        before = self._texts.get(key, "")
        kept = common_length(before, text)
        self._texts[key] = text
        self._said[key] = min(self._said.get(key, 0), kept)
        self._say_lines(key)

    def close(self, key: Key, text: str, cut: bool) -> None:
        """The text as it stays; `cut` where it was interrupted."""
        if key in self._closed:
            return
        if self._texts.get(key, "").startswith(text) and len(text) < self._said.get(key, 0):
            self._texts[key] = text  # what stands above can't be taken back; the bar says enough
            self._said[key] = len(text)
        else:
            self.whole(key, text)
        rest = self._texts[key][self._said[key] :]
        if rest or cut:
            self._out(rest + (BAR if cut else ""))
        self._closed.add(key)
        del self._texts[key], self._said[key]
        if self._now == key:
            self._now = None

    def break_off(self) -> None:
        """Let something else be said: the line that grows stands as it is."""
        if self._now is not None and self.tail:
            self._out(self.tail)
            self._said[self._now] = len(self._texts[self._now])

    def _say_lines(self, key: Key) -> None:
        while True:
            rest = self._texts[key][self._said[key] :]
            line, length = _first_line(rest, self._width())
            if not length:
                return
            self._out(line)
            self._said[key] += length


def _first_line(text: str, width: int) -> tuple[str, int]:
    """A whole line at the text's beginning, and how much of the text it takes; 0 for none yet."""
    line, end, _ = text.partition("\n")
    if width and len(line) > width:
        space = line.rfind(" ", 0, width)
        at = space if space > 0 else width
        return line[:at], at + (space > 0)
    return (line, len(line) + 1) if end else ("", 0)
