"""A call as a script: what happens when, and the stream of actions that comes of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from voice.core import events as e
from voice.core.barge_in import DEFAULT, due_ms, step
from voice.core.floor import Floor, Policy
from voice.core.vad import VoiceEnded, VoiceStarted
from voice.core.words import SpokenWord


@dataclass
class Call:
    """Feeds the reducer in virtual time; between events it ticks exactly when time is due."""

    policy: Policy = DEFAULT
    floor: Floor = field(default_factory=Floor)
    now: int = 0
    stream: list[str] = field(default_factory=list)

    def at(self, now, *events):
        while (due := due_ms(self.floor, self.now, self.policy)) is not None and due < now:
            self._step(e.Tick(), due)
        for event in events or (e.Tick(),):
            self._step(event, now)
        return self

    def _step(self, event, now):
        self.now = now
        self.floor, actions = step(self.floor, event, now, self.policy)
        self.stream += [f"{now:>5} {told(action)}" for action in actions]

    def said(self, now, text, **more):
        """Words of the newest utterance, without times."""
        return self.at(now, words(self.floor.last_number, text, **more))

    def voice(self, start, end):
        return self.at(start + 64, VoiceStarted(start)).at(end + 96, VoiceEnded(end))

    def playing(self, now=0, generation=None):
        return self.at(now, e.PlayStarted(generation or self.floor.generation))

    def asking(self, now=0, *, approval=False):
        return self.at(now, e.QuestionOpened("q", approval))


def words(utterance, text, *, start=None, **more):
    """Words of an utterance; `start` is when the first begins, 300 ms before the next."""
    spoken = tuple(
        SpokenWord(word, None if start is None else start + 300 * at)
        for at, word in enumerate(text.split())
    )
    return e.Words(utterance, spoken, **more)


def told(action):
    """An action in a line."""
    match action:
        case e.Listen(number, since):
            return f"listen {number} from {since}"
        case e.SetSound(sound):
            return f"sound {sound}"
        case e.Stop(generation, reason):
            return f"stop {generation}: {reason}"
        case e.Take(number, text, began, question):
            return f"take {number} “{text}” of {began}" + (f" for {question}" if question else "")
        case e.Drop(number, reason, text):
            return f"drop {number}: {reason}" + (f" “{text}”" if text else "")
        case e.AskAgain(question, reason, text):
            return f"ask {question} again: {reason}" + (f" “{text}”" if text else "")
        case e.SayStatus(running, reason):
            return f"say {'what is going on' if running else 'that one listens'}: {reason}"
        case e.SayWaiting(question):
            return f"say that {question} stays open"
    raise AssertionError(action)
