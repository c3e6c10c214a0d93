"""What the page uploads, and how it is given back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final
from urllib.parse import quote

from aiohttp import web

from gateway.channels.assets import SECURITY
from gateway.channels.visitors import Visitor
from gateway.core.errors import GatewayError, ValidationFailed
from gateway.core.messages import Attachment
from gateway.files import BYTES, PICTURES, Files, file_name

AT_ONCE = 4
UPLOAD_SECONDS: Final = 300.0
"""The longest that a file may take to arrive."""


class UploadBusy(GatewayError):
    """Too many files arrive at once; nothing was kept."""

    code = "UPLOAD_BUSY"
    http = 503


class Uploads:
    """Takes files from the page and gives them to it."""

    def __init__(self, files: Files, report: Callable[[str, BaseException], str]) -> None:
        self.files = files
        self._report = report
        self._arriving = 0

    async def take(self, request: web.Request, visitor: Visitor) -> Attachment:
        """Read the request's body and keep it.

        Raises:
            UploadTooLarge, UploadBusy, ValidationFailed, StoreFailed: nothing was kept.
        """
        if (request.content_length or 0) > self.files.limit_bytes:
            raise self.files.too_large()
        if self._arriving >= AT_ONCE:
            raise UploadBusy(f"{AT_ONCE} files arrive already")
        self._arriving += 1
        try:
            async with asyncio.timeout(UPLOAD_SECONDS):
                data = await self._read(request)
        except TimeoutError as error:
            raise ValidationFailed("the file did not arrive") from error
        finally:
            self._arriving -= 1
        return await self.files.keep(data, request.query.get("name", ""), visitor.principal)

    async def _read(self, request: web.Request) -> bytes:
        data = bytearray()
        async for chunk in request.content.iter_any():
            data += chunk
            if len(data) > self.files.limit_bytes:
                raise self.files.too_large()
        return bytes(data)

    async def give(self, key: str, name: str, visitor: Visitor) -> web.Response:
        """The file: a picture to be shown, all else to be saved.

        Raises:
            NotFound: there is none, or it is not for this person.
        """
        data, media_type = await self.files.fetch(key, visitor.principal)
        shown = media_type in PICTURES
        disposition = "inline" if shown else "attachment"
        quoted = quote(file_name(name), safe="")
        headers = {
            **SECURITY,
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "Content-Type": media_type if shown else BYTES,
            "Content-Disposition": f"{disposition}; filename*=UTF-8''{quoted}",
            "Cache-Control": "private, max-age=86400, immutable",
        }
        return web.Response(body=data, headers=headers)
