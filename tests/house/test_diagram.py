"""The run's machine is drawn into docs/design.md from its table."""

import pytest

from gateway.core.events import Launched, MovedOn, State
from gateway.core.run import TABLE
from gateway.core.run_rules import Rule, moved_on
from tools import diagram


def test_the_page_shows_the_table():
    assert diagram.main(["--check"]) == 0


def test_a_new_cell_changes_the_drawing_and_the_list():
    changed = {**TABLE, (State.STOPPING, MovedOn): Rule(moved_on, (State.ENDED,))}
    assert "stopping --> ended: Ended, GraceOver, Recovered, MovedOn" in diagram.diagram(changed)
    assert diagram.matrix(changed) != diagram.matrix()


def test_pairs_that_are_refused_ignored_and_illegal_are_told_apart():
    rows = {row.split(" | ")[0]: row for row in diagram.matrix().splitlines()}
    assert rows["| " + Launched.__name__].endswith("| stays | – | – | – | – | refused |")


def test_what_stands_around_the_drawing_stays_and_without_marks_nothing_is_drawn():
    page = f"before\n{diagram.BEGIN}\nold\n{diagram.END}\nafter\n"
    fresh = diagram.drawn(page)
    assert fresh.startswith(f"before\n{diagram.BEGIN}\n")
    assert fresh.endswith(f"{diagram.END}\nafter\n")
    assert "old" not in fresh
    with pytest.raises(SystemExit):
        diagram.drawn("no marks")
