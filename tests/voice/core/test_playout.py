"""The ledger: no sample lost or doubled, and what was heard is a beginning of what was said."""

import random

from hypothesis import given
from hypothesis import strategies as st

from voice.core.clauses import Clause, Clauses
from voice.core.playout import Heard, Ledger, Mark, Span

RATE = 8_000
TEXTS = {
    "en": "I found three servers, all of them idle. Shall I delete them now, or wait until Monday?",
    "ru": "Я нашёл три сервера, все простаивают. Удалить их сейчас, или подождать до понедельника?",
}


def newest(ledger):
    return ledger.tracks[-1]


def clauses(text, language="en"):
    state, found = Clauses(language).feed(text)
    return [*found, *state.close()[1]]


def spoken(text, language="en", *, marks=True, samples_a_char=600, generation=1):
    """A ledger that holds the whole reply as sound, and when each written word really began."""
    ledger, truth, offset = Ledger(RATE).begin(generation), [], 0
    for number, clause in enumerate(clauses(text, language)):
        length = len(clause.spoken.text) * samples_a_char
        events = [
            Mark(w.spoken_start, w.spoken_start * samples_a_char) for w in clause.spoken.words
        ]
        truth += [
            (w.end, offset + m.sample) for w, m in zip(clause.spoken.words, events, strict=True)
        ]
        ledger = ledger.say(generation, clause)
        ledger = ledger.synthesised(generation, number, length, events if marks else ())
        ledger = ledger.finished(generation, number)
        offset += length
    return ledger.closed(generation), truth


def play(ledger, samples, generation=1):
    ledger, _ = ledger.take(generation, samples)
    track = newest(ledger)
    return ledger.acknowledge(generation, track.flight, track.acknowledged + samples)


def test_nothing_played_is_nothing_heard():
    ledger, _ = spoken(TEXTS["en"])
    ledger, _ = ledger.take(1, 5_000)
    assert ledger.heard(1) == Heard("", complete=False, heard_ms=0, total_ms=6_375)


def test_what_is_not_known_was_not_heard():
    assert Ledger(RATE).heard(7) == Heard("", complete=False, heard_ms=0, total_ms=0)


def test_all_played_is_the_whole_text_to_the_letter():
    for language, text in TEXTS.items():
        ledger, _ = spoken(text + " \n", language)
        ledger = play(ledger, 10**9)
        heard = ledger.heard(1)
        assert (heard.text, heard.complete) == (text + " \n", True)
        assert heard.heard_ms == heard.total_ms


def test_a_word_is_heard_from_its_first_sample_on():
    ledger, _ = spoken("One two", samples_a_char=100)
    assert play(ledger, 1).heard(1).text == "One"
    assert play(ledger, 400).heard(1).text == "One"
    assert play(ledger, 401).heard(1).text == "One two"


def test_silence_before_the_first_word_is_no_word():
    (clause,) = clauses("Hi there")
    ledger = Ledger(RATE).begin(1).say(1, clause).synthesised(1, 0, 1_000, [Mark(0, 300)])
    assert play(ledger, 300).heard(1).text == ""
    assert play(ledger, 301).heard(1).text == "Hi"


def test_a_word_without_a_mark_is_not_heard_while_the_next_mark_is_unknown():
    (clause,) = clauses("for the people")
    ledger = Ledger(RATE).begin(1).say(1, clause).synthesised(1, 0, 1_000, [Mark(0, 0)])
    assert play(ledger, 1_000).heard(1).text == "for"
    ledger = ledger.synthesised(1, 0, 1_000, [Mark(8, 1_600)])
    assert play(ledger, 1_000).heard(1).text == "for the"


def test_a_number_is_heard_as_it_is_written():
    ledger, _ = spoken("у вас 1 234 ₽ и всё", "ru")
    assert ledger.words(1) == ()
    ledger = play(ledger, 600 * 8)
    assert ledger.heard(1).text == "у вас 1 234 ₽"
    assert [(w.start, w.end) for w in ledger.words(1)] == [(0, 1), (2, 5), (6, 13)]


def test_samples_come_in_order_across_clauses_and_wait_for_their_sound():
    one, two = clauses("First one. Second one.")
    ledger = Ledger(RATE).begin(1).say(1, one).say(1, two)
    ledger = ledger.synthesised(1, 0, 100).synthesised(1, 1, 100)
    ledger, spans = ledger.take(1, 160)
    assert spans == (Span(0, 0, 100),)  # the first clause may still grow
    ledger, spans = ledger.finished(1, 0).take(1, 60)
    assert spans == (Span(1, 0, 60),)
    ledger, spans = ledger.take(1, 160)
    assert spans == (Span(1, 60, 100),)
    assert ledger.take(1, 160)[1] == ()


def test_a_hold_by_recall_sends_again_just_what_was_not_played():
    ledger, _ = spoken(TEXTS["en"])
    ledger, _ = ledger.take(1, 8_000)
    ledger = ledger.acknowledge(1, 0, 3_000).recall(1)
    assert ledger.take(1, 100)[1] == (Span(0, 3_000, 3_100),)
    assert ledger.acknowledge(1, 0, 8_000) == ledger  # a mark of the flight that was thrown away


def test_after_a_cut_nothing_leaves_and_marks_are_stale():
    ledger, _ = spoken(TEXTS["en"])
    ledger, _ = ledger.take(1, 8_000)
    ledger = ledger.acknowledge(1, 0, 3_000).cut(1)
    assert ledger.take(1, 160) == (ledger, ())
    assert ledger.acknowledge(1, 0, 8_000) == ledger
    assert ledger.recall(1) == ledger
    cleared = ledger.cleared(1, 4_000)
    assert cleared.heard(1).heard_ms == 500
    assert cleared.cleared(1, 8_000) == cleared  # it says so once


def test_the_end_that_a_client_reports_lies_between_what_was_played_and_sent():
    ledger, _ = spoken(TEXTS["en"])
    ledger, _ = ledger.take(1, 8_000)
    ledger = ledger.acknowledge(1, 0, 3_000).cut(1)
    assert ledger.cleared(1, 10**9).heard(1).heard_ms == 1_000
    assert ledger.cleared(1, -5).heard(1).heard_ms == 375


def test_a_client_that_lies_about_its_playback_gains_nothing():
    ledger, _ = spoken(TEXTS["en"])
    ledger, _ = ledger.take(1, 800)
    assert ledger.acknowledge(1, 0, 10**9).heard(1).heard_ms == 100
    assert ledger.acknowledge(1, 0, 500).acknowledge(1, 0, -1).heard(1).heard_ms == 62


def test_generations_are_forgotten_but_the_newest():
    ledger = Ledger(RATE).begin(1).begin(2).begin(3)
    assert [t.generation for t in ledger.forget(2).tracks] == [3]
    assert [t.generation for t in ledger.forget(9).tracks] == [3]


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["make", "finish", "take", "play", "recall", "late"]), st.integers(0, 900)
    ),
    max_size=60,
)


@given(ACTIONS)
def test_no_sample_is_lost_or_doubled_and_heard_only_grows(actions):
    """`ear` is what somebody hears who plays in order all that was sent and not thrown away."""
    parts = clauses("One two three. Four five, six. Seven eight nine.")
    ledger, made = Ledger(RATE).begin(1), [0] * len(parts)
    ear, flying = list[tuple[int, int]](), list[tuple[int, int]]()
    for part in parts:
        ledger = ledger.say(1, part)
    item = 0
    for what, amount in actions:
        if what == "make" and item < len(parts):
            ledger = ledger.synthesised(1, item, amount)
            made[item] += amount
        elif what == "finish" and item < len(parts):
            ledger, item = ledger.finished(1, item), item + 1
        elif what == "take":
            ledger, spans = ledger.take(1, amount)
            flying += [(s.item, n) for s in spans for n in range(s.first, s.last)]
        elif what == "play":
            ear, flying = ear + flying[:amount], flying[amount:]
            ledger = ledger.acknowledge(1, newest(ledger).flight, len(ear))
        elif what == "recall":
            ledger, flying = ledger.recall(1), []
        elif what == "late":
            assert ledger.acknowledge(1, newest(ledger).flight - 1, amount) == ledger
        text = ledger.heard(1).text
        assert "".join(part.text for part in parts).startswith(text)
    line = [(number, n) for number, size in enumerate(made) for n in range(size)]
    assert ear == line[: len(ear)]
    assert newest(ledger).sent == len(ear) + len(flying)


@given(st.sampled_from(["en", "ru"]), st.booleans(), st.integers(0, 60_000), st.integers(0, 30_000))
def test_heard_is_a_prefix_that_grows_with_what_was_played(language, marks, first, more):
    ledger, _ = spoken(TEXTS[language], language, marks=marks)
    early = play(ledger, first)
    late = play(early, more)
    assert late.heard(1).text.startswith(early.heard(1).text)
    assert TEXTS[language].startswith(late.heard(1).text)
    assert late.words(1)[: len(early.words(1))] == early.words(1)


@given(st.sampled_from(["en", "ru"]), st.integers(0, 60_000))
def test_with_marks_it_is_exactly_the_words_whose_sound_started(language, played):
    ledger, truth = spoken(TEXTS[language], language)
    end = max((end for end, start in truth if start < played), default=0)
    assert play(ledger, played).heard(1).text == TEXTS[language][:end]


STALE = st.lists(
    st.tuples(st.sampled_from(range(7)), st.integers(0, 1_000)), min_size=1, max_size=10
)


@given(STALE)
def test_a_stale_generation_changes_nothing(calls):
    ledger, _ = spoken(TEXTS["en"])
    ledger = play(ledger, 3_000).cut(1).cleared(1, 3_000).begin(2)
    clause = Clause(0, "late", clauses("late")[0].spoken)
    late = [
        lambda amount: ledger.begin(1),
        lambda amount: ledger.say(1, clause),
        lambda amount: ledger.synthesised(1, 0, amount),
        lambda amount: ledger.take(1, amount)[0],
        lambda amount: ledger.acknowledge(1, 0, amount * 100),
        lambda amount: ledger.recall(1),
        lambda amount: ledger.cleared(1, amount * 100),
    ]
    for what, amount in calls:
        assert late[what](amount) == ledger


def test_without_marks_a_thousand_cuts_are_near_the_truth():
    """Words of uneven speed: the share of characters inside short clauses is off by under 0.6."""
    chance = random.Random(4)
    for language, text in TEXTS.items():
        ledger, truth, offset = Ledger(RATE).begin(1), [], 0
        for number, clause in enumerate(clauses(text, language)):
            at = 0
            for word in clause.spoken.words:
                truth.append((word.end, offset + at))
                at += int((word.spoken_end - word.spoken_start + 1) * chance.uniform(350, 750))
            ledger = ledger.say(1, clause).synthesised(1, number, at).finished(1, number)
            offset += at
        wrong = 0
        for _ in range(1_000):
            cut = chance.randrange(offset)
            heard = len(play(ledger, cut).words(1))
            wrong += abs(heard - sum(start < cut for _, start in truth))
        assert wrong / 1_000 <= 0.6
