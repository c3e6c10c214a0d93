"""What a text is made of, and what it works with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from gateway.channels.telegram.sender import Frame, Sender
from gateway.ports.telegram import DeliveryRow


@dataclass(slots=True)
class Part:
    """One message of a text: its number, what stands there, how far of the source that is."""

    message: int | None = None
    stands: Frame | None = None
    revealed: int = 0
    plain: bool = False
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Tools:
    """What a text works with."""

    sender: Sender
    save: Callable[[DeliveryRow], Awaitable[None]]
    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    report: Callable[[str, BaseException], str]
