"""The questions put to a caller: one at a time, and what their answers are worth."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from gateway.core.answers import Control, Outcome, Value, parse_answer
from gateway.ports.channel import Delivery, Prompt
from gateway.reading import YES_NO, languages, text_schema
from voice import call_sayings as sayings
from voice.call_pieces import Asked, Asking
from voice.core.endpointing import Form, form_of
from voice.core.speakable import speakable
from voice.ports import Expected

WARM_UP = ("yes", "twenty five", "tomorrow", "да", "двадцать пять", "завтра")


@dataclass(frozen=True, slots=True)
class Answer:
    """What final words are worth to the open question. `text` is what is handed on: one of the
    hearings; `said` is the first, as it was heard. `consents`: it is a yes. `confirm`: it may have
    been misheard, and where leave is asked, a yes is asked for once more.
    `doubtful`: the hearings say different things, so that none of them decides.
    """

    text: str
    said: str = ""
    takes: bool = False
    consents: bool = False
    confirm: bool = False
    doubtful: bool = False


@dataclass(slots=True, eq=False)
class Questions:
    """Those that are open to one caller, in the order in which they came; the first is put."""

    asked: dict[str, Asked] = field(default_factory=dict)
    open: Asked | None = None

    def put(self, prompt: Prompt, seq: int) -> Asked:
        """A question that is to be asked, or asked again."""
        known = self.asked.get(prompt.question.id)
        if known is not None:
            known.prompt, known.confirming = prompt, False
            return known
        outcome: asyncio.Future[Delivery] = asyncio.get_running_loop().create_future()
        asked = self.asked[prompt.question.id] = Asked(prompt, seq, outcome)
        return asked

    def close(self, question: str) -> bool:
        """It was decided or is not asked any more; whether it was the one that was put."""
        asked = self.asked.pop(question, None)
        if asked is not None:
            asked.deliver(Delivery.NOBODY)
        if asked is None or self.open is not asked:
            return False
        self.open = None
        return True

    def clear(self) -> None:
        """Nobody is there any more. Words that are still on their way count for what was heard."""
        for asked in self.asked.values():
            asked.deliver(Delivery.NOBODY)

    def next(self) -> Asked | None:
        """The one to be put now."""
        return self.open or next(iter(self.asked.values()), None)

    def seen(self) -> int:
        """The last that the caller has heard."""
        return max((one.seq for one in self.asked.values() if one.heard), default=0)

    # -- what is said --------------------------------------------------------------------------

    def piece(self, asked: Asked, before: str = "") -> Asking:
        """The question as it is spoken."""
        prompt = asked.prompt
        if asked.confirming:
            text, essential = sayings.confirmation(prompt.question, prompt.language)
        else:
            before = before or prompt.again or ""
            text, essential = sayings.prompt(prompt.question, prompt.form, before, prompt.language)
        words = speakable(text[:essential], prompt.language).words
        last = words[-1].end if words else 0
        return Asking(text, prompt.language, question=asked.id, last_word=last)

    # -- what is answered ----------------------------------------------------------------------

    def expected(self) -> Expected | None:
        """What a recogniser may expect."""
        return None if self.open is None else self.answers(self.open)

    def answers(self, asked: Asked) -> Expected:
        """What answers this question, open or not."""
        return Expected(text_schema(asked.prompt.question), _languages(asked))

    def form(self) -> Form:
        """How the answer is said."""
        if self.open is None:
            return Form.TALK
        return form_of(text_schema(self.open.prompt.question))

    def complete(self, text: str, now: datetime) -> bool:
        """Whether the open question takes these words as they stand."""
        if self.open is None or not text:
            return False
        return isinstance(_read(self.open, text, now), Value | Control)

    def fits(self, asked: Asked, text: str, now: datetime) -> bool:
        """Whether the words answer this question, open or not."""
        return isinstance(_read(asked, text, now), Value)

    def worth(
        self, text: str, alternatives: Sequence[str], now: datetime, *, confirm: bool = False
    ) -> Answer:
        """What final words are worth to the open question."""
        asked = self.open
        if asked is None or not text:
            return Answer(text, text)
        alone = _read(asked, text, now)
        others = [one for one in alternatives if one and one != text]
        together = _read(asked, text, now, others) if others else alone
        if not isinstance(together, Value):
            return Answer(text, text, doubtful=isinstance(alone, Value))
        handed = text
        if not isinstance(alone, Value):
            handed = next(one for one in others if self.fits(asked, one, now))
        return Answer(handed, text, takes=True, consents=together.value is True, confirm=confirm)

    def left(self, answer: Answer, text: str, now: datetime) -> Answer:
        """What words are worth of which `text` is left, the others being our own, come back. A yes
        that stood among those gives no leave.
        """
        asked = self.open
        if asked is None or text in ("", answer.said):
            return answer
        left = self.worth(text, (), now)
        return replace(left, doubtful=left.doubtful or (asked.is_leave and left.consents))


def _read(asked: Asked, text: str, now: datetime, others: Sequence[str] = ()) -> Outcome:
    return parse_answer(
        text,
        text_schema(asked.prompt.question),
        languages=_languages(asked),
        channel="speech",
        now=now,
        alternatives=others,
    )


def _languages(asked: Asked) -> tuple[str, ...]:
    return languages(asked.prompt.language)


def warm_up(now: datetime) -> None:
    """Load what answers are read with, so that the first one is read at once."""
    for schema in (YES_NO, {"type": "integer"}, {"type": "string", "format": "date"}):
        for text in WARM_UP:
            parse_answer(text, schema, channel="speech", now=now)
