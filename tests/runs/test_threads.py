"""A sync call's thread: the exception comes at most once, and only while its frame lives."""

import threading

import pytest

from gateway.core.errors import ToolFailed
from gateway.runs.threads import CutShort, SyncCall, SyncThreads, ThreadInterrupted
from gateway.supervise import Caught


def a_call() -> SyncCall:
    return SyncThreads().call()


def spin(rounds: int = 10_000) -> int:
    return sum(range(rounds)) + sum(number for number in range(rounds))


def test_a_call_gives_its_value_or_what_it_raised():
    assert a_call().run(lambda: 7) == 7
    caught = a_call().run(lambda: int("x"))
    assert isinstance(caught, Caught)
    assert isinstance(caught.error, ValueError)


def test_a_running_call_is_cut_short():
    call = a_call()

    def stops_itself() -> int:
        call.interrupt()
        return spin()

    assert isinstance(call.run(stops_itself), CutShort)


def test_a_call_interrupted_before_its_start_never_runs():
    call, ran = a_call(), []
    call.interrupt()
    assert isinstance(call.run(lambda: ran.append(1)), CutShort)
    assert ran == []


def test_an_interrupt_after_the_end_reaches_nobody():
    """The thread that ran the call lives on here, as another call's might."""
    call = a_call()
    call.run(spin)
    call.interrupt()
    assert spin() > 0


def test_an_interrupt_in_the_last_instant_reaches_nobody_else():
    for _ in range(200):
        call = a_call()
        call.run(call.interrupt)
        assert spin(50) > 0


class Unusual(BaseException):
    """No Exception, as some libraries raise."""


def test_a_call_that_ends_unusually_is_closed_too():
    call = a_call()

    def ends_unusually() -> None:
        raise Unusual

    with pytest.raises(Unusual):
        call.run(ends_unusually)
    call.interrupt()
    assert spin() > 0


def test_the_exception_comes_at_most_once():
    call, survived = a_call(), []

    def survives() -> None:
        try:
            call.interrupt()
            spin()
        except ThreadInterrupted:
            call.interrupt()
            spin()
            survived.append(1)

    call.run(survives)
    assert survived == [1]


def test_threads_given_up_are_counted_until_they_end():
    threads, held, running = SyncThreads(max_abandoned=1), threading.Event(), threading.Event()
    call = threads.call()

    def stuck() -> None:
        running.set()
        held.wait(5)

    thread = threading.Thread(target=call.run, args=(stuck,), daemon=True)
    thread.start()
    assert running.wait(5)
    call.abandon()
    assert threads.abandoned == 1
    with pytest.raises(ToolFailed) as refused:
        threads.call()
    assert refused.value.code == "TOOL_THREADS_EXHAUSTED"
    held.set()
    thread.join(5)
    assert threads.abandoned == 0
    threads.call()
