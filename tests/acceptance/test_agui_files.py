"""What people attach reaches an AG-UI agent as the parts that the protocol has; what it doesn't
take is told to both, and is not lost.
"""

import asyncio
import base64
from pathlib import Path
from typing import Any

import pytest
from ag_ui.core import RunAgentInput

from gateway.core.messages import Attachment
from tests.acceptance.desk import Desk
from tests.acceptance.people import Person
from tests.acceptance.scripted import Gate
from tests.acceptance.test_agui_agents import desk_of
from tests.acceptance.test_files_of_programs import PNG
from tests.fakes.agui_server import AguiServer, agui_server, run, text
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime
PDF = b"%PDF-1.7\n" + bytes(20)
ERROR = [{"type": "RUN_STARTED"}, {"type": "RUN_ERROR", "message": "can't read that"}]


async def brought(
    desk: Desk, data: bytes = PNG, name: str = "cat.png", who: str = "ann"
) -> dict[str, Any]:
    kept: Attachment = await desk.app.front.files.keep(data, name, who)
    return {"blob": kept.blob, "mediaType": kept.media_type, "name": kept.name}


async def sends(ann: Person, words: str, *files: dict[str, Any]) -> tuple[str, str]:
    said = await ann.say(words, attachments=list(files))
    return await ann.outcome(said, within=60)


def contents(server: AguiServer, number: int = -1) -> list[Any]:
    """What people said in a request, which has to have the protocol's form."""
    body = server.requests[number]
    RunAgentInput.model_validate(body)
    return [m["content"] for m in body["messages"] if m["role"] == "user"]


def part(data: bytes, mime_type: str, kind: str, name: str) -> dict[str, Any]:
    value = base64.b64encode(data).decode()
    source = {"type": "data", "value": value, "mimeType": mime_type}
    return {"type": kind, "source": source, "metadata": {"filename": name}}


CAT = part(PNG, "image/png", "image", "cat.png")


def told(ann: Person, code: str) -> list[Any]:
    return [frame["params"]["name"] for frame in ann.find("notice", code=code)]


async def test_files_reach_the_agent_as_parts_and_stay_with_the_conversation(tmp_path: Path):
    steps = run(text("A cat.")), run(text("Black.", "m2"))
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        files = await brought(desk), await brought(desk, PDF, "a.pdf")
        assert await sends(ann, "look", *files) == ("answered", "")
        assert await sends(ann, "which colour?") == ("answered", "")
        both = [{"type": "text", "text": "look"}, CAT]
        both.append(part(PDF, "application/pdf", "document", "a.pdf"))
        assert contents(server, 0) == [both]
        assert contents(server, 1) == [both, "which colour?"]
        first, second = server.requests
        assert second["messages"][0]["id"] == first["messages"][0]["id"]
        assert second["threadId"] == first["threadId"]
        assert not ann.find("notice")
        assert not any("Transfer-Encoding" in headers for headers in server.headers)


async def test_a_file_without_a_word(tmp_path: Path):
    async with agui_server(run(text("A cat."))) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        assert await sends(ann, "", await brought(desk)) == ("answered", "")
        assert contents(server) == [[CAT]]


async def test_what_the_agent_declares_that_it_cant_read_is_told(tmp_path: Path):
    declares = {"multimodal": {"input": {"image": False, "pdf": True}}}
    steps = run(text("I can't see it.")), run(text("No.", "m2"))
    async with (
        agui_server(*steps, declares=declares) as server,
        desk_of(tmp_path, server) as desk,
    ):
        ann = await desk.person("ann")
        files = await brought(desk), await brought(desk, PDF, "a.pdf")
        assert await sends(ann, "look", *files) == ("answered", "")
        assert told(ann, "AGENT_TAKES_NO_FILE") == ["cat.png"]
        assert await sends(ann, "and now?") == ("answered", "")
        assert told(ann, "AGENT_TAKES_NO_FILE") == ["cat.png"]
        for number in (0, 1):
            words, document = contents(server, number)[0]
            assert words["text"].startswith("look\n[attached: cat.png, image/png, 40 bytes; ")
            assert document["type"] == "document"
        log = (await ann.export())["entries"]
        assert [one["name"] for one in log[0]["body"]["attachments"]] == ["cat.png", "a.pdf"]


async def test_what_it_declares_may_come_in_pieces(tmp_path: Path):
    said = b'{"multimodal": {"inp', b'ut": {"image": fal', b"se}}}"
    steps = run(text("No."))
    async with agui_server(steps, declares=said) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        assert await sends(ann, "look", await brought(desk)) == ("answered", "")
        assert told(ann, "AGENT_TAKES_NO_FILE") == ["cat.png"]


async def test_a_server_that_was_not_there_is_asked_again(tmp_path: Path):
    steps = run(text("Hm.")), run(text("No.", "m2"))
    async with agui_server(*steps, declares="") as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        await sends(ann, "look", await brought(desk))
        server.declares = {"multimodal": {"input": {"image": False}}}
        await sends(ann, "and this?", await brought(desk, PNG + b"2", "two.png"))
        assert told(ann, "AGENT_TAKES_NO_FILE") == ["two.png"]


async def test_what_the_operator_says_that_it_reads_stands_above_that(tmp_path: Path):
    declares = {"multimodal": {"input": {"image": False, "pdf": True}}}
    async with (
        agui_server(run(text("A cat.")), declares=declares) as server,
        desk_of(tmp_path, server, agent_files=("image",)) as desk,
    ):
        ann = await desk.person("ann")
        files = await brought(desk), await brought(desk, PDF, "a.pdf")
        assert await sends(ann, "look", *files) == ("answered", "")
        assert told(ann, "AGENT_TAKES_NO_FILE") == ["a.pdf"]
        assert contents(server)[0][1:] == [CAT]


@pytest.mark.parametrize("declares", [None, [], {"multimodal": 7}, {"tools": {}}, b"<html>"])
async def test_what_declares_nothing_is_sent_everything(tmp_path: Path, declares: Any):
    async with (
        agui_server(run(text("A cat.")), declares=declares) as server,
        desk_of(tmp_path, server, agent_token="s3cret") as desk,
    ):
        ann = await desk.person("ann")
        await sends(ann, "look", await brought(desk))
        assert contents(server)[0][1:] == [CAT]


async def test_what_is_too_large_is_told_and_the_newest_come_first(tmp_path: Path):
    steps = run(text("One.")), run(text("Two.", "m2")), run(text("Three.", "m3"))
    async with (
        agui_server(*steps) as server,
        desk_of(tmp_path, server, agent_files_limit_bytes=60) as desk,
    ):
        ann = await desk.person("ann")
        large = await brought(desk, PNG + bytes(30), "large.png")
        assert await sends(ann, "look", large) == ("answered", "")
        assert told(ann, "AGENT_FILE_TOO_LARGE") == ["large.png"]
        assert "its content is not shown: it is too large" in contents(server)[0]
        await sends(ann, "this?", await brought(desk))
        await sends(ann, "or this?", await brought(desk, PNG + b"2", "two.png"))
        _, older, newest = contents(server)
        assert "its content is not shown: newer files fill the request" in older
        assert newest[1]["metadata"] == {"filename": "two.png"}
        assert told(ann, "AGENT_FILE_TOO_LARGE") == ["large.png"]


async def test_together_too_large_is_told_too(tmp_path: Path):
    async with (
        agui_server(run(text("One."))) as server,
        desk_of(tmp_path, server, agent_files_limit_bytes=60) as desk,
    ):
        ann = await desk.person("ann")
        files = await brought(desk), await brought(desk, PNG + b"2", "two.png")
        assert await sends(ann, "look", *files) == ("answered", "")
        assert told(ann, "AGENT_FILE_TOO_LARGE") == ["two.png"]
        assert contents(server)[0][1:] == [CAT]


@pytest.mark.parametrize("status", [400, 413, 415, 422])
async def test_a_server_that_refuses_a_request_with_files_gets_it_without(
    tmp_path: Path, status: int
):
    steps = [status], run(text("Hm.")), run(text("Yes.", "m2"))
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        assert await sends(ann, "look", await brought(desk)) == ("answered", "")
        assert told(ann, "AGENT_FILE_REFUSED") == ["cat.png"]
        assert len(server.requests) == 2
        assert contents(server)[0].startswith("look\n[attached: cat.png")
        assert await sends(ann, "still there?") == ("answered", "")
        assert len(server.requests) == 3
        assert told(ann, "AGENT_FILE_REFUSED") == ["cat.png"]


async def test_a_server_with_a_limit_of_its_own(tmp_path: Path):
    """A megabyte is what this one takes: it answers before it has read the request."""
    async with agui_server(run(text("Hm."))) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        large = await brought(desk, PNG + bytes(3_000_000), "large.png")
        assert await sends(ann, "look", large) == ("answered", "")
        assert told(ann, "AGENT_FILE_REFUSED") == ["large.png"]
        assert len(contents(server)) == 1


async def test_a_server_that_lets_nobody_in_is_not_asked_twice(tmp_path: Path):
    async with agui_server([403]) as server, desk_of(tmp_path, server) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        assert (await sends(ann, "look", await brought(desk)))[0] == "failed"
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "breaks", [ERROR, [500], [502], [504], [None], [{"type": "RUN_STARTED"}, None]]
)
async def test_a_file_that_the_agent_fails_on_is_left_out_the_third_time(
    tmp_path: Path, breaks: list[Any]
):
    steps = breaks, breaks, run(text("Without it.")), run(text("Yes.", "m2"))
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        assert (await sends(ann, "look", await brought(desk)))[0] == "failed"
        assert (await ann.outcome(await ann.say("/retry"), within=60))[0] == "failed"
        assert [contents(server, n)[0][1:] for n in (0, 1)] == [[CAT], [CAT]]
        assert not told(ann, "AGENT_FILE_REFUSED")
        assert (await ann.outcome(await ann.say("/retry"), within=60))[0] == "answered"
        assert told(ann, "AGENT_FILE_REFUSED") == ["cat.png"]
        assert contents(server)[0].startswith("look\n[attached: cat.png")
        assert await sends(ann, "are you there?") == ("answered", "")


async def fails_three_times(ann: Person, cat: dict[str, Any]) -> None:
    """A message with a file, whose third retry is answered."""
    assert (await sends(ann, "look", cat))[0] == "failed"
    for end in ("failed", "failed", "answered"):
        assert (await ann.outcome(await ann.say("/retry"), within=60))[0] == end


@pytest.mark.parametrize("status", [429, 503])
async def test_a_server_that_is_away_for_a_while_gets_it_later(tmp_path: Path, status: int):
    steps = [status], [status], [status], run(text("A cat."))
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        await fails_three_times(ann, await brought(desk))
        assert contents(server)[0][1:] == [CAT]


async def test_one_that_it_once_worked_with_stays(tmp_path: Path):
    steps = run(text("A cat.")), ERROR, ERROR, run(text("Yes.", "m2"))
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        await sends(ann, "look", await brought(desk))
        for words in ("one", "two", "three"):
            await sends(ann, words)
        assert contents(server)[0][1:] == [CAT]


async def test_what_fails_without_the_file_too_is_no_fault_of_the_file(tmp_path: Path):
    steps = ERROR, ERROR, ERROR, run(text("A cat."))
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        await fails_three_times(ann, await brought(desk))
        assert contents(server, 2)[0].startswith("look\n[attached: cat.png")
        assert contents(server)[0][1:] == [CAT]


async def test_a_server_that_refuses_now_and_then_gets_what_worked_again(tmp_path: Path):
    steps = run(text("A cat.")), [413], run(text("Hm.", "m2")), run(text("Black.", "m3"))
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        assert await sends(ann, "look", await brought(desk)) == ("answered", "")
        assert await sends(ann, "hm?") == ("answered", "")
        assert await sends(ann, "which colour?") == ("answered", "")
        assert contents(server, 2)[0].startswith("look\n[attached: cat.png")
        assert contents(server)[0][1:] == [CAT]
        assert not ann.find("notice")


async def test_what_is_refused_again_and_again_is_left_out(tmp_path: Path):
    def limited(body: Any) -> list[Any]:
        return [413] if "data" in str(body["messages"]) else run(text("Hm.", f"{body['runId']}"))

    steps = run(text("A cat.")), limited
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        await sends(ann, "look", await brought(desk))
        for words in ("one", "two", "three", "four", "five"):
            assert await sends(ann, words) == ("answered", "")
        assert len(server.requests) == 1 + 3 * 2 + 2


async def test_it_is_sent_again_after_a_crash(tmp_path: Path):
    gate = Gate()
    steps: list[Any] = [[{"type": "RUN_STARTED"}, gate], run(text("A cat."))]
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        said = await ann.say("look", attachments=[await brought(desk)])
        await asyncio.wait_for(gate.reached.wait(), 10)
        await desk.kill()
        gate.open()
        await desk.start()
        ann = await desk.person("ann")
        assert await ann.outcome(said) == ("answered", "")
        assert contents(server)[0][1:] == [CAT]


async def test_a_voice_note_is_its_words(tmp_path: Path):
    fake = FakeChannel("fake", share=1.0)
    async with (
        agui_server(run(text("Hi."))) as server,
        desk_of(tmp_path, server, channels=[fake], allow=["ann"]) as desk,
    ):
        key = await desk.app.front.files.keep(b"OggS123", "voice.ogg", "ann")
        note = Attachment(key.blob, "audio/ogg", "voice.ogg", 7, "voice")
        ann = desk.member("ann", "fake:1", "fake")
        await ann.say("hello there", attachments=(note,))
        await asyncio.sleep(5)
        said_in = "[said in a voice note; written down by a recogniser]"
        assert contents(server) == [f"hello there\n{said_in}"]
