"""Stopping one run: its signal, the levers that abort what it waits for, its tools' terminators."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from gateway.core.cancellation import CancelledExecutionError, InterruptReason, Registration
from gateway.supervise import Caught, DaemonExecutor, Report, guarded

Callback = Callable[[], object]


class _Slot:
    """One callback's place in a list."""

    def __init__(self, callback: Callback, remove: Callable[[_Slot], None]) -> None:
        self.callback = callback
        self._remove = remove

    def remove(self) -> None:
        self._remove(self)


class Signal:
    """A run's `CancellationSignal`: single-shot, reads without a lock, any thread may call it.

    Only its `Coordinator` trips it. A listener that raises is reported, never passed on.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._lock = threading.Lock()
        self._reason: InterruptReason | None = None
        self._levers: list[_Slot] = []
        self._listeners: list[_Slot] = []

    @property
    def cancelled(self) -> bool:
        return self._reason is not None

    @property
    def reason(self) -> InterruptReason | None:
        return self._reason

    @property
    def listeners(self) -> int:
        """How many wait for the trip, levers included."""
        return len(self._listeners) + len(self._levers)

    def checkpoint(self) -> None:
        if self._reason is not None:
            raise CancelledExecutionError(self._reason)

    def on_cancel(self, listener: Callback) -> Registration:
        return self._add(self._listeners, listener)

    def lever(self, lever: Callback) -> Registration:
        """Like `on_cancel`, but pulled on the tripping thread before any listener runs.

        A lever is the run's own: thread-safe, and it neither blocks nor raises.
        """
        return self._add(self._levers, lever)

    async def wait(self) -> InterruptReason:
        loop, woken = asyncio.get_running_loop(), asyncio.Event()
        registration = self.lever(lambda: on_loop(loop, woken.set))
        try:
            while self._reason is None:
                await woken.wait()
            return self._reason
        finally:
            registration.remove()

    def trip(self, reason: InterruptReason) -> tuple[tuple[Callback, ...], ...] | None:
        """Set the flag. The levers and listeners to run, each once, or None if it was tripped."""
        with self._lock:
            if self._reason is not None:
                return None
            self._reason = reason
            taken = tuple(
                tuple(slot.callback for slot in slots) for slots in (self._levers, self._listeners)
            )
            self._levers.clear()
            self._listeners.clear()
            return taken

    def run(self, callback: Callback, what: str) -> None:
        """Call foreign code; what it raises is reported."""
        outcome = guarded(callback)
        if isinstance(outcome, Caught):
            self._report(what, outcome.error)

    def _add(self, slots: list[_Slot], callback: Callback) -> _Slot:
        def remove(slot: _Slot) -> None:
            with self._lock:
                if slot in slots:
                    slots.remove(slot)

        slot = _Slot(callback, remove)
        with self._lock:
            if self._reason is None:
                slots.append(slot)
                return slot
        self.run(callback, "cancel listener")
        return slot


def _ignore(name: str, error: BaseException) -> None:
    """Nothing ever runs on a signal that nobody can trip."""


class _Never(Signal):
    """Keeps no listener, since none will ever run."""

    def _add(self, slots: list[_Slot], callback: Callback) -> _Slot:
        return _Slot(callback, lambda slot: None)


NEVER: Signal = _Never(_ignore)
"""The signal of a tool that is called outside a run: nobody trips it."""


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def on_loop(loop: asyncio.AbstractEventLoop, call: Callback) -> None:
    """Call now if this is the loop's thread, else hand it over to the loop, if that still runs."""
    if _running_loop() is loop:
        call()
        return
    guarded(loop.call_soon_threadsafe, call)


class Registrar:
    """The terminators of one tool call, run in order on the trip.

    Registering after the trip runs the terminator at once, on the registering thread; after the
    call has returned it raises RuntimeError. Any thread may call any method.
    """

    def __init__(self, signal: Signal) -> None:
        self._signal = signal
        self._lock = threading.Lock()
        self._terminators: list[Callback] = []
        self._fired = False
        self._closed = False

    def register(self, terminator: Callback) -> None:
        """Run `terminator` once when the call is to be stopped.

        Raises:
            RuntimeError: the call has returned.
        """
        with self._lock:
            if self._closed:
                raise RuntimeError("the tool call has returned: nothing to terminate any more")
            if not (self._fired or self._signal.cancelled):
                self._terminators.append(terminator)
                return
        self._signal.run(terminator, "terminator")

    def unregister(self, terminator: Callback) -> None:
        """Take it off; idempotent."""
        with self._lock:
            if terminator in self._terminators:
                self._terminators.remove(terminator)

    def fire(self) -> None:
        """Run every terminator, once."""
        with self._lock:
            if self._fired or self._closed:
                return
            self._fired = True
            terminators = tuple(self._terminators)
        for terminator in terminators:
            self._signal.run(terminator, "terminator")

    def close(self) -> None:
        """The call has returned: drop what is left without running it."""
        with self._lock:
            self._closed = True
            self._terminators.clear()


class Lever:
    """One lever of a run whose target is swapped: many calls, one registration."""

    def __init__(self, signal: Signal) -> None:
        self._signal = signal
        self._target: Callback | None = None
        self._registration = signal.lever(self._pull)

    def swap(self, target: Callback | None) -> None:
        """Abort this from now on; at once if the run was stopped. None: nothing to abort."""
        self._target = target
        if self._signal.cancelled:
            self._pull()

    def remove(self) -> None:
        """Take it off the signal."""
        self._target = None
        self._registration.remove()

    def _pull(self) -> None:
        target, self._target = self._target, None
        if target is not None:
            target()


class Coordinator:
    """Stops one run, once. The first reason wins.

    Order of a trip: the flag, the levers (here and now), then listeners and after them terminators,
    in order of registration, on one daemon thread of this trip.
    """

    def __init__(self, report: Report) -> None:
        self.signal = Signal(report)
        self._lock = threading.Lock()
        self._registrars: list[Registrar] = []
        self._fired = False
        self._firing: object = None

    def trip(self, reason: InterruptReason) -> bool:
        """Stop the run; False if it was stopped before. Returns at once, from any thread.

        Raises:
            ValueError: the reason is UNKNOWN, which is only ever read.
        """
        if reason is InterruptReason.UNKNOWN:
            raise ValueError("UNKNOWN is a reason that is read, never raised")
        taken = self.signal.trip(reason)
        if taken is None:
            return False
        levers, listeners = taken
        for lever in levers:
            self.signal.run(lever, "lever")

        def fire() -> None:
            for listener in listeners:
                self.signal.run(listener, "cancel listener")
            self._fire_terminators()

        self._firing = start_apart(fire)
        return True

    def registrar_for_call(self) -> Registrar:
        """A registrar for one call; `release` it when the call returns."""
        registrar = Registrar(self.signal)
        with self._lock:
            if not self._fired:
                self._registrars.append(registrar)
                return registrar
        registrar.fire()
        return registrar

    def release(self, registrar: Registrar) -> None:
        """The call has returned."""
        registrar.close()
        with self._lock:
            if registrar in self._registrars:
                self._registrars.remove(registrar)

    def child_of(self, parent: Signal) -> Registration:
        """Be stopped with `parent` (PARENT_CANCELLED), at once if it was; remove it at the end."""
        return parent.lever(lambda: self.trip(InterruptReason.PARENT_CANCELLED))

    def _fire_terminators(self) -> None:
        with self._lock:
            self._fired = True
            registrars = tuple(self._registrars)
        for registrar in registrars:
            registrar.fire()


def start_apart(fire: Callable[[], None]) -> Any:
    """Run `fire` on a daemon thread of its own; under a loop as a future that the loop knows of."""
    executor = DaemonExecutor("bargein-trip")
    loop = _running_loop()
    if loop is None:
        return executor.submit(fire)
    return loop.run_in_executor(executor, fire)
