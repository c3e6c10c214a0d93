"""Pictures and files: what they are, whose they are, how long they stay."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from gateway.channels.local import local_user
from gateway.core.errors import StoreFailed
from tests.web.house import House, hello, let_in

PNG = b"\x89PNG\r\n\x1a\n" + bytes(32)


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
        async def put(self, data: bytes, media_type: str, principal: str) -> str:
            raise StoreFailed("STORE_FULL", "disk full")

    uploads = house.app.front.files
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


async def test_a_restart_takes_nobody_their_unsent_file(house: House) -> None:
    await house.start()
    kept = await (await house.upload(PNG)).json()
    await house.app.stop()
    await house.start()
    assert (await house.get(f"/files/{kept['blob']}")).status == 200
    socket = await house.socket()
    await hello(socket, f"local:{local_user()}")
    files = [{"blob": kept["blob"], "mediaType": "image/png"}]
    await socket.send_json({"type": "input", "id": "1", "text": "x", "attachments": files})
    while (frame := await socket.receive_json(timeout=5)).get("id") != "1":
        pass
    assert (frame["type"], frame["data"]["code"]) == ("receipt", "")


async def test_what_is_never_sent_is_removed_at_the_next_start(house: House) -> None:
    await house.start()
    kept = await (await house.upload(PNG)).json()
    await house.app.stop()
    house.clock.seconds = 86_400 + 60
    await house.start()
    path = f"/files/{kept['blob']}"
    async with asyncio.timeout(5):
        while (await house.get(path)).status != 404:
            pass


async def test_many_uploads_are_slowed_down(house: House) -> None:
    await house.start()
    codes = [(await house.upload(PNG)).status for _ in range(22)]
    assert codes[:20] == [200] * 20
    assert codes[-1] == 400
