"""Draws the run's machine from `run.TABLE` into docs/design.md; `--check` only compares."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import get_args

from gateway.core.events import Event, State
from gateway.core.run import TABLE
from gateway.core.run_rules import Rule, refuse, stay
from tools.marks import Parts, table, write

Table = Mapping[tuple[State, type], Rule]


def diagram(machine: Table = TABLE) -> str:
    """The states, and the events that lead from one to another, in mermaid's language."""
    labels: dict[tuple[State, State], list[str]] = {}
    for (state, event), rule in machine.items():
        for to in rule.to:
            if to is not state:
                labels.setdefault((state, to), []).append(event.__name__)
    edges = [f"    {state} --> {to}: {', '.join(events)}" for (state, to), events in labels.items()]
    first, last = f"    [*] --> {State.STARTING}", f"    {State.ENDED} --> [*]"
    return "\n".join(["```mermaid", "stateDiagram-v2", first, *edges, last, "```"])


def matrix(machine: Table = TABLE) -> str:
    """Every state × event pair: where it leads, or that it is refused, ignored or illegal."""
    rows = [
        [event.__name__, *(_cell(state, machine.get((state, event))) for state in State)]
        for event in get_args(Event)
    ]
    return table(["event", *State], rows)


def _cell(state: State, rule: Rule | None) -> str:
    if rule is None:
        return "–"
    if rule.apply is refuse:
        return "refused"
    if rule.apply is stay:
        return "ignored"
    return " or ".join("stays" if to is state else f"→ {to}" for to in rule.to)


PAGES: Mapping[str, Parts] = {"design.md": {"the run": lambda: f"{diagram()}\n\n{matrix()}"}}


if __name__ == "__main__":
    sys.exit(write(PAGES, "diagram", sys.argv[1:]))
