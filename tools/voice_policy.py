"""Draws the policy's tables from the code into docs/voice-core.md; `--check` only compares."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from voice.core.barge_in import DEFAULT, RULES
from voice.core.clauses import Cutting
from voice.core.endpointing import Endpointing
from voice.core.floor import Phase, Policy, Profile
from voice.core.vad import Gating

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "voice-core.md"


def rules() -> str:
    """What words do, in the order in which it is tried."""
    rows = [[str(at), rule.when, rule.then, f"({rule.line})"] for at, rule in enumerate(RULES, 1)]
    return _table(["", "the words are", "what comes of it", "line"], rows)


def profiles() -> str:
    """The thresholds of every phase."""
    texts = _texts(Profile)
    rows = [
        [f"`{name}`", *(str(getattr(DEFAULT.profiles[phase], name)) for phase in Phase), text]
        for name, text in texts.items()
    ]
    return _table(["", *Phase, ""], rows)


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
        return _table(["", "default", ""], rows)

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


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


BEGIN = "<!-- {name}, drawn by tools/voice_policy.py: begin -->"
END = "<!-- {name}: end -->"
PARTS: Mapping[str, Callable[[], str]] = {
    "words": rules,
    "profiles": profiles,
    "other times": values(Policy, Gating, Endpointing, Cutting),
}


def drawn(page: str) -> str:
    """The page with its tables drawn anew.

    Raises:
        ValueError: a table's marks are missing.
    """
    for name, make in PARTS.items():
        begin, end = BEGIN.format(name=name), END.format(name=name)
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise ValueError(f"the marks of {name!r} are missing")
        page = f"{before}{begin}\n\n{make()}\n\n{end}{after}"
    return page


def main(arguments: list[str]) -> int:
    """Write, or with `--check` only compare: 1 where the page is out of date."""
    page = PAGE.read_text(encoding="utf-8")
    fresh = drawn(page)
    if fresh == page:
        return 0
    if "--check" in arguments:
        print(f"docs/{PAGE.name} shows another policy: run tools/voice_policy.py")
        return 1
    PAGE.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
