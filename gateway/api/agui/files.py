"""Files in AG-UI messages: what comes as parts is kept, what is kept is told as parts."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gateway.api.agui.requests import Part
from gateway.core.errors import ValidationFailed
from gateway.core.messages import Attachment
from gateway.files import Files

PROVIDER: Final = "bargein"
"""Who knows the files that we name by their SHA-256."""
KINDS: Final = ("image", "audio", "video")


async def kept(parts: Sequence[Part], files: Files, principal: str) -> tuple[Attachment, ...]:
    """The files that come with a message.

    Raises:
        ValidationFailed: one is not in the message, or is no base64; nothing is fetched from
            elsewhere.
        UploadTooLarge: one is over the limit.
        NotFound: one is named that is not there for this person.
    """
    return tuple([await _kept(part, files, principal) for part in parts])


async def _kept(part: Part, files: Files, principal: str) -> Attachment:
    source = part.source
    if source is None or source.type == "url":
        raise ValidationFailed(
            f"messages: a part ({part.type}) is at an address, which is not fetched here; "
            "send its bytes, as a source of type data"
        )
    if source.type == "file":
        if source.provider not in (None, PROVIDER):
            raise ValidationFailed(f"messages: files of {source.provider[:64]} are not here")
        return await files.attached(Attachment(source.value, "", part.name), principal)
    if len(source.value) > in_base64(files.limit_bytes):
        raise files.too_large()
    try:
        data = base64.b64decode(source.value, validate=True)
    except (binascii.Error, ValueError):
        raise ValidationFailed(f"messages: a part ({part.type}) is no base64") from None
    return await files.keep(data, part.name, principal)


def in_base64(size_bytes: int) -> int:
    """How long so many bytes are in a message."""
    return (size_bytes + 2) // 3 * 4


def content(text: str, attachments: Sequence[Mapping[str, Any]]) -> str | list[dict[str, Any]]:
    """A person's message as it stands in the log, without what its files hold."""
    if not attachments:
        return text
    said = [{"type": "text", "text": text}] if text else []
    return [*said, *(_part(one) for one in attachments)]


def _part(attachment: Mapping[str, Any]) -> dict[str, Any]:
    media_type = str(attachment["mediaType"])
    kind = media_type.partition("/")[0]
    source = {
        "type": "file",
        "value": attachment["blob"],
        "provider": PROVIDER,
        "mimeType": media_type,
    }
    made = {"type": kind if kind in KINDS else "document", "source": source}
    name = attachment.get("name")
    return {**made, "metadata": {"filename": name}} if name else made
