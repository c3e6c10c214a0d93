"""What every reader of an answer is given besides the text and the schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from gateway.core.answers.types import How, ProblemCode


@dataclass(frozen=True, slots=True)
class Context:
    """Whose answer it is. `closed` refuses open words: the text was repaired as a whole."""

    languages: tuple[str, ...]
    spoken: bool = False
    now: datetime | None = None
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Got:
    """A value that the text commits to, not yet checked against the schema."""

    value: object
    how: How = How.EXACT


@dataclass(frozen=True, slots=True)
class Miss:
    """Why there is no value, with the parts of a message."""

    code: ProblemCode
    params: Mapping[str, object] = field(default_factory=dict)


Result = Got | Miss
