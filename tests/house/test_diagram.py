"""The run's machine is drawn into docs/design.md from its table."""

from gateway.core.events import Launched, MovedOn, State
from gateway.core.run import TABLE
from gateway.core.run_rules import Rule, moved_on
from tools import diagram, marks


def test_the_page_shows_the_table():
    assert marks.write(diagram.PAGES, "diagram", ["--check"]) == 0


def test_a_new_cell_changes_the_drawing_and_the_list():
    changed = {**TABLE, (State.STOPPING, MovedOn): Rule(moved_on, (State.ENDED,))}
    assert "stopping --> ended: Ended, GraceOver, Recovered, MovedOn" in diagram.diagram(changed)
    assert diagram.matrix(changed) != diagram.matrix()


def test_pairs_that_are_refused_ignored_and_illegal_are_told_apart():
    rows = {row.split(" | ")[0]: row for row in diagram.matrix().splitlines()}
    assert rows["| " + Launched.__name__].endswith("| stays | – | – | – | – | refused |")
