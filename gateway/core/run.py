"""THE TABLE: one machine per run, `state × event → state, effects`.

A pair that isn't listed raises `IllegalEvent` and changes nothing. `docs/design.md` draws its
diagram from `TABLE`. Modes are never states: `queueing.decide_input` stands before this.
"""

from __future__ import annotations

from collections.abc import Mapping

from gateway.core import run_rules as rules
from gateway.core.errors import IllegalEvent
from gateway.core.events import (
    Asked,
    Began,
    CallReturned,
    CallStarted,
    Decided,
    Ended,
    Event,
    GraceOver,
    Launched,
    MovedOn,
    Noted,
    PromptDelivered,
    Recovered,
    Run,
    Settled,
    State,
    StepDone,
    StopRequested,
)
from gateway.core.run_rules import Outcome, Rule

S = State
TABLE: Mapping[tuple[State, type], Rule] = {
    (S.STARTING, Launched): Rule(rules.launched, (S.STARTING,)),
    (S.STARTING, Began): Rule(rules.began, (S.RUNNING,)),
    (S.STARTING, Ended): Rule(rules.ended, (S.ENDED, S.DELIVERING)),
    (S.STARTING, StopRequested): Rule(rules.stop_starting, (S.ENDED, S.STOPPING)),
    (S.STARTING, PromptDelivered): Rule(rules.withdraw, (S.STARTING,)),
    (S.STARTING, Decided): Rule(rules.refuse, (S.STARTING,)),
    (S.STARTING, Settled): Rule(rules.settled, (S.STARTING,)),
    (S.STARTING, Recovered): Rule(rules.recover_starting, (S.STARTING, S.ENDED)),
    (S.RUNNING, CallStarted): Rule(rules.call_started, (S.RUNNING,)),
    (S.RUNNING, CallReturned): Rule(rules.call_returned, (S.RUNNING,)),
    (S.RUNNING, Noted): Rule(rules.noted, (S.RUNNING,)),
    (S.RUNNING, StepDone): Rule(rules.step_done, (S.RUNNING,)),
    (S.RUNNING, Asked): Rule(rules.asked, (S.ASKING,)),
    (S.RUNNING, Ended): Rule(rules.ended, (S.ENDED, S.DELIVERING)),
    (S.RUNNING, StopRequested): Rule(rules.stop_running, (S.STOPPING,)),
    (S.RUNNING, PromptDelivered): Rule(rules.withdraw, (S.RUNNING,)),
    (S.RUNNING, Decided): Rule(rules.refuse, (S.RUNNING,)),
    (S.RUNNING, Settled): Rule(rules.settled, (S.RUNNING,)),
    (S.RUNNING, Recovered): Rule(rules.recover_running, (S.STARTING, S.ENDED)),
    (S.STOPPING, Began): Rule(rules.refuse, (S.STOPPING,)),
    (S.STOPPING, CallStarted): Rule(rules.refuse, (S.STOPPING,)),
    (S.STOPPING, CallReturned): Rule(rules.call_returned, (S.STOPPING,)),
    (S.STOPPING, Noted): Rule(rules.noted, (S.STOPPING,)),
    (S.STOPPING, StepDone): Rule(rules.step_done, (S.STOPPING,)),
    (S.STOPPING, Asked): Rule(rules.refuse, (S.STOPPING,)),
    (S.STOPPING, Ended): Rule(rules.ended_while_stopping, (S.ENDED,)),
    (S.STOPPING, StopRequested): Rule(rules.stop_again, (S.STOPPING,)),
    (S.STOPPING, GraceOver): Rule(rules.grace_over, (S.ENDED,)),
    (S.STOPPING, PromptDelivered): Rule(rules.withdraw, (S.STOPPING,)),
    (S.STOPPING, Decided): Rule(rules.refuse, (S.STOPPING,)),
    (S.STOPPING, Settled): Rule(rules.settled, (S.STOPPING,)),
    (S.STOPPING, Recovered): Rule(rules.recover_stopping, (S.ENDED,)),
    (S.ASKING, StopRequested): Rule(rules.stop_asking, (S.ENDED,)),
    (S.ASKING, PromptDelivered): Rule(rules.delivered, (S.ASKING,)),
    (S.ASKING, Decided): Rule(rules.decided, (S.ASKING, S.STARTING)),
    (S.ASKING, MovedOn): Rule(rules.moved_on, (S.ENDED,)),
    (S.ASKING, Settled): Rule(rules.settled, (S.ASKING,)),
    (S.ASKING, Recovered): Rule(rules.recover_asking, (S.ASKING,)),
    (S.DELIVERING, StopRequested): Rule(rules.stop_delivering, (S.ENDED,)),
    (S.DELIVERING, PromptDelivered): Rule(rules.withdraw, (S.DELIVERING,)),
    (S.DELIVERING, Settled): Rule(rules.settled_delivering, (S.DELIVERING, S.ENDED)),
    (S.DELIVERING, Recovered): Rule(rules.recover_delivering, (S.ENDED,)),
    (S.ENDED, Launched): Rule(rules.refuse, (S.ENDED,)),
    (S.ENDED, Began): Rule(rules.refuse, (S.ENDED,)),
    (S.ENDED, CallStarted): Rule(rules.refuse, (S.ENDED,)),
    (S.ENDED, CallReturned): Rule(rules.refuse, (S.ENDED,)),
    (S.ENDED, Noted): Rule(rules.refuse, (S.ENDED,)),
    (S.ENDED, StepDone): Rule(rules.refuse, (S.ENDED,)),
    (S.ENDED, Asked): Rule(rules.refuse, (S.ENDED,)),
    (S.ENDED, Ended): Rule(rules.refuse, (S.ENDED,)),
    (S.ENDED, StopRequested): Rule(rules.stay, (S.ENDED,)),
    (S.ENDED, GraceOver): Rule(rules.stay, (S.ENDED,)),
    (S.ENDED, PromptDelivered): Rule(rules.withdraw, (S.ENDED,)),
    (S.ENDED, Decided): Rule(rules.refuse, (S.ENDED,)),
    (S.ENDED, Settled): Rule(rules.stay, (S.ENDED,)),
}


def step(run: Run, event: Event) -> Outcome:
    """The run after `event`, and what has to be done.

    Raises:
        IllegalEvent: this state takes no such event; nothing is changed.
    """
    rule = TABLE.get((run.state, type(event)))
    if rule is None:
        raise IllegalEvent(f"run {run.id} is {run.state}: {type(event).__name__} is not for it")
    return rule.apply(run, event)
