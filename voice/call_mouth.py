"""Says one piece after the other, each in a generation of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from voice.call_pieces import Note, Piece
from voice.player import Player


@dataclass(slots=True, eq=False)
class Mouth:
    """What is being said, and what waits. `may_begin` says whether a piece may be begun now;
    `begun` is told which piece is.
    """

    player: Player
    next_generation: Callable[[], int]
    may_begin: Callable[[Piece], bool]
    begun: Callable[[Piece], None]
    current: Piece | None = None
    queue: deque[Piece] = field(default_factory=deque)

    def add(self, piece: Piece, *, first: bool = False) -> None:
        """Say it behind what waits, or before."""
        (self.queue.appendleft if first else self.queue.append)(piece)
        self.go_on()

    def go_on(self) -> None:
        """Begin what waits, if nothing is being said."""
        while self.current is None and self.queue and self.may_begin(self.queue[0]):
            piece = self.current = self.queue.popleft()
            piece.begin(self.next_generation())
            self.player.begin(piece.generation, piece.language)
            self.begun(piece)
            if self.current is piece:
                self.feed()

    def feed(self) -> None:
        """Hand over what is new of the piece that is being said."""
        piece = self.current
        if piece is None:
            return
        was_closed = piece.closed
        for clause in piece.clauses():
            self.player.say(piece.generation, clause)
        if piece.closed and not was_closed:
            self.player.close(piece.generation)

    def stop(self) -> Piece | None:
        """Stop what is being said; what it was. Notices that wait are out of date."""
        piece, self.current = self.current, None
        self.player.stop()
        self.queue = deque(one for one in self.queue if not isinstance(one, Note))
        return piece

    def ended(self, generation: int) -> Piece | None:
        """The piece that was said in this generation, and is over."""
        piece = self.current
        if piece is None or piece.generation != generation:
            return None
        self.current = None
        return piece

    def put_behind_notes(self, piece: Piece) -> None:
        """Say it next, behind the notices that wait in front."""
        place = next((n for n, p in enumerate(self.queue) if not isinstance(p, Note)), None)
        self.queue.insert(len(self.queue) if place is None else place, piece)

    def drop(self, which: Callable[[Piece], bool]) -> None:
        """Take pieces out of what waits."""
        self.queue = deque(piece for piece in self.queue if not which(piece))
