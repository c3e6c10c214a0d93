"""Every mutant turns its test red; three of them in CI."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.soak.answer_mutants import ANSWERS
from tests.soak.hearing_mutants import HEARING
from tests.soak.mutants import FAILED, Mutant, apply, copy_tree, run_test
from tests.soak.question_mutants import QUESTIONS
from tests.soak.rest_mutants import REST
from tests.soak.run_mutants import RUNS
from tests.soak.store_mutants import STORES
from tests.soak.telegram_mutants import TELEGRAM
from tests.soak.voice_mutants import VOICE
from tests.soak.wire_mutants import WIRES

SEED = 20260302
ALL = (*RUNS, *QUESTIONS, *ANSWERS, *STORES, *REST, *TELEGRAM, *VOICE, *HEARING, *WIRES)
SLICE = random.Random(SEED).sample(ALL, 3)


def _names(mutants: list[Mutant]) -> list[str]:
    return [mutant.name for mutant in mutants]


def _is_seen(mutant: Mutant, tree: Path) -> None:
    copy_tree(tree)
    apply(mutant, tree)
    code, out = run_test(mutant.test, tree)
    assert code == FAILED, f"{mutant.test} ends with {code} under {mutant.name!r}:\n{out[-2000:]}"


def test_every_mutant_fits_the_code(tmp_path: Path) -> None:
    """Whoever moves or renames what a mutant changes, or its test, moves the mutant along."""
    copy_tree(tmp_path)
    for mutant in ALL:
        source = (tmp_path / mutant.file).read_text(encoding="utf-8")
        assert source.count(mutant.old) == 1, mutant.name
        file, _, name = mutant.test.partition("::")
        assert name in (tmp_path / file).read_text(encoding="utf-8"), mutant.name


@pytest.mark.slow
@pytest.mark.parametrize("mutant", SLICE, ids=_names(SLICE))
def test_some_mutants_are_seen(mutant: Mutant, tmp_path: Path) -> None:
    _is_seen(mutant, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("mutant", ALL, ids=_names(list(ALL)))
def test_every_mutant_is_seen(mutant: Mutant, tmp_path: Path) -> None:
    _is_seen(mutant, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("test", sorted({mutant.test for mutant in ALL}))
def test_without_a_mutant_it_is_green(test: str, tmp_path: Path) -> None:
    copy_tree(tmp_path)
    code, out = run_test(test, tmp_path)
    assert code == 0, out[-2000:]
