"""A real model behind the `Model` port: any OpenAI-compatible server, other providers as extras.

The provider library imports for seconds, so it is loaded in a thread, by `PydanticAIModel.warm` or
else by the first call; importing this module loads nothing of it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING, TypeVar

from gateway.agents.llm_options import ModelOptions
from gateway.core.errors import ModelFailed, SettingsInvalid
from gateway.core.messages import UserMessage
from gateway.ports.model import ModelEvent, ModelRequest
from gateway.supervise import Caught, DaemonExecutor, guarded_await, in_thread

if TYPE_CHECKING:
    from gateway.agents.llm_provider import Provider

T = TypeVar("T")

LIBRARY = "gateway.agents.llm_provider"
LOAD_SECONDS = 60.0
CLOSE_SECONDS = 1.0
RETRIED = frozenset({"MODEL_UNAVAILABLE", "MODEL_RATE_LIMITED", "MODEL_BROKEN_STREAM"})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a call is tried, and the pauses between, which double.

    A provider that asks for more than `longest_pause_seconds` isn't asked again.
    """

    attempts: int = 3
    first_pause_seconds: float = 0.5
    longest_pause_seconds: float = 20.0

    def pause_seconds(self, failed: ModelFailed, attempt: int) -> float | None:
        """How long to wait after the failed attempt (from 1) before the next; None: give up."""
        if attempt >= self.attempts or failed.code not in RETRIED:
            return None
        pause = self.first_pause_seconds * 2 ** (attempt - 1)
        if failed.retry_after_seconds is not None:
            pause = failed.retry_after_seconds
        return pause if pause <= self.longest_pause_seconds else None


@dataclass(slots=True)
class _Progress:
    """How far an attempt came: the stream `opened`, its first token `began`, it fell `silent`."""

    opened: bool = False
    began: bool = False
    silent: bool = False


class PydanticAIModel:
    """A provider's model as the `Model` port.

    Failures before the first token are tried again by `retry`; after it never, nor after a silence
    of `timeout_seconds`, the longest wait for more of a stream. Leaving `stream` closes the
    provider's connection.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None,
        api_key: str | None,
        timeout_seconds: float,
        retry: RetryPolicy,
        options: ModelOptions,
    ) -> None:
        self.name = name
        self._base_url = base_url
        self._api_key = api_key
        self._timeout_seconds = timeout_seconds
        self._retry = retry
        self._options = options
        self._provider: Provider | None = None
        self._loading = threading.Lock()

    async def warm(self) -> None:
        """Load the provider's library and make the client. Idempotent.

        Raises:
            SettingsInvalid: no such provider, its package is not installed, or a key is missing.
            TimeoutError: the library did not load within a minute.
        """
        await self._loaded()

    async def probe(self) -> None:
        """See that the model answers: one request of a word, tried once, left as its reply begins.

        Raises:
            ModelFailed: it doesn't, with the code of why.
            SettingsInvalid, TimeoutError: as `warm`.
        """
        provider = await self._loaded()
        hello = ModelRequest(instructions="", messages=(UserMessage("Hello"),), tools=())
        async with aclosing(self._attempt(provider, hello, _Progress())) as events:
            async for _ in events:
                return

    def stream(
        self, request: ModelRequest
    ) -> AbstractAsyncContextManager[AsyncIterator[ModelEvent]]:
        return self._streaming(request)

    async def aclose(self) -> None:
        """Close the connections that are kept open between calls. Idempotent."""
        if self._provider is not None:
            await self._provider.aclose()

    async def _loaded(self) -> Provider:
        if self._provider is not None:
            return self._provider
        async with asyncio.timeout(LOAD_SECONDS):
            return await in_thread(DaemonExecutor("model-library"), self._load)

    def _load(self) -> Provider:
        with self._loading:
            if self._provider is None:
                connect = import_module(LIBRARY).connect
                self._provider = connect(self.name, self._base_url, self._api_key, self._options)
            return self._provider

    @asynccontextmanager
    async def _streaming(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        async with aclosing(self._events(request)) as events:
            yield events

    async def _events(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        try:
            provider = await self._loaded()
        except (SettingsInvalid, TimeoutError) as error:
            raise ModelFailed("MODEL_UNAVAILABLE", f"{self.name}: {error}") from error
        for attempt in count(1):
            progress = _Progress()
            try:
                async with aclosing(self._attempt(provider, request, progress)) as events:
                    async for event in events:
                        yield event
                return
            except ModelFailed as failed:
                pause_seconds = self._retry.pause_seconds(failed, attempt)
                if progress.began or progress.silent or pause_seconds is None:
                    raise
            await asyncio.sleep(pause_seconds)

    async def _attempt(
        self, provider: Provider, request: ModelRequest, progress: _Progress
    ) -> AsyncGenerator[ModelEvent]:
        stack = AsyncExitStack()
        try:
            opening = stack.enter_async_context(provider.open(request))
            reply = await self._waited(provider, opening, progress)
            progress.opened = True
            while (events := await self._waited(provider, reply.read(), progress)) is not None:
                progress.began = reply.began
                for event in events:
                    yield event
            for last in reply.end():
                yield last
        finally:
            await guarded_await(_close(stack))

    async def _waited(self, provider: Provider, waiting: Awaitable[T], progress: _Progress) -> T:
        result = await guarded_await(self._in_time(waiting))
        if isinstance(result, Caught):
            progress.silent = isinstance(result.error, TimeoutError)
            raise provider.failed(result.error, opened=progress.opened) from result.error
        return result

    async def _in_time(self, waiting: Awaitable[T]) -> T:
        async with asyncio.timeout(self._timeout_seconds):
            return await waiting


async def _close(stack: AsyncExitStack) -> None:
    async with asyncio.timeout(CLOSE_SECONDS):
        await stack.aclose()


def llm_model(
    name: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout_seconds: float = 120.0,
    retry: RetryPolicy | None = None,
    options: ModelOptions | None = None,
) -> PydanticAIModel:
    """The model of that name. Nothing is loaded or connected yet.

    `name` is `provider:model` or a plain model name, which is OpenAI's; with `base_url` it is the
    name of a model on that OpenAI-compatible server, which may have colons of its own; but
    `anthropic:…` and `google:…` are spoken to in their own formats there too. Without `api_key` the
    provider's own environment variable counts, but never with `base_url`. `options`: its price, the
    files that it reads.
    """
    return PydanticAIModel(
        name,
        base_url=base_url,
        api_key=api_key,
        timeout_seconds=timeout_seconds,
        retry=retry if retry is not None else RetryPolicy(),
        options=options if options is not None else ModelOptions(),
    )
