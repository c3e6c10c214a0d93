"""Pictures and files: taken up to a limit, told apart by their first bytes, given back safely."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import quote

from aiohttp import web

from gateway.channels.assets import SECURITY
from gateway.channels.visitors import Visitor
from gateway.core.errors import GatewayError, NotFound
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
AT_ONCE = 4
TIDY_SECONDS = 3_600
NAME_LENGTH = 255


class UploadTooLarge(GatewayError):
    """The file is over the limit; nothing was kept."""

    code = "UPLOAD_TOO_LARGE"
    http = 413


class UploadBusy(GatewayError):
    """Too many files arrive at once; nothing was kept."""

    code = "UPLOAD_BUSY"
    http = 503


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


class Uploads:
    """Keeps files in `Blobs`; gives one to whoever uploaded it or may look at a thread with it."""

    def __init__(
        self,
        blobs: Blobs,
        store: Store,
        may_look: Callable[[str, ThreadRow], bool],
        limit_bytes: int,
        report: Callable[[str, BaseException], str],
    ) -> None:
        self.limit_bytes = limit_bytes
        self._blobs = blobs
        self._store = store
        self._may_look = may_look
        self._report = report
        self._arriving = 0

    async def take(self, request: web.Request, visitor: Visitor) -> Attachment:
        """Read the request's body and keep it.

        Raises:
            UploadTooLarge, UploadBusy, StoreFailed: nothing was kept.
        """
        if (request.content_length or 0) > self.limit_bytes:
            raise UploadTooLarge(f"more than {self.limit_bytes} bytes")
        if self._arriving >= AT_ONCE:
            raise UploadBusy(f"{AT_ONCE} files arrive already")
        self._arriving += 1
        try:
            data = await self._read(request)
        finally:
            self._arriving -= 1
        media_type = sniffed(data)
        key = await self._blobs.put(data, media_type, visitor.principal)
        return Attachment(key, media_type, _name(request.query.get("name", "")), len(data))

    async def _read(self, request: web.Request) -> bytes:
        data = bytearray()
        async for chunk in request.content.iter_any():
            data += chunk
            if len(data) > self.limit_bytes:
                raise UploadTooLarge(f"more than {self.limit_bytes} bytes")
        return bytes(data)

    async def give(self, key: str, name: str, visitor: Visitor) -> web.Response:
        """The file: a picture to be shown, all else to be saved.

        Raises:
            NotFound: there is none, or it is not for this person.
        """
        if not await self._may_have(key, visitor.principal):
            raise NotFound(f"no file {key}")
        data, media_type = await self._blobs.get(key)
        shown = media_type in PICTURES
        disposition = "inline" if shown else "attachment"
        headers = {
            **SECURITY,
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "Content-Type": media_type if shown else BYTES,
            "Content-Disposition": f"{disposition}; filename*=UTF-8''{quote(_name(name), safe='')}",
            "Cache-Control": "private, max-age=86400, immutable",
        }
        return web.Response(body=data, headers=headers)

    async def attached(self, given: Attachment, principal: str) -> Attachment:
        """What a message attaches, as it is stored.

        Raises:
            NotFound: there is no such file for this person.
        """
        if not await self._may_have(given.blob, principal):
            raise NotFound(f"no file {given.blob}")
        media_type, size_bytes = await self._blobs.hold(given.blob, principal)
        return Attachment(given.blob, media_type, _name(given.name), size_bytes)

    async def tidy(self, keep_seconds: int, clock: Clock) -> None:
        """Remove what was brought and not sent for so long: now, and from time to time, until
        cancelled.
        """
        while True:
            before = clock.now() - timedelta(seconds=keep_seconds)
            dropped = await guarded_await(self._blobs.drop_unsent(before))
            if isinstance(dropped, Caught):
                self._report("uploads", dropped.error)
            await asyncio.sleep(min(keep_seconds / 4, TIDY_SECONDS))

    async def _may_have(self, key: str, principal: str) -> bool:
        if await self._blobs.brought_by(key, principal):
            return True
        for thread in await self._blobs.threads_with(key):
            row = await self._store.thread(thread)
            if row is not None and self._may_look(principal, row):
                return True
        return False


def _name(given: str) -> str:
    """A file's name without a path and without characters that lead somebody astray."""
    last = re.split(r"[/\\]", given)[-1]
    return re.sub(r"[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", last)[:NAME_LENGTH]
