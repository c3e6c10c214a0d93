"""A player alone, on a line that plays in the loop's time, and cuts at random moments."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from gateway.supervise import Supervisor
from tests.builders import LoopClock
from tests.fakes.voice import FakeLine
from voice.core.clauses import Clause, Clauses
from voice.core.events import WordPlayed
from voice.player import Player
from voice.ports import Speech, TextToSpeech

REPLIES = {
    "en": (
        "I found three servers in Frankfurt, and all of them have been idle since Monday. "
        "Two of them cost ten dollars a day, the third one is cheaper. Shall I stop them now, "
        "or do you want to look at the list before? It takes about a minute either way.",
        "Your flight leaves on Friday at noon from the second terminal. Check in opens a day "
        "before, and you may take one bag with you. The seat by the window is still free, so I "
        "have kept it for you until this evening.",
    ),
    "ru": (
        "Нашлось три сервера во Франкфурте, и все они простаивают с понедельника. Два из них "
        "стоят десять долларов в день, третий дешевле. Остановить их сейчас, или вы хотите "
        "сначала посмотреть список? В любом случае это займёт около минуты.",
        "Ваш рейс вылетает в пятницу в полдень из второго терминала. Регистрация открывается за "
        "сутки, и можно взять одну сумку. Место у окна ещё свободно, поэтому оно оставлено за "
        "вами до вечера.",
    ),
}


@dataclass
class Told:
    """What a player tells, in order."""

    started: list[int] = field(default_factory=list)
    words: list[WordPlayed] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    failed: list[BaseException] = field(default_factory=list)
    cleared: list[int] = field(default_factory=list)

    def play_started(self, generation: int) -> None:
        self.started.append(generation)

    def play_progressed(self, generation: int, words: Sequence[WordPlayed]) -> None:
        self.words += words

    def play_ended(self, generation: int) -> None:
        self.ended.append(generation)

    def play_failed(self, generation: int, error: Exception) -> None:
        self.failed.append(error)

    def play_cleared(self, generation: int) -> None:
        self.cleared.append(generation)


class Truth:
    """A voice around a voice: keeps when each word truly begins, and may hide it."""

    def __init__(self, voice: TextToSpeech, *, hides: bool) -> None:
        self.name, self.rate, self.word_times = voice.name, voice.rate, not hides
        self._voice, self._hides = voice, hides
        self.clauses: list[tuple[Clause, list[tuple[int, int]]]] = []
        self.lengths: list[int] = []

    async def load(self) -> None:
        await self._voice.load()

    async def speak(self, clause: Clause, language: str) -> AsyncIterator[Speech]:
        marks: list[tuple[int, int]] = []
        self.clauses.append((clause, marks))
        self.lengths.append(0)
        place = len(self.lengths) - 1
        async for piece in self._voice.speak(clause, language):
            marks += [(mark.place, mark.sample) for mark in piece.marks]
            self.lengths[place] += len(piece.samples)
            yield Speech(piece.samples, () if self._hides else piece.marks)

    def begun(self, position: int) -> list[int]:
        """The ends of the written words whose sound has begun, of those whose start is known."""
        found: list[int] = []
        offset = 0
        for (clause, marks), length in zip(self.clauses, self.lengths, strict=True):
            starts = dict(marks)
            for word in clause.spoken.words:
                at = starts.get(word.spoken_start)
                if at is not None and offset + at < position:
                    found.append(word.end)
            offset += length
        return found

    def known(self) -> list[int]:
        """The ends of all words whose start is known."""
        return self.begun(2**60)


@dataclass
class Voices:
    only: TextToSpeech

    def voice(self, language: str) -> TextToSpeech:
        return self.only


@dataclass(frozen=True)
class Cut:
    """How many words were truly begun, how many are said to be, and how many of these were not."""

    truly: int
    told: int
    unheard: int


async def cuts(
    voice: TextToSpeech,
    language: str,
    text: str,
    *,
    delay_ms: int,
    hides: bool,
    count: int,
    seed: int,
) -> list[Cut]:
    """Speak the text once on a line that is so late; what a cut would find at random moments, and
    last one that really cuts, where the line says exactly where it stopped.
    """
    supervisor, told, chance = Supervisor(_raise), Told(), random.Random(seed)
    truth, line = Truth(voice, hides=hides), FakeLine(delay_ms=delay_ms, rate=voice.rate)
    clock = LoopClock()
    player = Player(
        line, Voices(truth), supervisor=supervisor, clock=clock, events=told, duck_decibels=-15
    )
    line.call = player
    player.begin(1, language)
    state, clauses = Clauses(language).feed(text)
    for clause in (*clauses, *state.close()[1]):
        player.say(1, clause)
    player.close(1)
    found = []
    moments = sorted(chance.uniform(0, 14.0) for _ in range(count))
    start = asyncio.get_running_loop().time() + delay_ms / 1000
    for moment in moments:
        await asyncio.sleep(max(0.0, start + moment - asyncio.get_running_loop().time()))
        found.append(_cut(player, truth, line))
    player.stop()
    await asyncio.sleep(0.01)
    found.append(_cut(player, truth, line))
    line.close()
    await supervisor.settle(1)
    return found


def _cut(player: Player, truth: Truth, line: FakeLine) -> Cut:
    line.plays()
    begun = truth.begun(line.heard_by.get(1, 0))
    end = len(player.heard(1).text)
    told = [word for word in truth.known() if word <= end]
    return Cut(len(begun), len(told), len(set(told) - set(begun)))


def _raise(where: str, error: BaseException) -> None:
    raise error
