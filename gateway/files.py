"""Pictures and files that people and programs bring: told apart by their first bytes, given back to
who may have them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from gateway.core.errors import GatewayError, NotFound, ValidationFailed
from gateway.core.messages import Attachment
from gateway.ports.clock import Clock
from gateway.ports.rows import ThreadRow
from gateway.ports.store import Blobs, Store
from gateway.supervise import Caught, guarded_await

PICTURES = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/gif": re.compile(rb"GIF8[79]a"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}
"""What a browser may show in the page: raster pictures, which hold no script."""
SOUNDS = {
    "audio/ogg": re.compile(rb"OggS"),
    "audio/wav": re.compile(rb"RIFF....WAVE", re.DOTALL),
    "audio/mpeg": re.compile(rb"ID3|\xff[\xf2\xf3\xfb]"),
    "audio/flac": re.compile(rb"fLaC"),
    "audio/mp4": re.compile(rb"....ftypM4A", re.DOTALL),
    "audio/webm": re.compile(rb"\x1aE\xdf\xa3(?!.{0,2000}V_).{0,2000}A_OPUS", re.DOTALL),
}
PDF, TEXT, BYTES = "application/pdf", "text/plain", "application/octet-stream"
MOST_FILES: Final = 20
"""So many may be in one message."""
NAME_LENGTH = 255
TIDY_SECONDS: Final = 3_600.0


class UploadTooLarge(GatewayError):
    """The file is over the limit; nothing was kept."""

    code = "UPLOAD_TOO_LARGE"
    http = 413


def sniffed(data: bytes) -> str:
    """The media type that the bytes themselves say."""
    for media_type, magic in (PICTURES | SOUNDS).items():
        if magic.match(data):
            return media_type
    if data.startswith(b"%PDF-"):
        return PDF
    try:
        data.decode()
    except UnicodeDecodeError:
        return BYTES
    return BYTES if b"\x00" in data else TEXT


class Files:
    """Keeps files in `Blobs`; gives one to whoever brought it or may look at a thread with it."""

    def __init__(
        self,
        blobs: Blobs,
        store: Store,
        may_look: Callable[[str, ThreadRow], bool],
        limit_bytes: int,
    ) -> None:
        self.limit_bytes = limit_bytes
        self._blobs = blobs
        self._store = store
        self._may_look = may_look

    async def keep(self, data: bytes, name: str, principal: str) -> Attachment:
        """Keep what this person brought. It stays while a message needs it, or for a while.

        Raises:
            UploadTooLarge, StoreFailed: nothing was kept.
        """
        if len(data) > self.limit_bytes:
            raise self.too_large()
        media_type = sniffed(data)
        key = await self._blobs.put(data, media_type, principal)
        return Attachment(key, media_type, file_name(name), len(data))

    def too_large(self) -> UploadTooLarge:
        """A file is over the limit."""
        return UploadTooLarge(f"a file has at most {self.limit_bytes} bytes")

    async def fetch(self, key: str, principal: str) -> tuple[bytes, str]:
        """The bytes and their media type.

        Raises:
            NotFound: there is none, or it is not for this person.
        """
        await self._check(key, principal)
        return await self._blobs.get(key)

    async def attached(self, given: Attachment, principal: str) -> Attachment:
        """What a message attaches, as it is stored.

        Raises:
            NotFound: there is no such file for this person.
        """
        await self._check(given.blob, principal)
        media_type, size_bytes = await self._blobs.hold(given.blob, principal)
        return Attachment(given.blob, media_type, file_name(given.name), size_bytes)

    async def all_attached(
        self, given: Sequence[Attachment], principal: str
    ) -> tuple[Attachment, ...]:
        """Every file that a message attaches, as `attached`.

        Raises:
            NotFound: there is no such file for this person. ValidationFailed: they are too many.
        """
        checked_number(given)
        return tuple([await self.attached(one, principal) for one in given])

    async def tidy(
        self, keep_seconds: int, clock: Clock, report: Callable[[str, BaseException], str]
    ) -> None:
        """Remove what was brought and not sent for so long: now, and from time to time, until
        cancelled.
        """
        while True:
            before = clock.now() - timedelta(seconds=keep_seconds)
            dropped = await guarded_await(self._blobs.drop_unsent(before))
            if isinstance(dropped, Caught):
                report("uploads", dropped.error)
            await asyncio.sleep(min(keep_seconds / 4, TIDY_SECONDS))

    async def _check(self, key: str, principal: str) -> None:
        if await self._blobs.brought_by(key, principal):
            return
        for thread in await self._blobs.threads_with(key):
            row = await self._store.thread(thread)
            if row is not None and self._may_look(principal, row):
                return
        raise NotFound(f"no file {key[:64]}")


def checked_number(attachments: Sequence[Attachment]) -> None:
    """Whether so many files may be in one message.

    Raises:
        ValidationFailed: there are too many.
    """
    if len(attachments) > MOST_FILES:
        raise ValidationFailed(f"attachments: at most {MOST_FILES} may be in one message")


def file_name(given: str) -> str:
    """A file's name without a path and without characters that lead somebody astray."""
    last = re.split(r"[/\\]", given)[-1]
    return re.sub(r"[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", last)[:NAME_LENGTH]
