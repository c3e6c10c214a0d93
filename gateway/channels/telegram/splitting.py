"""Where a long text is cut into messages: at paragraphs, lines, words; code blocks stay whole where
they fit. A cut once made stays: it depends only on what stands before it and right behind it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from gateway.channels.telegram.markdown import units

LONGEST = 4_000
"""In UTF-16 units of the source: below 4,096, with room for a mark and a reopened code fence."""
SHORTEST = 1_000
"""A message is not cut shorter than this for the sake of a better border."""
_FENCE_LINE = re.compile(r"^(`{3,})([\w+#.-]*)[^\S\n]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Piece:
    """One message's part of a text: `source[start:end]`, between code fences where it is in one."""

    start: int
    end: int
    before: str = ""
    after: str = ""

    def of(self, source: str) -> str:
        """The piece as markdown of its own."""
        return f"{self.before}{source[self.start : self.end]}{self.after}"


def pieces(source: str, borders: list[int]) -> list[Piece]:
    """The pieces of a text; `borders` are the cuts made before, and the new ones are added."""
    cuts = list(borders)
    start = cuts[-1] if cuts else 0
    while (cut := _next_cut(source, start)) is not None:
        cuts.append(cut)
        start = cut
    borders[:] = cuts
    edges = [0, *cuts, len(source)]
    found = []
    for first, last in pairwise(edges):
        opened, closed = _open_fence(source, first), _open_fence(source, last)
        before = f"{opened}\n" if opened else ""
        after = "\n```" if closed and last < len(source) else ""
        found.append(Piece(first, last, before, after))
    return found


def _next_cut(source: str, start: int) -> int | None:
    if units(source[start:]) <= LONGEST:
        return None
    end = _index_at(source, start, LONGEST)
    least = _index_at(source, start, SHORTEST)
    fence = _block_start(source, start, end)
    if fence is not None and fence > least:
        return fence
    for border in ("\n\n", "\n", ". ", " "):
        found = source.rfind(border, least, end)
        if found >= 0:
            return found + len(border)
    return end


def _index_at(source: str, start: int, length: int) -> int:
    """The index up to which the text from `start` has at most so many units."""
    index = min(len(source), start + length)
    while units(source[start:index]) > length:
        index -= max(1, (units(source[start:index]) - length) // 2)
    return index


def _block_start(source: str, start: int, end: int) -> int | None:
    """Where the code block begins that `end` would cut, if it can stand whole in a message."""
    opened: re.Match[str] | None = None
    for line in _FENCE_LINE.finditer(source, 0, end):
        opened = line if opened is None else None
    if opened is None or opened.start() <= start:
        return None
    closing = source.find(f"\n{opened[1]}", opened.end())
    last = len(source) if closing < 0 else closing + len(opened[1]) + 1
    return opened.start() if units(source[opened.start() : last]) <= LONGEST else None


def _open_fence(source: str, at: int) -> str:
    """The fence line of the code block that is open at `at`; "" outside of one."""
    opened = ""
    for line in _FENCE_LINE.finditer(source, 0, at):
        if line.end() < at:
            opened = "" if opened else line[0]
    return opened


def opening(text: str) -> str:
    """The first words of a message, never all of it: what may be seen twice at worst."""
    words = text.split()
    if len(words) < 2 or "\n" in text.strip().split(maxsplit=2)[0]:
        return "…"
    taken = " ".join(words[: min(3, len(words) - 1)])
    return taken[:40] if text.strip().startswith(taken) else words[0][:40]
