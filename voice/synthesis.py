"""A clause as sound at the line's rate, piece by piece, with the marks moved along."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from math import ceil

import numpy as np

from gateway.core.errors import EngineFailed
from voice.core.clauses import Clause
from voice.core.pcm import Resampler, Samples
from voice.core.playout import Mark
from voice.ports import Speech, TextToSpeech

PIECE_SECONDS = 15.0
"""A voice that gives nothing for so long has failed, whatever its own deadline is."""
RESAMPLER_DELAY = 12
"""How many samples of the source a resampler holds back."""


@dataclass(frozen=True, slots=True)
class Sounded:
    """Further samples of a clause, at the line's rate, and the marks that came with them."""

    samples: Samples
    marks: tuple[Mark, ...] = ()


async def sounded(
    voice: TextToSpeech, clause: Clause, language: str, rate: int
) -> AsyncGenerator[Sounded, None]:
    """The clause's sound; closing the iterator ends the synthesis.

    Raises:
        EngineFailed: the voice failed, or gave nothing for `PIECE_SECONDS`.
    """
    resampler = Resampler(voice.rate, rate)
    async with aclosing(_pieces(voice, clause, language)) as pieces:
        async for piece in pieces:
            resampler, samples = resampler.apply(piece.samples)
            yield Sounded(samples, tuple(_moved(mark, voice.rate, rate) for mark in piece.marks))
    if voice.rate != rate:
        _, samples = resampler.apply(np.zeros(RESAMPLER_DELAY, dtype=np.float32))
        yield Sounded(samples)


async def _pieces(
    voice: TextToSpeech, clause: Clause, language: str
) -> AsyncGenerator[Speech, None]:
    speech = voice.speak(clause, language)
    try:
        while True:
            async with asyncio.timeout(PIECE_SECONDS):
                piece = await anext(speech, None)
            if piece is None:
                return
            yield piece
    except TimeoutError as error:
        raise EngineFailed(f"{voice.name} gave no sound for {PIECE_SECONDS} s") from error
    finally:
        close = getattr(speech, "aclose", None)
        if close is not None:
            await close()


def _moved(mark: Mark, source: int, target: int) -> Mark:
    if source == target:
        return mark
    return Mark(mark.place, ceil((mark.sample + RESAMPLER_DELAY) * target / source))
