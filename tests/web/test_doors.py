"""The page's door: headers, origins, hosts, tokens, uploads, limits. No browser needed."""

import asyncio
import json

import aiohttp
import pytest

from gateway.channels.front import TokensMissing
from gateway.channels.local import local_user
from gateway.channels.websocket import FRAMES_AT_ONCE
from gateway.ports.channel import Update
from gateway.wire import MAX_FRAME_BYTES
from tests.web.house import WITHIN_SECONDS, House, ask, hello, let_in, listed

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
    answer = await house.upload(b"x", Origin=origin)
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


async def test_a_link_names_a_person_and_can_be_revoked(house: House) -> None:
    await house.start(require_tokens=True)
    ann = await let_in(house, "ann")
    me = await (await house.get("/me", headers=ann)).json()
    assert me["principal"] == "ann"
    socket = await house.socket(**ann)
    assert (await hello(socket, "local:ann"))["data"]["principal"] == "ann"
    assert await house.app.front.people.revoke("ann") == 1
    frame = await socket.receive_json(timeout=WITHIN_SECONDS)
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
    assert refused["data"]["code"] == "PRINCIPAL_CHANGED"
    assert (await hello(two, "local:carol"))["data"]["code"] == "NOT_FOUND"
    assert (await hello(two, "local:bob:work"))["type"] == "welcome"
    await two.send_json(
        {"type": "call", "id": "1", "method": "tokens.create", "params": {"name": "x"}}
    )
    answer = await two.receive_json(timeout=WITHIN_SECONDS)
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
    frame = await two.receive_json(timeout=WITHIN_SECONDS)
    assert frame["data"]["reason"] == "unshared"
    three = await house.socket(**bob)
    assert (await hello(three, "local:ann"))["data"]["code"] == "THREAD_ACCESS_DENIED"


# -- frames


async def test_malformed_and_oversized_frames_are_named_and_the_line_stays(house: House) -> None:
    await house.start()
    socket = await house.socket()
    await hello(socket)
    for bad in ("", "[]", "{", '{"type":"nope"}', "\ud800", "x" * (MAX_FRAME_BYTES + 1)):
        await socket.send_bytes(bad.encode("utf-8", "surrogatepass"))
        answer = await socket.receive_json(timeout=WITHIN_SECONDS)
        assert (answer["type"], answer["data"]["code"]) == ("error", "FRAME_INVALID")
    await socket.send_json({"type": "ping"})
    assert (await socket.receive_json(timeout=WITHIN_SECONDS))["type"] == "pong"


async def test_a_message_beyond_all_measure_closes_the_line(house: House) -> None:
    await house.start()
    socket = await house.socket()
    await hello(socket)
    await socket.send_bytes(bytes(MAX_FRAME_BYTES * 5))
    message = await socket.receive(timeout=WITHIN_SECONDS)
    assert message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.ERROR)


async def test_a_flood_is_refused_and_executes_nothing(house: House) -> None:
    await house.start()
    socket = await house.socket()
    await hello(socket, f"local:{local_user()}")
    for _ in range(FRAMES_AT_ONCE + 60):
        await socket.send_json({"type": "ping"})
    codes: list[str] = []
    while (message := await socket.receive(timeout=WITHIN_SECONDS)).type is aiohttp.WSMsgType.TEXT:
        data = json.loads(message.data)["data"]
        codes.append(data.get("code") or data.get("reason") or "ok")
    assert codes.count("ok") >= FRAMES_AT_ONCE - 5
    assert "RATE_LIMITED" in codes
    assert codes[-1] == "invalid"


async def test_binary_frames_are_read_like_text(house: House) -> None:
    await house.start()
    socket = await house.socket()
    await socket.send_bytes(json.dumps({"type": "hello", "v": 1}).encode())
    assert (await socket.receive_json(timeout=WITHIN_SECONDS))["type"] == "welcome"


async def test_one_person_has_so_many_lines(house: House) -> None:
    await house.start()
    sockets = [await house.socket() for _ in range(64)]
    for socket in sockets:
        await hello(socket)
    one_more = await house.socket()
    frame = await one_more.receive_json(timeout=WITHIN_SECONDS)
    assert frame["data"]["reason"] == "busy"
    await sockets[0].close()
    for _ in range(3_000):
        if len(house.app.front.sockets._open) < len(sockets):
            break
        await asyncio.sleep(0.01)
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
        frame = await reader.receive_json(timeout=WITHIN_SECONDS)
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
    assert (await his.receive_json(timeout=WITHIN_SECONDS))["type"] == "pong"


async def test_the_page_can_be_left_out(house: House) -> None:
    await house.start(page=False)
    assert (await house.get("/")).status == 404
    assert (await house.get("/healthz")).status == 200
