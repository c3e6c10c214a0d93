"""The loop of a run: a model call, its tools, again, until it ends, asks or is stopped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gateway.core.cancellation import InterruptReason
from gateway.core.errors import RunEnded
from gateway.core.events import Asked, Began, End, Ended, StepDone
from gateway.core.messages import AssistantMessage, Json, Message
from gateway.ports.agent import Joined
from gateway.runs.batch import Batch
from gateway.runs.budgets import BatchInHand
from gateway.runs.frame import Frame
from gateway.runs.messages import resumed_messages
from gateway.runs.model_call import Answer, ModelCalls, unused_ids
from gateway.runs.queue import Check, Queue, Queued, Refused, refusal
from gateway.runs.refusing import code_of
from gateway.runs.requests import Asking
from gateway.runs.result import RunResult
from gateway.supervise import Caught, guarded_await

ALL = "all"


class Loop:
    """Runs one run's task. It emits what happened and never stores anything itself."""

    def __init__(
        self, frame: Frame, queue: Queue, checks: Sequence[Check], hand: BatchInHand | None
    ) -> None:
        self._frame = frame
        self._queue = queue
        self._checks = checks
        self._hand = hand
        self._models = ModelCalls(frame)
        self._asks = Asking(frame, self._models)
        self._messages: list[Message] = resumed_messages(frame.start.history, hand)
        self._text = ""
        self._parts: Json = None
        self._asking: Batch | None = None
        self._steered = False

    def abandon(self) -> None:
        """The grace is over: cancel what may be cancelled, leave the rest to nobody."""
        self._models.abandon()
        self._frame.dispatcher.abandon()

    async def run(self) -> RunResult:
        """Run to the end or the pause; the result is what was emitted last."""
        outcome = await guarded_await(self._steps())
        self._queue.close()
        if isinstance(outcome, Caught):
            outcome = self._broke(outcome.error)
        final = await self._finish(outcome)
        self._models.close()
        return self._result(final)

    async def _steps(self) -> Ended | Asked:
        stopped = await self._set_up()
        if stopped is not None:
            return stopped
        if self._hand is not None:
            over = await self._run_batch(self._hand, announced=True)
            if over is not None:
                return over
        while True:
            over = self._stop_point() or await self._step()
            if over is not None:
                return over

    async def _set_up(self) -> Ended | None:
        frame = self._frame
        refused = await self._check_own(frame.start.own)
        if refused:
            await frame.host.refuse(refused)
        if refused and len(refused) == len(frame.start.own):
            return self._failed(next(iter(refused.values())))
        if frame.signal.cancelled:
            return self._interrupted()
        await frame.host.emit(Began())
        return None

    async def _check_own(self, own: Sequence[str]) -> dict[int, str]:
        """Check the run's own input; what is refused, by its place, is no message any more."""
        codes = [await self._check(text) for text in own]
        first = len(self._messages) - len(own)
        last = zip(self._messages[first:], codes, strict=True)
        self._messages[first:] = [message for message, code in last if code is None]
        return {place: code for place, code in enumerate(codes) if code is not None}

    async def _check(self, text: str) -> str | None:
        """The code of a refusal, told at once; None where the text may join."""
        error = await refusal(self._checks, text)
        if error is None:
            return None
        refused = Refused(text, error)
        self._queue.refuse(refused)
        return refused.code

    def _stop_point(self) -> Ended | None:
        """The head of an iteration, which is also the tail of the one before."""
        frame = self._frame
        if frame.signal.cancelled:
            return self._interrupted()
        budget = frame.used.exceeded(frame.limits)
        if budget is None:
            return None
        self._text = ""
        if budget == "iterations" and frame.limits.on_iteration_limit != "stop":
            failed = self._failed(InterruptReason.BUDGET_EXCEEDED.value)
            return replace(failed, reason=InterruptReason.BUDGET_EXCEEDED)
        return self._interrupted(InterruptReason.BUDGET_EXCEEDED)

    async def _step(self) -> Ended | Asked | None:
        """One model call and its tools; None if the run goes on."""
        frame = self._frame
        self._text, self._parts = "", None
        await self._join()
        if frame.signal.cancelled:
            return self._interrupted()
        frame.step = max(frame.step, frame.start.step) + 1
        frame.used.iterations += 1
        answer = await self._asks.ask(self._messages)
        self._text, self._parts = answer.text, answer.provider_parts
        if answer.error is not None:
            return self._broke(answer.error)
        if not answer.finished:
            return self._interrupted()
        unused_ids(answer, self._messages, frame.runtime.ids)
        calls = tuple(answer.calls)
        self._messages.append(AssistantMessage(answer.text, calls, answer.provider_parts))
        if not calls:
            return await self._turn_over()
        return await self._run_batch(_hand(answer), announced=False)

    async def _join(self) -> None:
        """What joins before this model call, last, after the tool results."""
        every = self._frame.start.options.queue_steering == ALL
        if every or not self._steered:
            for joined in await self._frame.host.take(self._check):
                self._messages.append(joined.message)
            await self._deliver(Queued.STEER, every=every)
        self._steered = False
        await self._deliver(Queued.INJECT, every=True)

    async def _deliver(self, kind: Queued, *, every: bool, after_step: bool = False) -> bool:
        """Let queued messages join, stored first; whether any did."""
        taken = await self._queue.take(kind, every=every)
        kept = 0
        try:
            if taken and after_step:
                await self._step_done()
            for message in taken:
                await self._frame.host.keep(Joined(message, kind.value))
                self._messages.append(message)
                kept += 1
        finally:
            for message in reversed(taken[kept:]):
                self._queue.give_back(kind, message)
        return bool(taken)

    async def _turn_over(self) -> Ended | None:
        """The model is done: queued messages go on with the run, or it is completed."""
        frame = self._frame
        options = frame.start.options
        while not frame.signal.cancelled:
            if await self._join_at_end():
                return None
            waiting = self._queue.first(Queued.STEER, Queued.FOLLOW_UP)
            if waiting is None:
                if not await self._last_injects():
                    break
                continue
            drain = options.queue_steering if waiting is Queued.STEER else options.queue_follow_up
            if await self._deliver(waiting, every=drain == ALL, after_step=True):
                if waiting is Queued.FOLLOW_UP:
                    frame.used.iterations = 0
                self._steered = waiting is Queued.STEER
                return None
        self._queue.close()
        if frame.signal.cancelled:
            self._queue.drain()
        return self._ended(End.COMPLETED)

    async def _join_at_end(self) -> bool:
        """What waited for the turn to be over; whether the run goes on with it."""
        host = self._frame.host
        if not host.waits_for_end():
            return False
        await self._step_done()
        joined = await host.take(self._check, ending=True)
        self._messages += [one.message for one in joined]
        kinds = {one.queued for one in joined}
        if Queued.FOLLOW_UP in kinds:
            self._frame.used.iterations = 0
        self._steered = Queued.STEER in kinds
        return bool(kinds - {Queued.INJECT})

    async def _last_injects(self) -> bool:
        """Injected messages that no model call is left for are kept; whether there were any."""
        taken = await self._queue.take(Queued.INJECT, every=True)
        for message in taken:
            if not await self._frame.host.keep(Joined(message, Queued.INJECT.value)):
                self._queue.returned += (message,)
        return bool(taken) or self._queue.first(*Queued) is not None

    async def _run_batch(self, hand: BatchInHand, *, announced: bool) -> Ended | Asked | None:
        self._hand = hand
        batch = Batch(self._frame, hand, self._said(hand), announced=announced)
        await batch.run()
        if batch.questions and not self._frame.signal.cancelled:
            self._asking = batch
            return batch.asked_event()
        if batch.questions:
            await batch.refuse_questions()
        if not batch.complete:
            return self._interrupted()
        self._messages += [batch.results[call.id] for call in hand.calls]
        self._hand = None
        await self._step_done()
        return None

    def _said(self, hand: BatchInHand) -> str:
        """The text of the step that the calls belong to."""
        for message in reversed(self._messages):
            if isinstance(message, AssistantMessage) and message.calls == hand.calls:
                self._text, self._parts = message.text, message.provider_parts
                return message.text
        return ""

    async def _step_done(self) -> None:
        frame = self._frame
        await frame.host.emit(StepDone(frame.step, self._text, self._parts, frame.checkpoint()))

    async def _finish(self, final: Ended | Asked) -> Ended | Asked:
        """Emit the end; a pause or an end that is refused because of a stop ends interrupted."""
        if isinstance(final, Asked):
            self._queue.drain()
        outcome = await guarded_await(self._frame.host.emit(final))
        if not isinstance(outcome, Caught):
            return final
        if not isinstance(outcome.error, RunEnded):
            self._frame.runtime.report(f"run {self._frame.start.run}", outcome.error)
            return self._failed(code_of(outcome.error))
        if isinstance(final, Ended):
            return final
        if self._asking is not None:
            await guarded_await(self._asking.refuse_questions())
        ended = self._interrupted()
        await guarded_await(self._frame.host.emit(ended))
        return ended

    def _broke(self, error: Exception) -> Ended:
        """A failure; after a stop it is the stop that ended the run."""
        if isinstance(error, RunEnded) or self._frame.signal.cancelled:
            return self._interrupted()
        failed = self._failed(code_of(error))
        self._frame.runtime.report(f"run {self._frame.start.run} ({failed.error_id})", error)
        return failed

    def _failed(self, code: str) -> Ended:
        error_id = self._frame.runtime.ids.uuid()[:8]
        return replace(self._ended(End.FAILED), error=code, error_id=error_id)

    def _interrupted(self, reason: InterruptReason | None = None) -> Ended:
        self._queue.drain()
        return self._ended(End.INTERRUPTED, self._frame.signal.reason or reason)

    def _ended(self, end: End, reason: InterruptReason | None = None) -> Ended:
        return Ended(
            end,
            self._frame.step,
            self._text,
            self._parts,
            reason,
            undelivered=self._queue.undelivered,
            checkpoint=self._frame.checkpoint(self._hand),
        )

    def _result(self, final: Ended | Asked) -> RunResult:
        run, queue = self._frame.start.run, self._queue
        if isinstance(final, Asked):
            return RunResult(
                run=run,
                end=None,
                text=final.text,
                questions=final.questions,
                undelivered=queue.undelivered,
                returned=queue.returned,
            )
        return RunResult(
            run=run,
            end=final.end,
            text=final.text,
            reason=final.reason,
            error=final.error,
            error_id=final.error_id,
            undelivered=queue.undelivered,
            returned=queue.returned,
        )


def _hand(answer: Answer) -> BatchInHand:
    return BatchInHand(tuple(answer.calls), dict(answer.problems), answer.provider_parts)
