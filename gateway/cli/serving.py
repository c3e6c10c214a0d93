"""`bargein serve`: from the first line to exit 0."""

from __future__ import annotations

import asyncio
import signal
from typing import TextIO

from gateway.app import App
from gateway.channels.callers import engines_of
from gateway.configured import load_agent
from gateway.settings import Settings

STOPS = (signal.SIGTERM, signal.SIGINT)


async def serve(settings: Settings, out: TextIO) -> int:
    """Run until a signal; 0 after an orderly end.

    Raises:
        StoreFailed, SocketUnusable, PortTaken: it can't start.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in STOPS:
        loop.add_signal_handler(number, stop.set)
    app = App(settings, engines=engines_of(settings))
    await app.start()
    out.write(f"{where(app)}\n")
    out.flush()
    await stop.wait()
    await app.stop()
    return 0


def where(app: App) -> str:
    """One line: where it listens, and which agent it runs."""
    settings = app.settings
    line = f"Bargein is ready: socket {app.socket.path.resolve()}, {app.address}."
    if settings.agent != "demo":
        return f"{line} Agent: {settings.agent}."
    if settings.model is None:
        return (
            f"{line} The demo agent plays a script; set BARGEIN_MODEL (and BARGEIN_MODEL_API_KEY, "
            "or BARGEIN_MODEL_BASE_URL for a server of your own) for a real model. "
            "Talk to it: bargein chat"
        )
    return f"{line} The demo agent's tools run under {settings.model}. Talk to it: bargein chat"


def check_agent(settings: Settings) -> None:
    """Load the configured agent, as `serve` would.

    Raises:
        SettingsInvalid: it can't be loaded.
    """
    load_agent(settings)
