"""Row 30 and DESIGN 5: a run may name its branch. On another one than the active it occupies
nothing and moves nothing; a branch that was named is not rolled back.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway.core.errors import ValidationFailed
from tests.acceptance.library import program, soon, stored
from tests.acceptance.scripted import messages
from tests.acceptance.work import users, worker

pytestmark = pytest.mark.looptime
ANN: dict[str, Any] = {"thread": "t", "principal": "ann"}


async def test_a_run_on_another_branch_goes_on_from_there_and_moves_nothing(tmp_path: Path):
    agent, model = worker()
    async with program(tmp_path, agent) as gateway:
        hi = await soon((await gateway.start("hi", **ANN)).result())
        later = await soon((await gateway.start("later", **ANN)).result())
        aside = await soon((await gateway.start("aside", **ANN, branch=hi.entry)).result())
        assert (aside.status, aside.text) == ("completed", "done aside")
        assert users(model.requests[-1]) == ["hi", "aside"]
        more = await soon((await gateway.start("more", **ANN, branch=aside.entry)).result())
        assert users(model.requests[-1]) == ["hi", "aside", "more"]
        fresh = await soon((await gateway.start("fresh", **ANN, branch=0)).result())
        assert users(model.requests[-1]) == ["fresh"]
        last = await soon((await gateway.start("last", **ANN)).result())
        assert users(model.requests[-1]) == ["hi", "later", "last"]
    log = (await stored(tmp_path, agent, "t", "ann"))["entries"]
    of = {entry["body"]["text"]: entry for entry in log if entry["kind"] == "user"}
    assert of["aside"]["branch"] == of["more"]["branch"] != of["hi"]["branch"]
    assert of["fresh"]["branch"] not in (of["aside"]["branch"], of["hi"]["branch"])
    assert of["last"]["branch"] == of["hi"]["branch"]
    assert [more.entry, fresh.entry, last.entry] == sorted([more.entry, fresh.entry, last.entry])
    assert later.entry > hi.entry


@pytest.mark.parametrize("strategy", ["reject", "rollback", "interrupt", "enqueue", "steer"])
async def test_it_occupies_nothing_and_waits_for_nobody(tmp_path: Path, strategy: str):
    agent, model = worker()
    async with program(tmp_path, agent) as gateway:
        hi = await soon((await gateway.start("hi", **ANN)).result())
        main = await gateway.start("work", **ANN)
        await asyncio.sleep(1)
        aside = await gateway.start(
            "work aside", **ANN, branch=hi.entry - 1, multitask_strategy=strategy
        )
        await asyncio.sleep(1)
        assert len(model.requests) == 3, "both are on"
        assert (await soon(main.result())).status == "completed"
        busy = await gateway.start("next", **ANN, multitask_strategy="reject")
        assert (await soon(busy.result())).text == "done next"
        assert (await soon(aside.result())).text == "after worked"
        assert users(model.requests[-1]) == ["hi", "work aside"]


@pytest.mark.parametrize("named", ["the run", "the message"])
async def test_a_branch_that_was_named_is_kept_by_a_rollback(tmp_path: Path, named: str):
    agent, model = worker()
    async with program(tmp_path, agent) as gateway:
        hi = await soon((await gateway.start("hi", **ANN)).result())
        branch = hi.entry if named == "the run" else None
        wrong = await gateway.start("work wrong", **ANN, branch=branch)
        await asyncio.sleep(1)
        tip = None
        if named == "the message":
            tip = hi.entry + 2  # its message and its call
        right = await gateway.start("right", **ANN, branch=tip, multitask_strategy="rollback")
        assert (await soon(wrong.result())).reason == "NOW_PRIORITY_INPUT"
        assert (await soon(right.result())).text == "done right"
        assert [text for kind, text in messages(model.requests[-1]) if kind == "user"] == [
            "hi",
            "work wrong",
            "right",
        ]
        await soon((await gateway.start("more", **ANN)).result())
        assert users(model.requests[-1]) == ["hi", "work wrong", "right", "more"]


@pytest.mark.parametrize("branch", [99, -1])
async def test_an_unknown_branch_is_refused(tmp_path: Path, branch: int):
    agent, model = worker()
    async with program(tmp_path, agent) as gateway:
        await soon((await gateway.start("hi", **ANN)).result())
        await soon((await gateway.start("hi", thread="u", principal="ann")).result())
        with pytest.raises(ValidationFailed):
            await gateway.start("aside", **ANN, branch=branch)
        with pytest.raises(ValidationFailed):
            await gateway.start("aside", branch=branch)
        assert len(model.requests) == 2
    assert len((await stored(tmp_path, agent, "t", "ann"))["inputs"]) == 1


async def test_its_question_is_answered_and_the_conversation_goes_on_beside(tmp_path: Path):
    agent, model = worker()
    async with program(tmp_path, agent) as gateway:
        hi = await soon((await gateway.start("hi", **ANN)).result())
        await soon((await gateway.start("later", **ANN)).result())
        aside = await gateway.start("ask aside", **ANN, branch=hi.entry)
        (question,) = (await soon(aside.result())).interrupts
        main = await soon((await gateway.start("a new sentence of mine", **ANN)).result())
        assert main.text == "done a new sentence of mine"
        again = await gateway.resume("t", {question.id: True}, principal="ann")
        assert (await soon(again.result())).text == "after True"
        assert users(model.requests[-1]) == ["hi", "ask aside"]
    async with program(tmp_path, agent) as gateway:
        await soon((await gateway.start("last", **ANN)).result())
        assert users(model.requests[-1]) == ["hi", "later", "a new sentence of mine", "last"]


async def test_it_is_no_turn_of_the_conversation(tmp_path: Path):
    agent, model = worker()
    async with program(tmp_path, agent) as gateway:
        hi = await soon((await gateway.start("hi", **ANN)).result())
        late = await gateway.start("talk late", **ANN)
        await asyncio.sleep(1.5)
        await late.stop()
        assert (await soon(late.result())).status == "interrupted"
        await soon((await gateway.start("aside", **ANN, branch=hi.entry)).result())
    async with program(tmp_path, agent) as gateway:
        again = await gateway.retry("t", principal="ann")
        assert (await soon(again.result())).status == "completed"
        assert users(model.requests[-1]) == ["hi", "talk late"]
        turn = await gateway.rewind_last_turn("t", principal="ann")
        assert turn.text == "talk late"
