"""Row 97: what an MCP server asks is our question, in both generations of the protocol; the server
is made with the real library, over real HTTP.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Gate, Script, call, messages
from tests.mcp.air import Air
from tests.mcp.serving import Noticing, Site, eventually, old, served

pytestmark = pytest.mark.looptime
GENERATIONS = pytest.mark.parametrize("generation", ["2025-11-25", "2026-07-28"])


@asynccontextmanager
async def flying(
    tmp_path: Path, generation: str, model: Script, **settings: Any
) -> AsyncIterator[tuple[Desk, Air, Noticing, Site]]:
    air = Air()
    if generation == "2025-11-25":
        old(air.server)
    seen = Noticing(air.server)
    async with served(air.server) as site:
        mcp = {"air": {"url": site.url, **settings}}
        async with Desk(tmp_path, Agent("tester", model), mcp=mcp) as desk:
            yield desk, air, seen, site


@GENERATIONS
async def test_a_servers_question_is_answered_in_the_chat(tmp_path: Path, generation: str):
    model = Script([call("air_book", passenger="Ann")], ["booked"])
    async with flying(tmp_path, generation, model) as (desk, air, seen, _):
        ann = await desk.person("ann")
        said = await ann.say("book me a seat")
        asked = (await ann.frame("question"))["data"]
        assert asked["question"]["message"] == "Which seat for Ann?"
        assert asked["question"]["details"] == {"server": "air"}
        unclear = await ann.say("the middle one maybe")
        assert (await ann.outcome(unclear))[0] == "refused"
        assert air.done == []
        answer = await ann.say("window please")
        assert (await ann.outcome(answer))[0] == "decided"
        assert await ann.outcome(said) == ("answered", "")
        assert air.done == [("Ann", "window")]
        assert messages(model.requests[1])[-1] == ("result", "Ann sits at the window")
        live = generation == "2025-11-25"
        assert seen.count("tools/call") == (1 if live else 2)


@GENERATIONS
async def test_several_questions_are_asked_one_after_the_other(tmp_path: Path, generation: str):
    model = Script([call("air_check_in")], ["done"])
    async with flying(tmp_path, generation, model) as (desk, air, _, _):
        ann = await desk.person("ann", language="ru")
        said = await ann.say("зарегистрируй меня")
        assert (await ann.frame("question"))["data"]["question"]["message"] == "How many bags?"
        await ann.say("три")
        again = (await ann.frame("question"))["data"]["question"]
        assert again["message"] == "Which seat, with 3 bags?"
        await ann.say("aisle")
        assert await ann.outcome(said) == ("answered", "")
        assert air.done == [(3, "aisle")]


@GENERATIONS
async def test_a_question_that_is_declined_is_told_to_the_server(tmp_path: Path, generation: str):
    model = Script([call("air_book", passenger="Ann")], ["no"])
    async with flying(tmp_path, generation, model) as (desk, air, seen, _):
        ann = await desk.person("ann")
        said = await ann.say("book me a seat")
        await ann.frame("question")
        await ann.say("cancel")
        assert (await ann.outcome(said))[0] == "interrupted"
        assert air.done == []
        if generation == "2025-11-25":
            await seen.until("notifications/cancelled")
        again = await ann.say("never mind")  # the thread is usable
        assert await ann.outcome(again) == ("answered", "")


@GENERATIONS
async def test_race_01_an_answer_after_the_expiry(tmp_path: Path, generation: str):
    gate = Gate()
    model = Script([call("air_book", passenger="Ann")], ["nobody ", gate, "said"], ["late"])
    brief = {"answer_seconds": 60}
    async with flying(tmp_path, generation, model, **brief) as (desk, air, seen, _):
        ann = await desk.person("ann")
        said = await ann.say("book me a seat")
        await ann.frame("question")
        await asyncio.sleep(60)
        await gate.reached.wait()
        if generation == "2025-11-25":
            await seen.until("notifications/cancelled")  # told at once, not at the run's end
        gate.open()
        assert await ann.outcome(said) == ("answered", "")
        assert "Nobody answered" in messages(model.requests[1])[-1][1]
        late = await ann.say("window")
        assert await ann.outcome(late) == ("refused", "INTERRUPT_EXPIRED")
        assert air.done == []
        if generation == "2025-11-25":
            assert seen.count("notifications/cancelled") == 1


@GENERATIONS
async def test_race_02_a_stop_before_the_answer(tmp_path: Path, generation: str):
    model = Script([call("air_book", passenger="Ann")], ["fine"])
    async with flying(tmp_path, generation, model) as (desk, air, seen, _):
        ann = await desk.person("ann")
        said = await ann.say("book me a seat")
        await ann.frame("question")
        await ann.stop()
        assert (await ann.outcome(said))[0] == "interrupted"
        if generation == "2025-11-25":
            await seen.until("notifications/cancelled")
        await ann.say("window")
        await asyncio.sleep(1)
        assert air.done == []


@GENERATIONS
async def test_race_02_an_answer_before_the_stop(tmp_path: Path, generation: str):
    """The decision stands and the call was made once; the run that went on with it is stopped."""
    gate = Gate()
    model = Script([call("air_book", passenger="Ann")], ["bo", gate, "oked"], ["next"])
    async with flying(tmp_path, generation, model) as (desk, air, seen, _):
        ann = await desk.person("ann")
        said = await ann.say("book me a seat")
        await ann.frame("question")
        answer = await ann.say("window")
        await gate.reached.wait()
        await ann.stop()
        assert (await ann.outcome(answer))[0] == "decided"
        assert (await ann.outcome(said))[0] == "interrupted"
        assert air.done == [("Ann", "window")]
        assert seen.count("notifications/cancelled") == 0
        again = await ann.say("and?")
        assert await ann.outcome(again) == ("answered", "")
        results = [text for kind, text in messages(model.requests[-1]) if kind == "result"]
        assert results == ["Ann sits at the window"]


@GENERATIONS
async def test_two_people_at_once_answer_their_own(tmp_path: Path, generation: str):
    """What a server asks in a call is asked of the person whose call it is."""

    def book(request: Any) -> list[Any]:
        said = [text for kind, text in messages(request) if kind == "user"][-1]
        done = [text for kind, text in messages(request) if kind == "result"]
        return [done[-1]] if done else [call("air_book", passenger=said)]

    async with flying(tmp_path, generation, Script(book)) as (desk, air, _, _):
        people = {name: await desk.person(name, f"local:{name}") for name in ("ann", "bob")}
        said = {name: await person.say(name) for name, person in people.items()}
        for name, person in people.items():
            question = (await person.frame("question"))["data"]["question"]
            assert question["message"] == f"Which seat for {name}?"
        await people["bob"].say("aisle")
        assert await people["bob"].outcome(said["bob"]) == ("answered", "")
        assert air.done == [("bob", "aisle")]
        await people["ann"].say("window")
        assert await people["ann"].outcome(said["ann"]) == ("answered", "")
        assert air.done == [("bob", "aisle"), ("ann", "window")]


async def test_calls_that_are_open_at_once_ask_their_own_person(tmp_path: Path):
    """Both calls are on before the server asks in either."""

    def book(request: Any) -> list[Any]:
        said = [text for kind, text in messages(request) if kind == "user"][-1]
        done = [text for kind, text in messages(request) if kind == "result"]
        return [done[-1]] if done else [call("air_late", passenger=said)]

    async with flying(tmp_path, "2025-11-25", Script(book)) as (desk, air, seen, _):
        people = {name: await desk.person(name, f"local:{name}") for name in ("ann", "bob")}
        said = {name: await person.say(name) for name, person in people.items()}
        await eventually(lambda: len(air.started) == 2)
        air.gate.set()
        for name, person in people.items():
            question = (await person.frame("question"))["data"]["question"]
            assert question["message"] == f"Which seat for {name}?"
            await person.say("window")
            assert await person.outcome(said[name]) == ("answered", "")
        assert air.done == [("ann", "window"), ("bob", "window")]
        assert seen.count("initialize") == 2


@GENERATIONS
async def test_race_20_what_joins_a_waiting_call_is_not_lost(tmp_path: Path, generation: str):
    """A message while the call runs joins after it; a stop gives it back."""
    model = Script([call("air_wait")], ["fine"])
    async with flying(tmp_path, generation, model) as (desk, air, _, _):
        ann = await desk.person("ann")
        said = await ann.say("wait for me")
        await eventually(lambda: bool(air.started))
        joining = await ann.say("and hurry")
        await ann.stop()
        assert (await ann.outcome(said))[0] == "interrupted"
        assert (await ann.outcome(joining))[0] == "returned"


@GENERATIONS
async def test_a_restart_while_a_server_asks(tmp_path: Path, generation: str):
    """Where each request stands alone the call goes on after a restart; a call that was open is
    lost, told so, and not made again.
    """
    model = Script([call("air_book", passenger="Ann")], ["fine"])
    async with flying(tmp_path, generation, model) as (desk, air, seen, _):
        ann = await desk.person("ann")
        await ann.say("book me a seat")
        await ann.frame("question")
        await desk.restart()
        ann = await desk.person("ann")
        answer = await ann.say("window")
        assert (await ann.outcome(answer))[0] == "decided"
        await eventually(lambda: len(model.requests) == 2)
        kind, text = messages(model.requests[1])[-1]
        if generation == "2026-07-28":
            assert (kind, text) == ("result", "Ann sits at the window")
            assert air.done == [("Ann", "window")]
        else:
            assert "was not made again" in text
            assert air.done == []
            assert seen.count("tools/call") == 1
