"""`bargein chat`: joins the server that runs on this file, or is it."""

from __future__ import annotations

import asyncio
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gateway.channels.link import Link, Who
from gateway.channels.local import LOCAL, local_user, socket_path
from gateway.channels.terminal import words
from gateway.channels.terminal.codes import ASKED, OK
from gateway.channels.terminal.plain import Plain
from gateway.cli.deferred import Deferred
from gateway.cli.running import server
from gateway.clock import SystemClock, SystemIds
from gateway.i18n import translator
from gateway.supervise import DaemonExecutor, Supervisor, in_thread

if TYPE_CHECKING:
    from gateway.channels.terminal import chat as screen
    from gateway.settings import Settings
else:
    screen = Deferred("gateway.channels.terminal.chat")

SETTLE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for. `once` is the one message that is sent, None for many."""

    thread: str | None
    principal: str | None
    language: str
    show_iterations: bool
    once: str | None


def thread_id(thread: str | None, principal: str) -> str:
    """The conversation's id: a name of the person's choice, or their own one."""
    if thread is None:
        return f"{LOCAL}:{principal}"
    return thread if ":" in thread else f"{LOCAL}:{thread}"


async def chat(settings: Settings, wish: Wish) -> int:
    """Talk until the person leaves or the input ends; the exit code."""
    principal = wish.principal or local_user()
    who = Who(thread_id(wish.thread, principal), principal, wish.language)
    clock = SystemClock()
    supervisor = Supervisor(_complain)
    async with server(settings) as own:
        link = Link(socket_path(settings.database), who, clock=clock, ids=SystemIds())
        if wish.once is None and sys.stdin.isatty() and sys.stdout.isatty():
            code = await _converse(link, supervisor, clock, wish, own)
        else:
            code = await _pipe(link, supervisor, wish)
        await supervisor.settle(SETTLE_SECONDS)
    return code


async def _converse(
    link: Link, supervisor: Supervisor, clock: SystemClock, wish: Wish, own: bool
) -> int:
    talk = screen.Chat(
        link,
        supervisor,
        clock,
        show_iterations=wish.show_iterations,
        says_that_runs_go_on=not own,
    )
    for number in (signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, talk.leave)
    return await talk.run()


async def _pipe(link: Link, supervisor: Supervisor, wish: Wish) -> int:
    plain = Plain(link, supervisor, sys.stdout, sys.stderr)
    code = OK
    if wish.once is not None:
        code = await plain.say(wish.once.strip())
    else:
        reader = DaemonExecutor("stdin")
        while line := await in_thread(reader, sys.stdin.readline):
            if line.strip():
                code = await plain.say(line.strip())
    if code == ASKED:
        plain.complain(translator(wish.language).gettext(words.STILL_OPEN))
    link.close()
    return code


def _complain(where: str, error: BaseException) -> None:
    sys.stderr.write(f"error: {where}: {error}\n")
