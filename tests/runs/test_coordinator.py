"""One run's signal: single-shot, first reason wins, every callback once and in order."""

import asyncio
import threading

import pytest

from gateway.core.cancellation import CancellationSignal, CancelledExecutionError, InterruptReason
from gateway.runs.coordinator import NEVER, Coordinator, Lever
from tests.runs.building import Reports

STOP = InterruptReason.USER_SIGINT
SHUTDOWN = InterruptReason.SYSTEM_SHUTDOWN


def a_coordinator() -> Coordinator:
    return Coordinator(Reports())


class Journal:
    """What ran, in order; `reached(n)` waits for the n-th on the trip's own thread."""

    def __init__(self) -> None:
        self.lines: list[object] = []
        self._grown = threading.Condition()

    def add(self, line: object) -> None:
        with self._grown:
            self.lines.append(line)
            self._grown.notify_all()

    def reached(self, count: int) -> list[object]:
        with self._grown:
            assert self._grown.wait_for(lambda: len(self.lines) >= count, timeout=5)
            return self.lines


def test_a_new_signal_is_clear_and_a_checkpoint_passes():
    signal = a_coordinator().signal
    assert isinstance(signal, CancellationSignal)
    assert (signal.cancelled, signal.reason) == (False, None)
    signal.checkpoint()


def test_the_first_reason_wins_and_stays():
    coordinator = a_coordinator()
    assert coordinator.trip(STOP)
    assert not coordinator.trip(SHUTDOWN)
    assert coordinator.signal.reason is STOP
    with pytest.raises(CancelledExecutionError, match="USER_SIGINT"):
        coordinator.signal.checkpoint()


def test_one_runs_trip_is_not_anothers():
    first, second = a_coordinator(), a_coordinator()
    first.trip(STOP)
    assert not second.signal.cancelled


def test_unknown_is_never_raised():
    coordinator = a_coordinator()
    with pytest.raises(ValueError):
        coordinator.trip(InterruptReason.UNKNOWN)
    assert not coordinator.signal.cancelled


def test_listeners_run_before_terminators_each_once_in_order():
    coordinator, journal = a_coordinator(), Journal()
    registrars = [coordinator.registrar_for_call(), coordinator.registrar_for_call()]
    registrars[0].register(lambda: journal.add("terminator 1"))
    coordinator.signal.on_cancel(lambda: journal.add("listener 1"))
    registrars[1].register(lambda: journal.add("terminator 3"))
    registrars[0].register(lambda: journal.add("terminator 2"))
    coordinator.signal.on_cancel(lambda: journal.add("listener 2"))
    coordinator.trip(STOP)
    coordinator.trip(SHUTDOWN)
    assert journal.reached(5) == [
        "listener 1",
        "listener 2",
        "terminator 1",
        "terminator 2",
        "terminator 3",
    ]


def test_callbacks_run_on_a_daemon_thread_of_the_trip():
    coordinator, journal = a_coordinator(), Journal()
    coordinator.signal.on_cancel(lambda: journal.add(threading.current_thread()))
    coordinator.trip(STOP)
    (thread,) = journal.reached(1)
    assert isinstance(thread, threading.Thread)
    assert thread is not threading.current_thread()
    assert thread.daemon


def test_registering_after_the_trip_fires_at_once_on_the_registering_thread():
    coordinator, journal = a_coordinator(), Journal()
    coordinator.trip(STOP)
    coordinator.signal.on_cancel(lambda: journal.add(threading.current_thread()))
    assert journal.lines == [threading.current_thread()]
    registrar = coordinator.registrar_for_call()
    registrar.register(lambda: journal.add("terminator"))
    assert journal.lines[1:] == ["terminator"]


def test_a_terminator_registered_while_listeners_still_run_fires_once():
    coordinator, journal = a_coordinator(), Journal()
    registrar, held = coordinator.registrar_for_call(), threading.Event()
    coordinator.signal.on_cancel(lambda: held.wait(5))
    coordinator.trip(STOP)
    registrar.register(lambda: journal.add("at once"))
    assert journal.lines == ["at once"]
    registrar.register(lambda: journal.add("second"))
    held.set()
    coordinator.registrar_for_call().register(lambda: journal.add("third"))
    assert journal.lines == ["at once", "second", "third"]


def test_a_raising_callback_is_reported_and_its_siblings_run():
    reports, journal = Reports(), Journal()
    coordinator = Coordinator(reports)

    def broken() -> None:
        raise LookupError("mine")

    coordinator.signal.on_cancel(broken)
    coordinator.signal.on_cancel(lambda: journal.add("second"))
    registrar = coordinator.registrar_for_call()
    registrar.register(broken)
    registrar.register(lambda: journal.add("terminator"))
    coordinator.trip(STOP)
    assert journal.reached(2) == ["second", "terminator"]
    assert [str(error) for _, error in reports.seen] == ["mine", "mine"]


def test_a_callback_that_blocks_holds_up_no_other_run_and_not_the_tripping_thread():
    held, journal = threading.Event(), Journal()
    slow, other = a_coordinator(), a_coordinator()
    slow.signal.on_cancel(lambda: held.wait(5))
    slow.trip(STOP)
    other.signal.on_cancel(lambda: journal.add("other"))
    other.trip(STOP)
    assert journal.reached(1) == ["other"]
    held.set()


def test_removing_a_listener_is_idempotent_and_safe_after_the_trip():
    coordinator, journal = a_coordinator(), Journal()
    registration = coordinator.signal.on_cancel(lambda: journal.add("removed"))
    registration.remove()
    registration.remove()
    kept = coordinator.signal.on_cancel(lambda: journal.add("kept"))
    coordinator.trip(STOP)
    assert journal.reached(1) == ["kept"]
    kept.remove()


def test_a_registrar_is_closed_when_its_call_returns():
    coordinator, journal = a_coordinator(), Journal()
    registrar = coordinator.registrar_for_call()

    def terminator() -> None:
        journal.add("fired")

    registrar.register(terminator)
    registrar.unregister(terminator)
    registrar.unregister(terminator)
    registrar.register(terminator)
    coordinator.release(registrar)
    registrar.unregister(terminator)
    with pytest.raises(RuntimeError):
        registrar.register(terminator)
    last = coordinator.registrar_for_call()
    last.register(lambda: journal.add("last"))
    coordinator.trip(STOP)
    assert journal.reached(1) == ["last"]


def test_fifty_model_calls_share_one_listener():
    coordinator = a_coordinator()
    aborted: list[str] = []
    lever = Lever(coordinator.signal)
    for _ in range(50):
        lever.swap(lambda: aborted.append("stale"))
        assert coordinator.signal.listeners == 1
        lever.swap(None)
    coordinator.trip(STOP)
    assert aborted == []
    lever.swap(lambda: aborted.append("late"))
    assert aborted == ["late"]


def test_a_parents_trip_is_its_childs_and_leaves_no_listener():
    parent, child, later = a_coordinator(), a_coordinator(), a_coordinator()
    ended = a_coordinator()
    ended.child_of(parent.signal).remove()
    assert parent.signal.listeners == 0
    child.child_of(parent.signal)
    parent.trip(STOP)
    later.child_of(parent.signal)
    assert child.signal.reason is InterruptReason.PARENT_CANCELLED
    assert later.signal.reason is InterruptReason.PARENT_CANCELLED
    assert not ended.signal.cancelled


def test_a_childs_trip_leaves_its_parent():
    parent, child = a_coordinator(), a_coordinator()
    child.child_of(parent.signal)
    child.trip(InterruptReason.BUDGET_EXCEEDED)
    assert not parent.signal.cancelled


async def test_waiting_for_the_trip_ends_with_its_reason_and_leaves_no_listener():
    coordinator = a_coordinator()
    waits = asyncio.create_task(coordinator.signal.wait())
    given_up = asyncio.create_task(coordinator.signal.wait())
    await asyncio.sleep(0)
    assert coordinator.signal.listeners == 2
    given_up.cancel()
    await asyncio.wait({given_up})
    assert coordinator.signal.listeners == 1
    await asyncio.get_running_loop().run_in_executor(None, coordinator.trip, STOP)
    assert await waits is STOP
    assert await coordinator.signal.wait() is STOP


def test_outside_a_run_nothing_is_ever_tripped():
    NEVER.checkpoint()
    assert isinstance(NEVER, CancellationSignal)
    assert (NEVER.cancelled, NEVER.reason) == (False, None)
    NEVER.on_cancel(lambda: None).remove()
