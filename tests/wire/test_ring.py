"""Numbers that only grow, and a resume that is whole or refused."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from gateway.wire import Rings, Sequence, ServerFrame

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def a_ring(**limits: int) -> tuple[Sequence, Rings]:
    sequence = Sequence(START)
    rings = Rings(sequence, **limits)
    return sequence, rings


def send(rings: Rings, thread: str, to: str = "", size: int = 10) -> ServerFrame:
    frame = rings.number("notice", thread, {}, to)
    rings.keep(frame, size)
    return frame


def seqs(frames: list[ServerFrame] | None) -> list[int] | None:
    return None if frames is None else [frame.seq or 0 for frame in frames]


def test_a_number_after_a_restart_is_greater_and_a_safe_integer():
    before = Sequence(START)
    for _ in range(1_000):
        before.next()
    after = Sequence(START + timedelta(milliseconds=2))
    assert before.last < after.next() < 2**53


def test_a_client_gets_what_it_missed_and_may_see():
    sequence, rings = a_ring()
    rings.watch("t")
    start = sequence.last
    first, second, third = send(rings, "t"), send(rings, "t", to="ann"), send(rings, "t", to="bob")
    send(rings, "other")
    assert seqs(rings.since("t", start, "ann")) == [first.seq, second.seq]
    assert seqs(rings.since("t", first.seq or 0, "bob")) == [third.seq]
    assert seqs(rings.since("t", third.seq or 0, "bob")) == []


def test_a_gap_a_foreign_number_and_an_unwatched_thread_are_no_resume():
    sequence, rings = a_ring(frames_a_thread=2)
    assert rings.since("t", sequence.last, "ann") is None
    rings.watch("t")
    frames = [send(rings, "t") for _ in range(4)]
    assert rings.since("t", frames[0].seq or 0, "ann") is None
    assert seqs(rings.since("t", frames[1].seq or 0, "ann")) == [f.seq for f in frames[2:]]
    assert rings.since("t", sequence.last + 1, "ann") is None


def test_the_least_used_thread_gives_way():
    sequence, rings = a_ring(threads=2)
    for thread in ("a", "b", "a", "c"):
        rings.watch(thread)
    assert rings.since("b", sequence.last, "ann") is None
    assert rings.since("a", sequence.last, "ann") == []
    rings.forget("a")
    assert rings.since("a", sequence.last, "ann") is None


@given(st.lists(st.integers(1, 50), max_size=60), st.integers(0, 60))
def test_a_resume_is_whole_or_refused(sizes: list[int], known: int):
    sequence, rings = a_ring(frames_a_thread=8, bytes_a_thread=120)
    rings.watch("t")
    numbers = [sequence.last] + [send(rings, "t", size=size).seq or 0 for size in sizes]
    seq = numbers[min(known, len(sizes))]
    missed = rings.since("t", seq, "ann")
    assert missed is None or seqs(missed) == [n for n in numbers if n > seq]
