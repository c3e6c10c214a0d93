"""What went wrong at a provider, as the codes of `ModelFailed`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_ai import exceptions as lib

from gateway.core.errors import ModelFailed

BROKEN = "MODEL_BROKEN_STREAM"
REFUSED = "MODEL_REFUSED"
REJECTED = "MODEL_REJECTED"
TOO_LONG = "MODEL_CONTEXT_TOO_LONG"
UNAVAILABLE = "MODEL_UNAVAILABLE"

# The first that fits counts. What the library doesn't name is a stream that can't be read.
_CODES: tuple[tuple[type[Exception], str], ...] = (
    (lib.ContentFilterError, REFUSED),
    (lib.ModelQuotaExceededError, "MODEL_QUOTA"),
    (lib.ModelRateLimitError, "MODEL_RATE_LIMITED"),
    (lib.ModelContextWindowExceededError, TOO_LONG),
    (lib.ModelAuthenticationError, "MODEL_AUTH"),
    (lib.ModelRequestRejectedError, REJECTED),
    (lib.ModelUnavailableError, UNAVAILABLE),
    (lib.ModelServerError, UNAVAILABLE),
    (lib.ModelConnectionError, UNAVAILABLE),
    (lib.ModelRequestTimeout, UNAVAILABLE),
    (TimeoutError, UNAVAILABLE),
    (lib.UserError, REJECTED),
)
_REFUSALS = frozenset({"content_filter", "content_policy_violation"})
_ONLY_LATER = frozenset({408, 409, 425})


def model_failed(error: Exception, *, model: str, opened: bool) -> ModelFailed:
    """The failure that `error` is. `opened` says that the stream had been answered with success.

    The message names model, status and the provider's codes, never its words: those may hold what
    was said in the conversation.
    """
    code = _code(error)
    if opened and code == UNAVAILABLE:
        code = BROKEN
    retry_after = error.retry_after if isinstance(error, lib.ModelAPIError) else None
    return ModelFailed(code, f"{model}: {_words(error)}", retry_after_seconds=retry_after)


def refused(model: str) -> ModelFailed:
    """The failure of a reply that the provider's filter or the model itself refused."""
    return ModelFailed(REFUSED, f"{model}: the reply was refused")


def _code(error: Exception) -> str:
    if isinstance(error, lib.ModelAPIError) and _is_refusal(error):
        return REFUSED
    for kind, code in _CODES:
        if isinstance(error, kind):
            return code
    if isinstance(error, lib.ModelHTTPError):
        if error.status_code == 413:
            return TOO_LONG
        return UNAVAILABLE if error.status_code in _ONLY_LATER else REJECTED
    return BROKEN


def _is_refusal(error: lib.ModelAPIError) -> bool:
    """A prompt that a filter refused; OpenRouter says so with 403, which is no matter of keys."""
    if error.provider_error_code in _REFUSALS or error.provider_error_type in _REFUSALS:
        return True
    forbidden = isinstance(error, lib.ModelHTTPError) and error.status_code == 403
    return (
        forbidden
        and isinstance(error, lib.ModelRequestRejectedError)
        and not isinstance(error, lib.ModelAuthenticationError)
    )


def _words(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "nothing came in time"
    words = [type(error).__name__]
    if isinstance(error, lib.ModelHTTPError):
        words.append(f"HTTP {error.status_code}")
    if isinstance(error, lib.ModelAPIError):
        words += [name for name in (error.provider_error_type, error.provider_error_code) if name]
        if parameter := _parameter(error.body):
            words.append(f"parameter {parameter}")
    return ", ".join(words)


def _parameter(body: object) -> str | None:
    """The request's parameter that an OpenAI-compatible provider complains of."""
    if not isinstance(body, Mapping):
        return None
    inner: Any = body.get("error", body)
    named = inner.get("param") if isinstance(inner, Mapping) else None
    return named if isinstance(named, str) else None
