"""The actor of one call: what a caller says and presses, and what the agent says to it.

Everything here runs on the loop and returns at once. A transport owns the connection: it hands
over what comes in, and is the call's `Line` for what goes out. What happens goes through
`barge_in.step`, by way of the `Stage`; the actions that come of it are done in `_do`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from gateway.ports.channel import Notice, Prompt, Sent, Update
from voice.call_asking import Questions, warm_up
from voice.call_dialogue import Dialogue
from voice.call_ear import Ear
from voice.call_handing import Handing
from voice.call_inputs import Inputs
from voice.call_numbers import Numbers
from voice.call_replies import Replies
from voice.call_speech import Speech
from voice.call_stage import Exchange, Stage
from voice.call_turns import Turns
from voice.core import events as e
from voice.core.barge_in import due_ms
from voice.core.pcm import Samples
from voice.ports import Line

LOST_SECONDS = 10.0
"""A connection that was lost may come back for so long."""
WORKING_STATES = frozenset({"starting", "running", "stopping"})


class Call:
    """One call, from its first connection until it is hung up.

    What it tells the line first is `ready`. A lost connection may come back (`Calls.answer`);
    until then nothing is played and nothing is lost.
    """

    def __init__(
        self,
        line: Line,
        *,
        exchange: Exchange,
        replies: Replies,
        thread: str,
        principal: str,
        language: str,
        microphone_rate: int,
        over: Callable[[Call], None],
        traced: bool = False,
    ) -> None:
        self.id = exchange.ids.uuid()
        self.thread, self.principal = thread, principal
        self._stage = stage = Stage(
            exchange, thread, principal, language, line, self._do, self._settled
        )
        self._replies = replies
        self._over = over
        self._numbers = Numbers(exchange.metrics)
        self._questions = Questions()
        self._inputs = inputs = Inputs(exchange.supervisor, exchange.report)
        hang_up = partial(self.end, "engine")
        self.speech = Speech(stage, replies, self._questions, self._numbers, inputs, hang_up)
        self._handing = Handing(self.id, stage, self._questions, inputs)
        self._dialogue = Dialogue(stage, self._questions, self.speech, self._handing, hang_up)
        self.speech.heard_question = self._dialogue.heard
        self.speech.unheard_question = self._dialogue.unheard
        inputs.done = self._dialogue.handed
        echo = stage.echo(self.id, line, microphone_rate, traced=traced)
        self.speech.player.sent = echo.sent
        ear = Ear(exchange.engines.detector(microphone_rate), microphone_rate)
        heard = self._dialogue.recognised
        self._turns = Turns(
            ear, exchange.engines.hearing, stage, self._questions, heard, echo, exchange.endpointing
        )
        self._working: set[str] = set()
        self._phase = ""
        self._timer: asyncio.TimerHandle | None = None
        self._due_ms: int | None = None
        self._lost: asyncio.TimerHandle | None = None
        self._held_open = self._muted = self._pushes = False
        warm_up(stage.now())
        self._ready(resumed=False)

    # -- what the line brings --------------------------------------------------------------------

    def frame(self, first: int, samples: Samples) -> None:
        """Sound of the microphone; `first` is its first sample's number since the call began. What
        comes twice, too late, or in a wrong size is dropped; a gap is silence.
        """
        if self._stage.over:
            return
        now_ms = self._stage.now_ms()
        if self._stage.trace is not None:
            self._stage.trace.heard(first, samples, now_ms)
        self._turns.frame(first, samples, now_ms)
        if self._due_ms is not None and now_ms >= self._due_ms:
            self._look()

    def played(self, generation: int, flight: int, position: int) -> None:
        """The line has played so far."""
        self.speech.player.played(generation, flight, position)

    def cleared(self, generation: int, position: int) -> None:
        """The line has dropped this generation and earlier ones; it had played so far."""
        self.speech.player.cleared(generation, position)

    def key(self, key: str) -> None:
        """A key: 0–9, `*` or `#`; anything else is dropped."""
        if not self._stage.over:
            self._dialogue.key(key)
            self._arm()

    def talk(self, on: bool) -> None:
        """Push-to-talk is held or let go. Once it was used, the microphone is open only while it
        is held; letting go ends the turn.
        """
        self._pushes, self._held_open = True, on
        self._set_microphone(ends_turn=not on)

    def mute(self, on: bool) -> None:
        """The microphone is silence while it is muted."""
        self._muted = on
        self._set_microphone(ends_turn=False)

    def stop(self) -> None:
        """The button: as `/stop`; the sound doesn't wait for the engine."""
        if not self._stage.over:
            self._handing.stop()
            self.speech.stop_now()

    def hang_up(self) -> None:
        """The caller is gone for good: nothing is stopped, questions stay."""
        self._end()

    def dismiss(self) -> None:
        """The caller may not speak any more: it ends, and what was just being said is not taken."""
        self._inputs.close()
        self._end()

    def lost(self, line: Line) -> None:
        """This connection is gone; where the call has another one already, nothing changes."""
        if self._stage.line is line and not self._stage.over:
            self._stage.line = None
            self.speech.player.lose()
            later = asyncio.get_running_loop().call_later
            self._lost = later(LOST_SECONDS, self._end)

    def connect(self, line: Line, language: str, *, resumed: bool) -> None:
        """The call goes on with this line; one that it still has is told so. `resumed` says that
        it is the same page again.
        """
        before = self._stage.line
        if self._lost is not None:
            self._lost.cancel()
            self._lost = None
        self._stage.line, self._stage.language = line, language
        if before is not None:
            before.hang_up("elsewhere")
        self._muted = self._pushes = False
        self._set_microphone(ends_turn=False)
        self._turns.ear.start_anew()
        self._ready(resumed=resumed)
        self.speech.player.connect(line)

    def _ready(self, *, resumed: bool) -> None:
        stage = self._stage
        assert stage.line is not None
        stage.tell(
            "ready",
            call=self.id,
            rate=stage.line.rate,
            language=stage.language,
            resumed=resumed,
        )
        self._phase = ""
        self._tell_phase()

    def _set_microphone(self, *, ends_turn: bool) -> None:
        closed = self._muted or (self._pushes and not self._held_open)
        self._turns.close_microphone(closed, ends_turn=ends_turn)
        self._look()

    # -- what the engine brings ------------------------------------------------------------------

    def arrived(self, working: frozenset[str]) -> None:
        """The thread was entered; these runs work for the caller."""
        self._working |= working
        self._stage.happen(e.RunChanged(bool(self._working)))

    async def ask(self, prompt: Prompt) -> Sent:
        """Put a question; returns once its message was heard, at the latest after 10 s."""
        return await self._dialogue.ask(prompt)

    def withdraw(self, question: str) -> None:
        """A question was decided, or is not asked any more."""
        self._dialogue.withdraw(question)

    def notice(self, notice: Notice) -> None:
        """The engine tells the caller something."""
        self._dialogue.tell(notice)

    def update(self, update: Update) -> None:
        """Something changed on the thread."""
        data = update.data
        if update.type == "input":
            self._inputs.taken_up(str(data["id"]))
            # What the caller is told of it comes in the same turn of the loop, and is said first.
            asyncio.get_running_loop().call_soon(self.speech.resume)
        principals = data.get("principals")
        if update.type == "run" and isinstance(principals, list) and self.principal in principals:
            run, before = str(data["run"]), bool(self._working)
            if data["state"] in WORKING_STATES:
                self._working.add(run)
            else:
                self._working.discard(run)
            if bool(self._working) is not before:
                self._stage.happen(e.RunChanged(not before))

    # -- the floor -------------------------------------------------------------------------------

    def _do(self, action: e.Action) -> None:
        match action:
            case e.Listen(utterance, since_ms):
                self._dialogue.listen(action)
                self._turns.listen(utterance, since_ms)
            case e.SetSound(sound):
                self.speech.sound(sound)
            case e.Stop():
                self.speech.stop(action)
            case e.Take():
                ended = self._turns.ended_ms.get(action.utterance, action.began_ms)
                self._numbers.turn_ended(ended, self._stage.now_ms())
                self._turns.settled(action.utterance)
                self._dialogue.take(action)
            case e.Drop():
                self._turns.settled(action.utterance)
                self._dialogue.drop(action)
            case _ if not self._stage.over:
                self._answer(action)

    def _answer(self, action: e.Action) -> None:
        match action:
            case e.AskAgain():
                self._dialogue.ask_again(action)
            case e.SayStatus():
                self._dialogue.status(action)
            case e.SayWaiting():
                self._dialogue.waiting(action)

    def _settled(self) -> None:
        self._tell_phase()
        self.speech.resume()
        self._arm()

    def _tell_phase(self) -> None:
        phase = self._stage.floor.phase.value
        if phase != self._phase:
            self._phase = phase
            self._stage.tell("state", state=phase)

    def _look(self) -> None:
        """Do what time alone brings about."""
        now_ms = self._stage.now_ms()
        self._due_ms = None
        self._turns.watch(now_ms)
        self._turns.look(now_ms)
        self._dialogue.look_at_keys(now_ms)
        self._stage.happen(e.Tick())

    def _arm(self) -> None:
        """Look again when something is due."""
        stage = self._stage
        now_ms = stage.now_ms()
        dues = (
            due_ms(stage.floor, now_ms, stage.exchange.policy),
            self._turns.due_ms(),
            self._dialogue.keys_due_ms(),
        )
        due = min((due for due in dues if due is not None), default=None)
        if due == self._due_ms:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._due_ms, self._timer = due, None
        if due is not None:
            later = asyncio.get_running_loop().call_later
            self._timer = later(max(1, due - now_ms) / 1000, self._look)

    # -- the end ---------------------------------------------------------------------------------

    def end(self, reason: str) -> None:
        """Hang up from our side."""
        line = self._stage.line
        if not self._stage.over:
            self._end()
            if line is not None:
                line.hang_up(reason)

    def _end(self) -> None:
        """Nobody is there to hear anything any more; what was said is still taken."""
        stage = self._stage
        if stage.over:
            return
        stage.over = True
        if self._lost is not None:
            self._lost.cancel()
        self._replies.release(self.speech)
        self._questions.clear()
        self.speech.fall_silent_for_good()
        told = self._numbers.told()
        stage.tell("numbers", **told)
        stage.exchange.log("call", {"call": self.id, "thread": stage.thread, **told})
        stage.line = None
        self._over(self)
        self._turns.end_now()
        stage.save_trace()
