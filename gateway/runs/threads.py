"""Sync tool calls: each in its own daemon thread, where a stop reaches it at a bytecode."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

from gateway.core.errors import ToolFailed
from gateway.supervise import Caught, DaemonExecutor, guarded, in_thread

MAX_ABANDONED = 16
THREADS_EXHAUSTED = "TOOL_THREADS_EXHAUSTED"


class ThreadInterrupted(BaseException):
    """Raised inside a THREAD_INTERRUPT tool's thread when its run is stopped."""


class CutShort:
    """What came of a call whose thread was interrupted."""


class SyncCall:
    """One call in its own thread. The exception is set at most once, only while its frame lives."""

    def __init__(self, threads: SyncThreads) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._ident: int | None = None
        self._live = False
        self._cut = False

    def run(self, fn: Callable[[], Any]) -> Any:
        """In the thread: the function's value, what it raised as `Caught`, or `CutShort`."""
        outcome: Any = CutShort()
        try:
            try:
                if self._open():
                    outcome = guarded(fn)
            finally:
                self._close()
        except ThreadInterrupted:
            self._close()  # it may have struck before the frame was closed; it strikes once
        except SystemExit as error:
            outcome = Caught(RuntimeError(f"the tool tried to end the process ({error})"))
        finally:
            self._threads.returned(self)
        return outcome

    def interrupt(self) -> None:
        """Raise `ThreadInterrupted` in its thread; before its start, keep it from starting."""
        with self._lock:
            if self._cut:
                return
            self._cut = True
            if self._live and self._ident is not None:
                _set_async_exception(self._ident, ThreadInterrupted)

    def abandon(self) -> None:
        """Nobody waits for it any more; it counts until its thread ends."""
        self._threads.abandon(self)

    def _open(self) -> bool:
        with self._lock:
            self._ident = threading.get_ident()
            self._live = not self._cut
            return self._live

    def _close(self) -> None:
        with self._lock:
            if self._live and self._ident is not None:
                self._live = False
                _set_async_exception(self._ident, None)


def _set_async_exception(ident: int, exception: type[BaseException] | None) -> None:
    target = None if exception is None else ctypes.py_object(exception)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), target)


class SyncThreads:
    """The threads of a process's sync calls; the abandoned are counted, capped, never joined."""

    def __init__(self, max_abandoned: int = MAX_ABANDONED) -> None:
        self._max = max_abandoned
        self._lock = threading.Lock()
        self._running: set[SyncCall] = set()
        self._abandoned: set[SyncCall] = set()

    @property
    def abandoned(self) -> int:
        """How many threads run on for nobody."""
        return len(self._abandoned)

    def call(self) -> SyncCall:
        """A new call.

        Raises:
            ToolFailed: TOOL_THREADS_EXHAUSTED, too many abandoned threads still run.
        """
        with self._lock:
            if len(self._abandoned) >= self._max:
                text = f"{len(self._abandoned)} tool threads that were given up still run"
                raise ToolFailed(THREADS_EXHAUSTED, text)
            call = SyncCall(self)
            self._running.add(call)
            return call

    async def run(self, call: SyncCall, name: str, fn: Callable[[], Any]) -> Any:
        """Run `fn` in a thread of its own and wait for what came of it."""
        return await in_thread(DaemonExecutor(f"tool-{name}"), call.run, fn)

    def abandon(self, call: SyncCall) -> None:
        """Count the call until its thread ends."""
        with self._lock:
            if call in self._running:
                self._abandoned.add(call)

    def returned(self, call: SyncCall) -> None:
        """The call's thread is about to end."""
        with self._lock:
            self._running.discard(call)
            self._abandoned.discard(call)
