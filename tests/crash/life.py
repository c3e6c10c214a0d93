"""One life of a process on a file: up to its kill, or to the end of the conversation."""

from __future__ import annotations

import asyncio
import json
import os
import traceback
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

from gateway.app import App
from gateway.ports.channel import Capabilities
from gateway.ports.rows import NewInput
from gateway.settings import Settings
from gateway.settings.models import AccessSettings, HttpSettings
from tests.builders import START, LoopClock
from tests.crash.conversation import STEPS, Step, agent, step_id, token_of
from tests.fakes.kill import KillingStore
from tests.fakes.kill_channel import KillingChannel, Screen, read_screen
from tests.virtual import new_loop

LOOKS_SECONDS = 0.05
PATIENCE = 400
"""How often a person looks for what they wait for before they go on: 20 s."""
THREAD = "fake:1"


@dataclass(frozen=True, slots=True)
class Kill:
    """Where a process dies: before or after its n-th commit or outbound effect; 0 is never."""

    what: str = "commit"
    when: str = "before"
    number: int = 0

    def before(self, what: str) -> int | None:
        return self.number if (self.what, self.when) == (what, "before") else None

    def after(self, what: str) -> int | None:
        return self.number if (self.what, self.when) == (what, "after") else None


def live(directory: Path, kill: Kill, spoken: bool) -> None:
    """Live in this process, under virtual time; the last line of the screen says how it went."""
    loop = new_loop(start=0)
    asyncio.set_event_loop(loop)
    loop.run_until_complete(_live(directory, kill, spoken))
    loop.close()


async def _live(directory: Path, kill: Kill, spoken: bool) -> None:
    path = directory / "screen"
    before = read_screen(path)
    began = START
    if before:
        began = datetime.fromisoformat(before[-1]["t"]) + timedelta(seconds=1)
    clock = LoopClock(began)
    screen = Screen(path, clock.now)
    screen.write("life")
    stores: list[KillingStore] = []

    def wrap(store: Any) -> KillingStore:
        before, after = kill.before("commit"), kill.after("commit")
        stores.append(
            KillingStore(
                store, before=before, after=after, last_words=lambda: screen.write("killed")
            )
        )
        return stores[0]

    channel = KillingChannel(
        "fake",
        screen,
        before=kill.before("effect"),
        after=kill.after("effect"),
        capabilities=Capabilities(voice=spoken, durable=not spoken),
    )
    log = StringIO()
    app = App(
        Settings(
            database=directory / "a.db",
            http=HttpSettings(port=0),
            access=AccessSettings(allow=("ann",)),
        ),
        agent=agent(screen),
        channels={"fake": channel},
        wrap=wrap,
        clock=clock,
        log=log,
    )
    await app.start()
    channel.settle = app.router.settled
    for step in STEPS:
        if not any(line["step"] == step.name for line in screen.lines("taken")):
            await _do(app, screen, step)
    await _quiet(app)
    await app.stop()
    errors = [line for line in map(json.loads, log.getvalue().splitlines()) if _is_error(line)]
    screen.write("over", commits=stores[0].written, effects=channel.effects, errors=errors)
    screen.close()


def _is_error(line: dict[str, Any]) -> bool:
    return line["level"] == "error" and line.get("error") != "StoreWarning"


async def _do(app: App, screen: Screen, step: Step) -> None:
    """One thing of the person's, sent again until it is known to be taken."""
    for _ in range(PATIENCE):
        if step.when(screen):
            break
        await asyncio.sleep(LOOKS_SECONDS)
    if step.press:
        token = token_of(screen, step.press)
        receipt = await app.router.press(
            token, "approve", "ann", dedup=step_id(step.name), channel="fake"
        )
    else:
        receipt = await app.router.accept(
            NewInput(
                dedup=step_id(step.name),
                thread=THREAD,
                channel="fake",
                principal="ann",
                text=step.text,
                sender="ann",
            )
        )
    screen.write("taken", step=step.name, code=receipt.code)


async def _quiet(app: App) -> None:
    """Wait until nothing is open."""
    for _ in range(120):
        if not await app.store.busy_threads():
            break
        await asyncio.sleep(0.5)


def in_child(directory: Path, kill: Kill, spoken: bool = False) -> int:
    """Live in a forked process; its exit status, -9 where it was killed."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            live(directory, kill, spoken)
            status = 0
        finally:
            if status:
                traceback.print_exc()
            os._exit(status)
    _, wait_status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(wait_status)
