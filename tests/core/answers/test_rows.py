"""The bars: how many answers are understood, and that none is understood wrongly."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from gateway.core.answers import Value, answer_format, unsupported, validates
from tests.core.answers.rows import (
    FILES,
    Row,
    answer,
    means_the_same,
    own,
    shared,
    shared_folder,
)

BARS = {
    "yesno": (0.92, 0.005),
    "number": (0.90, 0.005),
    "enum": (0.90, 0.005),
    "mixed": (0.80, 0.01),
}


def scored(rows: Iterable[Row]) -> tuple[float, float, list[str], int]:
    """Recall, share of wrong values, what failed, and how many false yes."""
    known = right = wrong = false_yes = total = 0
    failed = []
    for row in rows:
        total += 1
        outcome = answer(row)
        known += row.expected is not None
        taken = isinstance(outcome, Value)
        value = outcome.value if isinstance(outcome, Value) else None
        fits = taken and row.expected is not None and means_the_same(row, value)
        right += fits
        if taken and not fits:
            wrong += 1
            false_yes += value is True
        if taken != (row.expected is not None) or (taken and not fits):
            failed.append(f"{row.name} {row.text!r}: {outcome}")
    return right / max(known, 1), wrong / max(total, 1), failed, false_yes


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kept", [False, True], ids=["open", "kept"])
def test_own_rows_are_all_understood(name: str, kept: bool) -> None:
    *_, failed, _ = scored(row for row in own(name) if row.kept is kept)
    assert failed == []


@pytest.mark.parametrize("name", FILES)
def test_shared_rows_clear_the_bars(name: str) -> None:
    folder = shared_folder()
    if folder is None:
        pytest.skip("the shared rows are not here: set BARGEIN_SHARED to their folder")
    recall, wrong, failed, false_yes = scored(shared(folder, name))
    bar, most_wrong = BARS[name]
    assert (recall >= bar, wrong <= most_wrong, false_yes) == (True, True, 0), failed


@pytest.mark.parametrize("name", FILES)
def test_every_value_validates_and_has_a_read_back(name: str) -> None:
    for row in own(name):
        outcome = answer(row)
        if isinstance(outcome, Value):
            assert validates(outcome.value, row.schema) is None, row.text
            assert isinstance(outcome.read_back, str), row.text


@pytest.mark.parametrize("name", FILES)
def test_every_schema_of_the_rows_can_be_asked(name: str) -> None:
    for row in own(name):
        assert unsupported(row.schema) == ()
        assert 0 < len(answer_format(row.schema, "en")) < 200
        assert 0 < len(answer_format(row.schema, "ru")) < 200
