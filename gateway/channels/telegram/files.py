"""Pictures and files: fetched from Telegram, kept with the engine's."""

from __future__ import annotations

from telegram import Bot

from gateway.channels.spoken import VOICE
from gateway.channels.telegram.api import AGAIN, Failed, Fate
from gateway.channels.telegram.incoming import FileRef
from gateway.core.errors import GatewayError
from gateway.core.messages import Attachment
from gateway.files import sniffed
from gateway.ports.store import Blobs
from gateway.supervise import Caught, guarded_await

MOST_BYTES = 20 * 2**20
TRIES = 3
READ_SECONDS = 60.0
NAMED = "application/octet-stream"


class FileTooBig(GatewayError):
    """A bot may fetch no more than 20 MB."""

    code = "FILE_TOO_BIG"


class DownloadFailed(GatewayError):
    """Telegram didn't give the file."""

    code = "DOWNLOAD_FAILED"


class Files:
    """Fetches what people send. `hears`: voice notes are listened to."""

    def __init__(self, bot: Bot, blobs: Blobs, *, hears: bool) -> None:
        self._bot = bot
        self._hears = hears
        self._blobs = blobs

    async def fetch(self, file: FileRef) -> Attachment:
        """Keep a file; the attachment.

        Raises:
            FileTooBig, DownloadFailed: nothing was kept.
        """
        if file.size > MOST_BYTES:
            raise FileTooBig(f"{file.size} bytes")
        data = await self._read(file)
        media_type = sniffed(data)
        if media_type == NAMED:
            media_type = file.media_type
        key = await self._blobs.put(data, media_type)
        kind = VOICE if file.is_voice and self._hears else ""
        return Attachment(key, media_type, file.name, len(data), kind)

    async def _read(self, file: FileRef) -> bytes:
        failed: Failed | None = None
        for _ in range(TRIES):
            data = await guarded_await(self._once(file))
            if not isinstance(data, Caught):
                return data
            if not isinstance(data.error, Failed):
                raise DownloadFailed(type(data.error).__name__)
            failed = data.error
            if "too big" in failed.description:
                raise FileTooBig(failed.description)
            if failed.fate not in AGAIN and failed.fate is not Fate.UNKNOWN:
                break
        raise DownloadFailed(str(failed))

    async def _once(self, file: FileRef) -> bytes:
        found = await self._bot.get_file(file.id)
        return bytes(await found.download_as_bytearray(read_timeout=READ_SECONDS))
