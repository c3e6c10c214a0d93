"""Runs on another branch than the active one: they wait for nobody, and nobody waits for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gateway.core.log import Entry, Place, path
from gateway.live import SideBranch, Work
from gateway.ports.rows import InputRow, InputState
from gateway.ports.store import SetLeaf
from gateway.state import ThreadState

NEW = -1
"""The number of a branch that begins with its next entry."""


def names_another(state: ThreadState, row: InputRow) -> bool:
    """Whether an input names another branch than the active one, by another entry than the last
    that was said or done there.
    """
    seq = row.new.branch
    if seq is None or seq == state.thread.leaf:
        return False
    if seq != 0 and all(entry.seq != seq for entry in state.chain):
        return True
    return any(entry.seq > seq and entry.place is not Place.NOTE for entry in state.chain)


async def look_up(state: ThreadState, row: InputRow) -> None:
    """Have the branch that an input names at hand for its run."""
    seq, arrives = row.new.branch, row.state is InputState.NEW
    if seq is None or not (row.beside or (arrives and names_another(state, row))):
        return
    entries = await state.wiring.store.entries(state.thread.id)
    chain = path(entries, seq)
    goes_on = bool(chain) and all(entry.parent != seq for entry in entries)
    state.sides[seq] = SideBranch(chain, chain[-1].branch if goes_on else NEW)


def take(state: ThreadState, work: Work, row: InputRow) -> SideBranch:
    """The branch of a run that starts with this input. The tip of a branch is gone on from once;
    anything else begins a branch of its own.
    """
    assert row.new.branch is not None
    found = state.sides[row.new.branch]
    state.sides[row.new.branch] = SideBranch(found.chain, NEW)
    if found.number != NEW:
        return SideBranch(found.chain, found.number)
    number = state.thread.head + 1
    if number == state.thread.branch:  # the active one has moved, and has no entry yet
        state.thread = replace(state.thread, branch=number + 1)
        work.write(SetLeaf(state.thread.branch, state.thread.leaf))
    return SideBranch(found.chain, number)


def of_run(entries: Sequence[Entry], run: str) -> SideBranch:
    """The branch that a run is on, from the log."""
    tip = max((entry.seq for entry in entries if entry.run == run), default=0)
    chain = path(entries, tip)
    return SideBranch(chain, chain[-1].branch if chain else NEW)


def leave(state: ThreadState, work: Work, run: str, side: SideBranch) -> None:
    """A run beside has ended: what was said to it, and didn't join, goes on from there."""
    for row in [row for row in state.waiting() if row.beside and row.run == run]:
        new = replace(row.new, branch=side.tip)
        state.save_input(work, replace(row, new=new, run=None, joins=False))
        state.sides[side.tip] = SideBranch(side.chain, side.number)
