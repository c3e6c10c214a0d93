"""Which of the waiting inputs a run starts with next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from gateway.core.queueing import Priority


@dataclass(frozen=True, slots=True)
class Waiting:
    """An input in the queue. `collect` marks one that is merged with its neighbours, `own_burst`
    one that is merged with its own sender's only.
    """

    seq: int
    priority: Priority
    principal: str
    collect: bool = False
    own_burst: bool = False


def in_order(waiting: Iterable[Waiting]) -> list[Waiting]:
    """NOW, NEXT, LATER; first come, first served inside each."""
    return sorted(waiting, key=lambda item: (item.priority, item.seq))


def next_inputs(waiting: Iterable[Waiting]) -> tuple[Waiting, ...]:
    """What the next run starts with: one input, or a person's NOWs together, or a collection."""
    queue = in_order(waiting)
    if not queue:
        return ()
    first = queue[0]
    if first.priority is Priority.NOW:
        return tuple(
            item
            for item in queue
            if item.priority is Priority.NOW and item.principal == first.principal
        )
    if first.collect:
        alike = [item for item in queue if item.priority is first.priority]
        if first.own_burst:
            alike = [item for item in alike if item.principal == first.principal]
        return tuple(takewhile(lambda item: item.collect, alike))
    return (first,)
