"""Notes around what people say: who said it, what it replies to. Nobody can forge or leave one."""

from __future__ import annotations

import re

from gateway.core.messages import Quote

QUOTE_LENGTH = 600
"""How much of what a message replies to a model reads."""


def escape_note(text: str) -> str:
    """Text made safe to stand inside a note or a name: no markup, no brackets, one line."""
    table = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "[": "(", "]": ")"}
    one_line = " ".join(text.split())
    return "".join(table.get(char, char) for char in one_line)


_LINE_START = r"(^|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])(\s*)"
_FORGED = re.compile(_LINE_START + r"\[(?=(?:from|attached|in reply|earlier)\b)", re.IGNORECASE)


def unforged(text: str) -> str:
    """What somebody said, with no line that reads like the name of a sender or a note of ours."""
    return _FORGED.sub(r"\1\2(", text)


def sender_prefix(name: str) -> str:
    """How a sender is named before their text; a name can't break out of it."""
    return f"[from {escape_note(name)[:64]}] "


def quote_note(quote: Quote) -> str:
    """How what a message replies to stands before it; neither words nor name break out of it."""
    name = None if quote.sender is None else escape_note(quote.sender)[:64]
    whose = "your message" if name is None else f"a message from {name}"
    return f"[in reply to {whose}: {escape_note(quote.text[:QUOTE_LENGTH])}]"
