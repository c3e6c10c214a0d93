"""Who owns a thread: a value with the fencing token that every write carries."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lease:
    """An owner's hold on one thread. `epoch` is the fencing token: it only ever grows."""

    thread: str
    owner: str
    epoch: int
