"""Keys as an answer: a digit picks an option, several are a number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from gateway.core.answers import validates
from gateway.core.interrupts import Interrupt, QuestionKind
from gateway.deciding import choices
from voice.core.endpointing import Form, form_of

KEYS = frozenset("0123456789*#")
ENTRY_MS = 3_000
"""A number is over so long after its last digit, or at once by `#`; `*` begins it anew."""
LONGEST_ENTRY = 40


class Keys(StrEnum):
    """What keys can say to a question."""

    OPTION = "option"
    NUMBER = "number"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Pressed:
    """An option of the question, by its key, or else the digits of a number."""

    option: str = ""
    digits: str = ""

    @property
    def nothing(self) -> bool:
        """Whether what was pressed stands for nothing that the question takes."""
        return not (self.option or self.digits)


def options(question: Interrupt) -> list[str]:
    """What digits from 1 on pick, in order."""
    if question.kind is not QuestionKind.INPUT:
        return ["approve", "deny"]
    return [key for key, _ in choices(question)]


def kind_of(question: Interrupt) -> Keys:
    """What keys can say to this question."""
    if options(question):
        return Keys.OPTION
    numeric = question.schema.get("type") in ("integer", "number")
    digits = form_of(question.schema) in (Form.COUNTED, Form.OPEN)
    return Keys.NUMBER if numeric or digits else Keys.NOTHING


@dataclass(slots=True)
class Entry:
    """Digits pressed for one question, until they say something."""

    question: str
    digits: str = ""
    last_ms: int = 0

    def press(self, key: str, question: Interrupt, now_ms: int) -> Pressed | None:
        """What is said with this key, None while more may come or where it began anew."""
        self.last_ms = now_ms
        if key == "*":
            self.digits = ""
        elif key == "#":
            return self.done(question)
        elif len(self.digits) < LONGEST_ENTRY:
            self.digits += key
        return self.done(question) if self._full(question) else None

    def due_ms(self) -> int | None:
        """When the digits are all, if no more come."""
        return self.last_ms + ENTRY_MS if self.digits else None

    def done(self, question: Interrupt) -> Pressed | None:
        """The digits are all."""
        digits, self.digits = self.digits, ""
        if not digits or kind_of(question) is Keys.NUMBER:
            return Pressed(digits=digits)
        listed, place = options(question), int(digits)
        return Pressed(option=listed[place - 1] if 0 < place <= len(listed) else "")

    def _full(self, question: Interrupt) -> bool:
        if not self.digits:
            return False
        if kind_of(question) is Keys.OPTION:
            return int(self.digits) * 10 > len(options(question))
        return _counted(question.schema) and validates(self.digits, question.schema) is None


def _counted(schema: Mapping[str, Any]) -> bool:
    return form_of(schema) is Form.COUNTED
