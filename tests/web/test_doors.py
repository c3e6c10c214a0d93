"""The page's door: headers, origins, hosts, tokens, uploads, limits. No browser needed."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from gateway import Agent
from gateway.app import App
from gateway.channels.front import TokensMissing
from gateway.channels.socket import local_user
from gateway.channels.websocket import FRAMES_AT_ONCE
from gateway.core.errors import StoreFailed
from gateway.ports.channel import Update
from gateway.settings import HttpSettings, Settings
from gateway.wire import MAX_FRAME_BYTES
from tests.acceptance.scripted import Script

PNG = b"\x89PNG\r\n\x1a\n" + bytes(32)


class House:
    """The product over HTTP."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.session = aiohttp.ClientSession()
        self.sockets: list[Any] = []

    async def start(self, **http: Any) -> str:
        if http.get("require_tokens"):
            await self._run()
            await self.app.front.people.create("somebody")
            await self.app.stop()
        return await self._run(**http)

    async def _run(self, **http: Any) -> str:
        settings = Settings(database=self.directory / "a.db", http=HttpSettings(port=0, **http))
        self.app = App(settings, agent=Agent("a", Script(["Hello."]), ""))
        await self.app.start()
        self.url = self.app.address.replace("0.0.0.0", "127.0.0.1")
        return self.url

    @property
    def own(self) -> dict[str, str]:
        return {"Origin": self.url}

    async def get(self, path: str, **more: Any) -> aiohttp.ClientResponse:
        return await self.session.get(self.url + path, allow_redirects=False, **more)

    async def upload(self, data: bytes, name: str = "a.png", **headers: str) -> Any:
        headers = {**self.own, **headers}
        path = f"{self.url}/files"
        return await self.session.post(path, params={"name": name}, data=data, headers=headers)

    async def socket(self, **headers: str) -> Any:
        socket = await self.session.ws_connect(self.url + "/ws", headers={**self.own, **headers})
        self.sockets.append(socket)
        return socket

    async def close(self) -> None:
        await self.session.close()
        await self.app.stop()


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House(tmp_path)
    yield house
    await house.close()


async def hello(socket: Any, thread: str = "", **more: Any) -> Any:
    await socket.send_json({"type": "hello", "v": 1, "thread": thread, **more})
    while (frame := await socket.receive_json(timeout=5))["type"] == "threads":
        pass
    return frame


async def listed(socket: Any) -> None:
    """Wait until this client is told that its list is another."""
    while (await socket.receive_json(timeout=5))["type"] != "threads":
        pass


# -- files and headers


async def test_every_answer_carries_the_policy(house: House) -> None:
    await house.start()
    for path in ("/", "/js/app.js", "/css/base.css", "/me"):
        answer = await house.get(path)
        assert answer.status == 200, path
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"


async def test_the_page_has_no_inline_script_and_asks_nobody_else(house: House) -> None:
    await house.start()
    text = await (await house.get("/")).text()
    assert "http" not in text.replace("http://www.w3.org", "")
    assert "style=" not in text
    assert text.count("<script") == text.count('<script type="module" src="/js/')
    assert " on" not in text.replace(" one", "").split("<body>")[1].split("data-")[0]


async def test_first_load_is_small_and_then_free(house: House) -> None:
    await house.start()
    total = 0
    for path in ["/", *(f"/{p}" for p in _paths(house) if not p.endswith("html"))]:
        answer = await house.get(path, headers={"Accept-Encoding": "gzip"})
        assert answer.headers["Content-Encoding"] == "gzip"
        total += int(answer.headers["Content-Length"])
        again = await house.get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status == 304
    assert total <= 150_000


def _paths(house: House) -> list[str]:
    routes = house.app.http._runner.app.router.routes()
    found = {route.resource.canonical.lstrip("/") for route in routes if route.resource}
    return [path for path in found if path.startswith(("js/", "css/", "icon", "app."))]


# -- whose page it is


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "http://127.0.0.1:1"])
async def test_another_page_gets_no_socket_and_no_upload(house: House, origin: str) -> None:
    await house.start()
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await house.session.ws_connect(house.url + "/ws", headers={"Origin": origin})
    answer = await house.upload(PNG, Origin=origin)
    assert answer.status == 403
    assert (await answer.json())["code"] == "THREAD_ACCESS_DENIED"


async def test_a_name_that_points_here_opens_nothing(house: House) -> None:
    await house.start()
    evil = {"Host": "evil.example", "Origin": "http://evil.example"}
    answer = await house.get("/me", headers=evil)
    assert answer.status == 401
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await house.session.ws_connect(house.url + "/ws", headers=evil)


# -- tokens


async def test_beyond_this_machine_it_needs_a_token_to_start(house: House) -> None:
    await house.start()
    await house.app.stop()
    with pytest.raises(TokensMissing, match="bargein token create"):
        await house.start(host="0.0.0.0")
    await house.start()
    await house.app.front.people.create("ann")
    await house.app.stop()
    await house.start(host="0.0.0.0")
    assert (await house.get("/me")).status == 401


async def let_in(house: House, name: str) -> dict[str, str]:
    """The cookie that this person's link sets."""
    secret = await house.app.front.people.create(name)
    answer = await house.get("/", params={"token": secret})
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    house.session.cookie_jar.clear()
    return {"Cookie": cookie.split(";")[0]}


async def test_a_link_names_a_person_and_can_be_revoked(house: House) -> None:
    await house.start(require_tokens=True)
    ann = await let_in(house, "ann")
    me = await (await house.get("/me", headers=ann)).json()
    assert me["principal"] == "ann"
    socket = await house.socket(**ann)
    assert (await hello(socket, "local:ann"))["data"]["principal"] == "ann"
    assert await house.app.front.people.revoke("ann") == 1
    frame = await socket.receive_json(timeout=5)
    assert frame["data"]["reason"] == "revoked"
    assert (await house.get("/me", headers=ann)).status == 401
    for token in await house.app.front.people.listed():
        assert "digest" not in str(token)


async def test_a_wrong_token_sets_no_cookie(house: House) -> None:
    await house.start(require_tokens=True)
    answer = await house.get("/", params={"token": "wrong"})
    assert answer.status == 303
    assert "Set-Cookie" not in answer.headers
    assert (await house.get("/me", headers={"Cookie": "bargein=wrong"})).status == 401


async def test_nobody_speaks_as_somebody_else_or_looks_into_their_thread(house: House) -> None:
    await house.start(require_tokens=True)
    ann, bob = await let_in(house, "ann"), await let_in(house, "bob")
    one, two = await house.socket(**ann), await house.socket(**bob)
    await hello(one, "local:ann")
    assert (await hello(two, "local:ann"))["data"]["code"] == "THREAD_ACCESS_DENIED"
    refused = await hello(two, "local:bob", **{"as": "ann"})
    assert refused["data"]["code"] == "THREAD_ACCESS_DENIED"
    assert (await hello(two, "local:carol"))["data"]["code"] == "NOT_FOUND"
    assert (await hello(two, "local:bob:work"))["type"] == "welcome"
    await two.send_json(
        {"type": "call", "id": "1", "method": "tokens.create", "params": {"name": "x"}}
    )
    answer = await two.receive_json(timeout=5)
    assert answer["data"]["code"] == "THREAD_ACCESS_DENIED"


async def test_a_shared_link_makes_a_member_until_it_ends(house: House) -> None:
    await house.start(require_tokens=True)
    ann, bob = await let_in(house, "ann"), await let_in(house, "bob")
    one, two = await house.socket(**ann), await house.socket(**bob)
    await hello(one, "local:ann")
    await hello(two)
    key = (await ask(one, "threads.share", thread="local:ann"))["result"]["key"]
    wrong = await ask(two, "threads.join", thread="local:ann", key="0" * 64)
    assert wrong["code"] == "THREAD_ACCESS_DENIED"
    await ask(two, "threads.join", thread="local:ann", key=key)
    snapshot = (await hello(two, "local:ann"))["data"]["snapshot"]
    assert snapshot["private"] is False
    theirs = await ask(two, "threads.unshare", thread="local:ann")
    assert theirs["code"] == "THREAD_ACCESS_DENIED"
    await ask(one, "threads.unshare", thread="local:ann")
    await listed(two)
    frame = await two.receive_json(timeout=5)
    assert frame["data"]["reason"] == "unshared"
    three = await house.socket(**bob)
    assert (await hello(three, "local:ann"))["data"]["code"] == "THREAD_ACCESS_DENIED"


async def ask(socket: Any, method: str, **params: str) -> Any:
    await socket.send_json({"type": "call", "id": method, "method": method, "params": params})
    while True:
        frame = await socket.receive_json(timeout=5)
        if frame.get("id") == method:
            return frame["data"]


# -- uploads


@pytest.mark.parametrize(
    ("data", "name", "told", "shown"),
    [
        (PNG, "cat.png", "image/png", "inline"),
        (b"\xff\xd8\xff\xe0jpeg", "a.jpg", "image/jpeg", "inline"),
        (b"<svg onload=alert(1)>", "a.svg", "text/plain", "attachment"),
        (b"<html><script>alert(1)</script>", "a.png", "text/plain", "attachment"),
        (b"%PDF-1.7", "a.pdf", "application/pdf", "attachment"),
        (b"\x00\x01\xff", "a.html", "application/octet-stream", "attachment"),
    ],
)
async def test_a_file_is_what_its_bytes_say(
    house: House, data: bytes, name: str, told: str, shown: str
) -> None:
    await house.start()
    kept = await (await house.upload(data, name)).json()
    assert kept["mediaType"] == told
    answer = await house.get(f"/files/{kept['blob']}", params={"name": name})
    assert await answer.read() == data
    assert answer.headers["Content-Disposition"].startswith(shown)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    if shown == "attachment":
        assert answer.headers["Content-Type"] == "application/octet-stream"
    assert "sandbox" in answer.headers["Content-Security-Policy"]


async def test_a_name_leads_nobody_astray(house: House) -> None:
    await house.start()
    kept = await (await house.upload(PNG, "../../etc/\u202egnp.exe\r\nSet-Cookie: a")).json()
    assert kept["name"] == "gnp.exeSet-Cookie: a"


async def test_too_large_is_refused_and_not_kept(house: House) -> None:
    await house.start(upload_limit_bytes=1000)
    answer = await house.upload(bytes(1001))
    assert answer.status == 413
    assert (await answer.json())["text"] == "The file is too large."

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(4):
            yield bytes(400)

    streamed = await house.session.post(house.url + "/files", data=chunks(), headers=house.own)
    assert streamed.status == 413


async def test_a_full_disk_is_told_and_the_page_goes_on(house: House) -> None:
    await house.start()

    class Full:
        async def put(self, data: bytes, media_type: str) -> str:
            raise StoreFailed("STORE_FULL", "disk full")

    uploads = house.app.front.uploads
    kept, uploads._blobs = uploads._blobs, Full()  # type: ignore[assignment]
    answer = await house.upload(PNG)
    assert answer.status == 503
    assert "disk is full" in (await answer.json())["text"]
    uploads._blobs = kept
    assert (await house.upload(PNG)).status == 200


async def test_a_file_is_for_those_who_may_see_its_thread(house: House) -> None:
    await house.start(require_tokens=True)
    ann, bob = await let_in(house, "ann"), await let_in(house, "bob")
    kept = await (await house.upload(PNG, **ann)).json()
    path = f"/files/{kept['blob']}"
    assert (await house.get(path, headers=ann)).status == 200
    assert (await house.get(path, headers=bob)).status == 404
    socket = await house.socket(**bob)
    await hello(socket, "local:bob")
    stolen = {"blob": kept["blob"], "mediaType": "image/png"}
    await socket.send_json({"type": "input", "id": "1", "text": "x", "attachments": [stolen]})
    answer = await socket.receive_json(timeout=5)
    assert (answer["type"], answer["data"]["code"]) == ("error", "NOT_FOUND")


async def test_many_uploads_are_slowed_down(house: House) -> None:
    await house.start()
    codes = [(await house.upload(PNG)).status for _ in range(22)]
    assert codes[:20] == [200] * 20
    assert codes[-1] == 400


# -- frames


async def test_malformed_and_oversized_frames_are_named_and_the_line_stays(house: House) -> None:
    await house.start()
    socket = await house.socket()
    await hello(socket)
    for bad in ("", "[]", "{", '{"type":"nope"}', "\ud800", "x" * (MAX_FRAME_BYTES + 1)):
        await socket.send_bytes(bad.encode("utf-8", "surrogatepass"))
        answer = await socket.receive_json(timeout=5)
        assert (answer["type"], answer["data"]["code"]) == ("error", "FRAME_INVALID")
    await socket.send_json({"type": "ping"})
    assert (await socket.receive_json(timeout=5))["type"] == "pong"


async def test_a_message_beyond_all_measure_closes_the_line(house: House) -> None:
    await house.start()
    socket = await house.socket()
    await hello(socket)
    await socket.send_bytes(bytes(MAX_FRAME_BYTES * 5))
    message = await socket.receive(timeout=5)
    assert message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.ERROR)


async def test_a_flood_is_refused_and_executes_nothing(house: House) -> None:
    await house.start()
    socket = await house.socket()
    await hello(socket, f"local:{local_user()}")
    for _ in range(FRAMES_AT_ONCE + 60):
        await socket.send_json({"type": "ping"})
    codes: list[str] = []
    while (message := await socket.receive(timeout=5)).type is aiohttp.WSMsgType.TEXT:
        data = json.loads(message.data)["data"]
        codes.append(data.get("code") or data.get("reason") or "ok")
    assert codes.count("ok") >= FRAMES_AT_ONCE - 5
    assert "RATE_LIMITED" in codes
    assert codes[-1] == "invalid"


async def test_binary_frames_are_read_like_text(house: House) -> None:
    await house.start()
    socket = await house.socket()
    await socket.send_bytes(json.dumps({"type": "hello", "v": 1}).encode())
    assert (await socket.receive_json(timeout=5))["type"] == "welcome"


async def test_one_person_has_so_many_lines(house: House) -> None:
    await house.start()
    sockets = [await house.socket() for _ in range(64)]
    for socket in sockets:
        await hello(socket)
    one_more = await house.socket()
    frame = await one_more.receive_json(timeout=5)
    assert frame["data"]["reason"] == "busy"
    await sockets[0].close()
    await asyncio.sleep(0.05)
    again = await house.socket()
    assert (await hello(again))["type"] == "welcome"


async def test_who_does_not_read_is_cut_off_and_delays_nobody(house: House) -> None:
    await house.start()
    thread = f"local:{local_user()}"
    deaf, reader = await house.socket(), await house.socket()
    for socket in (deaf, reader):
        await hello(socket, thread)
    deaf._response.connection.transport.pause_reading()
    hub, frame = house.app.hub, {"seq": 0}
    for number in range(60):
        hub.update(Update(thread, "progress", {"text": "x" * 200_000, "number": number}))
        frame = await reader.receive_json(timeout=5)
        assert frame["data"]["number"] == number
    assert hub.count(thread) == 1
    last = {"boot": hub.boot, "seq": frame["seq"] - 1}
    again = await hello(await house.socket(), thread, last=last)
    assert again["data"]["resumed"] is True


async def test_lists_are_told_of_names_questions_readers_and_deletions(house: House) -> None:
    await house.start(require_tokens=True)
    ann, bob = await let_in(house, "ann"), await let_in(house, "bob")
    here, elsewhere, his = [await house.socket(**who) for who in (ann, ann, bob)]
    await hello(here, "local:ann:1")
    await hello(elsewhere, "local:ann:2")
    await hello(his, "local:bob")
    people = house.app.front.people
    await here.send_json({"type": "input", "id": "1", "text": "hi"})
    await listed(elsewhere)
    key = await people.share("local:ann:1", "ann")
    await listed(elsewhere)
    await people.join("local:ann:1", "bob", key)
    await listed(his)
    await people.unshare("local:ann:1", "ann")
    await listed(his)
    call = {"type": "call", "id": "2", "method": "threads.delete"}
    await elsewhere.send_json({**call, "params": {"thread": "local:ann:1"}})
    await listed(here)
    await his.send_json({"type": "ping"})
    assert (await his.receive_json(timeout=5))["type"] == "pong"


async def test_the_page_can_be_left_out(house: House) -> None:
    await house.start(page=False)
    assert (await house.get("/")).status == 404
    assert (await house.get("/healthz")).status == 200
