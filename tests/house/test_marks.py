"""What is made from the code stands between its marks; what is around it stays."""

import pytest

from tools.marks import BEGIN, END, drawn, write

FIRST, LAST = BEGIN.format(name="list", tool="lister"), END.format(name="list")
PARTS = {"list": lambda: "new"}


def test_what_is_between_the_marks_is_made_anew():
    page = f"before\n{FIRST}\nold\n{LAST}\nafter\n"
    fresh = drawn(page, PARTS, "lister")
    assert fresh == f"before\n{FIRST}\n\nnew\n\n{LAST}\nafter\n"
    assert drawn(fresh, PARTS, "lister") == fresh


@pytest.mark.parametrize("page", ["nothing", FIRST, LAST, f"{LAST} {FIRST}"])
def test_a_page_without_its_marks_is_an_error(page: str):
    with pytest.raises(ValueError, match="list"):
        drawn(page, PARTS, "lister")


def test_a_page_that_is_out_of_date_is_told_and_left(capsys: pytest.CaptureFixture[str]):
    pages = {"design.md": {"the run": lambda: "another machine"}}
    assert write(pages, "diagram", ["--check"]) == 1
    assert "docs/design.md" in capsys.readouterr().out
    assert write({}, "diagram", ["--check"]) == 0
