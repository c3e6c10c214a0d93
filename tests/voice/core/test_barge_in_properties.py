"""What holds of the floor whatever happens on it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.voice.core.calls import words
from voice.core import events as e
from voice.core.barge_in import DEFAULT, due_ms, step, wanted_sound
from voice.core.floor import Floor, Phase, Policy, Sound
from voice.core.vad import VoiceEnded, VoiceStarted

PHRASES = st.sampled_from(
    """
    |stop|стоп|wait|подожди|go on|продолжай|uh huh|угу|yes|да|no|нет|hello|алло|eu|европа|ещё
    book it|закажи билет|uh huh stop|wait book it|okay Monday|ну вторник|[unk]|three servers idle
    """.replace("\n", "|").split("|")
).map(str.strip)
AT = st.integers(-2_000, 500)
QUESTIONS = st.sampled_from(["q", "r"])


def said(phrase, start, back, flags):
    """Words of the newest utterance, or of one that is `back` before it."""
    final, answers, consent = flags
    return lambda floor, now: words(
        floor.last_number - back,
        phrase,
        start=None if start is None else max(0, now + start),
        final=final,
        answers=answers,
        consent=consent,
    )


SPOKEN = st.builds(
    said,
    PHRASES,
    st.none() | AT,
    st.sampled_from([0, 0, 0, 0, 1, 2]),
    st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
VOICE = st.sampled_from(
    [
        lambda floor, now: VoiceStarted(now),
        lambda floor, now: VoiceEnded(now),
        lambda floor, now: e.TurnEnded(floor.last_number),
    ]
)
PLAYED = st.builds(
    lambda text, back: (
        lambda floor, now: e.WordPlayed(floor.generation - back, text, now, now + 300)
    ),
    st.sampled_from(["yes", "да", "three", "servers", "idle", "eu"]),
    st.sampled_from([0, 0, 0, 1]),
)
PLAY = st.builds(
    lambda kind, more: lambda floor, now: kind(floor.generation + more),
    st.sampled_from([e.PlayStarted, e.PlayStarted, e.PlayEnded]),
    st.sampled_from([-1, 0, 0, 0, 1]),
)
OTHER = st.one_of(
    st.builds(e.RunChanged, st.booleans()),
    st.builds(e.QuestionOpened, QUESTIONS, st.booleans()),
    st.builds(e.QuestionHeard, QUESTIONS, st.integers(0, 8_000)),
    st.builds(e.QuestionClosed, QUESTIONS),
    st.just(e.KeyPressed()),
    st.just(e.CutRequested()),
)
EVENTS = st.sampled_from("vvvvvvsssssssspppoo").flatmap(
    {"v": VOICE, "s": SPOKEN, "p": PLAYED | PLAY, "o": OTHER}.__getitem__
)
SCRIPT = st.lists(st.tuples(st.integers(0, 900), EVENTS), min_size=12, max_size=40)
UNCUT = SCRIPT.map(lambda script: [s for s in script if not isinstance(s[1], e.CutRequested)])


def made(event, floor, now):
    """Events that name what is there now."""
    return event(floor, now) if callable(event) else event


def _silence(floor, now):
    return VoiceEnded(now)


def run(script, policy: Policy = DEFAULT, *, ticks=(), rest_ms=20_000):
    """Every floor with its time and actions; ticks come when due, and at `ticks` besides."""
    floor, now, seen = Floor(), 0, []
    extra = sorted(ticks)
    for wait, event in [(0, e.PlayStarted(1)), *script, (0, _silence), (rest_ms, e.Tick())]:
        until = now + wait
        while True:
            while extra and extra[0] <= now:
                extra.pop(0)
            times = [t for t in (due_ms(floor, now, policy), *extra[:1]) if t is not None]
            if not times or min(times) >= until:
                break
            now = min(times)
            floor, actions = step(floor, e.Tick(), now, policy)
            seen.append((now, floor, actions))
        now = until
        floor, actions = step(floor, made(event, floor, now), now, policy)
        seen.append((now, floor, actions))
    return seen


def actions_of(seen, *kinds):
    return [(now, a) for now, _, actions in seen for a in actions if isinstance(a, kinds)]


THRESHOLDS = ["duck_ms", "hold_ms", "content_words", "voiced_ms"]


@given(UNCUT, st.sampled_from(THRESHOLDS), st.sampled_from(Phase), st.integers(1, 2_000))
def test_raising_a_threshold_never_stops_sooner(script, name, phase, more):
    more = min(more, 3) if name == "content_words" else more
    profile = DEFAULT.profiles[phase]
    raised = replace(profile, **{name: getattr(profile, name) + more})
    strict = replace(DEFAULT, profiles={**DEFAULT.profiles, phase: raised})
    soon, late = (actions_of(run(script, policy), e.Stop) for policy in (DEFAULT, strict))
    if late:
        assert soon[0][0] <= late[0][0]


@given(SCRIPT)
def test_every_utterance_is_settled_once(script):
    seen = run(script)
    opened = [a.utterance for _, a in actions_of(seen, e.Listen)]
    settled = [a.utterance for _, a in actions_of(seen, e.Take, e.Drop)]
    assert opened == list(range(1, len(opened) + 1))
    assert sorted(settled) == opened


@given(SCRIPT)
def test_a_generation_stops_once_and_only_rises(script):
    seen = run(script)
    stopped = [a.generation for _, a in actions_of(seen, e.Stop)]
    assert stopped == sorted(set(stopped))
    generations = [floor.generation for _, floor, _ in seen]
    assert generations == sorted(generations)


@given(SCRIPT, st.integers(1, 9), st.sampled_from([e.PlayStarted, e.PlayEnded, "word"]))
def test_a_stale_generation_changes_nothing(script, back, kind):
    for now, floor, _ in run(script):
        generation = floor.generation - back
        late = (
            e.WordPlayed(generation, "yes", now, now + 300) if kind == "word" else kind(generation)
        )
        assert step(floor, late, now) == step(floor, e.Tick(), now)


@given(SCRIPT, st.lists(st.integers(0, 12_000), max_size=30))
def test_ticking_more_often_changes_nothing(script, ticks):
    assert actions_of(run(script, ticks=ticks), object) == actions_of(run(script), object)


@given(SCRIPT)
def test_the_sound_is_what_the_floor_asks_for_and_never_stays_held(script):
    seen = run(script)
    for now, floor, _ in seen:
        assert floor.sound is wanted_sound(floor, now)
    assert seen[-1][1].sound is Sound.PLAIN


@given(SCRIPT)
def test_no_answer_to_a_question_that_was_not_heard(script):
    for _, floor, actions in run(script):
        for action in actions:
            if isinstance(action, e.Take) and action.question is not None:
                assert floor.question is not None
                assert floor.question.heard_ms is not None
                assert floor.question.heard_ms <= action.began_ms


@given(SCRIPT)
def test_a_question_outlives_whatever_is_said(script):
    spoken = [s for s in script if not isinstance(s[1], (e.QuestionClosed, e.QuestionOpened))]
    seen = run([(0, e.QuestionOpened("q", approval=True)), *spoken])
    assert all(floor.question is not None for _, floor, _ in seen[1:])


@given(SCRIPT)
def test_a_yes_of_ours_never_approves(script):
    """An approval, and every yes within 600 ms of a yes that we just played."""
    opened = [(0, e.QuestionOpened("q", approval=True)), (0, e.QuestionHeard("q", 0))]
    kept = [s for s in script if not isinstance(s[1], (e.QuestionClosed, e.QuestionOpened))]
    floor, now = Floor(), 0
    for wait, event in [*opened, (0, e.PlayStarted(1)), *kept]:
        now += wait
        floor, _ = step(floor, made(event, floor, now), now)
    now += 10_000
    floor, _ = step(floor, e.TurnEnded(floor.last_number), now)
    floor, _ = step(floor, e.PlayStarted(floor.generation), now)
    floor, _ = step(floor, e.WordPlayed(floor.generation, "Yes", now, now + 300), now)
    floor, _ = step(floor, VoiceStarted(now + 700), now + 800)
    yes = words(floor.last_number, "yes", final=True, answers=True, consent=True)
    _, actions = step(floor, yes, now + 1_200)
    assert not [a for a in actions if isinstance(a, e.Take)]


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_has_its_profile(phase):
    assert phase in DEFAULT.profiles
