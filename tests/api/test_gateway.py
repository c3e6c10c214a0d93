"""`Gateway`, as a program uses it."""

from __future__ import annotations

import asyncio
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, Gateway, RunOptions, ToolContext, tool
from gateway.core.errors import (
    AccessDenied,
    AlreadyDecided,
    AnswerInvalid,
    GatewayError,
    InterruptExpired,
    NotFound,
    RunNotPaused,
    ThreadBusy,
    ValidationFailed,
)
from gateway.settings import Settings
from gateway.settings.models import AccessSettings
from tests.builders import LoopClock
from tests.flows.asking import REGION, REPLICAS, asker
from tests.flows.desk import Script, call

pytestmark = pytest.mark.looptime


def a_gateway(path: Path, model: Script, *tools: Any, **options: Any) -> Gateway:
    agent = Agent("tester", model, "Be brief.", tools, **options)
    return Gateway(path / "a.db", agent=agent, clock=LoopClock(), log=StringIO())


async def test_a_message_is_answered_and_the_thread_goes_on(tmp_path: Path) -> None:
    model = Script(["hello"], ["again"])
    async with a_gateway(tmp_path, model) as gateway:
        one = await (await gateway.start("hi", thread="t")).result()
        assert (one.status, one.text, one.thread) == ("completed", "hello", "t")
        two = await (await gateway.start("and?", thread="t")).result()
        assert (two.status, two.text) == ("completed", "again")
    assert len(model.requests[1].messages) == 3


async def test_a_run_pauses_and_is_resumed_after_a_restart(tmp_path: Path) -> None:
    ask = asker("Where?", REGION)
    async with a_gateway(tmp_path, Script([call("ask")]), ask) as gateway:
        paused = await (await gateway.start("go", thread="t")).result()
        assert paused.status == "paused"
        (question,) = paused.interrupts
    async with a_gateway(tmp_path, Script(["fine"]), ask) as gateway:
        waits = await gateway.paused_run("t")
        assert waits is not None
        assert (waits.run, waits.interrupts[0].id) == (paused.run, question.id)
        handle = await gateway.resume("t", {question.id: "eu"})
        done = await handle.result()
        assert (done.status, done.text, done.run) == ("completed", "fine", paused.run)
        assert await gateway.paused_run("t") is None


async def two(path: Path) -> tuple[Gateway, Script]:
    one, other = asker("Where?", REGION, "one"), asker("How many?", REPLICAS, "two")
    model = Script([call("one"), call("two")], ["fine"])
    return a_gateway(path, model, one, other, parallel_tool_calls=True), model


async def test_a_partial_resume_waits_for_the_rest(tmp_path: Path) -> None:
    gateway, model = await two(tmp_path)
    async with gateway:
        first = await (await gateway.start("go", thread="t")).result()
        where, many = first.interrupts
        again = await (await gateway.resume("t", {where.id: "eu"})).result()
        assert (again.status, [q.id for q in again.interrupts]) == ("paused", [many.id])
        assert again.interrupts[0].expires_at == many.expires_at
        assert len(model.requests) == 1
        done = await (await gateway.resume("t", {many.id: 3})).result()
        assert done.status == "completed"


async def test_a_resume_takes_all_answers_or_none(tmp_path: Path) -> None:
    gateway, _ = await two(tmp_path)
    async with gateway:
        first = await (await gateway.start("go", thread="t")).result()
        where, many = first.interrupts
        with pytest.raises(AnswerInvalid) as wrong:
            await gateway.resume("t", {where.id: "eu", many.id: 7})
        assert wrong.value.params["interruptId"] == many.id
        with pytest.raises(ValidationFailed):
            await gateway.resume("t", {where.id: "eu", "q-unknown": 1})
        with pytest.raises(ValidationFailed):
            await gateway.resume("t", {})
        with pytest.raises(AccessDenied):
            await gateway.resume("t", {where.id: "eu"}, principal="somebody")
        waits = await gateway.paused_run("t")
        assert waits is not None
        assert len(waits.interrupts) == 2


async def test_three_resumes_at_once_and_a_contradiction(tmp_path: Path) -> None:
    ran: list[int] = []

    @tool
    async def ask(context: ToolContext) -> str:
        """Asks."""
        answer = await context.interrupt(message="Where?", response_schema=REGION)
        ran.append(1)
        return str(answer)

    async with a_gateway(tmp_path, Script([call("ask")], ["fine"]), ask) as gateway:
        (question,) = (await (await gateway.start("go", thread="t")).result()).interrupts
        answer = {question.id: "eu"}
        handles = [asyncio.ensure_future(gateway.resume("t", answer)) for _ in range(3)]
        conflict = asyncio.ensure_future(gateway.resume("t", {question.id: "us"}))
        for handle in handles:
            assert (await (await handle).result()).status == "completed"
        with pytest.raises(AlreadyDecided):
            await conflict
        with pytest.raises(AlreadyDecided):
            await gateway.resume("t", {question.id: "us"})
        assert (await (await gateway.resume("t", answer)).result()).status == "completed"
        with pytest.raises(RunNotPaused):
            await gateway.resume("t", {"q-unknown": "eu"})
    assert len(ran) == 1


async def test_an_answer_after_the_expiry(tmp_path: Path) -> None:
    ask = asker("Where?", REGION, expires_in=60)
    async with a_gateway(tmp_path, Script([call("ask")], ["fine"]), ask) as gateway:
        (question,) = (await (await gateway.start("go", thread="t")).result()).interrupts
        await asyncio.sleep(60)
        with pytest.raises(InterruptExpired):
            await gateway.resume("t", {question.id: "eu"})


async def test_a_pause_is_cancelled(tmp_path: Path) -> None:
    model = Script([call("ask")], ["fine"])
    async with a_gateway(tmp_path, model, asker("Where?", REGION)) as gateway:
        handle = await gateway.start("go", thread="t")
        await handle.result()
        assert await gateway.cancel_pause("t", reason="no longer needed") == 1
        result = await handle.result()
        assert (result.status, result.reason) == ("interrupted", "USER_SIGINT")
        with pytest.raises(RunNotPaused):
            await gateway.cancel_pause("t")
    assert len(model.requests) == 1


async def test_a_text_answers_too_and_an_unclear_one_is_refused(tmp_path: Path) -> None:
    async with a_gateway(tmp_path, Script([call("ask")], ["fine"]), asker("Ok?", bool)) as gateway:
        first = await gateway.start("go", thread="t")
        await first.result()
        with pytest.raises(AnswerInvalid):
            await gateway.start("maybe", thread="t")
        result = await (await gateway.start("yes", thread="t")).result()
        assert (result.status, result.run) == ("completed", first.run)


async def test_strategies_and_priorities(tmp_path: Path) -> None:
    model = Script(["one", 5.0, "!"], ["two"], ["three"], ["four"])
    async with a_gateway(tmp_path, model) as gateway:
        slow = await gateway.start("slow", thread="t")
        await asyncio.sleep(1)
        waits = await gateway.start("waits", thread="t")
        assert waits.run == ""
        with pytest.raises(ThreadBusy):
            await gateway.start("no", thread="t", multitask_strategy="reject")
        with pytest.raises(ValidationFailed):
            await gateway.start("no", thread="t", multitask_strategy="never")
        with pytest.raises(ValidationFailed):
            await gateway.start("no", thread="t", priority="asap")
        cut = await gateway.start("do this", thread="t", multitask_strategy="interrupt")
        stopped = await slow.result()
        assert (stopped.status, stopped.text, stopped.reason) == (
            "interrupted",
            "one",
            "NOW_PRIORITY_INPUT",
        )
        assert (await cut.result()).text == "two"
        assert (await waits.result()).text == "three"
        now = await gateway.start("now", thread="t", priority="now")
        assert (await now.result()).status == "completed"


async def test_the_handle_of_a_run_that_is_on(tmp_path: Path) -> None:
    @tool
    async def work(context: ToolContext) -> str:
        """Works for 2 s."""
        await asyncio.sleep(2)
        return "worked"

    model = Script([call("work")], ["done"], ["more"])
    async with a_gateway(tmp_path, model, work) as gateway:
        handle = await gateway.start("go", thread="t")
        await asyncio.sleep(1)
        assert handle.steer("and quickly")
        assert handle.follow_up("then this")
        result = await handle.result()
        assert (result.status, result.text, result.undelivered) == ("completed", "more", ())
        assert not handle.steer("too late")
        handle = await gateway.start("go", thread="t")
        await asyncio.sleep(0.1)
        await handle.stop()
        assert (await handle.result()).status in ("completed", "interrupted")
    assert [m.text for m in model.requests[1].messages if hasattr(m, "text")][-1] == "and quickly"


async def test_what_a_pause_and_an_abort_give_back(tmp_path: Path) -> None:
    @tool
    async def ask(context: ToolContext) -> str:
        """Asks after 2 s."""
        await asyncio.sleep(2)
        return str(await context.interrupt(message="Where?", response_schema=REGION))

    async with a_gateway(tmp_path, Script([call("ask")], ["fine"]), ask) as gateway:
        handle = await gateway.start("go", thread="t")
        await asyncio.sleep(1)
        assert handle.follow_up("later")
        paused = await handle.result()
        assert (paused.status, paused.undelivered) == ("paused", ("later",))
        assert not handle.steer("now?")
    async with a_gateway(tmp_path, Script([call("ask")], ["fine"]), ask) as gateway:
        handle = await gateway.start("go", thread="u")
        await asyncio.sleep(1)
        assert handle.steer("never")
        assert await handle.abort() == ["never"]
        assert not handle.inject("x")
        assert (await handle.result()).status == "interrupted"


async def test_retry(tmp_path: Path) -> None:
    broken: list[Any] = [ConnectionError("down")]
    async with a_gateway(tmp_path, Script(broken, ["fine"])) as gateway:
        failed = await (await gateway.start("go", thread="t")).result()
        assert (failed.status, failed.error) == ("failed", "INTERNAL_ERROR")
        again = await (await gateway.retry("t")).result()
        assert (again.status, again.text) == ("completed", "fine")
        with pytest.raises(NotFound):
            await gateway.retry("t")


async def test_the_last_turn_is_taken_back(tmp_path: Path) -> None:
    model = Script(["one"], ["two"], ["three"])
    async with a_gateway(tmp_path, model) as gateway:
        await (await gateway.start("first", thread="t")).result()
        await (await gateway.start("second", thread="t")).result()
        with pytest.raises(AccessDenied):
            await gateway.rewind_last_turn("t", principal="somebody")
        assert (await gateway.rewind_last_turn("t")).text == "second"
        await (await gateway.start("third", thread="t")).result()
        said = [getattr(m, "text", "") for m in model.requests[2].messages]
        assert said == ["first", "one", "third"]
        assert (await gateway.rewind_last_turn("t")).text == "third"
        assert (await gateway.rewind_last_turn("t")).text == "first"
        with pytest.raises(NotFound):
            await gateway.rewind_last_turn("t")


async def test_without_a_thread_the_run_is_in_memory(tmp_path: Path) -> None:
    model = Script([call("ask")], ["fine"], ["x", 100.0])
    async with a_gateway(tmp_path, model, asker("Where?", REGION)) as gateway:
        handle = await gateway.start("go")
        paused = await handle.result()
        assert paused.status == "paused"
        with pytest.raises(AnswerInvalid) as wrong:
            handle.resume({paused.interrupts[0].id: "mars"})  # type: ignore[union-attr]
        assert wrong.value.params["interruptId"] == paused.interrupts[0].id
        with pytest.raises(ValidationFailed):
            handle.resume({"q-unknown": "us"})  # type: ignore[union-attr]
        handle.resume({paused.interrupts[0].id: "us"})  # type: ignore[union-attr]
        done = await handle.result()
        assert (done.status, done.text, done.thread) == ("completed", "fine", "")
        endless = await gateway.start("go", options=RunOptions(timeout_seconds=50))
        await asyncio.sleep(1)
        await endless.stop()
        stopped = await endless.result()
        assert (stopped.status, stopped.reason) == ("cancelled", "TASK_CANCELLED")


async def test_a_thread_is_its_person_s(tmp_path: Path) -> None:
    async with a_gateway(tmp_path, Script(["hi"])) as gateway:
        await (await gateway.start("hi", thread="t", principal="ann")).result()
        with pytest.raises(GatewayError) as refused:
            await gateway.start("hi", thread="t", principal="bob")
        assert refused.value.code == "THREAD_ACCESS_DENIED"


async def test_an_approver_decides_in_a_thread_that_is_not_theirs(tmp_path: Path) -> None:
    ask = asker("Refund?", None, kind="approval", to="approvers")
    agent = Agent("tester", Script([call("ask")], ["fine"]), tools=[ask])
    settings = Settings(access=AccessSettings(approvers=("boss",)))
    gateway = Gateway(
        tmp_path / "a.db", agent=agent, settings=settings, clock=LoopClock(), log=StringIO()
    )
    async with gateway:
        handle = await gateway.start("refund me", thread="t", principal="ann")
        (question,) = (await handle.result()).interrupts
        yes: dict[str, Any] = {question.id: {"approved": True}}
        for other in ("ann", "bob"):
            with pytest.raises(AccessDenied):
                await gateway.resume("t", yes, principal=other)
        with pytest.raises(AccessDenied):
            await gateway.paused_run("t", principal="bob")
        waits = await gateway.paused_run("t", principal="boss")
        assert waits is not None
        result = await (await gateway.resume("t", yes, principal="boss")).result()
        assert result.status == "completed"
