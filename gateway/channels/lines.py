"""Bytes of a stream into lines, with a limit that no line breaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TooLong:
    """A line over the limit; it was skipped up to its end."""

    size_bytes: int


class Lines:
    """Takes what a stream gives, gives whole lines without their ends."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._kept = bytearray()
        self._skipped = 0

    def feed(self, data: bytes) -> Iterator[bytes | TooLong]:
        """The lines that end in `data`; empty ones are left out."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            line = self._end(part)
            if line:
                yield line
        self._keep(rest)

    def _end(self, part: bytes) -> bytes | TooLong:
        self._keep(part)
        line = bytes(self._kept).removesuffix(b"\r")
        skipped, self._skipped = self._skipped, 0
        self._kept.clear()
        return TooLong(skipped) if skipped else line

    def _keep(self, part: bytes) -> None:
        if self._skipped or len(self._kept) + len(part) > self._limit:
            self._skipped += len(self._kept) + len(part)
            self._kept.clear()
        else:
            self._kept += part
