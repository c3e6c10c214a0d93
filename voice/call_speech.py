"""The agent's side of a call: what is said now, what was heard, and what goes on after a stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from voice import call_sayings as sayings
from voice.call_asking import Questions
from voice.call_inputs import Inputs
from voice.call_mouth import Mouth
from voice.call_numbers import Numbers
from voice.call_pieces import Asking, Note, Piece, Reply
from voice.call_replies import Replies
from voice.call_stage import Stage
from voice.core import events as e
from voice.core.floor import Sound
from voice.core.playout import Heard
from voice.player import LineSilent, Player


@dataclass(slots=True, eq=False)
class Speech:
    """Says pieces, one at a time. `heard_question` is told when an open question was heard to its
    last word, `unheard_question` when it can't be said; `hang_up` ends the call.
    """

    stage: Stage
    replies: Replies
    questions: Questions
    numbers: Numbers
    inputs: Inputs
    hang_up: Callable[[], None]
    heard_question: Callable[[Asking, int], None] = lambda piece, at_ms: None
    unheard_question: Callable[[Asking], None] = lambda piece: None
    player: Player = field(init=False)
    mouth: Mouth = field(init=False)
    _stopped: list[Reply] = field(default_factory=list)
    _generation: int = 0

    def __post_init__(self) -> None:
        stage = self.stage
        assert stage.line is not None
        self.player = Player(
            stage.line,
            stage.exchange.engines,
            supervisor=stage.exchange.supervisor,
            clock=stage.exchange.clock,
            events=self,
            duck_decibels=stage.exchange.policy.duck_decibels,
        )
        self.mouth = Mouth(self.player, self._next_generation, self._may_begin, self._begun)

    def _next_generation(self) -> int:
        self._generation = max(self._generation + 1, self.stage.floor.generation)
        return self._generation

    # -- replies, as whoever keeps them asks -----------------------------------------------------

    @property
    def language(self) -> str:
        """The language of what is said."""
        return self.stage.language

    def say(self, reply: Reply) -> None:
        self.mouth.add(reply)

    def grow(self, reply: Reply, same_to: int) -> None:
        if self.mouth.current is not reply:
            return
        if same_to >= reply.taken_to():
            reply.hand_back(same_to)
            self.mouth.feed()
            return
        generation = reply.generation
        self._silence_current()
        reply.rest(self.heard(reply))
        reply.start = min(reply.start, same_to)
        self.mouth.queue.appendleft(reply)
        self._cut_on_the_floor(generation)
        self.mouth.go_on()

    @property
    def idle(self) -> bool:
        """Whether nothing is being said, or was stopped and may go on."""
        return not (self.mouth.current or self.mouth.queue or self._stopped)

    def heard(self, reply: Reply) -> Heard:
        return self.player.heard(reply.generation)

    def fall_silent(self, reply: Reply) -> None:
        self.numbers.reply(reply.shown(self.heard(reply)))
        self.mouth.drop(lambda piece: piece is reply)
        self._stopped = [other for other in self._stopped if other is not reply]
        if self.mouth.current is reply:
            self.cut_current()

    def fall_silent_for_good(self) -> None:
        """Nothing is said any more."""
        self.mouth.drop(lambda piece: True)
        self._stopped.clear()
        self.cut_current()

    # -- what else is said -----------------------------------------------------------------------

    def note(self, text: str, *, first: bool = False, ends_call: bool = False) -> None:
        """Tell the caller something, by voice and on the screen."""
        self.stage.tell("told", text=text)
        self.mouth.add(Note(text, self.stage.language, ends_call=ends_call), first=first)

    def ask(self, piece: Asking, *, first: bool = False) -> None:
        """Put a question, in place of what waits or plays of the same one."""
        self.drop_question(piece.question)
        self.mouth.add(piece, first=first)

    def drop_question(self, question: str) -> None:
        """Say no more of this question."""

        def same(piece: Piece | None) -> bool:
            return isinstance(piece, Asking) and piece.question == question

        self.mouth.drop(same)
        if same(self.mouth.current):
            self.cut_current()

    # -- stopping and going on -------------------------------------------------------------------

    def stop(self, action: e.Stop) -> None:
        """The floor stops what plays; whether a reply goes on is not known yet."""
        piece = self.mouth.current
        if piece is not None and piece.generation <= action.generation:
            self._silence_current()
            if isinstance(piece, Reply):
                self._stopped.append(piece)

    def stop_now(self) -> None:
        """Stop what is being said, here and now; a reply goes on where that comes to nothing."""
        piece = self.mouth.current
        if isinstance(piece, Reply):
            self._stopped.append(piece)
        self.cut_current()

    def cut_current(self) -> None:
        """Stop what is being said, here and now, for good."""
        piece = self.mouth.current
        if piece is not None:
            self._silence_current()
            self._cut_on_the_floor(piece.generation)

    def _silence_current(self) -> None:
        piece = self.mouth.stop()
        if piece is not None:
            self.numbers.stopped(piece.generation, self.stage.now_ms())

    def _cut_on_the_floor(self, generation: int) -> None:
        floor = self.stage.floor
        if floor.playing and floor.generation == generation:
            self.stage.happen(e.CutRequested())

    def sound(self, sound: Sound) -> None:
        """Let it out quieter, held, or in full."""
        self.player.sound(sound)

    def resume(self) -> None:
        """What a caller stopped for nothing goes on from the first word that was not heard, once it
        is known that it was for nothing; then what waits is said.
        """
        if self._stopped and not self._waits_for_words() and self.inputs.idle:
            stopped, self._stopped = self._stopped, []
            for reply in reversed(stopped):
                if reply.cut is None and not reply.silent:
                    self._go_on_with(reply)
        self.mouth.go_on()

    def _go_on_with(self, reply: Reply) -> None:
        if reply.rest(self.heard(reply)):
            self.mouth.put_behind_notes(reply)
        else:
            self._reply_over(reply)

    def _may_begin(self, piece: Piece) -> bool:
        if self.stage.over or self._waits_for_words():
            return False
        return not self._stopped or self.inputs.idle

    def _waits_for_words(self) -> bool:
        """Whether words that stopped the speech are not settled yet."""
        return any(utterance.stopped for utterance in self.stage.floor.open_utterances)

    def _begun(self, piece: Piece) -> None:
        if isinstance(piece, Asking):
            asked = self.questions.asked.get(piece.question)
            self.questions.open = asked
            if asked is not None:
                self.stage.happen(e.QuestionOpened(asked.id, asked.is_leave))

    # -- what the player tells -------------------------------------------------------------------

    def play_started(self, generation: int) -> None:
        self.stage.happen(e.PlayStarted(generation))
        piece = self._playing(generation)
        if isinstance(piece, Reply):
            self.numbers.sounded(self.stage.now_ms())
        elif isinstance(piece, Asking):
            self._look_at_question(piece, self.stage.now_ms())

    def play_progressed(self, generation: int, words: Sequence[e.WordPlayed]) -> None:
        for word in words:
            self.stage.happen(word)
        piece = self._playing(generation)
        if piece is None or not words:
            return
        if isinstance(piece, Reply):
            text = self.replies.progressed(piece)
        else:
            text = self.player.heard(generation).text
        self.stage.tell("agent", text=text)
        if isinstance(piece, Asking):
            self._look_at_question(piece, words[-1].start_ms)

    def play_ended(self, generation: int) -> None:
        piece = self.mouth.ended(generation)
        asked = piece.question if isinstance(piece, Asking) else None
        self.stage.happen(e.PlayEnded(generation, asked))
        if isinstance(piece, Reply):
            self._reply_over(piece)
        elif isinstance(piece, Note) and piece.ends_call:
            self.hang_up()
        self.mouth.go_on()

    def play_failed(self, generation: int, error: Exception) -> None:
        piece = self.mouth.ended(generation)
        self.stage.exchange.report(f"voice of a call on {self.stage.thread}", error)
        self.stage.happen(e.PlayEnded(generation))
        failed = sayings.CANT_PLAY if isinstance(error, LineSilent) else sayings.CANT_SPEAK
        self.stage.tell("told", text=sayings.said(failed, self.stage.language))
        if isinstance(piece, Reply):
            self.replies.release_one(piece)
        elif isinstance(piece, Asking):
            self.unheard_question(piece)
        elif isinstance(piece, Note) and piece.ends_call:
            self.hang_up()
        self.mouth.go_on()

    def play_cleared(self, generation: int) -> None:
        self.numbers.silent(generation, self.stage.now_ms())

    def _reply_over(self, reply: Reply) -> None:
        self.numbers.reply(reply.shown(self.heard(reply)))
        self.replies.ended(reply)

    def _look_at_question(self, piece: Asking, at_ms: int) -> None:
        heard = self.player.heard(piece.generation)
        if not piece.heard and (heard.complete or len(heard.text) >= piece.last_word):
            piece.heard = True
            self.heard_question(piece, at_ms)

    def _playing(self, generation: int) -> Piece | None:
        piece = self.mouth.current
        return piece if piece is not None and piece.generation == generation else None
