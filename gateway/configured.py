"""What the settings say, as the parts of the product take it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from gateway.access import Access
from gateway.agents.agui.agent import PREFIX, AguiAgent
from gateway.agents.agui.files import Taking
from gateway.agents.agui.stream import Server
from gateway.agents.llm import PydanticAIModel, llm_model
from gateway.agents.llm_options import ModelOptions, Price
from gateway.api.library import LibraryChannel
from gateway.api.plugs import ACP, MCP
from gateway.api.programs import AGUI, REST
from gateway.channels.bots import TELEGRAM, homes_of
from gateway.channels.callers import VOICE
from gateway.channels.calls import OPERATOR
from gateway.channels.local import LOCAL
from gateway.core.cancellation import Graces
from gateway.core.errors import SettingsInvalid
from gateway.core.queueing import Mode
from gateway.policy import Policy
from gateway.runs.agent import Agent
from gateway.runs.budgets import Ceiling
from gateway.settings import Settings
from gateway.supervise import Caught, guarded

DEMO = "gateway.agents.scripted:agent"


def load_agent(settings: Settings) -> tuple[Agent | AguiAgent, PydanticAIModel | None]:
    """The configured agent, with the configured model where one is set; an AG-UI server has its
    own.

    Raises:
        SettingsInvalid: there is no such module or attribute, or it is no `Agent`.
    """
    if settings.agent.startswith(PREFIX):
        return _at_server(settings), None
    module, _, attribute = (DEMO if settings.agent == "demo" else settings.agent).partition(":")
    here = str(Path.cwd())
    if (
        here not in sys.path
    ):  # the console script doesn't look where it is called, as python -m does
        sys.path.insert(0, here)
    loaded = guarded(lambda: getattr(import_module(module), attribute))
    if isinstance(loaded, Caught):
        raise SettingsInvalid(f"agent: {settings.agent}: {loaded.error}", path="agent")
    if not isinstance(loaded, Agent):
        raise SettingsInvalid(f"agent: {settings.agent} is no gateway.Agent", path="agent")
    if settings.model is None:
        return loaded, None
    key = settings.model_api_key
    model = llm_model(
        settings.model,
        base_url=settings.model_base_url,
        api_key=None if key is None else key.get_secret_value(),
        options=options_of(settings),
    )
    return loaded.with_model(model), model


def options_of(settings: Settings) -> ModelOptions:
    """What is said of the model beyond its name."""
    paid = settings.prices
    known = paid.input_usd is not None and paid.output_usd is not None
    return ModelOptions(
        price=Price(paid.input_usd or 0.0, paid.output_usd or 0.0) if known else None,
        files=settings.model_files,
        must_be_priced=settings.budgets.cost_usd is not None,
    )


def ceiling_of(settings: Settings) -> Ceiling:
    """What every run may use at most."""
    most = settings.budgets
    return Ceiling(most.tokens, most.cost_usd, most.history_tokens)


def _at_server(settings: Settings) -> AguiAgent:
    if settings.model is not None:
        raise SettingsInvalid("model: an AG-UI server has its own", path="model")
    if settings.mcp:
        raise SettingsInvalid("mcp: an AG-UI server has its own tools", path="mcp")
    token = settings.agent_token
    server = Server(
        settings.agent.removeprefix(PREFIX),
        None if token is None else token.get_secret_value(),
        settings.agent_silence_seconds,
    )
    taking = Taking(server, settings.agent_files, settings.agent_files_limit_bytes)
    return AguiAgent(server, taking=taking)


def policy_of(settings: Settings) -> Policy:
    """The engine's part of the settings."""
    queue, times = settings.queue, settings.timeouts
    programs = dict.fromkeys((LibraryChannel.name, REST, AGUI, MCP, ACP), Mode.ENQUEUE)
    modes = {**programs, VOICE: Mode.INTERRUPT}
    modes |= {name: c.queue_mode for name, c in settings.channels.items() if c.queue_mode}
    return Policy(
        mode=settings.queue_mode,
        shared_mode=settings.shared_queue_mode,
        channel_modes=modes,
        cap=queue.cap,
        drop=queue.drop,
        debounce_ms=queue.debounce_ms,
        collect_ms=queue.collect_ms,
        debounce_longest_ms=queue.debounce_longest_ms,
        graces=graces_of(settings),
        shutdown_seconds=times.shutdown_seconds,
        shared_threads=frozenset(settings.access.shared),
        run_seconds=times.run_seconds,
    )


def graces_of(settings: Settings) -> Graces:
    """How long what is stopped may take."""
    shutdown_ms = max(0, round(settings.timeouts.shutdown_seconds * 1000) - 2_000)
    return Graces(settings.graces.grace_ms, settings.graces.now_grace_ms, shutdown_ms)


def access_of(settings: Settings, open_channels: Iterable[str]) -> Access:
    """Who may do what. A socket that only this system's user can open is an open channel."""
    lists = settings.access
    bot = settings.telegram.token is not None  # it lets people in by its own lists
    return Access(
        allow=lists.allow,
        admins=(*lists.admins, OPERATOR),
        approvers=lists.approvers,
        tools=lists.tools,
        open_channels=(*open_channels, TELEGRAM) if bot else open_channels,
        homes=homes_of(lists.approvers, LOCAL) if bot else None,
    )
