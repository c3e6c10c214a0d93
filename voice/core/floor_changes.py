"""What each event other than words changes on the floor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from voice.core.barge_in_rules import Outcome, silenced
from voice.core.changing import replace
from voice.core.events import (
    AskAgain,
    CutRequested,
    DropReason,
    KeyPressed,
    Listen,
    PlayEnded,
    PlayStarted,
    QuestionClosed,
    QuestionHeard,
    QuestionOpened,
    RunChanged,
    StopReason,
    TurnEnded,
    WordPlayed,
)
from voice.core.floor import Floor, Policy, Question, Utterance
from voice.core.vad import VoiceEnded, VoiceStarted
from voice.core.words import Kind, PlayedWord, plain

WORDS_KEPT = 64


def voice_started(floor: Floor, event: VoiceStarted, now_ms: int, policy: Policy) -> Outcome:
    """The voice goes on with what it was saying, or says something new."""
    current = floor.utterance
    if current is None or current.over:
        return _begun(floor, event.at_ms)
    if current.voice_since_ms is not None:
        return floor, ()
    return replace(floor, utterance=replace(current, voice_since_ms=event.at_ms)), ()


def _begun(floor: Floor, at_ms: int) -> Outcome:
    number = floor.last_number + 1
    waited = floor.question is not None and floor.question.waits
    utterance = Utterance(number, at_ms, floor.phase, voice_since_ms=at_ms, waited=waited)
    begun = replace(floor, utterance=utterance, awaited=floor.open_utterances, last_number=number)
    return begun, (Listen(number, at_ms),)


def voice_ended(floor: Floor, event: VoiceEnded, now_ms: int, policy: Policy) -> Outcome:
    """The voice fell silent. In a pause that was asked for, silence counts from the last words."""
    current = floor.utterance
    if current is None or current.voice_since_ms is None:
        return floor, ()
    until = floor.paused_until_ms
    if until is not None and current.reading.kind not in (Kind.NOTHING, Kind.ECHO):
        until = max(until, event.at_ms + policy.pause_ms)
    return replace(floor, utterance=_silent(current, event.at_ms), paused_until_ms=until), ()


def _silent(utterance: Utterance, at_ms: int) -> Utterance:
    return replace(
        utterance,
        voice_since_ms=None,
        voiced_before_ms=utterance.voiced_ms(at_ms),
        ended_ms=at_ms,
    )


def turn_ended(floor: Floor, event: TurnEnded, now_ms: int, policy: Policy) -> Outcome:
    """Only final words are awaited; a voice that goes on says something new."""
    current = floor.utterance
    if current is None or current.number != event.utterance or current.over:
        return floor, ()
    if current.voice_since_ms is None:
        return replace(floor, utterance=replace(current, over=True)), ()
    over = replace(_silent(current, now_ms), over=True)
    return _begun(replace(floor, utterance=over), now_ms)


def play_started(floor: Floor, event: PlayStarted, now_ms: int, policy: Policy) -> Outcome:
    """Speech of this generation, or of a later one, plays; an earlier one is late."""
    if event.generation < floor.generation:
        return floor, ()
    wary = floor.wary and event.generation == floor.generation
    return replace(floor, generation=event.generation, playing=True, wary=wary), ()


def play_ended(floor: Floor, event: PlayEnded, now_ms: int, policy: Policy) -> Outcome:
    """Speech was heard to its end; a question that was answered too early is asked again."""
    if event.generation != floor.generation or not floor.playing:
        return floor, ()
    ended, question = replace(floor, playing=False), floor.question
    if question is not None and question.id == event.question:
        question = replace(question, waits=False)
        ended = replace(ended, question=question)
    if question is None or question.early is None or question.heard_ms is None:
        return ended, ()
    again = AskAgain(question.id, DropReason.EARLY, question.early)
    return replace(ended, question=replace(question, early=None)), (again,)


def word_played(floor: Floor, event: WordPlayed, now_ms: int, policy: Policy) -> Outcome:
    """Our own words are remembered, for they may come back as an echo."""
    if event.generation != floor.generation:
        return floor, ()
    word = PlayedWord(plain(event.text), event.start_ms, event.end_ms)
    return replace(floor, played=(*floor.played[1 - WORDS_KEPT :], word)), ()


def run_changed(floor: Floor, event: RunChanged, now_ms: int, policy: Policy) -> Outcome:
    """A run works, or none does."""
    return replace(floor, running=event.running), ()


def question_opened(floor: Floor, event: QuestionOpened, now_ms: int, policy: Policy) -> Outcome:
    """A question is open; one that is put again keeps what is known of it."""
    if floor.question is not None and floor.question.id == event.question:
        return replace(floor, question=replace(floor.question, waits=False)), ()
    return replace(floor, question=Question(event.question, event.approval)), ()


def question_heard(floor: Floor, event: QuestionHeard, now_ms: int, policy: Policy) -> Outcome:
    """From here on an answer counts; hearing it once more changes nothing."""
    question = floor.question
    if question is None or question.id != event.question or question.heard_ms is not None:
        return floor, ()
    return replace(floor, question=replace(question, heard_ms=event.at_ms)), ()


def question_closed(floor: Floor, event: QuestionClosed, now_ms: int, policy: Policy) -> Outcome:
    """The question is open no more; another one stays."""
    if floor.question is None or floor.question.id != event.question:
        return floor, ()
    return replace(floor, question=None), ()


def key_pressed(floor: Floor, event: KeyPressed, now_ms: int, policy: Policy) -> Outcome:
    """A key for an open question stops speech and makes words no answer for a while."""
    if floor.question is None:
        return floor, ()
    question = replace(floor.question, keys_until_ms=now_ms + policy.keys_ms, early=None)
    return silenced(replace(floor, question=question), StopReason.KEY)


def cut_requested(floor: Floor, event: CutRequested, now_ms: int, policy: Policy) -> Outcome:
    """The generation ends, whether its sound had begun or not."""
    return silenced(replace(floor, playing=True), StopReason.CUT)


CHANGES: Mapping[type, Callable[[Floor, Any, int, Policy], Outcome]] = {
    VoiceStarted: voice_started,
    VoiceEnded: voice_ended,
    TurnEnded: turn_ended,
    PlayStarted: play_started,
    PlayEnded: play_ended,
    WordPlayed: word_played,
    RunChanged: run_changed,
    QuestionOpened: question_opened,
    QuestionHeard: question_heard,
    QuestionClosed: question_closed,
    KeyPressed: key_pressed,
    CutRequested: cut_requested,
}
