"""A stream of text, cut where a speaker breathes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.core.clauses import Clause, Clauses, Cutting


def cut(text, language="en", sizes=()):
    state, found, at = Clauses(language), list[Clause](), 0
    for size in sizes:
        state, more = state.feed(text[at : at + size])
        found += more
        at += size
    state, more = state.feed(text[at:])
    found += more
    _, last = state.close()
    return [*found, *last]


@pytest.mark.parametrize(
    ("language", "text", "clauses"),
    [
        (
            "en",
            "Well, of course, I can. Three servers run, and Dr. Smith pays $3.50 a day, since May.",
            [
                "Well, of course, ",
                "I can. ",
                "Three servers run, and Dr. Smith pays $3.50 a day, ",
                "since May.",
            ],
        ),
        (
            "ru",
            "Хорошо, сейчас, я посмотрю. Это ул. Ленина, д. 5, т. е. центр! Что дальше?",
            [
                "Хорошо, сейчас, ",
                "я посмотрю. ",
                "Это ул. Ленина, д. 5, т. е. центр! ",
                "Что дальше?",
            ],
        ),
        ("en", "Choose:\n1. Europe\n2. America\n", ["Choose:\n", "1. Europe\n", "2. America\n"]),
        ("en", "Run ```a. b, c\nd. e``` now. Ok", ["Run ```a. b, c\nd. e``` now. ", "Ok"]),
        ("en", "Read [this, please. Now](http://x) ok", ["Read [this, please. Now](http://x) ok"]),
        ("en", "", []),
    ],
)  # fmt: skip
def test_where_clauses_end(language, text, clauses):
    assert [clause.text for clause in cut(text, language)] == clauses


def test_the_first_clause_is_there_before_the_rest():
    _, found = Clauses("en").feed("Let me look, ")
    assert [clause.text for clause in found] == []  # it may go on with a space or a line end
    _, found = Clauses("en").feed("Let me look, th")
    assert [clause.spoken.text for clause in found] == ["Let me look,"]


def test_long_code_is_one_clause():
    clauses = cut("Look:\n```\n" + "x = 1. y = 2\n" * 50 + "``` Done. More")
    assert [clause.spoken.text for clause in clauses] == ["Look:", "code. Done.", "More"]


def test_code_that_never_closes_does_not_stop_the_speech():
    clauses = cut("```\n" + "x = 1. y = 2\n" * 500)
    assert len(clauses) > 1


def test_a_long_clause_without_marks_is_cut_at_a_space():
    clauses = cut("word " * 100)
    assert max(len(clause.text) for clause in clauses) <= Cutting().longest
    assert all(clause.text.endswith(" ") for clause in clauses)


TEXT = st.text(max_size=400) | st.text(
    alphabet="aя1. ,!?;\n`[]()-*", max_size=400
)  # fmt: skip


@given(TEXT, st.lists(st.integers(1, 20), max_size=20))
def test_clauses_together_are_the_text_however_it_came(text, sizes):
    clauses = cut(text, "ru", sizes)
    assert "".join(clause.text for clause in clauses) == text
    assert [clause.start for clause in clauses] == [0, *(c.end for c in clauses)][: len(clauses)]
    for clause in clauses:
        assert clause.text
        assert all(clause.start <= w.start < w.end <= clause.end for w in clause.spoken.words)


@given(st.text(alphabet="a1. ,\n", max_size=60), st.lists(st.integers(1, 20), max_size=20))
def test_where_clauses_end_is_no_matter_of_how_the_text_came(text, sizes):
    assert [c.text for c in cut(text, "en", sizes)] == [c.text for c in cut(text, "en")]
