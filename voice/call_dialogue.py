"""What is done with a caller's words, keys and silence: inputs, answers, questions put again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from gateway import calling
from gateway.core.answers import is_stop_word
from gateway.core.queueing import Priority
from gateway.ports.channel import Delivery, Notice, Prompt, Sent
from gateway.supervise import guarded_await
from voice import call_sayings as sayings
from voice.call_asking import Answer, Questions
from voice.call_handing import Handing
from voice.call_hearing import Recognised
from voice.call_inputs import Handed
from voice.call_keys import KEYS, Entry, Keys, Pressed, kind_of
from voice.call_pieces import Asked, Asking
from voice.call_speech import Speech
from voice.call_stage import Stage
from voice.core import events as e

ASK_SECONDS = 10.0
"""So long the engine waits to learn whether a question was heard."""
MOST_FAILURES = 3
"""So many utterances in a row that a recogniser fails at; then the call can't go on."""


@dataclass(slots=True, eq=False)
class Dialogue:
    """One caller's conversation with the engine. `hang_up` ends the call."""

    stage: Stage
    questions: Questions
    speech: Speech
    handing: Handing
    hang_up: Callable[[], None]
    _answers: dict[int, Answer] = field(default_factory=dict)
    _said: dict[str, str] = field(default_factory=dict)
    _entry: Entry = field(default_factory=lambda: Entry(""))
    _coming: dict[int, ExitStack] = field(default_factory=dict)
    _asked: dict[int, Asked | None] = field(default_factory=dict)
    _failures: int = 0
    _unheard: bool = False
    _seq: int = 0

    # -- words -----------------------------------------------------------------------------------

    def recognised(self, found: Recognised) -> None:
        """Words of an utterance, or the news that there are none to be had."""
        if found.failed is not None:
            self._failed(found)
            return
        if found.text:
            self._caller(found.utterance, found.text, found.final, None)
        answer = Answer(found.text)
        if found.final:
            self._failures = 0
            answer = self.questions.worth(
                found.text, found.alternatives, self.stage.now(), confirm=found.confirm
            )
            self._answers[found.utterance] = answer
        words = e.Words(found.utterance, found.words, found.final, found.paused)
        self.stage.happen(replace(words, answers=answer.takes, consent=answer.consents))

    def _failed(self, found: Recognised) -> None:
        assert found.failed is not None
        self.stage.exchange.report(f"recogniser of a call on {self.stage.thread}", found.failed)
        self._failures += 1
        self._unheard = True
        self.stage.happen(e.Words(found.utterance, (), final=True))
        if self._unheard:
            self._say_unheard()

    def _say_unheard(self) -> None:
        self._unheard = False
        gone = self._failures >= MOST_FAILURES
        text = sayings.CANT_HEAR_AT_ALL if gone else sayings.CANT_HEAR
        if gone:
            asyncio.get_running_loop().call_later(ASK_SECONDS, self.hang_up)
        self._note(text, first=True, ends_call=gone)

    def listen(self, action: e.Listen) -> None:
        """Something is being said: no question expires over it."""
        stage = self.stage
        coming = stage.exchange.router.expecting(
            stage.thread, stage.principal, stage.moment(action.since_ms)
        )
        self._asked[action.utterance] = self.questions.open
        self._coming[action.utterance] = ExitStack()
        self._coming[action.utterance].enter_context(coming)

    def _came(self, utterance: int) -> None:
        self._asked.pop(utterance, None)
        if utterance in self._coming:
            self._coming.pop(utterance).close()

    def take(self, action: e.Take) -> None:
        """Words that are an input, or an answer."""
        answer = self._answers.pop(action.utterance, Answer(action.text))
        asked = self.questions.open if action.question is not None else None
        answer = self.questions.left(answer, action.text, self.stage.now())
        if asked is not None and answer.doubtful:
            self._caller(action.utterance, action.text, True, e.DropReason.UNCLEAR.value)
            self._put(asked, sayings.lead(e.DropReason.UNCLEAR, self.stage.language))
            self._came(action.utterance)
            return
        if action.question is None and self._is_too_late(action):
            return
        takes = asked is not None and answer.takes
        self._caller(action.utterance, action.text, True, "answer" if takes else "input")
        if asked is not None and self._has_to_confirm(asked, answer):
            self._confirm(asked)
            self._came(action.utterance)
            return
        text = answer.text if takes and answer.text else action.text
        if asked is not None:
            self._said[asked.id] = text
        self.handing.words(action.utterance, text, action.began_ms, asked)

    def _is_too_late(self, action: e.Take) -> bool:
        """Whether the words were for a question that was decided while they were said: by keys, or
        by somebody else. The first decision stands, and they are no correction of it.
        """
        was = self._asked.get(action.utterance)
        if was is None or was.id in self.questions.asked:
            return False
        fits = self.questions.fits(was, action.text, self.stage.now())
        if not (fits or (was.keyed and not is_stop_word(action.text))):
            return False
        reason = e.DropReason.KEYS.value if was.keyed else "late"
        self._caller(action.utterance, action.text, True, reason)
        self._came(action.utterance)
        if not was.keyed:
            decided = sayings.notice("INTERRUPT_ALREADY_DECIDED", {}, self.stage.language)
            self.speech.note(decided, first=True)
        return True

    def drop(self, action: e.Drop) -> None:
        """Words that are none, with the reason."""
        self._answers.pop(action.utterance, None)
        self._came(action.utterance)
        self._caller(action.utterance, action.text, True, action.reason.value)

    def handed(self, handed: Handed, code: str) -> None:
        """The engine has taken something up, or refused it."""
        self._came(handed.utterance)
        if code:
            text = sayings.notice(code, {}, self.stage.language)
            self._caller(handed.utterance, "", True, code)
            self.speech.note(text or code, first=True)

    def _caller(self, utterance: int, text: str, final: bool, outcome: str | None) -> None:
        self.stage.tell("caller", utterance=utterance, text=text, final=final, outcome=outcome)

    # -- questions -------------------------------------------------------------------------------

    async def ask(self, prompt: Prompt) -> Sent:
        """Put a question; returns once its message was heard, at the latest after 10 s."""
        now = round(self.stage.now().timestamp() * 1000)
        self._seq = max(self._seq + 1, now)
        asked = self.questions.put(prompt, self._seq)
        self.stage.exchange.supervisor.spawn(self._expect(asked), name=f"expect {asked.id}")
        if self.questions.next() is asked:
            self._put(asked)
        found = await asyncio.wait({asked.delivered}, timeout=ASK_SECONDS)
        delivery = asked.delivered.result() if found[0] else Delivery.UNKNOWN
        return Sent(delivery, message_ref=asked.id, seq=asked.seq)

    async def _expect(self, asked: Asked) -> None:
        """Let the recogniser get ready; words that it can't hear are told to the operator."""
        stage = self.stage
        expecting = stage.exchange.engines.hearing.expect(
            stage.language, self.questions.answers(asked)
        )
        missing = await guarded_await(expecting)
        if isinstance(missing, tuple) and missing:
            why = f"the recogniser doesn't know these words of answers: {', '.join(missing)}"
            stage.exchange.report(f"question {asked.id}", UserWarning(why))

    def withdraw(self, question: str) -> None:
        """It was decided, or is not asked any more."""
        self.questions.close(question)
        self.speech.drop_question(question)
        self.stage.happen(e.QuestionClosed(question))
        following = self.questions.next()
        if following is not None and self.questions.open is None:
            self._put(following)

    def ask_again(self, action: e.AskAgain) -> None:
        """The floor wants the open question put once more."""
        asked = self.questions.asked.get(action.question)
        if asked is None:
            return
        lead = sayings.lead(action.reason, self.stage.language)
        if self._unheard and action.reason is e.DropReason.UNCLEAR:
            self._unheard = False
            lead = sayings.said(sayings.CANT_HEAR, self.stage.language)
        self._put(asked, lead)

    def status(self, action: e.SayStatus) -> None:
        """The caller wants to know what is going on, or was not understood."""
        if action.reason is e.DropReason.UNCLEAR:
            if not self._unheard:
                self._note(sayings.NOT_UNDERSTOOD, first=True)
            return
        self._note(sayings.WORKING if action.running else sayings.LISTENING, first=True)

    def waiting(self, action: e.SayWaiting) -> None:
        """Nobody answers."""
        self._note(sayings.STAYS_OPEN)

    def heard(self, piece: Asking, at_ms: int) -> None:
        """The open question was heard to the last word of its message."""
        asked = self.questions.asked.get(piece.question)
        if asked is None:
            return
        late = asked.delivered.done() and not asked.heard
        asked.heard = True
        asked.deliver(Delivery.CONFIRMED)
        self.stage.happen(e.QuestionHeard(asked.id, at_ms))
        if late:
            router, id_ = self.stage.exchange.router, asked.id
            router.heed(self.stage.thread, lambda state, work: calling.heard(state, work, id_))

    def unheard(self, piece: Asking) -> None:
        """It can't be spoken: it is shown, and may be answered there."""
        asked = self.questions.asked.get(piece.question)
        if asked is not None:
            self.stage.tell("told", text=piece.text)
            asked.deliver(Delivery.FAILED)

    def _put(self, asked: Asked, lead: str = "") -> None:
        self.speech.ask(self.questions.piece(asked, lead))

    def _has_to_confirm(self, asked: Asked, answer: Answer) -> bool:
        agent = self.stage.exchange.router.wiring.agent
        destroys = agent.destructive(asked.prompt.question.tool_name)
        asks = asked.is_leave and answer.consents and not asked.confirming
        return asks and (answer.confirm or destroys)

    def _confirm(self, asked: Asked) -> None:
        """A yes to what destroys something, or one that may have been misheard, is asked for
        twice; the second, or a key, has to come after that was heard.
        """
        asked.confirming, asked.heard = True, False
        self.stage.happen(e.QuestionClosed(asked.id))
        self._put(asked)

    # -- notices ---------------------------------------------------------------------------------

    def tell(self, notice: Notice) -> None:
        """The engine tells the caller something."""
        if notice.code == "LANG_SET":
            self.stage.language = notice.language
        if notice.code == "UNDERSTOOD":
            question = str(notice.params.get("interruptId", ""))
            understood = notice.params.get("understood")
            said = self._said.pop(question, "")
            self.stage.tell("understood", question=question, said=said, value=understood)
        text = sayings.notice(notice.code, notice.params, self.stage.language)
        heard_anyway = not self.speech.idle or notice.params.get("priority") == Priority.NOW.name
        if text and not (notice.code == "WAITS" and heard_anyway):
            self.speech.note(text)

    def _note(self, text: str, *, first: bool = False, ends_call: bool = False) -> None:
        said = sayings.said(text, self.stage.language)
        self.speech.note(said, first=first, ends_call=ends_call)

    # -- keys ------------------------------------------------------------------------------------

    def key(self, key: str) -> None:
        """A key answers the open question, once that was heard: before, it was for another one."""
        asked, now_ms = self.questions.open, self.stage.now_ms()
        if key not in KEYS or asked is None:
            return
        question = asked.prompt.question
        if kind_of(question) is Keys.NOTHING:
            self._note(sayings.KEYS_ARE_NO_ANSWER, first=True)
            return
        if not asked.heard:
            self._put(asked, sayings.lead(e.DropReason.EARLY, self.stage.language))
            return
        asked.keyed = True
        self.stage.happen(e.KeyPressed())
        if self._entry.question != asked.id:
            self._entry = Entry(asked.id)
        self._pick(asked, self._entry.press(key, question, now_ms))

    def keys_due_ms(self) -> int | None:
        """When the digits pressed are all."""
        return self._entry.due_ms()

    def look_at_keys(self, now_ms: int) -> None:
        """Take the digits for all, where no more came."""
        due, asked = self._entry.due_ms(), self.questions.open
        if due is not None and due <= now_ms:
            entry, self._entry = self._entry, Entry("")
            if asked is not None and asked.id == entry.question:
                self._pick(asked, entry.done(asked.prompt.question))

    def _pick(self, asked: Asked, pressed: Pressed | None) -> None:
        if pressed is None:
            return
        if pressed.nothing:
            self._put(asked, sayings.lead(e.DropReason.UNCLEAR, self.stage.language))
        elif pressed.digits:
            self._said[asked.id] = pressed.digits
            self.handing.digits(pressed.digits, asked)
        else:
            self.handing.option(pressed.option, asked)
