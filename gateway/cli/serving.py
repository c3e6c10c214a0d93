"""`bargein serve`: from the first line to exit 0."""

from __future__ import annotations

import asyncio
import signal
from typing import TextIO

from gateway.agents.llm import PydanticAIModel
from gateway.app import App
from gateway.channels.callers import engines_of
from gateway.clock import SystemClock
from gateway.configured import load_agent
from gateway.core.errors import ModelFailed
from gateway.runs.agent import Agent
from gateway.settings import Settings
from gateway.supervise import spare_collector

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
    spare_collector()
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


PROBE_SECONDS = 20.0
_TROUBLE = {
    "MODEL_AUTH": "its provider doesn't take the key (BARGEIN_MODEL_API_KEY)",
    "MODEL_QUOTA": "what may be spent at its provider is used up",
    "MODEL_RATE_LIMITED": "it is asked too much at the moment",
    "MODEL_REJECTED": "its provider doesn't take the request; is the model's name right?",
    "MODEL_UNAVAILABLE": "it can't be reached",
}


def check_agent(settings: Settings) -> PydanticAIModel | None:
    """Load the configured agent, as `serve` would; its model, where that is a real one.

    Raises:
        SettingsInvalid: it can't be loaded.
    """
    agent, model = load_agent(settings)
    own = agent.model if isinstance(agent, Agent) else None
    own = own if isinstance(own, PydanticAIModel) else None
    return model or own


async def try_model(model: PydanticAIModel) -> str:
    """Ask the model for a word; one line on how that went.

    Raises:
        SettingsInvalid: there is no such provider, or its package or key is missing.
        ModelFailed: it doesn't answer, with why.
    """
    clock = SystemClock()
    began = clock.monotonic()
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            await model.probe()
    except TimeoutError as error:
        why = f"nothing came in {PROBE_SECONDS:g} s"
        raise ModelFailed("MODEL_UNAVAILABLE", f"the model doesn't answer: {why}") from error
    except ModelFailed as error:
        why = _TROUBLE.get(error.code, error.code)
        raise ModelFailed(error.code, f"the model doesn't answer: {why} ({error})") from error
    finally:
        await model.aclose()
    return f"The model answers: {model.name}, in {clock.monotonic() - began:.1f} s."
