"""What the operator sees: log lines with ids and lengths, never what people say, and metrics."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path
from typing import Any, Final, TextIO

import structlog
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from gateway.core.errors import GatewayError
from gateway.ports.clock import Clock, Ids

PRIVATE = frozenset(
    [
        "text",
        "message",
        "content",
        "arguments",
        "value",
        "answer",
        "understood",
        "body",
        "title",
        "sender",
        "form",
        "unheard",
        "shown",
        "exception",
    ]
)
"""Names under which people's words could come: their length is logged instead."""
LONGEST = 300
LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
LOOP_WATCH_SECONDS = 1.0

_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_TENTHS = tuple(tenth / 10 for tenth in range(1, 11))
_RUN_SECONDS = (0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0)


def redact(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A net under everybody who logs: words become lengths, long values are cut."""
    for key, value in event.items():
        if key in PRIVATE:
            size = len(value) if hasattr(value, "__len__") else 1
            event[key] = f"<{size}>"
        elif isinstance(value, str) and len(value) > LONGEST:
            event[key] = f"{value[:LONGEST]}… <{len(value)}>"
    return event


PROTOCOLS: Final = frozenset({"mcp", "acp"})
NO_HTTP: Final = "aiohttp.http_exceptions"
"""The errors of this module are a client's: what it sent is no HTTP."""


class _Libraries(logging.Handler):
    """What libraries log: who and how bad; their words without the values put into them. What the
    protocols' libraries call an error reaches us as one where it matters: here it is a warning.
    What is no HTTP is nobody's error here.
    """

    def __init__(self, log: Any) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if type(error).__module__ == NO_HTTP:
            self._log.info("malformed request", error=type(error).__name__)
            return
        told = Path(record.pathname).parts
        bad = record.levelno >= logging.ERROR and not PROTOCOLS.intersection(told)
        say = self._log.error if bad else self._log.warning
        say("library", library=record.name, said=str(record.msg), **_about(error))


def _about(error: BaseException | None) -> dict[str, Any]:
    if error is None:
        return {}
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    about: dict[str, Any] = {
        "error": type(error).__name__,
        "at": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }
    if isinstance(error, GatewayError):
        about |= {"code": error.code, "why": str(error)}
    if error.__cause__ is not None:
        about["cause"] = type(error.__cause__).__name__
    return about


class Observer:
    """The log and the metrics of one process."""

    def __init__(self, *, stream: TextIO, json: bool, level: str, ids: Ids) -> None:
        self._ids = ids
        render: Any = structlog.processors.JSONRenderer(ensure_ascii=False)
        if not json:
            render = structlog.dev.ConsoleRenderer(colors=stream.isatty())
        self.log: Any = structlog.wrap_logger(
            structlog.WriteLogger(stream),
            wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                redact,
                render,
            ],
        )
        self._libraries = _Libraries(self.log)
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._counters = _counters(self.registry)
        self._histograms = _histograms(self.registry)

    def take_over_logging(self) -> Callable[[], None]:
        """Let what libraries log come out here, from warnings on; returns how to undo it."""
        root = logging.getLogger()
        root.addHandler(self._libraries)
        return lambda: root.removeHandler(self._libraries)

    def report(self, where: str, error: BaseException) -> str:
        """Log an error without its words; the short id that the person is told too. A warning of
        our own is no error: it is logged with its words, and has no id.
        """
        if isinstance(error, Warning):
            self.log.warning(where, why=str(error))
            return ""
        error_id = self._ids.uuid().replace("-", "")[-8:]
        self.log.error("error", error_id=error_id, where=where, **_about(error))
        self._counters["errors"].labels(error=type(error).__name__).inc()
        return error_id

    def failed(self, where: str, error: BaseException) -> None:
        """The same for those that have nobody to tell (`Supervisor`)."""
        self.report(where, error)

    def metrics(self, name: str, labels: Mapping[str, str], value: float) -> None:
        """Count or observe, by the metric's kind.

        Raises:
            KeyError: there is no metric of this name.
        """
        if name in self._counters:
            _labelled(self._counters[name], labels).inc(value)
        else:
            _labelled(self._histograms[name], labels).observe(value)

    def watch(self, name: str, text: str, read: Callable[[], float]) -> None:
        """A metric that is read whenever somebody looks."""
        Gauge(f"bargein_{name}", text, registry=self.registry).set_function(read)

    def exposition(self) -> bytes:
        """Everything in Prometheus' text format."""
        return generate_latest(self.registry)

    async def watch_loop(self, clock: Clock) -> None:
        """Measure how late the event loop is, once a second, until cancelled."""
        while True:
            before = clock.monotonic()
            await asyncio.sleep(LOOP_WATCH_SECONDS)
            late = clock.monotonic() - before - LOOP_WATCH_SECONDS
            self.metrics("loop_delay_seconds", {}, max(0.0, late))


def _labelled(metric: Any, labels: Mapping[str, str]) -> Any:
    return metric.labels(**labels) if labels else metric


def _counters(registry: CollectorRegistry) -> dict[str, Counter]:
    described = {
        "inputs": ("Inputs by their outcome.", ["outcome"]),
        "runs": ("Runs by how and why they ended.", ["end", "reason"]),
        "questions": ("Questions by what became of them.", ["status"]),
        "errors": ("Errors by their type.", ["error"]),
        "model_tokens": ("Tokens that models read and wrote.", []),
        "model_cost_usd": ("What models cost, in US dollars, where the price is known.", []),
    }
    return {
        name: Counter(f"bargein_{name}", text, labels, registry=registry)
        for name, (text, labels) in described.items()
    }


def _histograms(registry: CollectorRegistry) -> dict[str, Histogram]:
    described = {
        "stop_seconds": ("From a stop to the run's end.", _SECONDS),
        "run_seconds": ("From a run's start to its end.", _RUN_SECONDS),
        "loop_delay_seconds": ("How late the event loop is.", _SECONDS),
        "call_turn_seconds": ("On a call: from the voice's end to its words.", _SECONDS),
        "call_first_sound_seconds": ("From the words' end to the reply's first sound.", _SECONDS),
        "call_stop_seconds": ("From a stop to silence at the caller's end.", _SECONDS),
        "call_heard_ratio": ("How much of what was said on a call was heard.", _TENTHS),
    }
    return {
        name: Histogram(f"bargein_{name}", text, registry=registry, buckets=buckets)
        for name, (text, buckets) in described.items()
    }
