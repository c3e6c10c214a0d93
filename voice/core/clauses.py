"""A stream of text as clauses that can be spoken before the rest exists.

Clauses together are the text, every character in its place. They end where a speaker breathes: at
the end of a sentence or line, at a comma once enough was said, never inside a number, an
abbreviation, a link or a block of code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from voice.core.speakable import Spoken, speakable


@dataclass(frozen=True, slots=True)
class Clause:
    """The text from `start` on, as written and as said. `spoken.words` have their places in the
    whole text; a clause without words is not said.
    """

    start: int
    text: str
    spoken: Spoken

    @property
    def end(self) -> int:
        """Where the next clause starts."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Cutting:
    """How long clauses are, in characters."""

    first: int = 12
    """The first clause may end at a comma from here on, for the first sound comes soon."""
    comma: int = 40
    """Later ones from here on."""
    longest: int = 160
    """A clause without any mark ends at a space here."""


_SHORT_FORMS = """
    dr mr mrs ms prof st vs etc eg ie approx dept est fig inc ltd jr sr no vol pp
    г гг ул пр д кв стр рис см т тд тп др им обл р руб коп тыс млн млрд напр проф акад корп
"""
_ABBREVIATIONS = frozenset(_SHORT_FORMS.split())
_MARK = re.compile(
    r"(?P<line>\n+)|(?P<full>[.!?…]+[\"'»”)\]*_]*(?=\s))|(?P<half>[,;:]|(?<=\s)[—–])(?=\s)"
)
_LAST_WORD = re.compile(r"([^\W_]+)\.\Z")
_BLANK = re.compile(r"[ \t]*\n*")
_LONGEST_CODE = 4_000
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*\d{1,3}\.\Z")


@dataclass(frozen=True, slots=True)
class Clauses:
    """What came and is no clause yet; `start` is its place in the whole text."""

    language: str
    cutting: Cutting = Cutting()
    start: int = 0
    rest: str = ""

    def feed(self, text: str) -> tuple[Clauses, tuple[Clause, ...]]:
        """The next piece of text, however it was cut, and the clauses that are complete now."""
        state, found = replace(self, rest=self.rest + text), list[Clause]()
        while (end := _end(state)) is not None:
            state, clause = _cut(state, end)
            found.append(clause)
        return state, tuple(found)

    def close(self) -> tuple[Clauses, tuple[Clause, ...]]:
        """The text is complete: what is left is a clause too."""
        state, found = self.feed("")
        if not state.rest:
            return state, found
        state, last = _cut(state, len(state.rest))
        return state, (*found, last)


def _cut(state: Clauses, end: int) -> tuple[Clauses, Clause]:
    text = state.rest[:end]
    clause = Clause(state.start, text, speakable(text, state.language, state.start))
    return replace(state, start=state.start + end, rest=state.rest[end:]), clause


def _end(state: Clauses) -> int | None:
    """Where the next clause ends, None if more text has to come."""
    rest, longest = state.rest, state.cutting.longest
    head = rest[:longest]
    in_one_piece = _inside(head, state.cutting) and len(rest) <= _LONGEST_CODE
    for mark in _MARK.finditer(rest):
        if mark.end() > longest and not in_one_piece:
            break
        if _ends_here(mark, rest[: mark.end()], state):
            end = _with_spaces(rest, mark.end())
            return end if end < len(rest) else None
    if len(rest) <= longest or in_one_piece:
        return None
    space = head.rfind(" ")
    return space + 1 if space > 0 else longest


def _ends_here(mark: re.Match[str], before: str, state: Clauses) -> bool:
    if not before.strip() or _inside(before, state.cutting):
        return False
    if mark.lastgroup == "line":
        return True
    if mark.lastgroup == "full":
        return not _is_short_form(before)
    return len(before.strip()) >= (state.cutting.comma if state.start else state.cutting.first)


def _with_spaces(text: str, end: int) -> int:
    """Spaces and line ends after a mark belong to the clause before it, an indent does not."""
    blank = _BLANK.match(text, end)
    return blank.end() if blank and text[end - 1] != "\n" else end


def _inside(text: str, cutting: Cutting) -> bool:
    """Whether code or a link is open at the end of this text."""
    if text.count("```") % 2:
        return len(text) <= _LONGEST_CODE
    line = text[text.rfind("\n") + 1 :]
    opened = line.rfind("[")
    if opened < 0 or len(line) - opened > cutting.longest:
        return False
    label, closed, address = line[opened:].partition("](")
    return ")" not in address if closed else "]" not in label


def _is_short_form(before: str) -> bool:
    """Whether the point is an abbreviation's, an initial's or a list number's."""
    if _LIST_NUMBER.search(before):
        return True
    word = _LAST_WORD.search(before)
    if word is None:
        return False
    last = word.group(1)
    initial = len(last) == 1 and last.isalpha() and last not in "Iя"
    return initial or last.casefold() in _ABBREVIATIONS
