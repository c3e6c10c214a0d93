"""Who is on a call, on which thread: one call a thread and person."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from gateway import calling
from gateway.live import Work
from gateway.state import ThreadState
from voice.call import Call
from voice.call_replies import Replies
from voice.call_stage import Exchange
from voice.ports import Line


class Calls:
    """Where transports bring their callers."""

    def __init__(self, exchange: Exchange, replies: Replies) -> None:
        self._exchange = exchange
        self._replies = replies
        self._calls: dict[tuple[str, str], Call] = {}
        self._tokens: dict[Call, str] = {}

    def loading(self) -> tuple[str, ...]:
        """The parts that are still to come, by name; nobody can be answered before."""
        return self._exchange.engines.loading()

    def retry(self) -> None:
        """Have the parts that failed tried again: a model may have been put right since."""
        self._exchange.retry()

    async def answer(
        self,
        line: Line,
        *,
        thread: str,
        principal: str,
        language: str,
        call: str = "",
        microphone_rate: int = 16_000,
        traced: bool = False,
        token: str = "",
    ) -> Call:
        """A call on this line. The thread is made where it isn't there.

        A person has one call on a thread: where there is one, whose connection was lost less than
        10 s ago or is on another page, this line goes on with it, and that page is told
        `elsewhere`. `call` is the one that this page was on before, if it was. The line's rates are
        those of the call's first one. `traced` asks for it to be recorded, where that is set up.
        `token` is what let the person in, if something did.

        Raises:
            AccessDenied: this person may not enter the thread.
            EngineFailed: a part is not ready.
        """
        exchange = self._exchange
        await exchange.router.enter(thread, principal, exchange.channel)
        known = self._calls.get((thread, principal))
        if known is not None:
            self._tokens[known] = token
            known.connect(line, language, resumed=call == known.id)
            return known
        made = self._calls[thread, principal] = Call(
            line,
            exchange=exchange,
            replies=self._replies,
            thread=thread,
            principal=principal,
            language=language,
            microphone_rate=microphone_rate,
            over=self._over,
            traced=traced,
        )
        self._tokens[made] = token
        self._arrive(made)
        return made

    def find(self, thread: str, principals: Iterable[str]) -> Call | None:
        """The call of the first of these persons who is on one."""
        found = (self._calls.get((thread, person)) for person in principals)
        return next((call for call in found if call is not None), None)

    def on(self, thread: str) -> list[Call]:
        """Every call on a thread."""
        return [call for (where, _), call in self._calls.items() if where == thread]

    def count(self) -> int:
        """How many there are."""
        return len(self._calls)

    def end(self, reason: str) -> None:
        """Hang up every call from our side; nothing is stopped, questions stay."""
        for call in list(self._calls.values()):
            call.end(reason)

    def dismiss(self, tokens: Collection[str]) -> None:
        """End the calls of those whom one of these let in, whether their line is there or lost."""
        for call in [call for call, token in self._tokens.items() if token in tokens]:
            call.dismiss()

    def _over(self, call: Call) -> None:
        if self._calls.get((call.thread, call.principal)) is call:
            del self._calls[call.thread, call.principal]
        self._tokens.pop(call, None)

    def _arrive(self, call: Call) -> None:
        """Let the engine ask on the call what is open."""
        exchange = self._exchange

        def come(state: ThreadState, work: Work) -> None:
            at = call.principal, exchange.channel, exchange.mirror
            work.then(call.arrived, calling.come(state, work, *at))

        exchange.router.heed(call.thread, come)
