"""Files over HTTP: bring one, to send it with a message; fetch one."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from aiohttp.web import Response, StreamResponse

from gateway.api.gate import Arrived
from gateway.api.problems import NO_STORE
from gateway.api.rest import models, requests
from gateway.api.rest.answers import json_answer
from gateway.core.messages import Attachment
from gateway.files import BYTES, PICTURES, Files, file_name

TYPES: Final = (*PICTURES, BYTES)
"""As what a file is given: pictures as what they are, all else as bytes to be saved."""


class FileDoor:
    """The handlers of files."""

    def __init__(self, files: Files) -> None:
        self._files = files

    async def bring(self, arrived: Arrived) -> StreamResponse:
        name = arrived.query(requests.FileQuery).name
        kept = await self._files.keep(arrived.body, name, arrived.caller.principal)
        return json_answer(file(kept), 201, {"Location": f"/v1/files/{kept.blob}"})

    async def fetch(self, arrived: Arrived) -> StreamResponse:
        name = quote(file_name(arrived.query(requests.FileQuery).name), safe="")
        blob = arrived.request.match_info["blob"]
        data, media_type = await self._files.fetch(blob, arrived.caller.principal)
        headers = {
            **NO_STORE,
            "Content-Type": media_type if media_type in PICTURES else BYTES,
            "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
            "X-Content-Type-Options": "nosniff",
        }
        return Response(body=data, headers=headers)


def file(kept: Attachment) -> models.File:
    """A file, as it is told."""
    return models.File(
        blob=kept.blob, media_type=kept.media_type, name=kept.name, size_bytes=kept.size_bytes
    )
