"""What each line of the policy does; `barge_in` says when.

A rule looks at a `Case` and gives the floor after it and the actions. Words are settled once, by
their final: until then everything but a stop can be taken back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from voice.core.changing import replace
from voice.core.events import (
    Action,
    Actions,
    AskAgain,
    Drop,
    DropReason,
    SayStatus,
    Stop,
    StopReason,
    Take,
    Words,
)
from voice.core.floor import Floor, Policy, Profile, Sound, Utterance
from voice.core.words import Kind, Reading, is_consent, lets_go_on, near_our_yes

Outcome = tuple[Floor, Actions]


@dataclass(frozen=True, slots=True)
class Case:
    """Some words of an utterance, and the floor they were said on."""

    floor: Floor
    utterance: Utterance
    words: Words
    now_ms: int
    policy: Policy

    @property
    def reading(self) -> Reading:
        """What the words are, echoes left out."""
        return self.utterance.reading

    @property
    def profile(self) -> Profile:
        """The thresholds of the phase in which the utterance began."""
        return self.policy.profiles[self.utterance.phase]

    @property
    def text(self) -> str:
        """The words as the recogniser wrote them."""
        return " ".join(word.text for word in self.words.words)

    @property
    def began_ms(self) -> int:
        """When the words began: their own time, else the voice's."""
        starts = [word.start_ms for word in self.words.words if word.start_ms is not None]
        return min(starts, default=self.utterance.began_ms)

    @property
    def fits(self) -> bool:
        """Whether this is a final that the open question's schema takes."""
        return self.words.final and self.words.answers and self.floor.question is not None

    @property
    def early(self) -> bool:
        """Whether it was said before the open question's last word could be heard."""
        question = self.floor.question
        if question is None:
            return False
        return question.heard_ms is None or self.began_ms < question.heard_ms

    @property
    def lets_go_on(self) -> bool:
        """Whether a final would be a yes, but ends the pause that the caller asked for."""
        consents = self.utterance.waited and self.fits and self.words.consent
        return consents and lets_go_on(self.text)

    @property
    def gave_way(self) -> bool:
        """Whether the speech that plays gave way to the voice, which was no mere click."""
        return self.floor.playing and self.utterance.voiced_ms(self.now_ms) >= self.profile.duck_ms

    @property
    def stopped_reply(self) -> bool:
        """Whether earlier words of the utterance stopped a reply; a prompt would be put again."""
        return self.utterance.stopped and self.floor.question is None

    @property
    def repeats_our_yes(self) -> bool:
        """Whether it allows what an approval asks, less than 600 ms after a yes of ours."""
        question = self.floor.question
        if question is None or not question.approval:
            return False
        starts = {word.start_ms for word in self.words.words}
        known = None not in starts
        until = self.began_ms if known else self.utterance.ended_ms or self.now_ms
        if not near_our_yes(self.began_ms, until, self.floor.played):
            return False
        return self.words.consent or any(is_consent(word.text) for word in self.words.words)


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the table: `when` and `then` say in words what `applies` and `act` do."""

    line: int
    when: str
    then: str
    applies: Callable[[Case], bool]
    act: Callable[[Case], Outcome]


def silenced(floor: Floor, reason: StopReason) -> Outcome:
    """The floor with its speech stopped and its generation raised, if any speech plays."""
    if not floor.playing:
        return floor, ()
    stopped = replace(
        floor,
        generation=floor.generation + 1,
        playing=False,
        sound=Sound.PLAIN,
        paused_until_ms=None,
        wary=False,
    )
    return stopped, (Stop(floor.generation, reason),)


def stopped_by(case: Case, reason: StopReason) -> Outcome:
    """Speech stops; an utterance that stopped it once stops what came since only by its final."""
    if case.utterance.stopped and not case.words.final:
        return case.floor, ()
    floor = with_utterance(
        case.floor, replace(case.utterance, stopped=case.utterance.stopped or case.floor.playing)
    )
    return silenced(floor, reason)


def with_utterance(floor: Floor, utterance: Utterance) -> Floor:
    """The floor with this utterance as it is now."""
    if floor.utterance is not None and floor.utterance.number == utterance.number:
        return replace(floor, utterance=utterance)
    others = tuple(
        utterance if other.number == utterance.number else other for other in floor.awaited
    )
    return replace(floor, awaited=others)


def without_utterance(floor: Floor, number: int) -> Floor:
    """The floor after an utterance was settled."""
    current = floor.utterance
    if current is not None and current.number == number:
        return replace(floor, utterance=None)
    return replace(floor, awaited=tuple(u for u in floor.awaited if u.number != number))


def drop(case: Case, reason: DropReason, *more: Action) -> Outcome:
    """The words are no input; on a partial nothing is settled yet."""
    if not case.words.final:
        return case.floor, ()
    number = case.utterance.number
    return without_utterance(case.floor, number), (Drop(number, reason, case.text), *more)


def stop_for(reason: StopReason) -> Callable[[Case], Outcome]:
    """Speech stops; a final is an input besides."""

    def act(case: Case) -> Outcome:
        floor, stopped = stopped_by(case, reason)
        if not case.words.final:
            return floor, stopped
        floor, taken = take(replace(case, floor=floor))
        return floor, (*stopped, *taken)

    return act


def take(case: Case) -> Outcome:
    """The words are an input; said too early for an open question, it is asked again. A stop is no
    answer, and never too early.
    """
    number = case.utterance.number
    floor = replace(without_utterance(case.floor, number), paused_until_ms=None)
    question = floor.question
    if question is None or (case.early and case.reading.kind is Kind.STOP):
        return floor, (Take(number, case.text, case.began_ms),)
    if case.early:
        again = AskAgain(question.id, DropReason.EARLY, case.text)
        return floor, (Drop(number, DropReason.EARLY, case.text), again)
    answered = replace(floor, question=replace(question, early=None, silences=0))
    return answered, (Take(number, case.text, case.began_ms, question.id),)


def ignore_for_keys(case: Case) -> Outcome:
    """Keys are being pressed: speech is no answer."""
    return drop(case, DropReason.KEYS)


def keep_early(case: Case) -> Outcome:
    """The answer is kept and the prompt goes on to its end; then the question is asked again."""
    question = case.floor.question
    if question is None or not case.floor.playing:
        return take(case)
    floor = replace(case.floor, question=replace(question, early=case.text))
    return drop(replace(case, floor=floor), DropReason.EARLY)


def refuse_our_yes(case: Case) -> Outcome:
    """The yes may be our own: nothing is decided, the question is asked again."""
    floor, stopped = silenced(case.floor, StopReason.ANSWER)
    asked = _asked(case, DropReason.NEAR_OUR_YES)
    floor, dropped = drop(replace(case, floor=floor), DropReason.NEAR_OUR_YES, *asked)
    return floor, (*stopped, *dropped)


def _asked(case: Case, reason: DropReason) -> Actions:
    question = case.floor.question
    return () if question is None else (AskAgain(question.id, reason, case.text),)


def let_pass(reason: DropReason) -> Callable[[Case], Outcome]:
    """Speech goes on; a final is dropped. Noise and echo make the floor wary."""
    wary = reason in (DropReason.NOISE, DropReason.ECHO)

    def act(case: Case) -> Outcome:
        floor = replace(case.floor, wary=case.floor.wary or (wary and case.gave_way))
        return drop(replace(case, floor=floor), reason)

    return act


def pause(case: Case) -> Outcome:
    """Speech is held until the caller lets it go on or is silent for `pause_ms`."""
    floor = replace(case.floor, paused_until_ms=case.now_ms + case.policy.pause_ms)
    if floor.question is not None:
        floor = replace(floor, question=replace(floor.question, waits=True))
        for utterance in floor.open_utterances:
            floor = with_utterance(floor, replace(utterance, waited=True))
    return drop(replace(case, floor=floor), DropReason.HOLD)


def resume(case: Case) -> Outcome:
    """Held speech goes on."""
    return drop(replace(case, floor=replace(case.floor, paused_until_ms=None)), DropReason.RESUME)


def resume_question(case: Case) -> Outcome:
    """The prompt goes on; one that plays no more is asked again."""
    again = () if case.floor.playing else _asked(case, DropReason.BACKCHANNEL)
    floor = replace(case.floor, paused_until_ms=None)
    return drop(replace(case, floor=floor), DropReason.RESUME, *again)


def answer_presence(case: Case) -> Outcome:
    """The caller is told what is going on; an open question is that itself."""
    if not case.words.final:
        return case.floor, ()
    is_hum = case.reading.kind is Kind.BACKCHANNEL
    reason = DropReason.BACKCHANNEL if is_hum else DropReason.PRESENCE
    again = _asked(case, reason)
    return drop(case, reason, *(again or (SayStatus(case.floor.running, reason),)))


def wait_for_more(case: Case) -> Outcome:
    """Nothing is decided yet."""
    return case.floor, ()


def nothing_heard(case: Case) -> Outcome:
    """A final without a word: noise. If words seemed to be there and stopped the speech, the caller
    is told that they were not understood.
    """
    if not case.utterance.stopped:
        return let_pass(DropReason.NOISE)(case)
    unclear = DropReason.UNCLEAR
    again = _asked(case, unclear)
    return drop(case, unclear, *(again or (SayStatus(case.floor.running, unclear),)))


def overdue(case: Case) -> Outcome:
    """The final never came: what was heard counts, but decides no question."""
    if not case.words.words:
        return nothing_heard(case)
    if case.floor.question is None:
        return stop_for(StopReason.SAID)(case)
    floor, stopped = silenced(case.floor, StopReason.SAID)
    again = _asked(case, DropReason.UNCLEAR)
    floor, dropped = drop(replace(case, floor=floor), DropReason.UNCLEAR, *again)
    return floor, (*stopped, *dropped)
