"""What a run asks its model, and what it pays for that."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.core.log import repair_unanswered_tool_calls
from gateway.core.messages import Message
from gateway.core.trimming import own_start, tokens_of, trimmed
from gateway.ports.model import ModelRequest, Usage
from gateway.runs.frame import Frame
from gateway.runs.model_call import Answer, ModelCalls
from gateway.runs.refusing import code_of

TOO_LONG = "MODEL_CONTEXT_TOO_LONG"


class Asking:
    """The model calls of one run: within its history budget, or less where the model reads less."""

    def __init__(self, frame: Frame, models: ModelCalls) -> None:
        self._frame = frame
        self._models = models
        self._history_tokens = frame.limits.history_tokens

    async def ask(self, messages: Sequence[Message]) -> Answer:
        """Make the step's call. Where the model says that the history is too long for it, it is
        asked with half of that, as long as there is something to leave out.
        """
        while True:
            request = self._request(messages)
            answer = await self._models.run(request)
            self._paid(answer.usage)
            if answer.error is None or code_of(answer.error) != TOO_LONG or answer.text:
                return answer
            self._history_tokens = tokens_of(request.messages) // 2
            if self._request(messages).messages == request.messages:
                return answer

    def _paid(self, usage: Usage) -> None:
        tokens = usage.input_tokens + usage.output_tokens
        self._frame.used.add(tokens, usage.cost_usd)
        self._frame.host.spent(tokens, usage.cost_usd, over=False)

    def _request(self, messages: Sequence[Message]) -> ModelRequest:
        frame = self._frame
        repaired = repair_unanswered_tool_calls(messages)
        own = own_start(repaired, frame.step - 1)
        return ModelRequest(
            instructions=frame.instructions,
            messages=trimmed(repaired, own, self._history_tokens),
            tools=frame.specs,
            thread=frame.start.thread,
            run=frame.start.run,
            step=frame.step,
            language=frame.start.language,
            read=frame.runtime.read,
        )
