"""Draws the run's machine from `run.TABLE` into docs/design.md; `--check` only compares."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from gateway.core.events import Event, State
from gateway.core.run import TABLE
from gateway.core.run_rules import Rule, refuse, stay

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "design.md"
BEGIN = "<!-- drawn by tools/diagram.py: begin -->"
END = "<!-- drawn by tools/diagram.py: end -->"

Table = Mapping[tuple[State, type], Rule]


def diagram(table: Table = TABLE) -> str:
    """The states, and the events that lead from one to another, in mermaid's language."""
    labels: dict[tuple[State, State], list[str]] = {}
    for (state, event), rule in table.items():
        for to in rule.to:
            if to is not state:
                labels.setdefault((state, to), []).append(event.__name__)
    edges = [f"    {state} --> {to}: {', '.join(events)}" for (state, to), events in labels.items()]
    first, last = f"    [*] --> {State.STARTING}", f"    {State.ENDED} --> [*]"
    return "\n".join(["```mermaid", "stateDiagram-v2", first, *edges, last, "```"])


def matrix(table: Table = TABLE) -> str:
    """Every state × event pair: where it leads, or that it is refused, ignored or illegal."""
    rows = [["event", *State], ["---"] * (len(State) + 1)]
    rows += [
        [event.__name__, *(_cell(state, table.get((state, event))) for state in State)]
        for event in get_args(Event)
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(state: State, rule: Rule | None) -> str:
    if rule is None:
        return "–"
    if rule.apply is refuse:
        return "refused"
    if rule.apply is stay:
        return "ignored"
    return " or ".join("stays" if to is state else f"→ {to}" for to in rule.to)


def drawn(page: str) -> str:
    """The page with what lies between its two marks drawn anew."""
    before, _, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"{PAGE.name} lacks the marks {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{diagram()}\n\n{matrix()}\n\n{END}{after}"


def main(arguments: list[str]) -> int:
    page = PAGE.read_text(encoding="utf-8")
    fresh = drawn(page)
    if fresh == page:
        return 0
    if "--check" in arguments:
        print(f"{PAGE.relative_to(ROOT)} shows another run table: run tools/diagram.py")
        return 1
    PAGE.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
