"""A call's result as what the model reads, and a failure as one with a code."""

from __future__ import annotations

import json
from typing import Final

from mcp import MCPError
from mcp.types import (
    CONNECTION_CLOSED,
    REQUEST_TIMEOUT,
    AudioContent,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from pydantic import ValidationError

from gateway.core.errors import ToolFailed

UNAVAILABLE: Final = "MCP_SERVER_UNAVAILABLE"
LOST: Final = "MCP_SERVER_LOST"
BUSY: Final = "MCP_SERVER_BUSY"
FAILED: Final = "MCP_TOOL_FAILED"
REFUSED: Final = "MCP_CALL_REFUSED"
BROKEN: Final = "MCP_RESULT_INVALID"
LONGEST_RESULT: Final = 200_000


def text_of(result: CallToolResult) -> str:
    """What the model reads.

    Raises:
        ToolFailed: MCP_TOOL_FAILED, with what the server says.
    """
    parts = [part for block in result.content if (part := _part(block))]
    if not parts and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False)]
    text = "\n".join(parts)
    if len(text) > LONGEST_RESULT:
        text = f"{text[:LONGEST_RESULT]}\n[{len(text) - LONGEST_RESULT} more characters left out]"
    if result.is_error:
        raise ToolFailed(FAILED, text or "the tool failed and says no more")
    return text


def _part(block: ContentBlock) -> str:
    match block:
        case TextContent():
            return block.text
        case ImageContent() | AudioContent():
            return f"[{block.type}, {block.mime_type}, {len(block.data) * 3 // 4} bytes]"
        case ResourceLink():
            return f"[{block.name}: {block.uri}]"
        case EmbeddedResource(resource=TextResourceContents() as held):
            return held.text
        case EmbeddedResource():
            return f"[{block.resource.uri}]"


def failure(server: str, error: Exception) -> ToolFailed:
    """What a call failed with, once it was sent."""
    if isinstance(error, ToolFailed):
        return error
    if isinstance(error, MCPError) and error.code == CONNECTION_CLOSED:
        text = f"the server {server} went away in the call; it may have been done, and was not "
        return ToolFailed(LOST, text + "made again")
    if isinstance(error, MCPError) and error.code == REQUEST_TIMEOUT:
        return ToolFailed(LOST, f"the server {server} did not answer in time; it may still be done")
    if isinstance(error, MCPError):
        return ToolFailed(REFUSED, f"the server {server} refused the call: {error.message}")
    if isinstance(error, ValidationError | RuntimeError):
        text = f"what the server {server} answered is not valid"
        return ToolFailed(BROKEN, text)
    text = f"the server {server} was lost in the call ({type(error).__name__}); it may have been "
    return ToolFailed(LOST, text + "done, and was not made again")


def is_lost(error: Exception) -> bool:
    """Whether the connection is of no use any more."""
    return not isinstance(error, MCPError | ToolFailed | ValidationError) or (
        isinstance(error, MCPError) and error.code == CONNECTION_CLOSED
    )
