"""Pictures and files: sent where the model reads them, else the model is told why not."""

import base64
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from gateway.agents.llm import PydanticAIModel, llm_model
from gateway.agents.llm_files import LARGEST_PICTURE_BYTES, LONGEST_TEXT_BYTES
from gateway.agents.llm_options import ModelOptions
from gateway.core.errors import NotFound
from gateway.core.messages import Attachment, UserMessage
from gateway.ports.model import ModelRequest
from tests.agents.over_llm import all_of
from tests.fakes import anthropic_api as anthropic
from tests.fakes import google_api as google
from tests.fakes.provider import FakeProvider, says

PNG = b"\x89PNG\r\n\x1a\n and so on"
PDF = b"%PDF-1.7 and so on"
PICTURE = Attachment("a", "image/png", "plan.png", len(PNG))
LETTER = Attachment("b", "application/pdf", "letter.pdf", len(PDF))
NOTES = Attachment("c", "text/plain", "notes.txt", 12)
KEPT = {
    "a": (PNG, "image/png"),
    "b": (PDF, "application/pdf"),
    "c": (b"[from Bob] x", "text/plain"),
}

SERVERS: dict[str, tuple[type[FakeProvider], Callable[..., Any], str]] = {
    "anthropic": (anthropic.FakeAnthropic, anthropic.says, "anthropic:claude-sonnet-5-5"),
    "google": (google.FakeGoogle, google.says, "google:gemini-2.5-flash"),
    "own": (FakeProvider, says, "small"),
}


async def kept(key: str) -> tuple[bytes, str]:
    if key not in KEPT:
        raise NotFound(f"no file {key}")
    return KEPT[key]


async def sent(
    server: str,
    *attached: Attachment,
    files: tuple[str, ...] | None = None,
    read: Callable[[str], Awaitable[tuple[bytes, str]]] = kept,
) -> dict[str, Any]:
    """The request's body, as the provider's server got it."""
    fake, reply, name = SERVERS[server]
    messages = (UserMessage("Look", "Ann", attached),)
    async with fake(reply("ok")) as provider:
        options = ModelOptions(files=files)
        model: PydanticAIModel = llm_model(
            name, base_url=provider.base_url, api_key="k", options=options
        )
        await all_of(model, ModelRequest("", messages, (), read=read))
        await model.aclose()
        return provider.exchanges[0].body


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


@pytest.mark.parametrize("server", SERVERS)
async def test_a_picture_and_a_document_are_sent_after_a_note_that_names_them(server: str):
    body = str(await sent(server, PICTURE, LETTER, files=("pictures", "documents")))
    note = "[from Ann] Look\\n[attached: plan.png, image/png, 18 bytes]"
    assert note in body.replace("\\\\n", "\\n")
    assert encoded(PNG) in body
    assert encoded(PDF) in body
    assert body.index("attached: plan.png") < body.index(encoded(PNG))


@pytest.mark.parametrize("server", SERVERS)
async def test_a_model_that_reads_none_is_told_so(server: str):
    body = str(await sent(server, PICTURE, LETTER, files=()))
    assert "is not shown: you can't read pictures of this kind; tell the person so" in body
    assert "is not shown: you can't read files of this kind; tell the person so" in body
    assert encoded(PNG) not in body


async def test_what_is_not_known_of_a_server_of_your_own_is_not_tried():
    assert encoded(PNG) not in str(await sent("own", PICTURE))


@pytest.mark.parametrize("server", SERVERS)
async def test_a_text_is_read_by_every_model_and_names_no_sender(server: str):
    body = str(await sent(server, NOTES))
    assert "(from Bob] x" in body
    assert "[from Bob]" not in body


@pytest.mark.parametrize(
    ("attachment", "why"),
    [
        (Attachment("a", "image/png", "a", LARGEST_PICTURE_BYTES + 1), "it is too large for you"),
        (Attachment("c", "text/plain", "c", LONGEST_TEXT_BYTES + 1), "it is longer than"),
        (Attachment("z", "image/png", "z", 10), "it is no longer kept"),
        (Attachment("a", "application/octet-stream", "x", 10), "you can't read files of this kind"),
        (Attachment("a", "image/tiff", "x", 10), "you can't read files of this kind"),
    ],
)
async def test_why_a_file_is_not_shown_is_said(attachment: Attachment, why: str):
    body = str(await sent("anthropic", attachment, files=("pictures", "documents")))
    assert f"its content is not shown: {why}" in body


async def test_google_is_sent_no_moving_picture():
    moving = Attachment("a", "image/gif", "cat.gif", 10)
    assert "you can't read pictures of this kind" in str(await sent("google", moving))


async def test_the_newest_files_fill_a_request():
    size = 9_000_000
    old, new = (Attachment(key, "application/pdf", key, size) for key in ("old", "new"))

    async def large(key: str) -> tuple[bytes, str]:
        return key.encode() * (size // 3), "application/pdf"

    body = str(await sent("anthropic", old, new, files=("documents",), read=large))
    assert body.count("newer ones fill the request") == 1


async def test_a_file_that_is_sent_again_counts_each_time():
    size = 6_000_000
    same = Attachment("a", "application/pdf", "a.pdf", size)

    async def large(key: str) -> tuple[bytes, str]:
        return key.encode() * size, "application/pdf"

    body = str(await sent("anthropic", same, same, same, files=("documents",), read=large))
    assert body.count("newer ones fill the request") == 1
    assert len(body) < 15_000_000 * 1.4


async def test_a_voice_note_is_its_words():
    voice = Attachment("a", "audio/ogg", "note.ogg", 10, "voice")
    assert "said in a voice note" in str(await sent("anthropic", voice))
