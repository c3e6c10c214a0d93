"""Understanding what a person answered: `parse_answer` and what goes with it."""

from __future__ import annotations

from gateway.core.answers.explain import Explanation, Stretch, explain
from gateway.core.answers.lexical import (
    ALL_LANGUAGES,
    control_word,
    folded,
    is_backchannel,
    is_hold_word,
    is_presence_check,
    is_resume_word,
    is_stop_word,
    now_text,
    opens_with_correction,
    small_talk,
)
from gateway.core.answers.parse import is_member, parse_answer
from gateway.core.answers.plan import unsupported
from gateway.core.answers.readback import read_back
from gateway.core.answers.render import answer_format, render_problem
from gateway.core.answers.sayable import Sayable, in_words, sayable
from gateway.core.answers.schema import SchemaError, validates
from gateway.core.answers.types import (
    Channel,
    Control,
    ControlKind,
    How,
    Outcome,
    Problem,
    ProblemCode,
    Schema,
    Value,
)

__all__ = [
    "ALL_LANGUAGES",
    "Channel",
    "Control",
    "ControlKind",
    "Explanation",
    "How",
    "Outcome",
    "Problem",
    "ProblemCode",
    "Sayable",
    "Schema",
    "SchemaError",
    "Stretch",
    "Value",
    "answer_format",
    "control_word",
    "explain",
    "folded",
    "in_words",
    "is_backchannel",
    "is_hold_word",
    "is_member",
    "is_presence_check",
    "is_resume_word",
    "is_stop_word",
    "now_text",
    "opens_with_correction",
    "parse_answer",
    "read_back",
    "render_problem",
    "sayable",
    "small_talk",
    "unsupported",
    "validates",
]
