"""Row 111: each race of the engine has tests of its own, named by its number."""

from pathlib import Path

import pytest

FLOWS = Path(__file__).parents[1] / "flows"
RACES = [*range(1, 11), 13, *range(16, 32)]


@pytest.mark.parametrize("number", RACES)
def test_a_race_has_its_tests(number: int):
    files = sorted(FLOWS.glob(f"test_race_{number:02}_*.py"))
    assert any("def test_" in file.read_text(encoding="utf-8") for file in files)
