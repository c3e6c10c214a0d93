"""Pages of docs/ whose marked parts are made from the code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
BEGIN = "<!-- {name}, made by tools/{tool}.py: begin -->"
END = "<!-- {name}: end -->"

Parts = Mapping[str, Callable[[], str]]


def drawn(page: str, parts: Parts, tool: str) -> str:
    """The page with its parts made anew.

    Raises:
        ValueError: a part's marks are missing.
    """
    for name, make in parts.items():
        begin, end = BEGIN.format(name=name, tool=tool), END.format(name=name)
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise ValueError(f"the marks of {name!r} are missing")
        page = f"{before}{begin}\n\n{make()}\n\n{end}{after}"
    return page


def write(pages: Mapping[str, Parts], tool: str, arguments: Sequence[str]) -> int:
    """Write the pages, or with `--check` only compare: 1 where one is out of date."""
    stale = 0
    for name, parts in pages.items():
        path = DOCS / name
        page = path.read_text(encoding="utf-8")
        fresh = drawn(page, parts, tool)
        if fresh != page and "--check" in arguments:
            print(f"docs/{name} is out of date: run python -m tools.{tool}")
            stale = 1
        elif fresh != page:
            path.write_text(fresh, encoding="utf-8")
    return stale


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
