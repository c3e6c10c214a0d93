"""The only reader of time and chance. Everything else is handed a clock and ids."""

import secrets
import time
import uuid
from datetime import UTC, datetime

UUID_BYTES = 16


class SystemClock:
    """The machine's time."""

    def now(self) -> datetime:
        """The moment, aware and in UTC; the machine may set it back or forth."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that only grow, by the event loop's clock; for spans, not for dates."""
        return time.monotonic()


class SystemIds:
    """Ids that nobody can guess."""

    def __init__(self) -> None:
        self._random = b""

    def uuid(self) -> str:
        """A version 4 UUID (122 random bits) in its canonical form."""
        if not self._random:  # one system call for many: a call for each is a tenth of a pause
            self._random = secrets.token_bytes(UUID_BYTES * 256)
        mine, self._random = self._random[:UUID_BYTES], self._random[UUID_BYTES:]
        return str(uuid.UUID(bytes=mine, version=4))

    def token(self, n_bytes: int = 16) -> str:
        """A secret of ``n_bytes`` random bytes, in letters that are safe in a URL and a button."""
        return secrets.token_urlsafe(n_bytes)
