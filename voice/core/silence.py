"""A caller who says nothing to an open question.

Silence counts from the last sound that was heard, ours or the caller's, and not while a run works,
keys are pressed or the caller asked to wait.
"""

from __future__ import annotations

from voice.core.barge_in_rules import Outcome
from voice.core.changing import replace
from voice.core.events import AskAgain, DropReason, SayWaiting
from voice.core.floor import Floor, Policy


def silent(floor: Floor, now_ms: int, policy: Policy) -> Outcome:
    """The question is asked again after `silence_ms`, `silences` times; then the caller is told
    once that it stays.
    """
    question = floor.question
    if question is None:
        return floor, ()
    quiet, since, asked = _is_quiet(floor), question.quiet_since_ms, question.silences
    if quiet is (since is None):
        began = now_ms if quiet else None
        return replace(floor, question=replace(question, quiet_since_ms=began)), ()
    if since is None or now_ms - since < policy.silence_ms or asked > policy.silences:
        return floor, ()
    again = replace(question, quiet_since_ms=now_ms, silences=asked + 1)
    if asked == policy.silences:
        return replace(floor, question=again), (SayWaiting(question.id),)
    return replace(floor, question=again), (AskAgain(question.id, DropReason.SILENCE),)


def _is_quiet(floor: Floor) -> bool:
    question = floor.question
    keyed = question is not None and question.keys_until_ms is not None
    speaking = any(not utterance.noise for utterance in floor.open_utterances)
    busy = floor.playing or floor.running or floor.paused_until_ms is not None
    return not (keyed or speaking or busy)
