"""Every run without a thread: started, found, and how many are kept."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from gateway.api.auth import Caller
from gateway.api.feed import Feed
from gateway.api.rest import requests
from gateway.api.rest.loose import AGAIN_SECONDS, LooseRun, granted
from gateway.core.errors import KeyReused, RateLimited
from gateway.core.interrupts import Status
from gateway.ports.agent import CallFacts, Leave
from gateway.runs.memory import MemoryAgent, MemoryHost
from gateway.state import Wiring

KEPT: Final = 1_000
KEPT_A_PERSON: Final = 100
"""How many are kept, those that have ended among them; of these the oldest gives way."""


class LooseRuns:
    """Every run without a thread."""

    def __init__(self, feed: Feed, agent: MemoryAgent, wiring: Wiring) -> None:
        self._feed = feed
        self._agent = agent
        self._wiring = wiring
        self._runs: OrderedDict[str, LooseRun] = OrderedDict()
        self._keys: dict[tuple[str, str], tuple[str, str]] = {}

    def find(self, caller: Caller, run: str) -> LooseRun | None:
        """The caller's run of that id; somebody else's is none."""
        found = self._runs.get(run)
        return found if found is not None and found.caller.principal == caller.principal else None

    def start(self, caller: Caller, body: requests.StartRun, key: str) -> LooseRun:
        """Start a run; the same one again under the same key.

        Raises:
            RateLimited: too many are on. KeyReused: the key is another request's.
        """
        said = body.model_dump_json()
        known = self._keys.get((caller.principal, key)) if key else None
        if known is not None and known[0] in self._runs:
            if known[1] != said:
                raise KeyReused("this idempotency key was used for another request")
            return self._runs[known[0]]
        self._room(caller)
        run = self._wiring.ids.uuid()
        if not self._wiring.slots.take(run, granted, resume=False):
            self._wiring.slots.give_back(run)
            raise RateLimited("as many runs are on as may be", retryAfterSeconds=AGAIN_SECONDS)
        made = self._made(caller, body, run)
        self._runs[run] = made
        if key:
            self._keys[caller.principal, key] = (run, said)
        made.begin()
        return made

    def _made(self, caller: Caller, body: requests.StartRun, run: str) -> LooseRun:
        log = self._feed.begin(run, "")

        async def may_run(facts: CallFacts) -> Leave:
            if not self._wiring.access.may_run(facts.call.name, (caller.principal,)):
                return Leave.REFUSE
            if facts.approval is not None:
                approved = facts.approval.status is Status.APPROVED
                return Leave.RUN if approved else Leave.REFUSE
            return Leave.ASK if facts.needs_approval else Leave.RUN

        host = MemoryHost(
            self._agent,
            body.input,
            run=run,
            principals=(caller.principal,),
            language=body.language,
            options=body.options.options(),
            saves_history=False,
            may_run=may_run,
            on_show=log.grow,
        )
        host.start()
        return LooseRun(caller, host, log, self._wiring, self._feed)

    def _room(self, caller: Caller) -> None:
        own = [run for run in self._runs.values() if run.caller.principal == caller.principal]
        for runs, limit in ((own, KEPT_A_PERSON), (list(self._runs.values()), KEPT)):
            ended = [run for run in runs if run.over]
            if len(runs) < limit:
                continue
            if not ended:
                raise RateLimited("too many runs are on", retryAfterSeconds=AGAIN_SECONDS)
            self._runs.pop(ended[0].id, None)
        self._keys = {k: kept for k, kept in self._keys.items() if kept[0] in self._runs}

    def stop(self) -> None:
        """The process ends: so do these runs."""
        for run in [run for run in self._runs.values() if not run.over]:
            run.shut_down()
