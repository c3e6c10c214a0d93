"""Draws the policy's tables from the code into docs/voice-core.md; `--check` only compares."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from tools.marks import Parts, table, write
from voice.core.barge_in import DEFAULT, RULES
from voice.core.clauses import Cutting
from voice.core.endpointing import Endpointing
from voice.core.floor import Phase, Policy, Profile
from voice.core.vad import Gating


def rules() -> str:
    """What words do, in the order in which it is tried."""
    rows = [[str(at), rule.when, rule.then, f"({rule.line})"] for at, rule in enumerate(RULES, 1)]
    return table(["", "the words are", "what comes of it", "line"], rows)


def profiles() -> str:
    """The thresholds of every phase."""
    texts = _texts(Profile)
    rows = [
        [f"`{name}`", *(str(getattr(DEFAULT.profiles[phase], name)) for phase in Phase), text]
        for name, text in texts.items()
    ]
    return table(["", *Phase, ""], rows)


def values(*kinds: type) -> Callable[[], str]:
    """The fields of these dataclasses that are numbers, with their defaults."""

    def make() -> str:
        rows = []
        for kind in kinds:
            made = kind()
            texts = _texts(kind)
            rows += [
                [f"`{kind.__name__}.{name}`", str(getattr(made, name)), text]
                for name, text in texts.items()
            ]
        return table(["", "default", ""], rows)

    return make


def _texts(kind: Any) -> dict[str, str]:
    """The line of text under each field that is a number."""
    names = {field.name for field in fields(kind) if field.type in ("int", "float")}
    texts = {field.name: "" for field in fields(kind) if field.name in names}
    last = ""
    for line in inspect.getsource(kind).splitlines():
        name = line.strip().partition(":")[0]
        last = name if name in names else last
        if last and line.strip().startswith('"""') and not texts[last]:
            texts[last] = line.strip().strip('"')
    return texts


PAGES: Mapping[str, Parts] = {
    "voice-core.md": {
        "words": rules,
        "profiles": profiles,
        "other times": values(Policy, Gating, Endpointing, Cutting),
    },
}


if __name__ == "__main__":
    sys.exit(write(PAGES, "voice_policy", sys.argv[1:]))
