"""What a server asks, as our question, and our answer as what the server gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from mcp.types import (
    CreateMessageRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequest,
    ListRootsRequest,
)

from gateway.core.errors import ToolFailed
from gateway.core.messages import Json

QUESTION_INVALID: Final = "MCP_QUESTION_INVALID"
INPUT_UNSUPPORTED: Final = "MCP_INPUT_UNSUPPORTED"
LONGEST_MESSAGE: Final = 4_000
LONGEST_ADDRESS: Final = 2_000
Params: TypeAlias = ElicitRequestFormParams | ElicitRequestURLParams


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that a server wants to know. `url` is set where it wants a page to be opened."""

    key: str
    message: str
    schema: Mapping[str, Json]
    url: str = ""

    @property
    def text(self) -> str:
        """What the person reads."""
        return "\n".join(part for part in (self.message, self.url) if part)

    def to_json(self) -> dict[str, Json]:
        """As it is kept with the call."""
        return {
            "key": self.key,
            "message": self.message,
            "schema": dict(self.schema),
            "url": self.url,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Asked:
        """What `to_json` gave."""
        return cls(data["key"], data["message"], data["schema"], data["url"])


def asked(params: Params, key: str = "") -> Asked:
    """The question of an elicitation.

    Raises:
        ToolFailed: MCP_QUESTION_INVALID, it is none that could be put to a person.
    """
    message = params.message.strip()[:LONGEST_MESSAGE]
    if isinstance(params, ElicitRequestURLParams):
        return Asked(key, message, {}, _address(params.url))
    if not message:
        raise ToolFailed(QUESTION_INVALID, "the server asks without a message")
    return Asked(key, message, _form(params.requested_schema))


def asked_by(requests: Mapping[str, InputRequest]) -> list[Asked]:
    """The questions of a result that needs input.

    Raises:
        ToolFailed: MCP_QUESTION_INVALID; MCP_INPUT_UNSUPPORTED, it wants something else than a
            person's answer.
    """
    found: list[Asked] = []
    for key, request in requests.items():
        if isinstance(request, CreateMessageRequest | ListRootsRequest):
            text = f"the server wants {request.method}, which is not served here"
            raise ToolFailed(INPUT_UNSUPPORTED, text)
        found.append(asked(request.params, key))
    return found


def answered(value: Json) -> ElicitResult:
    """A person's answer to a form."""
    given = value if isinstance(value, dict) else {}
    content = {name: one for name, one in given.items() if one is not None}
    return ElicitResult.model_validate({"action": "accept", "content": content})


def opened(allowed: bool) -> ElicitResult:
    """A person's word on whether the page is opened."""
    return ElicitResult(action="accept" if allowed else "decline")


CANCELLED: Final = ElicitResult(action="cancel")


def _form(schema: Mapping[str, Any]) -> dict[str, Json]:
    """The form as JSON Schema: titles of values that stand apart (`enumNames`) are put to them."""
    properties = schema.get("properties")
    if schema.get("type") != "object" or not isinstance(properties, Mapping) or not properties:
        raise ToolFailed(QUESTION_INVALID, "the server's form has no fields")
    made: dict[str, Json] = {}
    for name, field in properties.items():
        if not isinstance(field, Mapping) or field.get("type") in ("object", None):
            raise ToolFailed(QUESTION_INVALID, f"the field {name} of the server's form is not flat")
        made[name] = _titled(dict(field))
    required = [name for name in schema.get("required") or [] if name in properties]
    return {"type": "object", "properties": made, "required": [*required]}


def _titled(field: dict[str, Any]) -> dict[str, Any]:
    values, titles = field.get("enum"), field.pop("enumNames", None)
    if isinstance(values, list) and isinstance(titles, list) and len(values) == len(titles):
        del field["enum"]
        field["oneOf"] = [
            {"const": value, "title": title} for value, title in zip(values, titles, strict=True)
        ]
    return field


def _address(url: str) -> str:
    """The address, if it is one that a person can be sent to."""
    parts = urlsplit(url)
    plain = url.isprintable() and " " not in url and len(url) <= LONGEST_ADDRESS
    if parts.scheme not in ("https", "http") or not parts.hostname or parts.username or not plain:
        raise ToolFailed(QUESTION_INVALID, "the server wants an address opened that is none")
    return url
