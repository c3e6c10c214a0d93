"""The fake Bot API server answers as the real one, in virtual time."""

import asyncio

import aiohttp
import pytest

from tests.fakes.telegram.faults import flood
from tests.fakes.telegram.server import FakeTelegram

pytestmark = pytest.mark.looptime


async def call(telegram, method, token="42:AAA", **params):
    async with (
        aiohttp.ClientSession(connector=aiohttp.UnixConnector(str(telegram.path))) as session,
        session.post(f"http://localhost/bot{token}/{method}", json=params) as answer,
    ):
        return answer.status, await answer.json()


async def test_a_message_an_update_and_what_a_person_sees(tmp_path):
    async with FakeTelegram(tmp_path / "t") as telegram:
        bot = telegram.bot()
        chat = telegram.person(7, "Ann").private(bot)
        chat.say("hi")
        status, body = await call(telegram, "getUpdates", timeout=10)
        assert (status, body["result"][0]["message"]["text"]) == (200, "hi")
        status, body = await call(telegram, "sendMessage", chat_id=7, text="hello")
        assert chat.texts() == ["hello"]
        number = body["result"]["message_id"]
        status, body = await call(
            telegram, "editMessageText", chat_id=7, message_id=number, text="hello"
        )
        assert (status, "not modified" in body["description"]) == (400, True)
        status, body = await call(telegram, "getUpdates", offset=body.get("x", 1001), timeout=50)
        assert body["result"] == []
        assert asyncio.get_running_loop().time() >= 50


async def test_faults_are_answered_once_and_effects_stand_after_a_lost_answer(tmp_path):
    async with FakeTelegram(tmp_path / "t") as telegram:
        telegram.bot()
        chat = telegram.chat(7, "private", "Ann")
        telegram.fault("sendMessage", flood(41), chat=7)
        status, body = await call(telegram, "sendMessage", chat_id=7, text="a")
        assert (status, body["parameters"]) == (429, {"retry_after": 41})
        telegram.fault("sendMessage", lost="after")
        with pytest.raises(aiohttp.ClientError):
            await call(telegram, "sendMessage", chat_id=7, text="b")
        telegram.fault("sendMessage", lost="before")
        with pytest.raises(aiohttp.ClientError):
            await call(telegram, "sendMessage", chat_id=7, text="c")
        assert chat.texts() == ["b"]
        assert (await call(telegram, "sendMessage", token="1:NO", chat_id=7, text="x"))[0] == 401


async def test_a_second_poll_ends_the_first(tmp_path):
    async with FakeTelegram(tmp_path / "t") as telegram:
        telegram.bot()
        first = asyncio.ensure_future(call(telegram, "getUpdates", timeout=50))
        await asyncio.sleep(1)
        second = asyncio.ensure_future(call(telegram, "getUpdates", timeout=1))
        assert (await first)[0] == 409
        assert (await second)[0] == 200
