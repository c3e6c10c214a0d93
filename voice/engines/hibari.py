"""hibari: a small neural voice for English, the one that its package holds."""

from __future__ import annotations

from collections.abc import Iterator

from hibari import SAMPLE_RATE, Hibari

from gateway.supervise import Supervisor
from voice.core.pcm import Samples
from voice.engines.sentences import SentenceVoice


class _Heart:
    def __init__(self) -> None:
        self._hibari = Hibari(threads=1)

    def sentences(self, text: str) -> Iterator[Samples]:
        yield from self._hibari.stream(text)


def hibari_voice(supervisor: Supervisor) -> SentenceVoice:
    """The voice, not loaded yet."""
    return SentenceVoice("hibari", SAMPLE_RATE, _Heart, supervisor)
