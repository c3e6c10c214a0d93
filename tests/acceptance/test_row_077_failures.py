"""Row 77: a failure is told in the person's language, with an id that stands in the log."""

from pathlib import Path

import pytest

from tests.acceptance.telegram import TelegramDesk
from tests.acceptance.telegram_agents import agent
from tests.fakes.telegram.faults import Refusal

pytestmark = pytest.mark.looptime

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 50


async def test_a_failure_is_told_with_an_id_in_the_person_s_language(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        desk.may_fail = True
        ann = desk.private(language="ru")
        ann.say("fail")
        told = await ann.shows("/retry")
        assert "ошибка" in told.text.lower()
        error_id = told.text.split("ошибка ")[1].split(")")[0]
        assert error_id in desk.log.getvalue()


async def test_a_file_that_can_t_be_fetched_is_told_with_an_id(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        desk.may_fail = True
        ann = desk.private(language="ru")
        desk.server.fault("getFile", Refusal(400, "Bad Request: wrong file_id"))
        ann.photo(PNG, "what is this")
        told = await ann.shows("Не удалось получить ваш файл")
        error_id = told.text.split("ошибка ")[1].split(")")[0]
        assert error_id in desk.log.getvalue()
        assert model.requests == []
