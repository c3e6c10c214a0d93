"""The bot on Telegram, loaded by name where a token is set."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Protocol

from aiohttp import web

from gateway.channels.pairing import Pairing
from gateway.channels.spoken import Spoken
from gateway.core.errors import SettingsInvalid
from gateway.ports.channel import Channel
from gateway.ports.clock import Clock, Ids
from gateway.ports.pairing import Pairings
from gateway.ports.store import Blobs, Store
from gateway.ports.telegram import TelegramStore
from gateway.router import Router
from gateway.settings import Settings
from gateway.supervise import Caught, Supervisor, guarded

TELEGRAM = "telegram"
SERVICE = "gateway.channels.telegram.service"


class Bot(Protocol):
    """A channel that talks and listens by itself."""

    channel: Channel

    def attach(self, router: Router, pairing: Pairing, spoken: Spoken | None) -> None:
        """Connect it with the engine, and with what understands voice notes."""

    def routes(self) -> list[web.RouteDef]:
        """What it wants to be called on."""

    async def restore(self) -> None:
        """Take up what was to be said, before the engine recovers its runs."""

    async def start(self) -> None:
        """Talk and listen."""

    async def stop_listening(self) -> None:
        """Take nothing more."""

    async def stop(self) -> None:
        """Say what can be said in a moment, keep the rest."""


class Tables(Pairings, TelegramStore, Protocol):
    """What a bot and pairing keep."""


class Keeper(Blobs, Protocol):
    """The store's file side, with the tables of bots."""

    @property
    def telegram(self) -> Tables: ...


def load_bot(
    settings: Settings,
    *,
    store: Store,
    keeper: Keeper,
    clock: Clock,
    ids: Ids,
    supervisor: Supervisor,
    report: Callable[[str, BaseException], str],
) -> Bot | None:
    """The bot; None without a token. Its libraries are loaded only with one.

    Raises:
        SettingsInvalid: the extra is not installed, or it is no token.
    """
    token = settings.telegram.token
    if token is None:
        return None
    if not token.get_secret_value().partition(":")[0].isdecimal():
        raise SettingsInvalid("telegram.token: no token of @BotFather", path="telegram.token")
    loaded = guarded(import_module, SERVICE)
    if isinstance(loaded, Caught):
        raise SettingsInvalid(
            f"telegram.token needs the extra: pip install 'bargein[telegram]' ({loaded.error})",
            path="telegram.token",
        )
    house = loaded.House(
        keep=keeper.telegram,
        store=store,
        blobs=keeper,
        clock=clock,
        ids=ids,
        supervisor=supervisor,
        report=report,
    )
    bot: Bot = loaded.Telegram(settings.telegram, settings.access, token.get_secret_value(), house)
    return bot


def homes_of(approvers: Iterable[str], local: str) -> dict[str, tuple[str, str]]:
    """Where approvers are asked: who is a number in their chat on Telegram, others at the desk."""
    return {
        name: (TELEGRAM, f"{TELEGRAM}:{name}") if name.isdecimal() else (local, f"{local}:{name}")
        for name in approvers
    }
