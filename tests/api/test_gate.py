"""Who is let in over HTTP, what of theirs is read, and how they are refused."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from gateway.api.auth import signature
from gateway.api.bodies import Body
from gateway.api.gate import LARGE_AT_ONCE, Arrived
from gateway.api.sse import EventStream
from gateway.ports.tokens import Scope
from tests.api.doors import SECRET, Doors, doors

pytestmark = pytest.mark.looptime


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def vouched(door: Doors, who: str, body: bytes = b"", **other: Any) -> dict[str, str]:
    said: dict[str, Any] = {
        "seconds": int(door.clock.now().timestamp()),
        "method": "POST",
        "target": "/door?x=%20y",
        "principal": who,
        "body": body,
    }
    headers = {"Bargein-Principal": who}
    return headers | {"Bargein-Signature": signature(SECRET, **{**said, **other})}


async def test_without_a_token_nobody_is_let_in(tmp_path: Path) -> None:
    async with doors(tmp_path) as door:
        status, problem, headers = await door.ask()
        assert (status, problem["code"], problem["status"]) == (401, "UNAUTHENTICATED", 401)
        assert headers["Content-Type"].startswith("application/problem+json")
        assert headers["WWW-Authenticate"] == "Bearer"
        for wrong in ("Bearer nope", "Basic YTpi", "Bearer ", "Bearer a b", "Bearer é"):
            assert (await door.ask(headers={"Authorization": wrong}))[0] == 401


async def test_a_token_opens_its_doors_until_it_is_revoked(tmp_path: Path) -> None:
    async with doors(tmp_path) as door:
        secret = await door.keys.create("ann", {Scope.API})
        page = await door.keys.create("bob")
        status, found, _ = await door.ask(headers=bearer(secret))
        assert (status, found["who"]) == (200, "ann")
        status, problem, _ = await door.ask(headers=bearer(page))
        assert (status, problem["code"], problem["scope"]) == (403, "SCOPE_MISSING", "api")
        await door.keys.revoke("ann")
        assert (await door.ask(headers=bearer(secret)))[0] == 401
        assert not door.reported


async def test_at_home_this_machine_s_user_needs_none(tmp_path: Path) -> None:
    async with doors(tmp_path, home="me") as door:
        assert (await door.ask())[1]["who"] == "me"
        elsewhere = await door.ask(headers={"Host": "evil.example"})
        assert elsewhere[0] == 401
        assert (await door.ask(headers=bearer("nope")))[0] == 401


async def test_a_proxy_vouches_for_people(tmp_path: Path) -> None:
    async with doors(tmp_path, proxy_secret=SECRET) as door:
        body = b'{"a":1}'
        good = vouched(door, "ann", body)
        json_ = {"Content-Type": "application/json"}
        status, found, _ = await door.ask("POST", data=body, headers=good | json_)
        assert (status, found) == (200, {"who": "ann", "body": 7})
        wrong = [
            good | {"Bargein-Principal": "bob"},
            vouched(door, "ann", b"{}"),
            vouched(door, "ann", body, method="PATCH"),
            vouched(door, "ann", body, target="/door"),
            vouched(door, "ann", body, seconds=int(door.clock.now().timestamp()) - 61),
            vouched(door, "local:operator", body),
            {"Bargein-Principal": "ann"},
            {"Bargein-Signature": good["Bargein-Signature"]},
            good | bearer(await door.keys.create("ann", {Scope.API})),
        ]
        for headers in wrong:
            status, problem, _ = await door.ask("POST", data=body, headers=headers | json_)
            assert (status, problem["code"]) == (401, "UNAUTHENTICATED"), headers
        assert SECRET not in json.dumps([str(error) for error in door.reported])


async def test_without_the_proxy_s_secret_nobody_is_vouched_for(tmp_path: Path) -> None:
    async with doors(tmp_path, home="me") as door:
        assert (await door.ask("POST", headers=vouched(door, "ann")))[0] == 401


async def test_pages_of_other_sites(tmp_path: Path) -> None:
    allowed = "https://app.example"
    async with doors(tmp_path, home="me", cors_origins=(allowed,)) as door:
        for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            status, problem, answered = await door.ask(headers=headers)
            assert (status, problem["code"]) == (403, "ORIGIN_NOT_ALLOWED")
            assert "Access-Control-Allow-Origin" not in answered
        status, _, answered = await door.ask(headers={"Origin": allowed})
        assert (status, answered["Access-Control-Allow-Origin"]) == (200, allowed)
        status, _, answered = await door.ask("OPTIONS", headers={"Origin": allowed})
        assert (status, answered["Access-Control-Allow-Origin"]) == (204, allowed)
        status, _, answered = await door.ask(headers={"Origin": door.address})
        assert (status, answered.get("Access-Control-Allow-Origin")) == (200, None)


async def test_by_default_no_other_site_may(tmp_path: Path) -> None:
    async with (
        doors(tmp_path, home="me") as door,
        door.session.options(
            door.address + "/door", headers={"Origin": "https://app.example"}
        ) as answer,
    ):
        assert answer.status == 403
        assert not [name for name in answer.headers if name.startswith("Access-Control")]


class Said(Body):
    text: str
    more: int = 0


async def echo(arrived: Arrived) -> web.StreamResponse:
    return web.json_response(arrived.read(Said).model_dump())


BAD_BODIES = [
    (b"", "text: Field required"),
    (b"{", "no JSON"),
    (b'{"text": "\xff"}', "no JSON"),
    (b'{"text": "\\ud800"}', ""),
    (b'{"text": "a", "text": "b"}', "twice"),
    (b'{"text": "a", "more": NaN}', "NaN"),
    (b'{"text": "a", "more": 1e999}', "finite"),
    (b'{"text": "a", "more": "1"}', "more: "),
    (b'{"text": "a", "more": true}', "more: "),
    (b'{"text": "a", "extra": 1}', "extra: "),
    (b'{"text": 1}', "text: "),
    (b'{"text": null}', "text: "),
    (b"[]", ""),
    (b'"text"', ""),
    (b"[" * 40 + b"]" * 40, "deeper"),
    (b"[" * 100_000, ""),
    (b'{"text": ' + b"1" * 5_000 + b"}", ""),
]


async def test_bodies_that_are_none(tmp_path: Path) -> None:
    async with doors(tmp_path, home="me", handler=echo) as door:
        headers = {"Content-Type": "application/json"}
        status, found, _ = await door.ask("POST", data=b'{"text": "a"}', headers=headers)
        assert (status, found) == (200, {"text": "a", "more": 0})
        for body, why in BAD_BODIES:
            status, problem, _ = await door.ask("POST", data=body, headers=headers)
            assert (status, problem["code"]) == (400, "VALIDATION_ERROR"), body[:40]
            assert why in problem["detail"]
        two = await door.ask("POST", data=b'{"text": 1, "more": ""}', headers=headers)
        assert [item["at"] for item in two[1]["errors"]] == ["text", "more"]
        for wrong in ("text/plain", "application/json; charset=utf-16"):
            headers = {"Content-Type": wrong}
            status, problem, _ = await door.ask("POST", data=b'{"text": "a"}', headers=headers)
            assert (status, problem["code"]) == (415, "MEDIA_TYPE_UNSUPPORTED")
        assert not door.reported


async def test_a_body_has_its_limit_and_its_time(tmp_path: Path) -> None:
    async with doors(tmp_path, home="me", body_limit_bytes=1024) as door:

        async def parts(count: int) -> Any:
            for _ in range(count):
                yield b" " * 100

        assert (await door.ask("POST", data=b" " * 1024))[0] == 200
        assert (await door.ask("POST", data=parts(10)))[0] == 200
        for body in (b" " * 1025, parts(11)):
            status, problem, _ = await door.ask("POST", data=body)
            assert (status, problem["code"]) == (413, "BODY_TOO_LARGE")

        async def never() -> Any:
            yield b"{"
            await asyncio.sleep(100)

        assert (await door.ask("POST", data=never()))[0] == 400


async def test_large_bodies_arrive_a_few_at_once(tmp_path: Path) -> None:
    """A body that a route takes beyond the common limit has a place; small ones need none."""
    opened = asyncio.Event()

    async def slowly() -> Any:
        yield b"{"
        await opened.wait()
        yield bytes(3000)

    async with (
        doors(tmp_path, home="me", body_limit_bytes=2048, files_bytes=2048) as door,
        asyncio.TaskGroup() as group,
    ):
        slow = [group.create_task(door.ask("POST", data=slowly())) for _ in range(LARGE_AT_ONCE)]
        await asyncio.sleep(0.1)
        status, problem, headers = await door.ask("POST", data=bytes(3000))
        assert (status, problem["code"]) == (429, "RATE_LIMITED")
        assert headers["Retry-After"]
        assert (await door.ask("POST", data=bytes(2048)))[0] == 200
        opened.set()
        assert [(await one)[:2] for one in slow] == [(200, {"who": "me", "body": 3001})] * len(slow)
        assert (await door.ask("POST", data=bytes(4096)))[0] == 200
        assert (await door.ask("POST", data=bytes(4097)))[0] == 413


async def test_a_person_s_rate(tmp_path: Path) -> None:
    async with doors(tmp_path, requests_at_once=3, requests_per_second=1.0) as door:
        ann = bearer(await door.keys.create("ann", {Scope.API}))
        bob = bearer(await door.keys.create("bob", {Scope.API}))
        assert [(await door.ask(headers=ann))[0] for _ in range(4)] == [200, 200, 200, 429]
        status, problem, headers = await door.ask(headers=ann)
        assert (status, problem["code"], headers["Retry-After"]) == (429, "RATE_LIMITED", "1")
        assert (await door.ask(headers=bob))[0] == 200
        await asyncio.sleep(1)
        assert (await door.ask(headers=ann))[0] == 200


async def test_what_breaks_here_is_reported_and_stays_here(tmp_path: Path) -> None:
    async def breaks(arrived: Arrived) -> web.StreamResponse:
        raise RuntimeError("the secret of the house")

    async with doors(tmp_path, home="me", handler=breaks) as door:
        status, problem, _ = await door.ask()
        assert (status, problem["code"], problem["errorId"]) == (500, "INTERNAL", "e1")
        assert "secret" not in json.dumps(problem)


async def test_a_stream_ends_with_its_token(tmp_path: Path) -> None:
    gates: list[Any] = []

    async def stream(arrived: Arrived) -> web.StreamResponse:
        events = EventStream(arrived.request, {})
        with gates[0].one(arrived.caller, events.abort):
            await events.open()
            await events.send(b"data: 1\n\n")
            await asyncio.sleep(1_000)
        return events.response

    async with doors(tmp_path, handler=stream, streams_per_person=1) as door:
        gates.append(door.gate.streams)
        ann = bearer(await door.keys.create("ann", {Scope.API}))
        async with door.session.get(door.address + "/door", headers=ann) as answer:
            assert await answer.content.readline() == b"data: 1\n"
            status, problem, _ = await door.ask(headers=ann)
            assert (status, problem["code"]) == (429, "RATE_LIMITED")
            await door.keys.revoke("ann")
            with pytest.raises(Exception):  # noqa: B017  whichever way the connection broke
                await asyncio.wait_for(answer.content.read(), 5)
