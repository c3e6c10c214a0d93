"""The examples as they stand, through the door: on their scripts, and on a model that is set."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples import booking_agent, research_agent, support_agent
from gateway.settings import load
from tests.acceptance.asking import asked, results
from tests.acceptance.desk import Desk
from tests.fakes.provider import FakeProvider, calls, fragments, says

pytestmark = pytest.mark.looptime
ROOT = Path(__file__).resolve().parents[2]
BROKEN = "My lamp arrived broken, order 1042. I want my money back."


@pytest.fixture(autouse=True)
def nothing_paid_or_booked() -> Iterator[None]:
    support_agent.PAYMENTS.clear()
    booking_agent.BOOKED.clear()
    yield
    support_agent.PAYMENTS.clear()
    booking_agent.BOOKED.clear()


def test_the_configuration_is_valid_and_names_an_example():
    settings = load(ROOT / "examples" / "bargein.toml", environment={})
    assert settings.agent == "examples.support_agent:agent"
    assert settings.access.approvers == ("manager",)


class TestSupport:
    @pytest.mark.parametrize(
        ("word", "paid", "told"),
        [
            ("yes", [(1042, 49.0)], "49.00 € are on their way"),
            ("no", [], "there is no refund"),
        ],
    )
    async def test_a_manager_decides_in_their_own_chat(
        self, tmp_path: Path, word: str, paid: list[object], told: str
    ):
        async with Desk(tmp_path, support_agent.agent, approvers=["mia"]) as desk:
            ann, mia = await desk.person("ann"), await desk.person("mia", "local:mia")
            question = await asked(ann, BROKEN)
            assert "why, and when" in question["data"]["question"]["message"]
            await ann.say("broken, on 1 may")
            there = await mia.frame("question")
            assert "49.00 € for order 1042" in there["data"]["question"]["message"]
            await ann.say("yes")  # the customer's own word approves nothing
            await asyncio.sleep(1)
            assert support_agent.PAYMENTS == []
            await mia.say(word)
            await ann.shows(told, within=20)
            assert paid == support_agent.PAYMENTS

    async def test_it_runs_on_a_model_that_is_set(self, tmp_path: Path):
        steps = (
            calls(*fragments(0, "c1", "look_up_order", '{"number": 1042}')),
            calls(*fragments(0, "c2", "refund", '{"order": 1042, "euro": 900}')),
            says("I can't pay back so much."),
        )
        async with FakeProvider(*steps) as provider:
            desk = Desk(tmp_path, None, model="small", model_base_url=provider.base_url)
            named = {"agent": "examples.support_agent:agent"}
            desk.settings = desk.settings.model_copy(update=named)
            async with desk:
                ann = await desk.person("ann")
                await ann.say(BROKEN)
                await ann.shows("I can't pay back so much.", within=20)
                looked_up, refused = await results(ann)
                assert "desk lamp" in looked_up
                assert "euro" in refused
                assert "lamp shop" in provider.exchanges[0].messages()[0]["content"]


class TestBooking:
    async def test_a_day_a_time_and_a_place_are_asked_and_booked_once(self, tmp_path: Path):
        async with Desk(tmp_path, booking_agent.agent) as desk:
            ann = await desk.person("ann")
            await asked(ann, "A table for four")
            await ann.say("15 march 2031")
            times = await ann.frame("question")
            assert times["data"]["question"]["message"].startswith("On 15.03.")
            await ann.say("the second one")
            await ann.frame("question")
            await ann.say("terrace")
            await ann.shows("It is booked", within=10)
        wanted = {"guests": 4, "day": "2031-03-15", "time": "19:30", "place": "terrace"}
        assert [wanted] == booking_agent.BOOKED

    async def test_in_russian_with_a_default_and_over_a_restart(self, tmp_path: Path):
        async with Desk(tmp_path, booking_agent.agent) as desk:
            ann = await desk.person("ann", language="ru")
            await asked(ann, "Столик на двоих")
            await ann.say("пятнадцатого марта 2031")
            await ann.frame("question")
            await desk.restart()
            again = await desk.person("ann", language="ru")
            await again.say("третий")
            await again.frame("question", within=5)
            await again.say("пропустить")
            await again.shows("It is booked", within=10)
        wanted = {"guests": 2, "day": "2031-03-15", "time": "21:00", "place": "inside"}
        assert [wanted] == booking_agent.BOOKED

    async def test_what_is_unclear_or_cancelled_books_nothing(self, tmp_path: Path):
        async with Desk(tmp_path, booking_agent.agent) as desk:
            ann = await desk.person("ann")
            await asked(ann, "A table for four")
            await ann.say("whenever")
            await asyncio.sleep(1)
            await ann.say("cancel")
            assert (await ann.ended())["end"] == "interrupted"
        assert booking_agent.BOOKED == []


class TestResearch:
    async def test_a_correction_joins_while_it_reads(self, tmp_path: Path):
        async with Desk(tmp_path, research_agent.agent) as desk:
            ann = await desk.person("ann")
            said = await ann.say("tidal power")
            await ann.frame("progress")
            steered = await ann.say("only in Norway")
            await ann.shows("have read 3 sources", within=60)
            assert await ann.outcome(said) == ("answered", "")
            assert (await ann.outcome(steered))[0] == "steered"
            read = await results(ann)
            assert read[0].startswith("Source 1 on tidal power:")
            assert read[1].startswith("Source 1 on tidal power, only in Norway:")

    async def test_a_newer_wish_cuts_it_off_in_the_middle_of_a_source(self, tmp_path: Path):
        async with Desk(tmp_path, research_agent.agent) as desk:
            ann = await desk.person("ann")
            said = await ann.say("tidal power")
            await ann.frame("progress")
            began = desk.time()
            await ann.say("wind power", override="now")
            assert await ann.outcome(said) == ("interrupted", "NOW_PRIORITY_INPUT")
            assert desk.time() - began < 2
            await ann.shows("On wind power I have read 3 sources", within=60)
