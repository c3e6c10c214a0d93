"""Pictures and files for an AG-UI agent: parts of a person's message where it takes them, else said
in words, and told to the person.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from gateway.agents.agui.stream import Server
from gateway.core.errors import NotFound
from gateway.core.messages import Attachment, attached, newest_attachments
from gateway.core.notes import escape_note
from gateway.ports.agent import RunStart
from gateway.runs.runtime import Runtime

TAKES_NONE: Final = "AGENT_TAKES_NO_FILE"
TOO_LARGE: Final = "AGENT_FILE_TOO_LARGE"
REFUSED: Final = "AGENT_FILE_REFUSED"
GONE, NO_ROOM = "gone", "no room"
WHY: Final[Mapping[str, str]] = {
    TAKES_NONE: "you can't read files of this kind; tell the person so",
    TOO_LARGE: "it is too large for you; tell the person so",
    REFUSED: "you could not read it; tell the person so",
    GONE: "it is no longer kept",
    NO_ROOM: "newer files fill the request",
}
TOLD: Final[Mapping[str, str]] = {
    **{code: code for code in (TAKES_NONE, TOO_LARGE, REFUSED)},
    NO_ROOM: TOO_LARGE,
}
"""What the person is told of a file that came with the run's own messages."""
VOICE_NOTE: Final = "[said in a voice note; written down by a recogniser]"
LARGEST_IN_ALL_BYTES: Final = 15_000_000
DECLARED_SECONDS: Final = 300.0
"""So long what an agent declared is not asked again."""
MOST_FAILURES: Final = 2
"""So often a run may fail with a file before that is left out."""
WORKED: Final = -MOST_FAILURES
"""One that a run went well with: its request may be refused as often before that counts."""
KEPT: Final = 10_000
KINDS: Final = ("image", "audio", "video")
PDF: Final = "application/pdf"


@dataclass(frozen=True, slots=True)
class Given:
    """What an agent gets of an attachment: a part of the message, its bytes as they are, or a note
    in its text; `why` it is no more than a note. One that was sent more often is the part in the
    newest `times` of its messages, the note in those before.
    """

    part: Mapping[str, Any] | None = None
    note: str = ""
    why: str = ""
    times: int = 1


Files: TypeAlias = Mapping[str, Given]
"""By the attachment's key."""


class Taking:
    """What one agent takes: `kinds` by the operator's word (None: by its own, all where it says
    nothing), `limit_bytes` in one request, and not what it failed on. It is one for all runs.
    """

    def __init__(
        self,
        server: Server,
        kinds: Collection[str] | None = None,
        limit_bytes: int = LARGEST_IN_ALL_BYTES,
    ) -> None:
        self._server = server
        self._kinds = kinds
        self._limit = limit_bytes
        self._declared: tuple[float, Mapping[str, Any]] | None = None
        self._failures: OrderedDict[str, int] = OrderedDict()

    async def files_of(self, start: RunStart, runtime: Runtime, *, none: bool = False) -> Files:
        """Everything that the run's messages attach, as the agent gets it; with `none`, no contents
        at all.
        """
        given: dict[str, Given] = {}
        room = self._limit
        for one in newest_attachments(start.history):
            known = given.get(one.blob)
            if known is not None:
                if known.part is not None and one.size_bytes <= room:
                    given[one.blob] = replace(known, times=known.times + 1)
                    room -= one.size_bytes
                continue
            if one.kind == "voice":
                given[one.blob] = Given(note=VOICE_NOTE)
                continue
            why = REFUSED if none else await self._why_not(one, runtime, room)
            given[one.blob] = _noted(one, why) if why else await _read(one, runtime)
            if given[one.blob].part is not None:
                room -= one.size_bytes
        return given

    async def _why_not(self, one: Attachment, runtime: Runtime, room: int) -> str:
        """Why its content is not sent, "" where it is."""
        if not await self._takes(_kind(one.media_type), runtime):
            return TAKES_NONE
        if self._failures.get(one.blob, 0) >= MOST_FAILURES:
            return REFUSED
        if one.size_bytes > self._limit:
            return TOO_LARGE
        return NO_ROOM if one.size_bytes > room else ""

    async def _takes(self, kind: str, runtime: Runtime) -> bool:
        if self._kinds is not None:
            return kind in self._kinds
        now = runtime.clock.monotonic()
        if self._declared is None or now - self._declared[0] > DECLARED_SECONDS:
            declared = await self._server.capabilities()
            if declared is None:
                return True
            self._declared = now, _inputs(declared)
        return self._declared[1].get(kind) is not False

    # -- how it went ---------------------------------------------------------------------------

    def refused(self, blobs: Collection[str]) -> None:
        """The server does not take a request with these."""
        for blob in blobs:
            count = self._failures.get(blob, 0)
            self._note(blob, count + 1 if count < 0 else MOST_FAILURES)

    def failed(self, files: Files) -> None:
        """The agent's run failed on a conversation with these. Where it had the contents of none,
        those that are left out get one more chance.
        """
        held = sent(files)
        for blob in held:
            count = self._failures.get(blob, 0)
            if count >= 0:
                self._note(blob, count + 1)
        for blob, given in files.items():
            if not held and given.why == REFUSED:
                self._note(blob, MOST_FAILURES - 1)

    def worked(self, blobs: Collection[str]) -> None:
        """It went well with these: a failure of later runs is none of theirs."""
        for blob in blobs:
            self._note(blob, WORKED)

    def _note(self, blob: str, failures: int) -> None:
        self._failures[blob] = failures
        self._failures.move_to_end(blob)
        if len(self._failures) > KEPT:
            self._failures.popitem(last=False)


def sent(files: Files) -> set[str]:
    """Those whose content is in the request."""
    return {blob for blob, given in files.items() if given.part is not None}


def own(start: RunStart) -> list[Attachment]:
    """What came with the run's own messages, where nothing was made of them yet."""
    said = start.history[len(start.history) - len(start.own) :]
    return [one for message in said for one in attached(message)]


def _inputs(declared: Any) -> Mapping[str, Any]:
    """What an agent declares that it reads, by kind; what it says nothing of is not known."""
    for name in ("multimodal", "input"):
        declared = declared.get(name) if isinstance(declared, dict) else None
    return declared if isinstance(declared, dict) else {}


def _kind(media_type: str) -> str:
    """The protocol's word for such a file."""
    kind = media_type.partition("/")[0]
    if kind in KINDS:
        return kind
    return "pdf" if media_type == PDF else "file"


def _noted(one: Attachment, why: str) -> Given:
    named = escape_note(one.name) or "a file"
    about = f"attached: {named}, {escape_note(one.media_type)}, {one.size_bytes} bytes"
    return Given(note=f"[{about}; its content is not shown: {WHY[why]}]", why=why)


async def _read(one: Attachment, runtime: Runtime) -> Given:
    try:
        data, _ = await runtime.read(one.blob)
    except NotFound:
        return _noted(one, GONE)
    kind = _kind(one.media_type)
    part: dict[str, Any] = {
        "type": kind if kind in KINDS else "document",
        "source": {"type": "data", "value": data, "mimeType": one.media_type},
    }
    if one.name:
        part["metadata"] = {"filename": one.name}
    return replace(_noted(one, NO_ROOM), part=part, why="")
