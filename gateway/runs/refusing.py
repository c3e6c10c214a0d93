"""A run that can't be gone on with, and the codes of what breaks one."""

from __future__ import annotations

from gateway.core.errors import GatewayError
from gateway.core.events import End, Ended
from gateway.ports.agent import RunHost, RunStart
from gateway.runs.result import RunResult
from gateway.runs.runtime import Runtime
from gateway.supervise import guarded_await

INTERNAL_ERROR = "INTERNAL_ERROR"


async def refuse(start: RunStart, host: RunHost, runtime: Runtime, error: Exception) -> RunResult:
    """A run that can't be gone on with ends failed; what is stored of it stays."""
    error_id = runtime.ids.uuid()[:8]
    runtime.report(f"run {start.run} ({error_id})", error)
    ended = Ended(
        End.FAILED, 0, error=code_of(error), error_id=error_id, checkpoint=start.checkpoint
    )
    await guarded_await(host.emit(ended))
    return RunResult(run=start.run, end=End.FAILED, error=ended.error, error_id=error_id)


def code_of(error: Exception) -> str:
    """The code of what broke a run."""
    return error.code if isinstance(error, GatewayError) else INTERNAL_ERROR
