"""The conversation in a terminal: a line editor below, what is said above."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable

from prompt_toolkit import PromptSession
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import StdoutProxy

from gateway.channels.link import Back, Frame, Link, Lost
from gateway.channels.terminal import words
from gateway.channels.terminal.view import View
from gateway.i18n import translator
from gateway.ports.clock import Clock
from gateway.supervise import Supervisor

AGAIN_SECONDS = 2.0
"""A second Ctrl+C within this time leaves."""
FLUSH_SECONDS = 0.2
REFRESH_SECONDS = 1.0
CLOSE_SECONDS = 1.0


class Chat:
    """Runs until the person leaves (0) or is refused (1)."""

    def __init__(
        self,
        link: Link,
        supervisor: Supervisor,
        clock: Clock,
        *,
        show_iterations: bool,
        says_that_runs_go_on: bool,
    ) -> None:
        self._link = link
        self._supervisor = supervisor
        self._clock = clock
        self._says_that_runs_go_on = says_that_runs_go_on
        self._out = StdoutProxy(sleep_between_writes=0.01, raw=True)
        self._view = View(link.who, self._print, width=_width, show_iterations=show_iterations)
        self._stopped_at = -AGAIN_SECONDS
        self._refused = False
        self._session: PromptSession[str] = PromptSession(
            message=self._message,
            bottom_toolbar=self._toolbar,
            key_bindings=self._keys(),
            erase_when_done=True,
            reserve_space_for_menu=0,
            refresh_interval=REFRESH_SECONDS,
        )

    async def run(self) -> int:
        """Talk until the end; the exit code."""
        listening = self._supervisor.spawn(self._listen(), name="terminal")
        try:
            while (text := await self._read()) is not None:
                if text.strip():
                    self._view.say(f"> {text}")
                    self._view.typed(self._link.say(text), text)
        finally:
            self._link.close()
            await asyncio.wait([listening], timeout=CLOSE_SECONDS)
            if self._says_that_runs_go_on and self._view.mine_runs:
                self._print(translator(self._link.who.language).gettext(words.LEFT_RUNNING))
            self._out.close()
        return 1 if self._refused else 0

    def leave(self) -> None:
        """End as if the person had left."""
        if self._session.app.is_running:
            self._session.app.exit(exception=EOFError)

    async def _read(self) -> str | None:
        if self._refused:
            return None
        try:
            return await self._session.prompt_async(pre_run=self._leave_if_refused)
        except (EOFError, KeyboardInterrupt):
            return None

    def _leave_if_refused(self) -> None:
        if self._refused:
            self.leave()

    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        flush: asyncio.TimerHandle | None = None
        async for event in self._link.events():
            self._view.take(event)
            if flush is not None:
                flush.cancel()
            flush = loop.call_later(FLUSH_SECONDS, self._flush)
            self._session.app.invalidate()
            if _sent_away(event, self._link.connected):
                self._refused = True
                self.leave()
                return

    def _flush(self) -> None:
        self._view.flush()
        self._session.app.invalidate()

    def _print(self, line: str) -> None:
        self._out.write(f"{line}\n")

    # -- below the conversation ----------------------------------------------------------------

    def _message(self) -> StyleAndTextTuples:
        tail = self._view.tail
        return [("", f"{tail}\n" if tail else ""), ("bold", "> ")]

    def _toolbar(self) -> StyleAndTextTuples:
        gone = None if self._link.connected else self._link.gone_seconds()
        lines = [self._view.queue_line(), self._view.status(gone)]
        return [("", "\n".join(line for line in lines if line))]

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        def on_ctrl_c(event: KeyPressEvent) -> None:
            now, to_stop = self._clock.monotonic(), self._view.to_stop
            if event.current_buffer.text:
                event.current_buffer.reset()
            elif to_stop is not None and now - self._stopped_at > AGAIN_SECONDS:
                self._stopped_at = now
                self._link.stop(to_stop)
            else:
                event.app.exit(exception=EOFError)

        bind: Callable[..., object] = keys.add("c-c", eager=True)
        bind(on_ctrl_c)
        return keys


def _sent_away(event: Frame | Lost | Back, connected: bool) -> bool:
    if isinstance(event, Lost | Back):
        return False
    if event["type"] == "bye":
        return bool(event["data"]["reason"] == "deleted")
    return event["type"] == "error" and not event.get("id") and not connected


def _width() -> int:
    return shutil.get_terminal_size().columns - 1
