"""Pictures and files that programs send: over REST brought and then named, over AG-UI in the
message; what the model gets of them, and what is refused.
"""

import base64
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent
from gateway.core.messages import UserMessage
from gateway.settings import HttpSettings
from tests.acceptance.agui import agui
from tests.acceptance.desk import Desk
from tests.acceptance.rest import Program, rest
from tests.acceptance.scripted import Script

pytestmark = pytest.mark.looptime

PNG = b"\x89PNG\r\n\x1a\n" + bytes(32)
NOBODYS = "0" * 64


def limited(desk: Desk, limit_bytes: int) -> Desk:
    http = HttpSettings(port=0, upload_limit_bytes=limit_bytes)
    desk.settings = desk.settings.model_copy(update={"http": http})
    return desk


async def brings(who: Program, data: bytes, name: str = "cat.png") -> tuple[int, Any]:
    sent = {**who.headers, "Content-Type": "application/octet-stream"}
    url = f"{who.address}/v1/files"
    async with who.session.post(url, params={"name": name}, data=data, headers=sent) as answer:
        return answer.status, await answer.json()


def attached(model: Script, number: int = -1) -> list[tuple[str, str, int]]:
    """What is attached to the last message that the model was sent, and can be read."""
    said = [m for m in model.requests[number].messages if isinstance(m, UserMessage)][-1]
    return [(one.name, one.media_type, one.size_bytes) for one in said.attachments]


def part(data: bytes, kind: str = "image", mime_type: str = "image/png", **more: Any) -> Any:
    value = base64.b64encode(data).decode()
    return {"type": kind, "source": {"type": "data", "value": value, "mimeType": mime_type}, **more}


# -- REST


async def test_a_file_is_brought_named_in_a_message_and_fetched(tmp_path: Path):
    model = Script(["a cat"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        status, file = await brings(me, PNG, "../cat.png")
        assert status == 201
        assert (file["mediaType"], file["name"], file["sizeBytes"]) == ("image/png", "cat.png", 40)
        named = [{"blob": file["blob"], "name": "cat.png"}]
        run = await me.done("what is it?", attachments=named)
        assert run["text"] == "a cat"
        assert run["input"]["attachments"] == [file]
        assert attached(model) == [("cat.png", "image/png", 40)]
        blob = model.requests[0].messages[-1].attachments[0].blob  # type: ignore[union-attr]
        assert await model.requests[0].read(blob) == (PNG, "image/png")
        async with me.session.get(f"{me.address}/v1/files/{file['blob']}?name=я.png") as answer:
            assert await answer.read() == PNG
            assert answer.content_type == "image/png"
            assert "%D1%8F.png" in answer.headers["Content-Disposition"]
        _, log = await me.get("/v1/threads/t/entries")
        assert log["entries"][0]["body"]["attachments"] == [file]


async def test_a_file_is_for_whoever_brought_it_or_may_see_its_thread(tmp_path: Path):
    async with Desk(tmp_path, Agent("a", Script(["ok"]))) as desk, rest(desk, "ann", "bob") as both:
        ann, bob = both
        _, file = await brings(ann, PNG)
        path, named = f"/v1/files/{file['blob']}", [{"blob": file["blob"]}]
        for _ in range(2):
            assert (await bob.get(path))[0] == 404
            status, problem = await bob.start("mine?", attachments=named)
            assert (status, problem["code"]) == (404, "NOT_FOUND")
            await ann.done("mine", attachments=named)
        async with ann.session.get(ann.address + path, headers=ann.headers) as answer:
            assert await answer.read() == PNG


async def test_limits_of_files(tmp_path: Path):
    """A file has its limit, a body of JSON its own."""
    model = Script(["ok"])
    desk = limited(Desk(tmp_path, Agent("a", model), api={"body_limit_bytes": 2048}), 10_000)
    async with desk, rest(desk) as me:
        assert (await brings(me, bytes(10_000)))[0] == 201
        status, problem = await brings(me, bytes(10_001))
        assert (status, problem["code"]) == (413, "UPLOAD_TOO_LARGE")
        status, problem = await brings(me, bytes(100_000))
        assert (status, problem["code"]) == (413, "BODY_TOO_LARGE")
        status, problem = await me.start("x" * 3000)
        assert (status, problem["code"]) == (413, "BODY_TOO_LARGE")
        many = [{"blob": NOBODYS}] * 21
        status, problem = await me.start("hi", attachments=many)
        assert (status, problem["code"]) == (400, "VALIDATION_ERROR")
        status, problem = await me.start("hi", attachments=[{"blob": "../../etc/passwd"}])
        assert (status, problem["code"]) == (400, "VALIDATION_ERROR")
        assert model.requests == []


async def test_a_run_without_a_thread_takes_none(tmp_path: Path):
    async with Desk(tmp_path, Agent("a", Script(["ok"]))) as desk, rest(desk) as me:
        _, file = await brings(me, PNG)
        status, problem = await me.start("hi", None, attachments=[{"blob": file["blob"]}])
        assert (status, problem["code"]) == (400, "VALIDATION_ERROR")
        assert "attachments" in problem["detail"]


async def test_the_same_request_under_its_key_is_one_message(tmp_path: Path):
    model = Script(["ok"])
    async with Desk(tmp_path, Agent("a", model)) as desk, rest(desk) as me:
        _, file = await brings(me, PNG)
        _, other = await brings(me, b"text", "a.txt")
        body = {"input": "hi", "thread": "t", "attachments": [{"blob": file["blob"]}]}
        for _ in range(2):
            status, _ = await me.post("/v1/runs", {**body, "waitSeconds": 9}, Idempotency_Key="k")
            assert status == 201
        assert len(model.requests) == 1
        body["attachments"] = [{"blob": other["blob"]}]
        status, problem = await me.post("/v1/runs", body, Idempotency_Key="k")
        assert (status, problem["code"]) == (409, "IDEMPOTENCY_KEY_REUSED")


# -- AG-UI


async def test_parts_of_a_message_are_its_files(tmp_path: Path):
    model = Script(["a cat"], ["and text"])
    async with Desk(tmp_path, Agent("a", model)) as desk, agui(desk) as me:
        me.messages.append({"id": "u1", "role": "user", "content": "look at this"})
        notes = part(b"some text", "document", "text/plain", metadata={"filename": "n.txt"})
        content = [{"type": "text", "text": "and that"}, part(PNG), notes]
        me.messages.append({"id": "u2", "role": "user", "content": content})
        run = await me.open(me.input()).done()
        assert (run.outcome, run.text) == ("success", "a cat")
        assert attached(model) == [("", "image/png", 40), ("n.txt", "text/plain", 9)]
        said = model.requests[0].messages[-1]
        assert said.text == "look at this\n\nand that"  # type: ignore[union-attr]
        again = await me.say("thanks")
        assert again.outcome == "success"


async def test_a_snapshot_names_files_and_a_client_may_name_them_again(tmp_path: Path):
    model = Script(["a cat"], ["still a cat"], ["fine"])
    async with Desk(tmp_path, Agent("a", model)) as desk, agui(desk) as me:
        me.messages.append({"id": "u1", "role": "user", "content": [part(PNG)]})
        assert (await me.open(me.input()).done()).outcome == "success"
        me.messages.clear()
        run = await me.say("and now?")
        (held,) = run.of("MESSAGES_SNAPSHOT")
        picture = held["messages"][0]["content"][0]
        assert (picture["type"], picture["source"]["provider"]) == ("image", "bargein")
        me.messages.append({"id": "u9", "role": "user", "content": [picture]})
        again = await me.open(me.input()).done()
        assert again.outcome == "success"
        assert not again.of("MESSAGES_SNAPSHOT")
        assert attached(model) == [("", "image/png", 40)]


async def test_the_part_of_the_protocol_before(tmp_path: Path):
    model = Script(["ok"])
    async with Desk(tmp_path, Agent("a", model)) as desk, agui(desk) as me:
        value = base64.b64encode(PNG).decode()
        binary = {"type": "binary", "mimeType": "image/png", "data": value, "filename": "cat.png"}
        me.messages.append({"id": "u1", "role": "user", "content": [binary]})
        assert (await me.open(me.input()).done()).outcome == "success"
        assert attached(model) == [("cat.png", "image/png", 40)]


@pytest.mark.parametrize(
    ("given", "status", "code"),
    [
        ({"type": "image", "source": {"type": "url", "value": "http://127.0.0.1:1/"}}, 400, "addr"),
        ({"type": "image", "source": {"type": "data", "value": "%%%"}}, 400, "no base64"),
        ({"type": "image"}, 400, "has a source"),
        ({"type": "text"}, 400, "has none"),
        ({"type": "hologram", "text": "x"}, 400, "parts are"),
        ({"type": "image", "source": {"type": "file", "value": NOBODYS}}, 404, "no file"),
        ({"type": "image", "source": {"type": "file", "value": "x", "provider": "o"}}, 400, "not"),
        ({"type": "binary", "mimeType": "image/png", "url": "http://a/"}, 400, "address"),
        ({"type": "binary", "mimeType": "image/png"}, 400, "has a source"),
        (part(bytes(10_001)), 413, "10000 bytes"),
    ],
)
async def test_what_is_no_file_is_refused_before_anything(
    tmp_path: Path, given: Any, status: int, code: str
):
    model = Script(["ok"])
    async with limited(Desk(tmp_path, Agent("a", model)), 10_000) as desk, agui(desk) as me:
        me.messages.append({"id": "u1", "role": "user", "content": [given]})
        async with me.session.post(me.url, json=me.input(), headers=me.headers) as answer:
            problem = await answer.json()
        assert (answer.status, code in str(problem)) == (status, True), problem
        assert model.requests == []
        me.messages.clear()
        assert (await me.say("hi")).outcome == "success"


async def test_a_body_may_be_longer_by_a_file_and_no_more(tmp_path: Path):
    model = Script(["ok"])
    desk = limited(Desk(tmp_path, Agent("a", model), api={"body_limit_bytes": 2048}), 10_000)
    async with desk, agui(desk) as me:
        me.messages.append({"id": "u1", "role": "user", "content": [part(bytes(10_000))]})
        assert (await me.open(me.input()).done()).outcome == "success"
        me.messages.append({"id": "u2", "role": "user", "content": [part(bytes(9_000))]})
        async with me.session.post(me.url, json=me.input(), headers=me.headers) as answer:
            assert answer.status == 413
        assert len(model.requests) == 1
