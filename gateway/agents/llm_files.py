"""Pictures and files for a model: their content where it reads them, else why not, in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pydantic_ai.messages import BinaryContent
from pydantic_ai.models import Model

from gateway.agents.llm_options import DOCUMENTS, PICTURES
from gateway.core.errors import NotFound
from gateway.core.messages import Attachment, newest_attachments
from gateway.core.notes import escape_note, unforged
from gateway.ports.model import ModelRequest

PICTURE_TYPES = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
NOT_AT = {"google": frozenset({"image/gif"})}
PDF = "application/pdf"
LONGEST_TEXT_BYTES = 100_000
LARGEST_PICTURE_BYTES = 3_900_000
"""As base64 just below the 5 MB that Anthropic takes, the least of the three."""
LARGEST_IN_ALL_BYTES = 15_000_000
"""What one request may hold: the newest come first."""
NO_ROOM = "newer ones fill the request"

KNOWN_SYSTEMS = frozenset({"openai", "anthropic", "google"})


@dataclass(frozen=True, slots=True)
class Given:
    """What a model gets of an attachment: a note, and its content where there is one. One that was
    sent more often has its content in the newest `times` of its messages, and the note `full`
    in those before.
    """

    note: str
    content: BinaryContent | str | None = None
    times: int = 1
    full: str = ""


Files: TypeAlias = Mapping[str, Given]
"""By the attachment's key."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The media types that a model reads, beside texts, which all do."""

    types: Collection[str] = field(default=frozenset())

    @classmethod
    def of(cls, model: Model, files: tuple[str, ...] | None) -> Taken:
        """What the operator says that it reads, else what is known of it: of a server of one's own,
        nothing.
        """
        if files is None:
            known = model.system in KNOWN_SYSTEMS
            profile = model.profile
            pictures = known and profile.get("supports_image_input", True)
            documents = known and profile.get("supports_document_input", True)
        else:
            pictures, documents = PICTURES in files, DOCUMENTS in files
        types = (PICTURE_TYPES if pictures else frozenset()) - NOT_AT.get(model.system, frozenset())
        return cls(types | ({PDF} if documents else frozenset()))


async def files_of(request: ModelRequest, taken: Taken) -> Files:
    """Everything that the request's messages attach, as the model gets it."""
    given: dict[str, Given] = {}
    room = LARGEST_IN_ALL_BYTES
    for attachment in newest_attachments(request.messages):
        known = given.get(attachment.blob)
        if known is None:
            one = await _given(request, attachment, taken, room)
        elif _size(known) <= room:
            one = replace(known, times=known.times + 1)
        else:
            continue
        room -= _size(one)
        given[attachment.blob] = one
    return given


def _size(one: Given) -> int:
    """What it takes of a request's room: texts have a limit of their own."""
    return len(one.content.data) if isinstance(one.content, BinaryContent) else 0


async def _given(request: ModelRequest, attachment: Attachment, taken: Taken, room: int) -> Given:
    """One attachment. A recording is what its message says already."""
    if attachment.kind == "voice":
        return Given("[said in a voice note; written down by a recogniser]")
    kind, size = attachment.media_type, attachment.size_bytes
    named = escape_note(attachment.name) or "a file"
    about = f"attached: {named}, {escape_note(kind)}, {size} bytes"
    why = _why_not(kind, size, taken, room)
    if why:
        return Given(f"[{about}; its content is not shown: {why}]")
    try:
        data, _ = await request.read(attachment.blob)
    except NotFound:
        return Given(f"[{about}; its content is not shown: it is no longer kept]")
    if kind.startswith("text/"):
        text = unforged(data[:LONGEST_TEXT_BYTES].decode(errors="replace"))
        return Given(f"[{about}; its text:]", text)
    full = f"[{about}; its content is not shown: {NO_ROOM}]"
    return Given(f"[{about}]", BinaryContent(data, media_type=kind), full=full)


def _why_not(kind: str, size: int, taken: Taken, room: int) -> str:
    """Why a model doesn't get a file, as the model can tell the person; "" where it does."""
    if kind.startswith("text/"):
        return f"it is longer than {LONGEST_TEXT_BYTES} bytes" if size > LONGEST_TEXT_BYTES else ""
    if kind not in taken.types:
        what = "pictures of this kind" if kind in PICTURE_TYPES else "files of this kind"
        return f"you can't read {what}; tell the person so"
    largest = LARGEST_PICTURE_BYTES if kind in PICTURE_TYPES else LARGEST_IN_ALL_BYTES
    if size > largest:
        return "it is too large for you; tell the person so"
    return NO_ROOM if size > room else ""
