"""Texts of models and tools where they must not act on whoever looks at them."""

from __future__ import annotations

import re
from collections.abc import Callable

_ACTS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """The text with what a terminal or a chat would obey (escapes, a return to the line's
    beginning, a turned direction) as signs that are seen: nobody's words may cover others.
    """
    lines = text.replace("\r\n", "\n")
    return _ACTS.sub(lambda found: found[0].encode("unicode_escape").decode(), lines)


def seen(out: Callable[[str], None]) -> Callable[[str], None]:
    """The same way out, for texts as they are `visible`."""
    return lambda text: out(visible(text))
