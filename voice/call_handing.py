"""Words, keys and the stop button as inputs of the thread."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.ports.rows import InputKind, NewInput
from voice.call_asking import Questions
from voice.call_inputs import Handed, Inputs
from voice.call_pieces import Asked
from voice.call_stage import Stage


@dataclass(slots=True, eq=False)
class Handing:
    """Hands in what one caller says and presses; `name` is the call's."""

    name: str
    stage: Stage
    questions: Questions
    inputs: Inputs
    _pressed: int = 0

    def words(self, utterance: int, text: str, began_ms: int, asked: Asked | None) -> None:
        """What was said, as an answer to a question or not."""
        new = self._new(str(utterance), text, asked, how="voice", began_ms=began_ms)
        self._hand(new, utterance)

    def digits(self, text: str, asked: Asked) -> None:
        """A number that was keyed in."""
        self._hand(self._new(self._next("key"), text, asked, how="text"))

    def stop(self) -> None:
        """The stop button."""
        self._hand(self._new(self._next("stop"), "/stop", None, how="button", kind=InputKind.STOP))

    def option(self, option: str, asked: Asked) -> None:
        """A key that picks an option, as the prompt's button would."""
        stage, token = self.stage, asked.prompt.row.token
        dedup = self._dedup(self._next("key"))
        press = stage.exchange.router.press
        self.inputs.hand(
            Handed(
                dedup,
                lambda: press(
                    token,
                    option,
                    stage.principal,
                    dedup=dedup,
                    channel=stage.exchange.channel,
                    language=stage.language,
                ),
            )
        )

    def _new(
        self,
        id_: str,
        text: str,
        asked: Asked | None,
        *,
        how: str,
        began_ms: int | None = None,
        kind: InputKind = InputKind.TEXT,
    ) -> NewInput:
        stage = self.stage
        return NewInput(
            dedup=self._dedup(id_),
            thread=stage.thread,
            channel=stage.exchange.channel,
            principal=stage.principal,
            text=text,
            kind=kind,
            sender=stage.principal,
            language=stage.language,
            seen=self.questions.seen(),
            reply_to=None if asked is None else asked.id,
            how=how,
            said_at=None if began_ms is None else stage.moment(began_ms),
        )

    def _hand(self, new: NewInput, utterance: int = 0) -> None:
        accept = self.stage.exchange.router.accept
        self.inputs.hand(Handed(new.dedup, lambda: accept(new), utterance))

    def _dedup(self, id_: str) -> str:
        return f"{self.stage.exchange.channel}:{self.name}:{id_}"

    def _next(self, kind: str) -> str:
        self._pressed += 1
        return f"{kind}:{self._pressed}"
