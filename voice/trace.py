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
"""A frame that is so late came late; what is later was silence."""
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

    def heard(self, samples: Samples, now_ms: int) -> None:
        """The microphone's sound, as it came."""
        self._keep(self._caller, samples, now_ms)

    def sent(self, samples: Samples, now_ms: int) -> None:
        """The agent's voice, as it went out."""
        self._keep(self._agent, samples, now_ms)

    def happened(self, event: object, actions: Sequence[object], now_ms: int) -> None:
        """What the floor was told, and what it did."""
        if now_ms - self.began_ms <= LONGEST_MS:
            line = {"ms": now_ms - self.began_ms, "event": repr(event)}
            self._lines.append(json.dumps({**line, "actions": [repr(one) for one in actions]}))

    def _keep(self, side: list[tuple[int, Samples]], samples: Samples, now_ms: int) -> None:
        if now_ms - self.began_ms <= LONGEST_MS:
            side.append((now_ms - self.began_ms, samples))

    async def save(self, report: Callable[[str, BaseException], object]) -> None:
        """Write it all; what goes wrong is reported."""
        written = await in_thread(DaemonExecutor("call trace"), lambda: guarded(self._write))
        if isinstance(written, Caught):
            report(f"trace {self.directory.name}", written.error)

    def _write(self) -> None:
        self.directory.mkdir(parents=True, mode=0o700)
        _sound(self.directory / "caller.wav", self._caller, self.caller_rate)
        _sound(self.directory / "agent.wav", self._agent, self.agent_rate)
        (self.directory / "events.jsonl").write_text("".join(f"{one}\n" for one in self._lines))


def _sound(path: Path, parts: Sequence[tuple[int, Samples]], rate: int) -> None:
    """Each part when it came, or behind the one before; silence between."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        length = 0
        for at_ms, samples in parts:
            gap = at_ms * rate // 1000 - length
            if gap > rate * JITTER_MS // 1000:
                file.writeframes(bytes(2 * gap))
                length += gap
            file.writeframes(to_pcm16(samples))
            length += len(samples)
