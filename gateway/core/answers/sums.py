"""Adding up number words: scales fall, and every word has to fit below the one before it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from gateway.core.answers.numberwords import Numbers

_ROOM = {"z": 0, "u": 10, "t": 100, "T": 100, "H": 1000}
_LEFT = {"u": 1, "t": 1, "T": 10, "H": 100}


@dataclass(slots=True)
class Sum:
    """The number so far: whole scales in `total`, the running group of three below them."""

    total: Decimal = Decimal(0)
    group: Decimal | None = None
    room: int = 1000
    scale: int = 10**18
    hundreds: bool = False
    scaled: bool = False

    def add(self, kind: str, value: int) -> bool:
        """Whether the word goes on with this number, and if so it is counted in."""
        if kind in _LEFT:
            if self.room < _ROOM[kind] or (self.scaled and self.scale <= value):
                return False
            self.group = (self.group or Decimal(0)) + value
            self.room = _LEFT[kind]
            return True
        if kind == "h":
            if self.hundreds or (self.group is not None and not self._countable()):
                return False
            self.group = (Decimal(1) if self.group is None else self.group) * 100
            self.room, self.hundreds = 100, True
            return True
        return kind == "s" and self._scale(value)

    def _countable(self) -> bool:
        return self.group is not None and 0 < self.group < 100

    def _scale(self, value: int) -> bool:
        if value >= self.scale or (self.group is None and self.scaled) or self.group == 0:
            return False
        self.total += (Decimal(1) if self.group is None else self.group) * value
        self.group, self.room, self.scale = None, 1000, value
        self.hundreds, self.scaled = False, True
        return True

    def value(self) -> Decimal:
        return self.total + (self.group or Decimal(0))


def split_compound(word: str, numbers: Numbers) -> tuple[str, ...] | None:
    """Two or three number words written as one ("шестьсотпять", "twentyfive")."""
    for cut in range(3, len(word) - 2):
        head, tail = word[:cut], word[cut:]
        if numbers.words.get(head, ("", 0))[0] in ("T", "H", "s", "h"):
            if numbers.words.get(tail, ("", 0))[0] in ("u", "t", "T", "ou"):
                return head, tail
            rest = split_compound(tail, numbers) if len(tail) > 6 else None
            if rest is not None:
                return head, *rest
    return None
