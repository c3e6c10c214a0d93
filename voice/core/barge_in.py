"""Barge-in: one reducer, `step(floor, event, now_ms) -> (floor, actions)`.

`RULES` is what words do, the first that applies; `docs/voice-core.md` draws its table from them.
What a voice does before any word came is `wanted_sound`, a function of the floor and of the time.
A late or unknown event changes nothing.
"""

from __future__ import annotations

from voice.core import barge_in_rules as rules
from voice.core.barge_in_rules import Case, Outcome, Rule
from voice.core.changing import replace
from voice.core.events import Actions, DropReason, Event, SetSound, StopReason, Words
from voice.core.floor import Floor, Policy, Sound, Utterance
from voice.core.floor_changes import CHANGES
from voice.core.silence import silent
from voice.core.words import Kind, Reading, read, without_echo

DEFAULT = Policy()

_WORDLESS = frozenset({Kind.NOTHING, Kind.ECHO})
_LET_PASS = frozenset({Kind.BACKCHANNEL, Kind.RESUME, Kind.ECHO})
_SAYING = frozenset({Kind.WORDS, Kind.PRESENCE})

RULES: tuple[Rule, ...] = (
    Rule(
        5,
        "anything but a stop word, while keys are pressed for the open question",
        "the words are no answer",
        lambda c: _keyed(c.floor) and (c.fits or c.reading.kind is not Kind.STOP),
        rules.ignore_for_keys,
    ),
    Rule(
        2,
        "a yes that lets a held speaker go on (“go on”, “okay”), since the caller asked to wait",
        "the prompt goes on, or is asked again; it decides nothing",
        lambda c: c.lets_go_on,
        rules.resume_question,
    ),
    Rule(
        4,
        "a final that the open schema takes, said before the question's last word was heard",
        "it is kept, the prompt goes on, then the question is asked again",
        lambda c: c.fits and c.early,
        rules.keep_early,
    ),
    Rule(
        6,
        "a final that allows what an approval asks, less than 600 ms after a yes that we played",
        "it decides nothing, the question is asked again",
        lambda c: c.fits and c.repeats_our_yes,
        rules.refuse_our_yes,
    ),
    Rule(
        4,
        "a final that the open schema takes, even one word",
        "speech stops, it is the answer",
        lambda c: c.fits,
        rules.stop_for(StopReason.ANSWER),
    ),
    Rule(
        6,
        "only words that we played in the 500 ms before (a question open: two or more in a row)",
        "speech goes on, no input",
        lambda c: c.reading.kind is Kind.ECHO,
        rules.let_pass(DropReason.ECHO),
    ),
    Rule(
        3,
        "a final without a word",
        "speech goes on where it was",
        lambda c: c.reading.kind is Kind.NOTHING and c.words.final,
        rules.nothing_heard,
    ),
    Rule(
        2,
        "a stop word",
        "speech stops; the final is an input",
        lambda c: c.reading.kind is Kind.STOP,
        rules.stop_for(StopReason.STOP_WORD),
    ),
    Rule(
        2,
        "hold words alone",
        "speech is held until the caller lets it go on, or for 6 s of silence; no input",
        lambda c: c.reading.kind is Kind.HOLD,
        rules.pause,
    ),
    Rule(
        2,
        "words that let a held speaker go on, while speech plays, is held or was stopped by them",
        "speech goes on; no input",
        lambda c: (
            c.reading.kind is Kind.RESUME
            and (c.floor.playing or c.floor.paused_until_ms is not None or c.stopped_reply)
        ),
        rules.resume,
    ),
    Rule(
        2,
        "only backchannels, while speech plays or a reply was stopped by them",
        "speech goes on; no input",
        lambda c: c.reading.kind is Kind.BACKCHANNEL and (c.floor.playing or c.stopped_reply),
        rules.let_pass(DropReason.BACKCHANNEL),
    ),
    Rule(
        7,
        "only backchannels, nothing plays, a run works or a question is open",
        "nothing is stopped; the caller is told what is going on",
        lambda c: (
            c.reading.kind is Kind.BACKCHANNEL and (c.floor.running or c.floor.question is not None)
        ),
        rules.answer_presence,
    ),
    Rule(
        7,
        "a presence check, nothing plays",
        "nothing is stopped; the caller is told what is going on",
        lambda c: c.reading.kind is Kind.PRESENCE and not c.floor.playing,
        rules.answer_presence,
    ),
    Rule(
        2,
        "`content_words` words that are none of the above",
        "speech stops; the final is an input",
        lambda c: c.reading.content >= c.profile.content_words,
        rules.stop_for(StopReason.WORDS),
    ),
    Rule(
        2,
        "voiced for `voiced_ms` with one such word, or a presence check",
        "speech stops; the final is an input",
        lambda c: (
            c.reading.kind in (Kind.WORDS, Kind.PRESENCE)
            and c.utterance.voiced_ms(c.now_ms) >= c.profile.voiced_ms
        ),
        rules.stop_for(StopReason.VOICED),
    ),
    Rule(
        2,
        "one such word behind which the voice paused, or a presence check; no question is open",
        "speech stops; the final is an input",
        lambda c: (
            c.words.paused
            and c.floor.question is None
            and c.reading.kind in _SAYING
            and c.utterance.voice_since_ms is None
        ),
        rules.stop_for(StopReason.SAID),
    ),
    Rule(
        2,
        "any other final",
        "speech stops; it is an input, for the open question or by the mode",
        lambda c: c.words.final,
        rules.stop_for(StopReason.SAID),
    ),
    Rule(
        2,
        "anything else",
        "undecided",
        lambda c: True,
        rules.wait_for_more,
    ),
)


def step(
    floor: Floor, event: Event, now_ms: int, policy: Policy = DEFAULT
) -> tuple[Floor, Actions]:
    """The floor after `event`, and what has to be done, in order."""
    after, actions = _changed(floor, event, now_ms, policy)
    after, more = _grown_old(after, now_ms, policy)
    sound = wanted_sound(after, now_ms, policy)
    if sound is not after.sound:
        after = replace(after, sound=sound)
        return after, (*actions, *more, SetSound(sound))
    return after, (*actions, *more)


def _changed(floor: Floor, event: Event, now_ms: int, policy: Policy) -> Outcome:
    if isinstance(event, Words):
        return _worded(floor, event, now_ms, policy)
    change = CHANGES.get(type(event))
    return (floor, ()) if change is None else change(floor, event, now_ms, policy)


def _worded(floor: Floor, event: Words, now_ms: int, policy: Policy) -> Outcome:
    utterance = _open(floor, event.utterance)
    if utterance is None:
        return floor, ()
    span = (utterance.began_ms, utterance.ended_ms or now_ms)
    asking = floor.question is not None
    own = without_echo(event.words, floor.played, span, asking=asking)
    echo = bool(event.words) and not own
    words = event if own == event.words else replace(event, words=own)
    reading = Reading(Kind.ECHO) if echo else read(" ".join(word.text for word in own))
    utterance = replace(utterance, words=own, reading=reading)
    if floor.paused_until_ms is not None and reading.kind not in _WORDLESS:
        floor = replace(floor, paused_until_ms=now_ms + policy.pause_ms)
    case = Case(rules.with_utterance(floor, utterance), utterance, words, now_ms, policy)
    return next(rule for rule in RULES if rule.applies(case)).act(case)


def _open(floor: Floor, number: int) -> Utterance | None:
    return next((one for one in floor.open_utterances if one.number == number), None)


def _grown_old(floor: Floor, now_ms: int, policy: Policy) -> Outcome:
    """What time alone brings about."""
    floor = _waited_long_enough(floor, now_ms)
    actions: Actions = ()
    for utterance in floor.open_utterances:
        floor, more = _aged(floor, utterance, now_ms, policy)
        actions = (*actions, *more)
    floor, more = silent(floor, now_ms, policy)
    return floor, (*actions, *more)


def _waited_long_enough(floor: Floor, now_ms: int) -> Floor:
    question, current = floor.question, floor.utterance
    if question is not None and (question.keys_until_ms or now_ms + 1) <= now_ms:
        floor = replace(floor, question=replace(question, keys_until_ms=None))
    talking = (
        current is not None
        and current.voice_since_ms is not None
        and current.reading.kind not in _WORDLESS
    )
    if floor.paused_until_ms is not None and floor.paused_until_ms <= now_ms and not talking:
        floor = replace(floor, paused_until_ms=None)
    return floor


def _aged(floor: Floor, utterance: Utterance, now_ms: int, policy: Policy) -> Outcome:
    profile = policy.profiles[utterance.phase]
    words = Words(utterance.number, utterance.words)
    case = Case(floor, utterance, words, now_ms, policy)
    if utterance.voice_since_ms is None and utterance.ended_ms is not None:
        silent_ms = now_ms - utterance.ended_ms
        if silent_ms >= policy.final_ms:
            return rules.overdue(replace(case, words=replace(words, final=True)))
        wordless = utterance.reading.kind is Kind.NOTHING
        if wordless and not utterance.noise and silent_ms >= profile.noise_ms:
            marked = rules.with_utterance(floor, replace(utterance, noise=True))
            return replace(marked, wary=floor.wary or case.gave_way), ()
    enough = utterance.voiced_ms(now_ms) >= profile.voiced_ms
    if floor.playing and enough and utterance.reading.kind in _SAYING and not _keyed(floor):
        return rules.stopped_by(case, StopReason.VOICED)
    return floor, ()


def _keyed(floor: Floor) -> bool:
    return floor.question is not None and floor.question.keys_until_ms is not None


def wanted_sound(floor: Floor, now_ms: int, policy: Policy = DEFAULT) -> Sound:
    """How speech should be let out at `now_ms`."""
    if not floor.playing:
        return Sound.PLAIN
    if floor.paused_until_ms is not None:
        return Sound.HELD
    sounds = {_sound_under(floor, one, now_ms, policy) for one in floor.open_utterances}
    return next((sound for sound in (Sound.HELD, Sound.DUCKED) if sound in sounds), Sound.PLAIN)


def _sound_under(floor: Floor, utterance: Utterance, now_ms: int, policy: Policy) -> Sound:
    kind, profile = utterance.reading.kind, policy.profiles[utterance.phase]
    if kind in _LET_PASS or _keyed(floor):
        return Sound.PLAIN
    hold_ms = utterance.began_ms + profile.hold_ms
    if kind is not Kind.NOTHING:
        return Sound.HELD if now_ms >= hold_ms else Sound.DUCKED
    if floor.wary or utterance.noise or utterance.voiced_ms(now_ms) < profile.duck_ms:
        return Sound.PLAIN
    return Sound.HELD if 0 <= now_ms - hold_ms < profile.hold_limit_ms else Sound.DUCKED


def due_ms(floor: Floor, now_ms: int, policy: Policy = DEFAULT) -> int | None:
    """When time alone may next bring something about: a `Tick` is due then."""
    question = floor.question
    times = {floor.paused_until_ms}
    if question is not None:
        times.add(question.keys_until_ms)
        if question.quiet_since_ms is not None and question.silences <= policy.silences:
            times.add(question.quiet_since_ms + policy.silence_ms)
    for one in floor.open_utterances:
        profile, since = policy.profiles[one.phase], one.voice_since_ms
        hold_ms = one.began_ms + profile.hold_ms
        times |= {hold_ms, hold_ms + profile.hold_limit_ms}
        if since is not None:
            times |= {
                since + ms - one.voiced_before_ms for ms in (profile.duck_ms, profile.voiced_ms)
            }
        elif one.ended_ms is not None:
            times |= {one.ended_ms + profile.noise_ms, one.ended_ms + policy.final_ms}
    return min((time for time in times if time is not None and time > now_ms), default=None)
