"""Named mutants: a change that must turn a named test red.

Each is applied to a copy of the tree, where its one test then runs: it has to fail.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TREE = ("gateway", "voice", "tests", "examples", "pyproject.toml")
FAILED = 1
"""pytest's exit code where tests ran and failed."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """`old`, which stands once in `file`, becomes `new`; `test` must see it."""

    name: str
    file: str
    old: str
    new: str
    test: str


def copy_tree(to: Path) -> None:
    """The part of the tree that tests need."""
    skip = shutil.ignore_patterns("__pycache__", "*.pyc", ".hypothesis")
    for name in TREE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=skip)
        else:
            shutil.copy(ROOT / name, to / name)


def apply(mutant: Mutant, tree: Path) -> None:
    """Make the change.

    Raises:
        ValueError: what it changes isn't there exactly once.
    """
    path = tree / mutant.file
    source = path.read_text(encoding="utf-8")
    if source.count(mutant.old) != 1:
        raise ValueError(f"{mutant.name}: {mutant.file} has it {source.count(mutant.old)} times")
    path.write_text(source.replace(mutant.old, mutant.new), encoding="utf-8")


def run_test(test: str, tree: Path, seconds: float = 120.0) -> tuple[int, str]:
    """The exit code of pytest, and what it said."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", test, "-x", "-q", "--no-header"),
            *("-p", "no:cacheprovider", "-p", "no:randomly", "--timeout", "30"),
        ],
        cwd=tree,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )
    return done.returncode, done.stdout
