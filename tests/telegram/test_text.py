"""Markdown to entities, cuts of long texts, opening frames: nothing is lost."""

import re

from hypothesis import given
from hypothesis import strategies as st

from gateway.channels.telegram.markdown import Rendered, Span, render, units
from gateway.channels.telegram.splitting import LONGEST, opening, pieces


def marked(rendered: Rendered) -> list[tuple[str, str]]:
    data = rendered.text.encode("utf-16-le")
    return [
        (s.kind, data[s.offset * 2 : (s.offset + s.length) * 2].decode("utf-16-le"))
        for s in rendered.spans
    ]


def test_what_a_model_means_becomes_entities():
    rendered = render(
        "# Plan\nDo **this** and *that*, _so_, ~~no~~ `x*y` 😀 [docs](https://e.org/a_(b))\n"
        "```python\nprint('*')\n```\nend"
    )
    assert rendered.text == "Plan\nDo this and that, so, no x*y 😀 docs\nprint('*')\nend"
    assert marked(rendered) == [
        ("bold", "Plan"),
        ("bold", "this"),
        ("italic", "that"),
        ("italic", "so"),
        ("strikethrough", "no"),
        ("code", "x*y"),
        ("text_link", "docs"),
        ("pre", "print('*')"),
    ]
    assert rendered.spans[6].url == "https://e.org/a_(b)"
    assert rendered.spans[7].language == "python"


def test_stray_marks_stay_as_they_are():
    for text in (
        "2 * 3 * 4",
        "snake_case_name and __init__",
        "a [b] (c) \\* \\_",
        "5*6 and *",
        "unclosed ** bold",
        "[x](javascript:alert(1))",
        "# ",
        "a ` b",
        "~ ~~",
        "<b>&amp;</b>",
    ):
        assert render(text) == Rendered(text.strip())


def test_an_unclosed_fence_is_code_to_the_end():
    assert render("a\n```\nx = *1*").text == "a\nx = *1*"
    assert marked(render("a\n```\nx = *1*")) == [("pre", "x = *1*")]


@given(st.text())
def test_entities_stay_inside_and_words_stay(text: str):
    rendered = render(text)
    for span in rendered.spans:
        assert isinstance(span, Span)
        assert span.offset >= 0 < span.length
        assert span.offset + span.length <= units(rendered.text)
    letters = re.sub(r"[^\w]|_", "", rendered.text)
    assert set(letters) <= set(text)


@given(st.text(alphabet="ab \n.😀`*", max_size=200), st.integers(1, 120))
def test_pieces_hold_the_whole_text_in_order(text: str, times: int):
    source = text * times
    borders: list[int] = []
    found = pieces(source, borders)
    assert "".join(source[p.start : p.end] for p in found) == source
    assert all(units(source[p.start : p.end]) <= LONGEST for p in found)
    assert [p.end for p in found[:-1]] == borders


@given(st.text(alphabet="ab \n.`", min_size=50, max_size=120), st.integers(60, 120))
def test_cuts_stay_while_a_text_grows(text: str, times: int):
    source = text * times
    borders: list[int] = []
    for end in range(0, len(source), 997):
        before = list(borders)
        pieces(source[:end], borders)
        assert borders[: len(before)] == before


def test_cuts_at_paragraphs_and_before_a_code_block_that_fits():
    prose = "word " * 500 + "\n\n"
    block = "```python\n" + "x = 1\n" * 400 + "```\n"
    source = prose + block
    first, second = pieces(source, [])
    assert first.of(source) == prose
    assert second.of(source) == block


def test_a_code_block_longer_than_a_message_goes_on_as_code():
    source = "```python\n" + "x = 1\n" * 1200 + "```"
    found = [render(p.of(source)) for p in pieces(source, [])]
    assert len(found) > 1
    assert all([s.kind for s in r.spans] == ["pre"] for r in found)
    assert "\n".join(r.text for r in found) == "\n".join(["x = 1"] * 1200)


def test_an_opening_is_never_the_whole_text():
    assert opening("ok") == "…"
    assert opening("hello world") == "hello"
    assert opening("one two three four five") == "one two three"
    assert opening("a" * 100 + " b") == "a" * 40
    for text in ("x\ny", "  lead in", "😀 😀"):
        assert opening(text) != text.strip()
