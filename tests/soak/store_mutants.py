"""Named mutants of the store."""

from __future__ import annotations

from tests.soak.mutants import Mutant

STORES = (
    Mutant(
        "epoch: a stale owner still writes",
        "gateway/store/fenced.py",
        "    if held == 0:\n",
        "    if False:\n",
        "tests/store/test_contract.py::test_a_stale_epoch_writes_nothing",
    ),
    Mutant(
        "group: one that failed is not undone alone",
        "gateway/store/connection.py",
        '            execute("ROLLBACK TO one")\n',
        "",
        "tests/store/test_group_commit.py",
    ),
    Mutant(
        "group: who was cancelled before the turn is run",
        "gateway/supervise.py",
        "taken = [(future, fn) for future, fn in taken if not future.cancelled()]",
        "taken = list(taken)",
        "tests/store/test_group_commit.py",
    ),
    Mutant(
        "dedup: what was delivered again is taken again",
        "gateway/store/unfenced.py",
        "    if known:\n        return int(known[0]), False\n",
        "",
        "tests/acceptance/test_row_059_duplicates.py",
    ),
    Mutant(
        "storage: nobody is told that it failed",
        "gateway/session.py",
        "        if isinstance(error, StoreFailed):\n",
        "        if False:\n",
        "tests/acceptance/test_bad_storage.py::test_a_run_whose_commit_fails_goes_on_when_it_can",
    ),
)
