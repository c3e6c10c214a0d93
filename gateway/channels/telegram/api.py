"""The Bot API by python-telegram-bot's `Bot`, over aiohttp, with errors told apart by their fate.

What matters of an error is whether the call had its effect: never (it may be repeated), surely, or
nobody knows (`Fate.UNKNOWN`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import aiohttp
from telegram import Bot
from telegram.error import TelegramError
from telegram.request import BaseRequest, RequestData

CONNECT_SECONDS = 5.0
READ_SECONDS = 10.0
KEPT_OPEN_SECONDS = 15.0
"""An idle connection is closed by us before the server does: a call on a closed one is unknown."""
CONNECTIONS = 256
UNIX = "unix://"
"""A Bot API server on a unix socket: this, then the socket's path."""


class Fate(StrEnum):
    """What a failed call means."""

    SAME = "same"
    ENTITIES = "entities"
    REPLY_GONE = "reply_gone"
    GONE = "gone"
    FLOOD = "flood"
    FORBIDDEN = "forbidden"
    MIGRATED = "migrated"
    SERVER = "server"
    UNREACHED = "unreached"
    UNKNOWN = "unknown"
    CONFLICT = "conflict"
    TOKEN = "token"
    REFUSED = "refused"


AGAIN = frozenset({Fate.SERVER, Fate.UNREACHED})
"""The call had no effect, and may have one later."""


@dataclass(slots=True)
class Failed(TelegramError):
    """A call that failed; no part of it holds the token or what people say."""

    fate: Fate
    code: int = 0
    description: str = ""
    retry_after: float = 0.0
    moved_to: int = 0

    def __post_init__(self) -> None:
        TelegramError.__init__(self, f"{self.fate} {self.code} {self.description}".strip())

    def __hash__(self) -> int:
        return id(self)


class Http(BaseRequest):
    """python-telegram-bot's calls over one aiohttp session; `socket` is a unix socket's path."""

    def __init__(self, socket: str = "") -> None:
        self._socket = socket
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float | None:
        return READ_SECONDS

    async def initialize(self) -> None:
        if self._session is None:
            kept: dict[str, Any] = {"limit": CONNECTIONS, "keepalive_timeout": KEPT_OPEN_SECONDS}
            self._session = aiohttp.ClientSession(
                connector=aiohttp.UnixConnector(self._socket, **kept)
                if self._socket
                else aiohttp.TCPConnector(**kept)
            )

    async def shutdown(self) -> None:
        """What is asked for from now on is `Fate.UNREACHED`, also while connections close."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def do_request(  # noqa: PLR0917 - the base class's order
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        write_timeout: Any = BaseRequest.DEFAULT_NONE,
        connect_timeout: Any = BaseRequest.DEFAULT_NONE,
        pool_timeout: Any = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """The status and the body of a success.

        Raises:
            Failed: it was refused, or nothing came back.
        """
        read = read_timeout if isinstance(read_timeout, int | float) else READ_SECONDS
        body = None if request_data is None else request_data.parameters
        return await self._request(url, method, body, read)

    async def updates(self, bot: Bot, given: dict[str, Any], seconds: float) -> list[Any]:
        """A long poll; updates as they came, so that one that can't be read costs no other.

        Raises:
            Failed: as `do_request`.
        """
        _, data = await self._request(f"{bot.base_url}/getUpdates", "POST", given, seconds)
        found = json.loads(data).get("result")
        return found if isinstance(found, list) else []

    async def _request(self, url: str, method: str, body: Any, read: float) -> tuple[int, bytes]:
        if self._session is None:
            raise Failed(Fate.UNREACHED, description="closed")
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS, sock_read=read)
        try:
            async with self._session.request(method, url, json=body, timeout=timeout) as answer:
                data = await answer.read()
                if answer.status < 300:
                    return answer.status, data
                raise refusal(answer.status, data)
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise Failed(Fate.UNREACHED, description=type(error).__name__) from None
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise Failed(Fate.UNKNOWN, description=type(error).__name__) from None


_BY_TEXT = (
    ("message is not modified", Fate.SAME),
    ("can't parse entities", Fate.ENTITIES),
    ("entit", Fate.ENTITIES),
    ("message to be replied not found", Fate.REPLY_GONE),
    ("replied message not found", Fate.REPLY_GONE),
    ("message to edit not found", Fate.GONE),
    ("message can't be edited", Fate.GONE),
    ("message to delete not found", Fate.GONE),
    ("message can't be deleted", Fate.GONE),
    ("chat not found", Fate.FORBIDDEN),
    ("group chat was deactivated", Fate.FORBIDDEN),
)
_BY_CODE = {401: Fate.TOKEN, 403: Fate.FORBIDDEN, 404: Fate.TOKEN, 409: Fate.CONFLICT}


def refusal(code: int, data: bytes) -> Failed:
    """What the server's refusal means."""
    try:
        said = json.loads(data)
    except ValueError:
        said = {}
    said = said if isinstance(said, dict) else {}
    given: dict[str, Any] = said.get("parameters") or {}
    description = str(said.get("description", ""))[:200]
    if given.get("migrate_to_chat_id"):
        moved = int(given["migrate_to_chat_id"])
        return Failed(Fate.MIGRATED, code, description, moved_to=moved)
    if code == 429:
        return Failed(
            Fate.FLOOD, code, description, retry_after=float(given.get("retry_after") or 1)
        )
    if code >= 500:
        return Failed(Fate.SERVER, code, description)
    if code in _BY_CODE:
        return Failed(_BY_CODE[code], code, description)
    lowered = description.lower()
    fate = next((fate for part, fate in _BY_TEXT if part in lowered), Fate.REFUSED)
    return Failed(fate, code, description)


def make_bot(token: str, api_url: str) -> tuple[Bot, tuple[Http, Http]]:
    """The bot, and its clients: polling has one of its own, so that it holds up nothing."""
    socket = api_url.removeprefix(UNIX) if api_url.startswith(UNIX) else ""
    base = "http://localhost" if socket else api_url.rstrip("/")
    clients = (Http(socket), Http(socket))
    bot = Bot(
        token,
        base_url=f"{base}/bot",
        base_file_url=f"{base}/file/bot",
        request=clients[0],
        get_updates_request=clients[1],
    )
    return bot, clients
