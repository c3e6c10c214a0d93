"""What the caller says: sound becomes utterances, their words, and the end of their turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from voice.call_asking import Questions
from voice.call_ear import Ear
from voice.call_echo import Echo
from voice.call_hearing import Hearing, Recognised
from voice.call_stage import Stage
from voice.core.endpointing import Endpointing, Turn, ends_at_ms
from voice.core.events import TurnEnded
from voice.core.floor import Utterance
from voice.core.pcm import Resampler, Samples
from voice.core.vad import Edge, VoiceEnded
from voice.ports import SpeechToText

PRE_ROLL_MS = 400
"""So much before a voice's first window is heard too, for its first syllable is soft."""


@dataclass(slots=True, eq=False)
class Turns:
    """The caller's side of a call."""

    ear: Ear
    recogniser: SpeechToText
    stage: Stage
    questions: Questions
    recognised: Callable[[Recognised], None]
    echo: Echo
    endpointing: Endpointing = field(default_factory=Endpointing)
    hearings: dict[int, Hearing] = field(default_factory=dict)
    ended_ms: dict[int, int] = field(default_factory=dict)
    _let_go: bool = False
    _settled_to: int = 0
    _complete: tuple[str, str, bool] = ("", "", False)

    def frame(self, first: int, samples: Samples, now_ms: int) -> None:
        """Sound of the microphone, to the recogniser first: what an edge starts finds it kept."""
        for sound, edges in self.ear.take(first, samples, now_ms):
            for hearing in self.hearings.values():
                hearing.feed(sound.samples, sound.end)
            for edge in edges:
                self._edge(edge)

    def watch(self, now_ms: int) -> None:
        """A voice whose sound stopped coming is over."""
        edge = self.ear.watch(now_ms)
        if edge is not None:
            self._edge(edge)

    def _edge(self, edge: Edge) -> None:
        self.stage.happen(edge)
        if isinstance(edge, VoiceEnded):
            self._voice_ended()
        else:
            self._voice_began()

    def close_microphone(self, closed: bool, *, ends_turn: bool) -> None:
        """From now on sound is silence, or is heard; what was being said may be over."""
        self.ear.closed = closed
        if not closed:
            self._let_go = False
            return
        edge = self.ear.fall_silent()
        self._let_go = ends_turn
        if edge is not None:
            self._edge(edge)

    def listen(self, number: int, since_ms: int) -> None:
        """A recogniser takes this utterance, from a little before its first sound, but nothing of
        the words before it.
        """
        ear = self.ear
        rate, first = ear.rate, ear.number_at(since_ms - PRE_ROLL_MS)
        ends = [_end(other) for other in self.hearings.values()]
        first = max(first, self._settled_to, ear.oldest(), *ends)
        listening = self.recogniser.listen(
            self.stage.language, self.questions.expected(), over_speech=self.stage.floor.playing
        )
        resampler = Resampler(rate, self.recogniser.rate)
        hearing = Hearing(
            number,
            listening,
            resampler,
            ear.at_ms(first),
            since_ms,
            self.stage.exchange.supervisor,
            self._heard,
        )
        self.hearings[number] = hearing
        for samples in ear.since(first):
            first += len(samples)
            hearing.feed(samples, first)

    def _heard(self, found: Recognised) -> None:
        """Words that are nothing but our own voice, come back, are none."""
        if found.words and self._is_own(found.utterance):
            found = replace(found, words=(), alternatives=())
        self.recognised(found)

    def _is_own(self, number: int) -> bool:
        ear = self.ear
        for utterance in self.stage.floor.open_utterances:
            if utterance.number != number or ear.next is None:
                continue
            first = max(ear.oldest(), ear.number_at(utterance.began_ms))
            last = ear.next
            if utterance.ended_ms is not None and utterance.voice_since_ms is None:
                last = min(last, ear.number_at(utterance.ended_ms))
            if last <= first:
                return False
            sound = np.concatenate(ear.since(first))[: last - first]
            return self.echo.is_own(sound, ear.rate, ear.at_ms(first), ear.at_ms(last))
        return False

    def settled(self, number: int) -> None:
        """Nobody waits for its words any more."""
        self.ended_ms.pop(number, None)
        hearing = self.hearings.pop(number, None)
        if hearing is not None:
            self._settled_to = max(self._settled_to, _end(hearing))
            hearing.close()

    def end_now(self) -> None:
        """No more sound comes: what was being said is over."""
        edge = self.ear.fall_silent()
        if edge is not None:
            self._edge(edge)
        utterance = self.stage.floor.utterance
        if utterance is not None and not utterance.over:
            self.end(utterance)

    def look(self, now_ms: int) -> None:
        """Ask for words, and end the turn, where that is due."""
        utterance = self.stage.floor.utterance
        for hearing in list(self.hearings.values()):
            current = utterance is not None and utterance.number == hearing.utterance
            hearing.look(now_ms, current and self._voiced(utterance))
        if utterance is None or utterance.over:
            return
        if self._ends_at(utterance) <= now_ms:
            self.end(utterance)

    def end(self, utterance: Utterance) -> None:
        """The turn is over: only its last words are awaited."""
        self._let_go = False
        if utterance.ended_ms is not None:
            self.ended_ms[utterance.number] = utterance.ended_ms
        hearing = self.hearings.get(utterance.number)
        if hearing is not None:
            hearing.finish()
        self.stage.happen(TurnEnded(utterance.number))

    def due_ms(self) -> int | None:
        """When to `look` or `watch`."""
        utterance, times = self.stage.floor.utterance, [self.ear.watch_at_ms()]
        if utterance is not None and not utterance.over:
            times.append(self._ends_at(utterance))
            hearing = self.hearings.get(utterance.number)
            if hearing is not None:
                times.append(hearing.due_ms(self._voiced(utterance)))
        return min((time for time in times if time is not None), default=None)

    def _ends_at(self, utterance: Utterance) -> int:
        voiced = utterance.voice_since_ms is not None
        ended = None if voiced else utterance.ended_ms
        if self._let_go and ended is not None:
            return ended
        hearing = self.hearings.get(utterance.number)
        text = "" if hearing is None else hearing.latest.text
        turn = Turn(utterance.began_ms, ended, text, self._is_complete(text))
        return ends_at_ms(turn, self.questions.form(), self.endpointing)

    def _is_complete(self, text: str) -> bool:
        """Whether the open question takes the words; read once for the same words."""
        asked = self.questions.open
        if asked is None or not text:
            return False
        if self._complete[:2] != (asked.id, text):
            self._complete = (asked.id, text, self.questions.complete(text, self.stage.now()))
        return self._complete[2]

    def _voice_began(self) -> None:
        utterance = self.stage.floor.utterance
        hearing = None if utterance is None else self.hearings.get(utterance.number)
        if hearing is not None:
            hearing.ended_at = None
            hearing.voice_began()

    def _voice_ended(self) -> None:
        utterance = self.stage.floor.utterance
        hearing = None if utterance is None else self.hearings.get(utterance.number)
        if utterance is None or hearing is None:
            return
        if utterance.ended_ms is not None:
            hearing.ended_at = self.ear.number_at(utterance.ended_ms)
        hearing.voice_ended()

    @staticmethod
    def _voiced(utterance: Utterance | None) -> bool:
        return utterance is not None and utterance.voice_since_ms is not None


def _end(hearing: Hearing) -> int:
    """Up to which sample of the line its words are."""
    return hearing.fed_to if hearing.ended_at is None else hearing.ended_at
