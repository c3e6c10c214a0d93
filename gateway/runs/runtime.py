"""What a process gives its runs: spawner, time, chance, graces, threads, error report."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import cache

from gateway.clock import SystemClock, SystemIds
from gateway.core.cancellation import Graces
from gateway.ports.clock import Clock, Ids
from gateway.ports.model import ReadFile, no_files
from gateway.runs.budgets import Ceiling
from gateway.runs.threads import SyncThreads
from gateway.supervise import Report, Supervisor


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """One per process. `report` hears of errors that nobody is told about otherwise; `read` gives
    the files that people attach, `ceiling` is what every run may use at most.
    """

    supervisor: Supervisor
    clock: Clock
    ids: Ids
    report: Report
    graces: Graces = field(default_factory=Graces)
    threads: SyncThreads = field(default_factory=SyncThreads)
    read: ReadFile = no_files
    ceiling: Ceiling = field(default_factory=Ceiling)


@cache
def default_runtime() -> Runtime:
    """The runtime of an agent that no gateway runs: the machine's time, errors to stderr."""

    def report(name: str, error: BaseException) -> None:
        sys.excepthook(type(error), error, error.__traceback__)

    return Runtime(
        supervisor=Supervisor(report), clock=SystemClock(), ids=SystemIds(), report=report
    )
