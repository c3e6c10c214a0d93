"""A press, as those who handle it see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from gateway.channels.telegram.names import Place
from gateway.channels.telegram.sender import Keyboard
from gateway.ports.telegram import ButtonRow


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press: by whom, where, and under which name it is stored."""

    id: str
    principal: str
    name: str
    language: str
    place: Place
    message: int
    dedup: str


@dataclass(frozen=True, slots=True)
class Told:
    """What the presser is told; None where it could not be stored."""

    code: str = ""
    alert: bool = False
    params: dict[str, Any] | None = None


class Out(Protocol):
    """What presses do on the outgoing side."""

    def acknowledge(self, press: str, code: str, language: str, alert: bool, **params: Any) -> None:
        """Answer the press, once."""

    def keyboard(self, place: Place, message: int, buttons: Keyboard) -> None:
        """Change a message's buttons."""

    def ask_why(self, row: ButtonRow, place: Place, language: str, reply_to: int) -> None:
        """Ask for the reason of a denial."""
