"""The questions put to a caller: one at a time, and what their answers are worth."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
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
    hearings. `doubtful`: the hearings say different things, so that none of them decides.
    """

    text: str
    takes: bool = False
    consents: bool = False
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
        """Nobody is there any more."""
        for question in list(self.asked):
            self.close(question)

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
        if self.open is None:
            return None
        return Expected(text_schema(self.open.prompt.question), self._languages())

    def form(self) -> Form:
        """How the answer is said."""
        if self.open is None:
            return Form.TALK
        return form_of(text_schema(self.open.prompt.question))

    def complete(self, text: str, now: datetime) -> bool:
        """Whether the open question takes these words as they stand."""
        if self.open is None or not text:
            return False
        return isinstance(self._parsed(text, now), Value | Control)

    def worth(self, text: str, alternatives: Sequence[str], now: datetime) -> Answer:
        """What final words are worth to the open question."""
        if self.open is None or not text:
            return Answer(text)
        alone = self._parsed(text, now)
        others = [one for one in alternatives if one and one != text]
        together = self._parsed(text, now, others) if others else alone
        if isinstance(together, Value):
            value = together.value
            handed = text
            if not isinstance(alone, Value):
                handed = next(o for o in others if isinstance(self._parsed(o, now), Value))
            return Answer(handed, takes=True, consents=self.open.is_leave and value is True)
        return Answer(text, doubtful=isinstance(alone, Value))

    def _parsed(self, text: str, now: datetime, others: Sequence[str] = ()) -> Outcome:
        assert self.open is not None
        schema = text_schema(self.open.prompt.question)
        return parse_answer(
            text,
            schema,
            languages=self._languages(),
            channel="speech",
            now=now,
            alternatives=others,
        )

    def _languages(self) -> tuple[str, ...]:
        assert self.open is not None
        return languages(self.open.prompt.language)


def warm_up(now: datetime) -> None:
    """Load what answers are read with, so that the first one is read at once."""
    for schema in (YES_NO, {"type": "integer"}, {"type": "string", "format": "date"}):
        for text in WARM_UP:
            parse_answer(text, schema, channel="speech", now=now)
