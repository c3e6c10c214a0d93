"""What a language has to bring, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Talk:
    """Words about the conversation, each a whole message in lower case, `ё` written `е`.

    `controls` maps the name of a `ControlKind` to its words.
    """

    controls: Mapping[str, frozenset[str]]
    hold: frozenset[str]
    resume: frozenset[str]
    backchannels: frozenset[str]
    presence: frozenset[str]
    corrections: frozenset[str]
