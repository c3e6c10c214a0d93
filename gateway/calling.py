"""A call comes to a thread: what is open is asked on it, and what works is told."""

from __future__ import annotations

from dataclasses import replace

from gateway import asking, reading
from gateway.core.events import State
from gateway.live import Work
from gateway.state import ThreadState

AT_WORK = frozenset({State.STARTING.value, State.RUNNING.value, State.STOPPING.value})
"""The states of a run that works: it neither asks nor delivers."""


def come(
    state: ThreadState, work: Work, principal: str, channel: str, mirror: str
) -> frozenset[str]:
    """The thread is on `channel` from now on, and on `mirror`, which shows what the call plays.

    What is open to this person is asked on the call, also what was asked on an earlier one. The
    runs that work for them.
    """
    names = state.thread.settings.get("channels")
    known = list(names) if isinstance(names, list) else []
    missing = [name for name in (mirror, channel) if name not in known]
    if missing:
        settings = {**state.thread.settings, "channels": [*known, *missing]}
        state.save_thread(work, settings=settings)
    for name in missing:
        asking.ask_on(state, work, name)
    for question in reading.open_here(state, principal):
        for prompt in state.prompts_of(question.id):
            if (prompt.channel, prompt.principal) == (channel, principal):
                state.prompts[prompt.token] = replace(prompt, state="ready")
        work.then(asking.send, state, state.runs[question.run], principal)
    return frozenset(
        live.id
        for live in state.runs.values()
        if principal in live.row.principals and live.machine.state.value in AT_WORK
    )


def heard(state: ThreadState, work: Work, question: str) -> None:
    """A question was heard to its last word after its delivery was given up: its time starts."""
    asked = state.questions.get(question)
    if asked is not None and asked.decision is None:
        asking.arm(state, work, question)
