"""Plays one generation after the other on a line, and knows what of each was heard.

Clauses become sound as fast as the voice makes them; sound is sent at most `LEAD_MS` ahead of what
the line has played. A line that steers ducks, holds and clears at its own end. For one that does
not, quieter sound is sent quieter, and a hold takes back what was sent and not played, to send it
again: either way no sample is lost or heard twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from gateway.core.errors import EngineFailed
from gateway.ports.clock import Clock
from gateway.supervise import Caught, Supervisor, guarded_await
from voice.core.clauses import Clause
from voice.core.floor import Sound
from voice.core.pcm import Fader, Samples, gain_of
from voice.core.playout import Heard, Ledger, Track
from voice.pacing import Pace, Reel
from voice.playing import Live, PlayerEvents
from voice.ports import Line, Voices
from voice.synthesis import sounded

FRAME_MS = 20
LEAD_MS = 200
UNSTEERED_LEAD_MS = 60
"""So far ahead where the line can't duck: its loudness changes no later."""
MADE_AHEAD_SECONDS = 20
"""So much sound is made before it is played, no more."""
SILENT_MS = 6_000
"""A line that was sent sound and says for so long that it plays none of it does not play."""
RECALL_MS = 500
"""So long a line that can't hold has to say where it stopped."""
KEPT_GENERATIONS = 16


class LineSilent(EngineFailed):
    """The line plays nothing of what it is sent, or doesn't say so."""


class Player:
    """The voice of one call."""

    def __init__(
        self,
        line: Line,
        voices: Voices,
        *,
        supervisor: Supervisor,
        clock: Clock,
        events: PlayerEvents,
        duck_decibels: float,
    ) -> None:
        self._line: Line | None = line
        self._rate, self._steers = line.rate, line.steers
        self._voices = voices
        self._supervisor = supervisor
        self._clock = clock
        self._events = events
        self._ducked = gain_of(duck_decibels)
        self._ledger = Ledger(self._rate)
        self._fader = Fader(self._rate)
        self._sound = Sound.PLAIN
        self._live: Live | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.sent: Callable[[Samples, int], None] = lambda samples, now_ms: None

    # -- what is to be said --------------------------------------------------------------------

    def begin(self, generation: int, language: str) -> None:
        """From now on this generation is played; the one before was heard or stopped."""
        self._ledger = self._ledger.begin(generation).forget(generation - KEPT_GENERATIONS)
        lead_ms = LEAD_MS if self._steers else UNSTEERED_LEAD_MS
        live = Live(generation, language, Pace(self._rate, lead_ms))
        self._live, self._sound, self._fader = live, Sound.PLAIN, Fader(self._rate)
        making = self._make(live)
        live.task = self._supervisor.spawn(making, name=f"speech {generation}")

    def say(self, generation: int, clause: Clause) -> None:
        """A further clause of it."""
        live = self._of(generation)
        if live is not None:
            self._ledger = self._ledger.say(generation, clause)
            live.reels.append(Reel())
            live.clauses.put_nowait(clause)

    def close(self, generation: int) -> None:
        """No further clause comes."""
        live = self._of(generation)
        if live is not None:
            self._ledger = self._ledger.closed(generation)
            live.clauses.put_nowait(None)
            self._look_whether_over(live)

    def stop(self) -> None:
        """Nothing more of what is being played leaves from now on."""
        live = self._live
        if live is None:
            return
        self._live = None
        self._ledger = self._ledger.cut(live.generation)
        if live.task is not None:
            live.task.cancel()
        self._cancel_timer()
        if self._line is not None:
            self._line.clear(live.generation)

    def sound(self, sound: Sound) -> None:
        """Let it out quieter, held where it is, or in full."""
        live, before = self._live, self._sound
        self._sound = sound
        if live is None or sound is before:
            return
        if not self._steers:
            self._fader = self._fader.to(self._ducked if sound is Sound.DUCKED else 1.0)
        elif self._line is not None:
            self._line.sound(live.generation, sound)
        if sound is Sound.HELD:
            live.pace.hold(self._now_ms())
            if not self._steers:
                self._recall(live)
        elif before is Sound.HELD:
            self._go_on(live)

    def heard(self, generation: int) -> Heard:
        """What of it was heard."""
        return self._ledger.heard(generation)

    # -- the line ------------------------------------------------------------------------------

    def lose(self) -> None:
        """The line is gone: sound waits for the next one."""
        self._line = None
        if self._live is not None:
            self._live.pace.hold(self._now_ms())

    def connect(self, line: Line) -> None:
        """The next line; what the last one had not played is sent again."""
        self._line = line
        self._steers = line.steers
        live = self._live
        if live is not None:
            self._again(live)
            if self._sound is not Sound.PLAIN and self._steers:
                line.sound(live.generation, self._sound)

    def played(self, generation: int, flight: int, position: int) -> None:
        """The line has played so far."""
        before = self._track(generation)
        self._ledger = self._ledger.acknowledge(generation, flight, position)
        live, after = self._of(generation), self._track(generation)
        if live is None or before is None or after is None:
            return
        if after.acknowledged > before.acknowledged:
            if flight == after.flight and self._sound is not Sound.HELD:
                live.pace.reported(after.acknowledged, after.sent, self._now_ms())
            self._progressed(live)

    def cleared(self, generation: int, position: int) -> None:
        """The line has dropped what it had not played, and played so far."""
        live, track = self._of(generation), self._track(generation)
        if live is not None and track is not None and live.recalling:
            self._ledger = self._ledger.acknowledge(generation, track.flight, position)
            self._progressed(live)
            self._recalled(live)
        elif track is not None and track.cut and not track.cleared:
            self._ledger = self._ledger.cleared(generation, position)
            self._events.play_cleared(generation)

    def _recall(self, live: Live) -> None:
        if self._line is not None and live.started:
            live.recalling = True
            self._line.clear(live.generation)
            asyncio.get_running_loop().call_later(RECALL_MS / 1000, self._recalled, live)

    def _recalled(self, live: Live) -> None:
        """What was sent and not played is to be sent again."""
        if live.recalling and self._live is live:
            live.recalling = False
            self._again(live)

    def _again(self, live: Live) -> None:
        self._ledger = self._ledger.recall(live.generation)
        track = self._track(live.generation)
        live.pace.restart(0 if track is None else track.acknowledged, self._now_ms())
        if self._sound is not Sound.HELD and self._line is not None:
            self._go_on(live)

    def _go_on(self, live: Live) -> None:
        now = self._now_ms()
        live.moved_ms = now
        if self._line is not None and not live.recalling:
            if not self._steers:
                self._fader = Fader(self._rate, gain=0.0, target=self._fader.target)
            live.pace.go_on(now)
            self._pump()

    # -- making and sending --------------------------------------------------------------------

    async def _make(self, live: Live) -> None:
        outcome = await guarded_await(self._make_all(live))
        if isinstance(outcome, Caught) and self._live is live:
            live.failed = outcome.error
            self._look_whether_over(live)

    async def _make_all(self, live: Live) -> None:
        voice = self._voices.voice(live.language)
        number = 0
        while (clause := await live.clauses.get()) is not None:
            if clause.spoken.words:
                async for piece in sounded(voice, clause, live.language, self._rate):
                    live.reels[number].add(piece.samples)
                    self._ledger = self._ledger.synthesised(
                        live.generation, number, len(piece.samples), piece.marks
                    )
                    self._pump()
                    await self._room(live)
            self._ledger = self._ledger.finished(live.generation, number)
            number += 1
            self._pump()
            self._look_whether_over(live)

    async def _room(self, live: Live) -> None:
        """Wait while more is made than will be played soon."""
        track = self._track(live.generation)
        while track is not None and track.made - track.sent > MADE_AHEAD_SECONDS * self._rate:
            live.room.clear()
            await live.room.wait()
            track = self._track(live.generation)

    def _pump(self) -> None:
        """Send what is due; look again when the next frame is, in a frame's time at the latest."""
        live, line = self._live, self._line
        self._cancel_timer()
        if live is None or line is None or live.recalling or self._sound is Sound.HELD:
            return
        now = self._now_ms()
        self._send(live, line, now)
        if self._live is not live:
            return  # the call stopped it as its first sound went out
        live.room.set()
        track = self._track(live.generation)
        if track is None or (track.sent == track.made and track.acknowledged == track.sent):
            return
        if now - live.moved_ms > SILENT_MS:
            self._fail(live, LineSilent("the line plays nothing of what it is sent"))
            return
        size = min(self._rate * FRAME_MS // 1000, track.made - track.sent)
        wait_ms = live.pace.wait_ms(track.sent, size, now, FRAME_MS)
        self._timer = asyncio.get_running_loop().call_later(wait_ms / 1000, self._pump)

    def _send(self, live: Live, line: Line, now: int) -> None:
        frame = self._rate * FRAME_MS // 1000
        track = self._track(live.generation)
        while track is not None and self._live is live:
            due = live.pace.due(track.sent, now)
            waits = track.made - track.sent
            size = min(frame, waits)
            if size <= 0 or due < size or self._sound is Sound.HELD:
                return
            self._ledger, spans = self._ledger.take(live.generation, size)
            samples = Reel.joined([live.reels[s.item].cut(s.first, s.last) for s in spans])
            if not len(samples):
                return
            if not self._steers:
                self._fader, samples = self._fader.apply(samples)
            if track.sent == track.acknowledged:
                live.moved_ms = now
            line.play(live.generation, track.flight, track.sent, samples)
            self.sent(samples, now)
            if not live.started:
                live.started = True
                self._events.play_started(live.generation)
            track = self._track(live.generation)

    # -- what was heard ------------------------------------------------------------------------

    def _progressed(self, live: Live) -> None:
        live.moved_ms = now = self._now_ms()
        track = self._track(live.generation)
        if track is None:
            return
        words = live.words.forward(track, self._rate, now)
        self._events.play_progressed(live.generation, words)
        self._look_whether_over(live)

    def _look_whether_over(self, live: Live) -> None:
        track = self._track(live.generation)
        if self._live is not live or track is None or track.acknowledged < track.made:
            return
        if live.failed is not None:
            self._fail(live, live.failed)
        elif track.closed and all(item.complete for item in track.items):
            self._live = None
            self._cancel_timer()
            self._events.play_ended(live.generation)

    def _fail(self, live: Live, error: Exception) -> None:
        self.stop()
        self._events.play_failed(live.generation, error)

    def _of(self, generation: int) -> Live | None:
        live = self._live
        return live if live is not None and live.generation == generation else None

    def _track(self, generation: int) -> Track | None:
        return self._ledger.track(generation)

    def _now_ms(self) -> int:
        return round(self._clock.monotonic() * 1000)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
