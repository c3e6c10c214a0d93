"""Who is behind a connection, and what they may attach."""

from __future__ import annotations

from gateway.channels.people import People
from gateway.channels.uploads import Uploads
from gateway.core.errors import GatewayError, NotFound
from gateway.core.messages import Attachment
from gateway.wire import Hello, Input


class PrincipalChanged(GatewayError):
    """The page belongs to somebody else than who is known by its browser's cookie now."""

    code = "PRINCIPAL_CHANGED"
    http = 409


async def who(
    frame: Hello, person: str, local: str | None, people: People | None, channel: str
) -> str | None:
    """Who says hello; `person` is whom the transport knows, "" where it knows nobody.

    Raises:
        PrincipalChanged: a known person names somebody else.
        NotFound: the thread isn't there, and its name isn't theirs to make.
    """
    if not person:
        return frame.as_ or local
    if frame.as_ not in ("", person):
        raise PrincipalChanged(f"{person} can't speak as {frame.as_}")
    if people is not None and not await people.may_open(frame.thread, person, channel):
        raise NotFound(f"no thread {frame.thread}")
    return person


async def attached(frame: Input, principal: str, uploads: Uploads | None) -> tuple[Attachment, ...]:
    """What a message attaches, as it is stored.

    Raises:
        NotFound: a file that isn't there for this person.
    """
    files = [file.attachment() for file in frame.attachments]
    if uploads is None:
        return tuple(files)
    return tuple([await uploads.files.attached(file, principal) for file in files])
