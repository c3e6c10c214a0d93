"""What understanding an answer can come to: a value, a problem, or a control word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Channel = Literal["text", "speech"]
Schema = Mapping[str, object]


class How(StrEnum):
    """How a value was read; everything but `exact` is worth an echo to the person."""

    EXACT = "exact"
    REPAIRED = "repaired"
    SPOKEN = "spoken"
    INDEX = "index"
    CORRECTED = "corrected"


class ProblemCode(StrEnum):
    """Why a text was not taken; the set is closed and stable (`render_problem` has a text each)."""

    EMPTY = "empty"
    NOT_UNDERSTOOD = "not_understood"
    UNHEARD = "unheard"
    AMBIGUOUS = "ambiguous"
    CONTRADICTION = "contradiction"
    HEDGED = "hedged"
    CONDITIONAL = "conditional"
    DEFERRED = "deferred"
    NEGATED = "negated"
    MENTION = "mention"
    QUESTION = "question"
    APPROXIMATE = "approximate"
    OUT_OF_RANGE = "out_of_range"
    WRONG_STEP = "wrong_step"
    NOT_WHOLE = "not_whole"
    NOT_A_MEMBER = "not_a_member"
    WRONG_COUNT = "wrong_count"
    BAD_GROUPING = "bad_grouping"
    BAD_FORMAT = "bad_format"
    BAD_DATE = "bad_date"
    INCOMPLETE = "incomplete"
    MISSING_FIELD = "missing_field"
    UNKNOWN_FIELD = "unknown_field"
    BAD_JSON = "bad_json"
    WRONG_UNIT = "wrong_unit"
    WRONG_LENGTH = "wrong_length"


class ControlKind(StrEnum):
    """Words about the question itself; never a value, never a permission."""

    CANCEL = "cancel"
    SKIP = "skip"
    REPEAT = "repeat"
    HELP = "help"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Value:
    """The whole text commits to `value`, and the schema allows it.

    `read_back` says the value in the person's language, for an echo or a card.
    """

    value: object
    how: How
    read_back: str


@dataclass(frozen=True, slots=True)
class Problem:
    """The text was not taken.

    `params` are the parts of the message (`render_problem`); `note` is what the person added
    and the agent may want to know ("yes, but only eu"); `attempt` is False where the text does
    not look like an answer at all: the person has moved on.
    """

    code: ProblemCode
    params: Mapping[str, object] = field(default_factory=dict)
    note: str | None = None
    attempt: bool = True


@dataclass(frozen=True, slots=True)
class Control:
    """The text is a control word and no member of the schema."""

    kind: ControlKind


Outcome = Value | Problem | Control
