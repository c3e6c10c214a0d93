"""A run's log: whoever reads it, in whatever bites, from whatever place, has the same text."""

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.api import runlog
from gateway.api.runlog import Line, Reader, RunLog, Said
from gateway.wire import Sequence


def a_log() -> RunLog:
    return RunLog("r", "t", Sequence(datetime(2026, 1, 1, tzinfo=UTC)), whole=True)


def everything(log: RunLog, id_: str = "") -> list[tuple[str, str]]:
    """What a reader is told from a place on: each event's id, and its text or type."""
    reader, told = Reader(log, id_), []
    while (item := reader.next()) is not None:
        if isinstance(item, Line):
            told.append((str(item.seq), item.type))
            continue
        starts = zip(item.ends, item.words, strict=True)
        told += [(f"{item.seq}.{end}", word) for end, word in starts]
        reader.took(item)
    return told


WORDS = st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=12)
SPOKEN = st.lists(st.one_of(WORDS, st.just("tool")), max_size=6)


@given(SPOKEN, st.data())
def test_a_reader_who_comes_again_is_told_exactly_the_rest(spoken, data):
    log, early, so_far = a_log(), [], ""
    reader = Reader(log)
    for part in spoken:
        if part == "tool":
            log.add("tool", {})
            continue
        for word in part:
            so_far += word
            (log.more if log.texts else log.grow)(1, word)
            if data.draw(st.booleans()):
                while (item := reader.next()) is not None:
                    early.append(item)
    log.grow(1, so_far)
    told = everything(log)
    said = [word for place, word in told if "." in place]
    assert said == [word for part in spoken if part != "tool" for word in part]
    assert [tuple(map(int, place.split("."))) for place, _ in told] == sorted(
        tuple(map(int, place.split("."))) for place, _ in told
    )
    for number, (place, _) in enumerate(told):
        assert everything(log, place) == told[number + 1 :]
    while (item := reader.next()) is not None:
        early.append(item)
    assert "".join(item.text for item in early if isinstance(item, Said)) == so_far


@given(WORDS, st.text(max_size=6))
def test_what_a_text_is_changed_to_counts_from_where_it_differs(words, other):
    log = a_log()
    log.grow(1, words[0])
    for word in words[1:]:
        log.more(1, word)
    everything(log)
    assert log.shown(1) == "".join(words)
    log.grow(1, other)
    common = log.shown(1)
    assert other.startswith(common)
    assert "".join(words).startswith(common)
    everything(log)
    assert log.shown(1) == other
    whole = "".join(word for place, word in everything(log) if "." in place)
    assert whole == log.shown(1)


def test_nothing_is_told_after_a_cut_though_the_model_says_more():
    log = a_log()
    log.grow(1, "seen ")
    everything(log)
    log.more(1, "unseen ")
    assert log.cut(1) == "seen "
    log.more(1, "late")
    assert [word for _, word in everything(log)] == ["seen "]


def test_a_text_nobody_began_here_is_told_once_it_is_whole():
    log = a_log()
    log.more(1, "in the middle")
    assert everything(log) == []
    log.grow(1, "from the start, in the middle")
    assert [word for _, word in everything(log)] == ["from the start, in the middle"]


def test_a_long_text_is_read_in_bites():
    log = a_log()
    log.grow(1, "0 ")
    for number in range(1, 2 * runlog.WORDS_AT_ONCE):
        log.more(1, f"{number} ")
    reader = Reader(log)
    bites = [reader.next(), reader.next(), reader.next()]
    assert [len(item.ends) if isinstance(item, Said) else item for item in bites] == [
        512,
        512,
        None,
    ]


@pytest.mark.looptime
async def test_a_reader_that_waits_is_woken_by_a_word():
    log = a_log()
    log.grow(1, "a")
    reader = Reader(log)
    assert isinstance(reader.next(), Said)
    assert reader.next() is None
    asyncio.get_running_loop().call_later(3, log.more, 1, "b")
    assert await reader.wait(10)
    assert asyncio.get_running_loop().time() == pytest.approx(3)
    assert isinstance(reader.next(), Said)
    assert not await reader.wait(5)
    reader.close()
