"""The provider library itself. Imported in a thread, by name, from `gateway.agents.llm` alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, NoReturn
from urllib.parse import urlsplit

from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import (
    InstructionPart,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse, infer_model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider as LibraryProvider
from pydantic_ai.providers import infer_provider_class
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from gateway.agents.llm_errors import BROKEN, model_failed, refused
from gateway.agents.llm_files import Taken, files_of
from gateway.agents.llm_history import Origin, provider_parts, to_library
from gateway.agents.llm_options import ModelOptions, Price
from gateway.agents.llm_prices import check_priced, usage_of
from gateway.core.errors import ModelFailed, SettingsInvalid
from gateway.core.messages import AssistantMessage, ToolCall
from gateway.ports.model import (
    CallDelta,
    Finished,
    ModelEvent,
    ModelRequest,
    TextDelta,
    ToolSpec,
)

SETTINGS = ModelSettings(max_retries=0)
# A stream that ends without saying why has broken off.
PROFILE = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
SHOWN_ARGUMENTS = 200
CUT_SECONDS = 0.05
OWN_FORMAT = frozenset({"anthropic", "google"})
"""Providers that don't speak OpenAI's format, also where their address is another one."""


def connect(
    name: str, base_url: str | None, api_key: str | None, options: ModelOptions
) -> Provider:
    """Make the client of that model; nothing is sent yet.

    Raises:
        SettingsInvalid: no such provider, its package is not installed, a key is missing, or its
            price isn't known where it must be.
    """
    try:
        model = _model(name, base_url, api_key)
    except ImportError as error:
        message = f"the package of {name!r} is not installed ({error})"
        raise SettingsInvalid(message, path="model") from error
    except (UserError, TypeError, ValueError) as error:
        raise SettingsInvalid(f"{name!r} can't be used: {error}", path="model") from error
    if options.must_be_priced and options.price is None:
        check_priced(model, name)
    return Provider(model, name, Taken.of(model, options.files), options.price)


def _model(name: str, base_url: str | None, api_key: str | None) -> Model[Any]:
    prefix, colon, rest = name.partition(":")
    chat = colon == "" or prefix in ("openai", "openai-chat")
    plain = rest if chat and colon else name
    if prefix in OWN_FORMAT and colon:
        return infer_model(name, lambda kind: _own_format(kind, base_url, api_key))
    if base_url is not None:
        service = urlsplit(base_url).netloc or base_url
        compatible = OpenAICompatibleProvider(service, base_url=base_url, api_key=api_key)
        return OpenAIChatModel(plain, provider=compatible, profile=PROFILE)
    if chat:
        return OpenAIChatModel(plain, provider=OpenAIProvider(api_key=api_key), profile=PROFILE)
    if api_key is None:
        return infer_model(name)

    def with_key(provider: str) -> LibraryProvider[Any]:
        known: Any = infer_provider_class(provider)
        made: LibraryProvider[Any] = known(api_key=api_key)
        return made

    return infer_model(name, with_key)


def _own_format(kind: str, base_url: str | None, api_key: str | None) -> LibraryProvider[Any]:
    """A provider that isn't spoken to in OpenAI's format, at its own address or at another one."""
    made: Any = infer_provider_class(kind)
    if base_url is not None and api_key is None:
        raise SettingsInvalid("a server of your own needs model_api_key", path="model_api_key")
    provider: LibraryProvider[Any] = made(api_key=api_key, base_url=base_url)
    return provider


class Provider:
    """A model that can be asked, and what its failures mean."""

    def __init__(self, model: Model[Any], name: str, taken: Taken, price: Price | None) -> None:
        self._model = model
        self._taken = taken
        self._price = price
        self._origin = Origin(model.system, model.base_url or "")
        self.label = f"{name} at {urlsplit(self._origin.url).netloc or model.system}"

    @asynccontextmanager
    async def open(self, request: ModelRequest) -> AsyncIterator[Reply]:
        """Send the request; leaving closes the connection, unless the reply was read to its end."""
        parameters = ModelRequestParameters(
            function_tools=[_definition(tool) for tool in request.tools],
            instruction_parts=[InstructionPart(request.instructions)] * bool(request.instructions),
        )
        files = await files_of(request, self._taken)
        async with model_request_stream(
            self._model,
            to_library(request.messages, self._origin, files),
            model_settings=SETTINGS,
            model_request_parameters=parameters,
            instrument=False,
        ) as response:
            reply = Reply(response, request, self._origin, self.label, self._price)
            try:
                yield reply
            finally:
                await reply.cut()

    def failed(self, error: Exception, *, opened: bool) -> ModelFailed:
        """What `error`, raised by `open` or while reading, means."""
        if isinstance(error, ModelFailed):
            return error
        return model_failed(error, model=self.label, opened=opened)

    async def aclose(self) -> None:
        """Close the connections that are kept for later calls."""
        await self._model.__aenter__()
        await self._model.__aexit__(None, None, None)


def _definition(tool: ToolSpec) -> ToolDefinition:
    return ToolDefinition(
        name=tool.name,
        description=tool.description,
        parameters_json_schema=dict(tool.parameters),
    )


class Reply:
    """One reply as it streams. `began` is True from its first token on."""

    def __init__(
        self,
        response: StreamedResponse,
        request: ModelRequest,
        origin: Origin,
        label: str,
        price: Price | None,
    ) -> None:
        self.began = False
        self._price = price
        self._response = response
        self._events = aiter(response)
        self._taken = _call_ids(request)
        self._origin = origin
        self._label = label
        self._said: list[str] = []

    async def read(self) -> Sequence[ModelEvent] | None:
        """What the next piece of the stream shows (often nothing); None at the end."""
        event = await anext(self._events, None)
        if event is None:
            return None
        if isinstance(event, PartStartEvent | PartDeltaEvent):
            self.began = True
        text = _new_text(event)
        if not text:
            return ()
        self._said.append(text)
        return (TextDelta(text),)

    async def cut(self) -> None:
        """Leave the stream where it stands. Google's client lets go of its connection only if it is
        cut off while it reads.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(CUT_SECONDS):
                while await anext(self._events, None) is not None:
                    continue

    def end(self) -> Iterator[ModelEvent]:
        """The calls, once the whole reply is there, and its end.

        Raises:
            ModelFailed: the reply was refused, or its end says that it broke off.
        """
        whole = self._response.get()
        if whole.finish_reason == "content_filter":
            raise refused(self._label)
        if whole.finish_reason in (None, "error"):  # None: the stream just ended
            raise ModelFailed(BROKEN, f"{self._label}: the provider broke the reply off")
        parts = [part for part in whole.parts if isinstance(part, ToolCallPart)]
        deltas = [self._call(part) for part in parts]
        yield from deltas
        said = "".join(self._said)
        calls = [delta.call for delta in deltas]
        used = usage_of(whole, self._price)
        yield Finished(used, provider_parts(whole, calls, said, self._origin))

    def _call(self, part: ToolCallPart) -> CallDelta:
        call_id = _unused(part.tool_call_id, self._taken)
        self._taken.add(call_id)
        try:
            arguments = _arguments(part.args)
        except (ValueError, TypeError, RecursionError) as error:
            return CallDelta(ToolCall(call_id, part.tool_name, {}), _problem(part, error))
        return CallDelta(ToolCall(call_id, part.tool_name, arguments))


def _new_text(event: ModelResponseStreamEvent) -> str:
    match event:
        case PartStartEvent(part=TextPart(content=text)):
            return _encodable(text)
        case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return _encodable(text)
        case _:
            return ""


def _encodable(text: str) -> str:
    """The text with halves of a surrogate pair replaced: they can be neither stored nor sent."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _call_ids(request: ModelRequest) -> set[str]:
    said = (message for message in request.messages if isinstance(message, AssistantMessage))
    return {call.id for message in said for call in message.calls}


def _unused(call_id: str, taken: set[str]) -> str:
    """The provider's id, or one like it: some servers begin anew with each reply."""
    number, unused = 2, call_id
    while unused in taken:
        unused, number = f"{call_id}_{number}", number + 1
    return unused


def _arguments(given: str | dict[str, Any] | None) -> dict[str, Any]:
    """The arguments as a JSON object; none given are an empty one.

    Raises:
        ValueError: they are no JSON.
        TypeError: they are no object.
    """
    parsed: object = given or {}
    if isinstance(given, str):
        parsed = json.loads(given, parse_constant=_no_constant) if given.strip() else {}
    if not isinstance(parsed, dict):
        raise TypeError("not an object")
    json.dumps(parsed, ensure_ascii=False, allow_nan=False).encode()
    return parsed


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _problem(part: ToolCallPart, error: Exception) -> str:
    given = part.args if isinstance(part.args, str) else str(part.args)
    begins = _encodable(given[:SHOWN_ARGUMENTS])
    return f"The arguments are no valid JSON object ({_encodable(str(error))}): {begins}"
