"""A call on record, where it was asked for: both sides as sound, and what happened as JSON lines.

It is personal data, words and voices; nothing is kept unless the operator named a directory and the
call asked. Written once, when the call is over.
"""

from __future__ import annotations

import json
import wave
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gateway.supervise import Caught, DaemonExecutor, guarded, in_thread
from voice.core.pcm import Samples, to_pcm16

JITTER_MS = 100
"""What goes out so late goes on; what is later came after silence."""
LONGEST_MS = 10 * 60_000
"""So much of each side is kept in memory and written; what comes later is not."""


@dataclass(slots=True, eq=False)
class Trace:
    """What is known of one call. Times are milliseconds of the call's clock."""

    directory: Path
    caller_rate: int
    agent_rate: int
    began_ms: int
    _caller: list[tuple[int, Samples]] = field(default_factory=list)
    _agent: list[tuple[int, Samples]] = field(default_factory=list)
    _lines: list[str] = field(default_factory=list)

    def heard(self, first: int, samples: Samples, now_ms: int) -> None:
        """The microphone's sound; `first` is its first sample's number since the call began."""
        if now_ms - self.began_ms <= LONGEST_MS:
            self._caller.append((first, samples))

    def sent(self, samples: Samples, now_ms: int) -> None:
        """The agent's voice, as it went out."""
        if now_ms - self.began_ms <= LONGEST_MS:
            first = (now_ms - self.began_ms) * self.agent_rate // 1000
            self._agent.append((first, samples))

    def happened(self, event: object, actions: Sequence[object], now_ms: int) -> None:
        """What the floor was told, and what it did."""
        if now_ms - self.began_ms <= LONGEST_MS:
            line = {"ms": now_ms - self.began_ms, "event": repr(event)}
            self._lines.append(json.dumps({**line, "actions": [repr(one) for one in actions]}))

    async def save(self, report: Callable[[str, BaseException], object]) -> None:
        """Write it all; what goes wrong is reported."""
        written = await in_thread(DaemonExecutor("call trace"), lambda: guarded(self._write))
        if isinstance(written, Caught):
            report(f"trace {self.directory.name}", written.error)

    def _write(self) -> None:
        self.directory.mkdir(parents=True, mode=0o700)
        _sound(self.directory / "caller.wav", self._caller, self.caller_rate)
        _sound(self.directory / "agent.wav", self._agent, self.agent_rate, JITTER_MS)
        (self.directory / "events.jsonl").write_text("".join(f"{one}\n" for one in self._lines))


def _sound(path: Path, parts: Sequence[tuple[int, Samples]], rate: int, jitter_ms: int = 0) -> None:
    """Each part at its first sample, or behind the one before; silence between."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        length = 0
        for first, samples in parts:
            gap = min(first - length, LONGEST_MS * rate // 1000)
            if gap > rate * jitter_ms // 1000:
                file.writeframes(bytes(2 * gap))
                length += gap
            file.writeframes(to_pcm16(samples))
            length += len(samples)
