"""A model's markdown as text with entities; whatever is no markup stays as it is.

Only what a model surely means is taken: fenced and inline code, **bold**, *italic* and _italic_
at the borders of words, ~~strike~~, [label](https://…), headings. Offsets are in UTF-16 units.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_ENTITIES = 100


@dataclass(frozen=True, slots=True)
class Span:
    """A formatted part of a text."""

    kind: str
    offset: int
    length: int
    url: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text as Telegram shows it."""

    text: str
    spans: tuple[Span, ...] = ()


def units(text: str) -> int:
    """The length as Telegram counts: UTF-16 units."""
    return len(text) + sum(character > "\uffff" for character in text)


_FENCE = re.compile(
    r"^(`{3,})([\w+#.-]*)[^\S\n]*\n(.*?)(?:^\1[^\S\n]*$|\Z)", re.MULTILINE | re.DOTALL
)
_INLINE = re.compile(
    r"(?P<code>`(?P<code_>[^`\n]+)`)"
    r"|(?P<link>\[(?P<label>[^\[\]\n]+)\]\((?P<url>https?://[^\s()]+(?:\([^\s()]*\)[^\s()]*)*)\))"
    r"|(?P<bold>\*\*(?P<bold_>[^\s*](?:[^*\n]*[^\s*])?)\*\*)"
    r"|(?P<strike>~~(?P<strike_>[^\s~](?:[^~\n]*[^\s~])?)~~)"
    r"|(?P<star>(?<![\w*])\*(?P<star_>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*]))"
    r"|(?P<under>(?<![\w_])_(?P<under_>[^\s_](?:[^_\n]*[^\s_])?)_(?![\w_]))"
    r"|(?P<head>^\#{1,6}[^\S\n]+(?P<head_>[^\n]+)$)",
    re.MULTILINE,
)
_KINDS = {
    "code": "code",
    "bold": "bold",
    "strike": "strikethrough",
    "star": "italic",
    "under": "italic",
    "head": "bold",
}


class _Writer:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.spans: list[Span] = []

    def plain(self, text: str) -> None:
        self.parts.append(text)
        self.length += units(text)

    def span(self, kind: str, text: str, *, url: str = "", language: str = "") -> None:
        start = self.length
        self.plain(text)
        if text:
            self.spans.append(Span(kind, start, units(text), url, language))


def render(source: str) -> Rendered:
    """The text with its entities."""
    writer = _Writer()
    at = 0
    for fence in _FENCE.finditer(source):
        _inline(source[at : fence.start()], writer)
        code = fence[3].rstrip("\n")
        if code.strip():
            writer.span("pre", code, language=fence[2])
        else:
            writer.plain(fence[0])
        at = fence.end()
    _inline(source[at:], writer)
    return trimmed("".join(writer.parts), writer.spans)


def _inline(text: str, writer: _Writer) -> None:
    at = 0
    for found in _INLINE.finditer(text):
        writer.plain(text[at : found.start()])
        at = found.end()
        if found["link"] is not None:
            writer.span("text_link", found["label"], url=found["url"])
            continue
        name = next(name for name in _KINDS if found[name] is not None)
        writer.span(_KINDS[name], found[f"{name}_"])
    writer.plain(text[at:])


def trimmed(text: str, spans: list[Span]) -> Rendered:
    """As Telegram keeps it: without space around it, and with at most 100 entities."""
    start = units(text) - units(text.lstrip())
    text = text.strip()
    end = units(text)
    kept = []
    for span in spans[:MOST_ENTITIES]:
        first = max(span.offset - start, 0)
        last = min(span.offset - start + span.length, end)
        if last > first:
            kept.append(Span(span.kind, first, last - first, span.url, span.language))
    return Rendered(text, tuple(kept))


def plain(source: str) -> Rendered:
    """The source's words, its markup left as it is."""
    return Rendered(source.strip())


def marked(rendered: Rendered, mark: str) -> Rendered:
    """A text with its mark below."""
    offset = units(rendered.text) + 2
    spans = (*rendered.spans[:99], Span("italic", offset, units(mark)))
    return Rendered(f"{rendered.text}\n\n{mark}", spans)
