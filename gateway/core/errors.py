"""Every error that leaves the gateway, as one tree.

GatewayError
├── ValidationFailed            VALIDATION_ERROR             400
│   ├── AnswerInvalid           INTERRUPT_ANSWER_INVALID     400  params: interruptId
│   ├── FrameInvalid            FRAME_INVALID                400
│   └── SettingsInvalid         SETTINGS_INVALID             400  params: path
├── Unauthenticated             UNAUTHENTICATED              401
├── AccessDenied                THREAD_ACCESS_DENIED         403
├── ScopeMissing                SCOPE_MISSING                403  params: scope
├── OriginRefused               ORIGIN_NOT_ALLOWED           403
├── NotFound                    NOT_FOUND                    404
├── Conflict                    CONFLICT                     409
│   ├── AlreadyDecided          INTERRUPT_ALREADY_DECIDED    409
│   ├── ThreadBusy              THREAD_BUSY                  409
│   ├── RunNotPaused            RUN_NOT_PAUSED               409
│   ├── AgentRunPausedError     AGENT_RUN_PAUSED             409
│   ├── KeyReused               IDEMPOTENCY_KEY_REUSED       409
│   └── RunEnded                RUN_ENDED                    409
├── InterruptExpired            INTERRUPT_EXPIRED            410
├── RequestRefused              METHOD_NOT_ALLOWED 405, NOT_ACCEPTABLE 406,
│                               BODY_TOO_LARGE 413, MEDIA_TYPE_UNSUPPORTED 415
├── QueueFull                   QUEUE_FULL                   429
├── RateLimited                 RATE_LIMITED                 429  params: retryAfterSeconds
├── InputRefused                PII_DETECTED, PROMPT_INJECTION_DETECTED,
│                               LLM_CONTENT_FILTERED, or a hook's own   400
├── ModelFailed                 MODEL_AUTH, MODEL_QUOTA, MODEL_RATE_LIMITED,
│                               MODEL_CONTEXT_TOO_LONG, MODEL_REFUSED, MODEL_REJECTED,
│                               MODEL_BROKEN_STREAM, MODEL_UNAVAILABLE   502
├── AgentFailed                 AGENT_UNREACHABLE, AGENT_REFUSED, AGENT_SILENT,
│                               AGENT_BROKEN_STREAM, AGENT_FAILED   502
├── ToolFailed                  TOOL_RAISED, TOOL_ARGUMENTS_INVALID, TOOL_UNKNOWN,
│                               TOOL_RESULT_UNSERIALISABLE, TOOL_TIMED_OUT,
│                               TOOL_THREADS_EXHAUSTED, …    500
├── BudgetExceeded              BUDGET_EXCEEDED              500
├── UndeliverableQuestion       QUESTION_UNDELIVERABLE       500
├── ShuttingDown                SHUTTING_DOWN                503
├── LeaseLost                   LEASE_LOST                   503
├── ChannelAbsent               CHANNEL_NOT_SET_UP           503
├── EngineFailed                VOICE_ENGINE_FAILED          503
├── NoteUnreadable              NOTE_UNREADABLE              415
├── NoteTooLong                 NOTE_TOO_LONG                413  params: seconds
├── StoreFailed                 STORE_LOCKED, STORE_DAMAGED, STORE_FULL,
│                               STORE_CLOSED, STORE_NEWER,
│                               STORE_UNAVAILABLE,
│                               STORE_WAITS                  503
└── IllegalEvent                ILLEGAL_EVENT                500
"""

from __future__ import annotations

from typing import Final


class GatewayError(Exception):
    """An error with a stable `code`, an HTTP status and named parameters.

    `str(error)` is for the operator; the person's text comes from the locale, by `code`.
    """

    code = "GATEWAY_ERROR"
    http = 500

    def __init__(self, message: str = "", **params: object) -> None:
        self.params = params
        super().__init__(message or self.code)


class ValidationFailed(GatewayError):
    """What was sent has the wrong form; nothing was changed."""

    code = "VALIDATION_ERROR"
    http = 400


class AnswerInvalid(ValidationFailed):
    """The answer doesn't fit the question's schema; the question still waits."""

    code = "INTERRUPT_ANSWER_INVALID"


class FrameInvalid(ValidationFailed):
    """A frame of the wire protocol can't be read; the connection stays open where that is safe."""

    code = "FRAME_INVALID"


class SettingsInvalid(ValidationFailed):
    """A setting is unknown or has the wrong type; `params["path"]` names it."""

    code = "SETTINGS_INVALID"


class AccessDenied(GatewayError):
    """This person may not do this here; nothing was changed."""

    code = "THREAD_ACCESS_DENIED"
    http = 403


class Unauthenticated(GatewayError):
    """Nobody is known by what the request brought."""

    code = "UNAUTHENTICATED"
    http = 401


class ScopeMissing(GatewayError):
    """The token is valid, but not for this door; `params["scope"]` is what it would need."""

    code = "SCOPE_MISSING"
    http = 403


class OriginRefused(GatewayError):
    """A page of another site sent the request, and the operator has not allowed that site."""

    code = "ORIGIN_NOT_ALLOWED"
    http = 403


class NotFound(GatewayError):
    """No such thread, run, input or question."""

    code = "NOT_FOUND"
    http = 404


class Conflict(GatewayError):
    """The state of things forbids it."""

    code = "CONFLICT"
    http = 409


class AlreadyDecided(Conflict):
    """The question holds another decision; the stored one stands."""

    code = "INTERRUPT_ALREADY_DECIDED"


class ThreadBusy(Conflict):
    """A run occupies the thread and the mode takes no second message."""

    code = "THREAD_BUSY"


class RunNotPaused(Conflict):
    """There is no question to answer on this thread."""

    code = "RUN_NOT_PAUSED"


class AgentRunPausedError(Conflict):
    """A run paused on questions where the caller can't ask them; `interrupts` lists them."""

    code = "AGENT_RUN_PAUSED"

    def __init__(self, message: str = "", *, interrupts: tuple[object, ...] = ()) -> None:
        super().__init__(message, interrupts=interrupts)
        self.interrupts = interrupts


class KeyReused(Conflict):
    """The idempotency key was used for another request."""

    code = "IDEMPOTENCY_KEY_REUSED"


class InterruptExpired(GatewayError):
    """The answer came at or after the question's expiry."""

    code = "INTERRUPT_EXPIRED"
    http = 410


class QueueFull(GatewayError):
    """The person's queue on this thread is at its cap; the message was not taken."""

    code = "QUEUE_FULL"
    http = 429


class _Coded(GatewayError):
    """An error whose code is given by whoever raises it."""

    def __init__(self, code: str, message: str = "", **params: object) -> None:
        super().__init__(message or code, **params)
        self.code = code


class RateLimited(GatewayError):
    """Too many requests or connections; `params["retryAfterSeconds"]` says when to come again."""

    code = "RATE_LIMITED"
    http = 429


class RequestRefused(_Coded):
    """What HTTP itself forbids of a request: its method, media type or size."""

    STATUSES: Final = {
        "METHOD_NOT_ALLOWED": 405,
        "NOT_ACCEPTABLE": 406,
        "BODY_TOO_LARGE": 413,
        "MEDIA_TYPE_UNSUPPORTED": 415,
    }

    def __init__(self, code: str, message: str = "", **params: object) -> None:
        super().__init__(code, message, **params)
        self.http = self.STATUSES[code]


class ServersRefused(GatewayError):
    """A client's MCP servers can't be used here; nothing was started."""

    code = "MCP_SERVERS_REFUSED"
    http = 400


class InputRefused(_Coded):
    """An input check refused the message; it reaches neither model nor log."""

    http = 400


class ModelFailed(_Coded):
    """The model call failed; `retry_after_seconds` is set where the provider named it."""

    http = 502

    def __init__(
        self, code: str, message: str = "", *, retry_after_seconds: float | None = None
    ) -> None:
        super().__init__(code, message)
        self.retry_after_seconds = retry_after_seconds


class AgentFailed(_Coded):
    """An agent in another process can't be reached, or broke its run off."""

    http = 502


class ToolFailed(_Coded):
    """A tool call ended without a usable result; the model reads the code and the message."""


class BudgetExceeded(GatewayError):
    """An iteration, token, cost or time budget is used up; `params["budget"]` names it."""

    code = "BUDGET_EXCEEDED"


class UndeliverableQuestion(GatewayError):
    """A question reached nobody; it was never armed."""

    code = "QUESTION_UNDELIVERABLE"


class RunEnded(Conflict):
    """The host takes nothing more from this run: it ended or was abandoned."""

    code = "RUN_ENDED"


class ShuttingDown(GatewayError):
    """The server is stopping; the message was not taken."""

    code = "SHUTTING_DOWN"
    http = 503


class LeaseLost(GatewayError):
    """Another owner holds the thread; this write was not made."""

    code = "LEASE_LOST"
    http = 503


class ChannelAbsent(GatewayError):
    """A thread is on a channel that is not set up (any more); it waits for it."""

    code = "CHANNEL_NOT_SET_UP"
    http = 503


class EngineFailed(GatewayError):
    """A voice or a recogniser is missing, damaged, raised, or gave nothing within its time."""

    code = "VOICE_ENGINE_FAILED"
    http = 503


class NoteUnreadable(GatewayError):
    """What was sent as a recording holds no sound that can be read."""

    code = "NOTE_UNREADABLE"
    http = 415


class NoteTooLong(GatewayError):
    """A recording is longer than `params["seconds"]`; nothing of it was taken."""

    code = "NOTE_TOO_LONG"
    http = 413


class StoreFailed(_Coded):
    """The store could not take or give the data; nothing was half written."""

    http = 503


class IllegalEvent(GatewayError):
    """A state machine was given an event that its state can't take; nothing was changed."""

    code = "ILLEGAL_EVENT"
