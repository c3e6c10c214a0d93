"""The error that a refusal's code stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gateway.core.errors import (
    AccessDenied,
    AgentRunPausedError,
    AlreadyDecided,
    AnswerInvalid,
    GatewayError,
    InputRefused,
    InterruptExpired,
    NotFound,
    QueueFull,
    RunEnded,
    RunNotPaused,
    ShuttingDown,
    StoreFailed,
    ThreadBusy,
    ValidationFailed,
)

_ERRORS: Final[Mapping[str, type[GatewayError]]] = {
    error.code: error
    for error in (
        AccessDenied,
        AgentRunPausedError,
        AlreadyDecided,
        AnswerInvalid,
        InterruptExpired,
        NotFound,
        QueueFull,
        RunEnded,
        RunNotPaused,
        ShuttingDown,
        ThreadBusy,
        ValidationFailed,
    )
}
WHICH: Final = "WHICH_QUESTION"


def error_of(code: str, message: str = "", **params: object) -> GatewayError:
    """The error, with what it is about."""
    if code == WHICH:
        which = "it fits several questions: say which one it is for"
        return AnswerInvalid(message or which, **params)
    if code.startswith("STORE_"):
        return StoreFailed(code, message, **params)
    known = _ERRORS.get(code)
    if known is None:
        return InputRefused(code, message, **params)
    error = known(message)
    error.params.update(params)
    return error
