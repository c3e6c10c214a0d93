"""A reply as messages: opened with its first words, kept up by edits, finished exactly once.

An edit can be repeated as often as it takes: it leaves the same. Only what opens a message can be
seen twice where nobody knows whether it went, so it holds the first words and no more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gateway.channels.telegram.api import Failed, Fate
from gateway.channels.telegram.drafts import Draft
from gateway.channels.telegram.lanes import Want
from gateway.channels.telegram.limits import edit_seconds
from gateway.channels.telegram.markdown import Rendered, marked, plain, render
from gateway.channels.telegram.parts import Part, Tools
from gateway.channels.telegram.sender import Frame, Keyboard, Target
from gateway.channels.telegram.splitting import Piece, opening, pieces
from gateway.ports.channel import TextRef
from gateway.ports.telegram import DeliveryRow
from gateway.supervise import Caught, guarded_await

AGAIN_SECONDS = 1.0
"""How long after it could not be kept where a text stands that is tried again."""


@dataclass(slots=True)
class Text:
    """One step's text in a chat. `final`: it is whole; `closed`: it stays as it was saved;
    `unkept`: it is whole and not in the store yet, what is final waits for that.
    """

    ref: TextRef
    chat: int
    topic: int | None
    tools: Tools
    reply_to: int | None = None
    keyboard: Keyboard = ()
    draft: Draft | None = None
    source: str = ""
    mark: str = ""
    final: bool = False
    closed: bool = False
    cut: bool = False
    finished: bool = False
    unkept: bool = False
    parts: list[Part] = field(default_factory=list)
    borders: list[int] = field(default_factory=list)
    edited_at: float = -1e9
    calm: bool = True
    _owed_at: float | None = None
    _tried: tuple[int, int, Frame] | None = None
    _previewing: bool = False
    _cut_up: tuple[str, list[Piece]] = ("", [])

    # -- what the engine says ------------------------------------------------------------------

    def grow(self, source: str, final: bool) -> None:
        """The text so far; whole once `final`, also after it was closed as a part."""
        self.source, self.final = source, final or self.final
        if final:
            self.closed = self.cut = False
            self.mark = ""

    def close(self, saved: str, mark: str) -> None:
        """It stays as `saved`, with a mark that says why it ends there."""
        self.source, self.mark, self.closed = saved, mark, True
        self.borders = [border for border in self.borders if border < len(saved)]
        self._cut_up = ("", [])

    def shown(self) -> str:
        """What Telegram confirmed to stand in the chat, as a beginning of the source."""
        revealed = 0
        for part in self.parts:
            if part.message is None:
                break
            revealed = max(revealed, part.revealed)
        if self.draft is not None:
            revealed = max(revealed, self.draft.end)
        return self.source[:revealed]

    # -- the job -------------------------------------------------------------------------------

    def wants(self, now: float) -> Want | None:
        at = self._due()
        self.calm = at is None
        if at is None and self._owed_at is not None:
            return Want(False, self._owed_at)
        if at is None:
            return None if self._waits else self._wants_preview()
        last = at == len(self._pieces()) - 1
        opens = at >= len(self.parts) or self.parts[at].message is None
        if self.final or self.closed or opens or not last:
            return Want(True)
        return Want(False, self.edited_at + edit_seconds(self.chat))

    def _wants_preview(self) -> Want | None:
        draft = self._live
        if draft is None:
            return None
        text, _ = self._preview()
        self.calm = text == draft.text
        return draft.want(text, edit_seconds(self.chat))

    async def go(self, chat: int) -> None:
        at = self._due()
        self._previewing = at is None
        if at is None and self._owed_at is not None:
            await self._kept("open")
            await self._finish()
            return
        if at is None:
            if not self._waits:
                await self._show_preview(chat)
            return
        found = self._pieces()
        if at >= len(found):
            self._tried = None
            await self._take_away(chat)
        else:
            while len(self.parts) <= at:
                self.parts.append(Part())
            self._tried = (at, found[at].end, self._frame(at, found))
            await self._show(chat, found[at], self.parts[at], self._tried[2])
        self.edited_at = self.tools.monotonic()
        await self._finish()

    async def _show(self, chat: int, piece: Piece, part: Part, frame: Frame) -> None:
        if part.message is None:
            words = opening(frame.rendered.text)
            first = Frame(Rendered(words), frame.keyboard)
            reply = self.reply_to if piece.start == 0 else None
            part.message = await self.tools.sender.send(Target(chat, self.topic, reply), first)
            part.stands = first
            found = self.source.find(words, piece.start, piece.end)
            part.revealed = found + len(words) if found >= 0 else piece.start
            await self._kept("open")
            return
        end = piece.end
        await self.tools.sender.edit(chat, part.message, frame)
        part.stands, part.revealed = frame, end

    async def _show_preview(self, chat: int) -> None:
        draft = self._live
        if draft is None:
            return
        text, end = self._preview()
        await self.tools.sender.draft(chat, self.topic, draft.id, text)
        draft.shows(text, end, self.tools.monotonic())

    async def _take_away(self, chat: int) -> None:
        part = self.parts[-1]
        if part.message is not None:
            await self.tools.sender.delete(chat, part.message)
        self.parts.pop()

    async def failed(self, failed: Failed) -> None:
        if self._previewing:
            if failed.fate is not Fate.UNKNOWN:
                self.draft = None  # no drafts here: by edits, then
            return
        if self._tried is None:
            if failed.fate is not Fate.UNKNOWN:
                self.parts.pop()
        else:
            at, end, frame = self._tried
            await self._not_shown(failed, self.parts[at], end, frame)
        await self._finish()

    async def _not_shown(self, failed: Failed, part: Part, end: int, frame: Frame) -> None:
        match failed.fate:
            case Fate.UNKNOWN:
                part.stands = None
            case Fate.REPLY_GONE if self.reply_to is not None:
                self.reply_to = None
            case Fate.SAME:
                part.stands, part.revealed = frame, end
            case Fate.ENTITIES if not part.plain:
                part.plain = True
            case Fate.GONE if part.message is not None and not part.lost:
                part.message, part.stands, part.lost = None, None, 1
            case Fate.GONE:
                part.stands, part.revealed = frame, end
            case _:
                await self._give_up(failed)

    async def _give_up(self, failed: Failed) -> None:
        self.tools.report(f"telegram text {self.ref.run}", failed)
        await self.dropped()

    async def dropped(self) -> None:
        self.finished = True
        await self._kept("dead")

    async def _finish(self) -> None:
        if not self.finished and (self.final or self.closed) and self._next() is None:
            self.finished = await self._kept("done")

    # -- what should stand ---------------------------------------------------------------------

    def _pieces(self) -> list[Piece]:
        if self._cut_up[0] is not self.source:
            found = pieces(self.source, self.borders)
            told = [piece for piece in found if self.source[piece.start : piece.end].strip()]
            self._cut_up = (self.source, told)
        return self._cut_up[1]

    @property
    def _live(self) -> Draft | None:
        """The draft that shows the last message, while it grows."""
        return None if self.final or self.closed else self.draft

    def _preview(self) -> tuple[str, int]:
        """What the draft is to show, and the end of that in the source."""
        found = self._pieces()
        last = found[-1] if found else None
        return ("", 0) if last is None else (plain(last.of(self.source)).text, last.end)

    @property
    def _waits(self) -> bool:
        """Whether nothing more may be shown for now."""
        return self.unkept or (self.cut and not self.closed)

    def _due(self) -> int | None:
        """The message that is to be brought up to date now."""
        return None if self._waits else self._next()

    def _next(self) -> int | None:
        """The first message that doesn't stand as it should; one too many counts from the end."""
        found = self._pieces()
        for at in range(len(found) - (self._live is not None)):
            if at >= len(self.parts) or self.parts[at].stands != self._frame(at, found):
                return at
        return len(found) if len(self.parts) > len(found) else None

    def _frame(self, at: int, found: list[Piece]) -> Frame:
        last = at == len(found) - 1
        source = found[at].of(self.source)
        whole = self.final or self.closed
        as_plain = at < len(self.parts) and self.parts[at].plain
        live = last and not whole
        rendered = plain(source) if live or as_plain else render(source)
        if not rendered.text:
            rendered = plain(source)
        if last and whole and self.mark:
            rendered = marked(rendered, self.mark)
        return Frame(rendered, self.keyboard if live else ())

    # -- the store -----------------------------------------------------------------------------

    async def save(self, state: str = "open") -> None:
        """Keep where it stands."""
        await self.tools.save(self.row(state))

    async def _kept(self, state: str) -> bool:
        """Keep where it stands, now or in a moment; whether it is kept."""
        saved = await guarded_await(self.save(state))
        failed = isinstance(saved, Caught)
        if isinstance(saved, Caught) and self._owed_at is None:
            self.tools.report(f"telegram text {self.ref.run}", saved.error)
        self._owed_at = self.tools.monotonic() + AGAIN_SECONDS if failed else None
        return not failed

    def row(self, state: str) -> DeliveryRow:
        """The text as it is kept."""
        body: dict[str, Any] = {
            "kind": "text",
            "run": self.ref.run,
            "step": self.ref.step,
            "chat": self.chat,
            "topic": self.topic,
            "text": self.source if state == "open" else "",
            "mark": self.mark,
            "final": self.final,
            "closed": self.closed,
            "reply": self.reply_to,
            "borders": self.borders,
            "messages": [part.message for part in self.parts],
        }
        return DeliveryRow(
            id=text_id(self.ref),
            place=self.ref.thread,
            state=state,
            kept_at=self.tools.now(),
            body=body,
        )


def text_id(ref: TextRef) -> str:
    """Under which id a text is kept."""
    return f"text:{ref.thread}:{ref.run}:{ref.step}"


def restored(row: DeliveryRow, tools: Tools) -> Text:
    """A text as it was kept; what its messages hold is not known, an edit makes it so."""
    body = row.body
    return Text(
        TextRef(row.place, body["run"], body["step"]),
        body["chat"],
        body["topic"],
        tools,
        reply_to=body["reply"],
        source=body["text"],
        mark=body["mark"],
        final=body["final"],
        closed=body["closed"],
        cut=not (body["final"] or body["closed"]),
        parts=[Part(message) for message in body["messages"]],
        borders=list(body["borders"]),
    )
