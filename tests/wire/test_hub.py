"""The hub: what is shown is what was written, clients stay in step, a slow one delays nobody."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from gateway.channels.hub import Client, Hub
from gateway.core.interrupts import Decision, Interrupt, QuestionKind, Status, Way
from gateway.ports.channel import (
    Channel,
    Delivery,
    Notice,
    Prompt,
    Sent,
    TextRef,
    Update,
)
from gateway.ports.rows import PromptRow
from gateway.supervise import Supervisor
from gateway.wire import Last
from tests.builders import START, CountingIds, LoopClock
from tests.fakes.transport import FakeTransport

REF = TextRef("t", "r1", 0)
pytestmark = pytest.mark.looptime


class Bench:
    """A hub with its clients."""

    def __init__(self) -> None:
        self.failed: list[tuple[str, BaseException]] = []
        self.supervisor = Supervisor(lambda where, error: self.failed.append((where, error)))
        self.hub = Hub("terminal", clock=LoopClock(), ids=CountingIds(), supervisor=self.supervisor)
        self.came: list[tuple[str, str]] = []
        self.hub.on_client = lambda thread, principal: self.came.append((thread, principal))

    async def client(
        self,
        principal: str = "ann",
        thread: str = "t",
        language: str = "en",
        *,
        takes: int | None = None,
        last: Last | None = None,
    ) -> tuple[Client, FakeTransport]:
        transport = FakeTransport(takes=takes)
        client = self.hub.join(transport, principal, thread, language)
        self.hub.open(client, last, {"thread": thread})
        await settle()
        return client, transport


async def settle() -> None:
    await asyncio.sleep(0.001)


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    bench = Bench()
    yield bench
    bench.hub.close_all("shutdown")
    assert await bench.supervisor.settle(20) == 0
    assert bench.failed == []


def a_question(principal: str = "ann", message: str = "Which region?") -> Interrupt:
    return Interrupt(
        id="q1",
        run="r1",
        kind=QuestionKind.INPUT,
        ordinal=0,
        message=message,
        schema={"enum": ["eu", "us"]},
        tool_call_id="c1",
        tool_name="deploy",
        arguments_digest="d" * 64,
        principals=(principal,),
        created_at=START,
    )


def a_prompt(principal: str = "ann", thread: str = "t", chat: str = "") -> Prompt:
    row = PromptRow(
        question="q1",
        thread=thread,
        channel="terminal",
        chat=chat or thread,
        principal=principal,
        token=f"token-{principal}",
    )
    return Prompt(row, a_question(principal), "1. eu, 2. us", "en")


def last_of(transport: FakeTransport) -> Last:
    seqs = [frame["seq"] for frame in transport.frames if "seq" in frame]
    welcome = transport.of_type("welcome")[0]["data"]
    return Last(boot=welcome["boot"], seq=max([welcome["seq"], *seqs]))


# -- shown -----------------------------------------------------------------------------------------


async def test_nothing_is_shown_without_a_client(bench: Bench):
    channel: Channel = bench.hub
    channel.show(REF, "Hello", final=False)
    assert channel.shown(REF).text == ""
    assert channel.capabilities.durable


async def test_shown_is_what_was_written_not_what_waits(bench: Bench):
    _, transport = await bench.client(takes=2)  # the welcome and one frame
    bench.hub.show(REF, "Hello", final=False)
    assert bench.hub.shown(REF).text == ""
    await settle()
    bench.hub.show(REF, "Hello there", final=False)
    await settle()
    assert bench.hub.shown(REF).text == "Hello"
    transport.take()
    await settle()
    assert bench.hub.shown(REF).text == "Hello there"


async def test_the_furthest_client_counts(bench: Bench):
    await bench.client(takes=1)
    _, fast = await bench.client()
    bench.hub.show(REF, "Hello", final=False)
    await settle()
    assert bench.hub.shown(REF).text == "Hello"
    assert fast.text("r1") == "Hello"


async def test_a_half_written_text_is_not_shown(bench: Bench):
    _, transport = await bench.client(takes=1)
    bench.hub.show(REF, "Hello", final=False)
    await settle()
    transport.die()
    await settle()
    assert bench.hub.shown(REF).text == ""
    assert bench.hub.count() == 0


async def test_after_a_cut_nothing_more_is_revealed_and_the_end_repairs(bench: Bench):
    _, transport = await bench.client(takes=2)
    bench.hub.show(REF, "Hello", final=False)
    await settle()
    bench.hub.show(REF, "Hello there", final=False)
    await settle()  # in flight: neither written nor withdrawn
    assert bench.hub.cut(REF).text == "Hello"
    bench.hub.show(REF, "Hello there, friend", final=True)
    transport.take()
    await settle()
    assert bench.hub.shown(REF).text == "Hello"
    bench.hub.close(REF, "Hello", "USER_SIGINT")
    await settle()
    assert transport.text("r1") == "Hello"
    assert transport.of_type("closed")[0]["data"]["reason"] == "USER_SIGINT"
    assert "friend" not in str(transport.frames)


async def test_the_latest_text_wins_while_a_client_reads_slowly(bench: Bench):
    _, transport = await bench.client(takes=1)
    for length in range(1, 300):
        bench.hub.show(REF, "x" * length, final=length == 299)
        await asyncio.sleep(0)
    transport.take()
    await settle()
    assert transport.text("r1") == "x" * 299
    assert len(transport.of_type("text")) <= 2
    assert transport.of_type("text")[-1]["data"]["final"] is True


async def test_a_text_that_began_anew_goes_on_from_what_both_share(bench: Bench):
    _, transport = await bench.client()
    bench.hub.show(REF, "Hello there", final=False)
    await settle()
    bench.hub.show(REF, "Hello Ann", final=False)
    assert bench.hub.shown(REF).text == "Hello "
    await settle()
    assert transport.text("r1") == bench.hub.shown(REF).text == "Hello Ann"


# -- clients ---------------------------------------------------------------------------------------


async def test_the_welcome_comes_first_and_nothing_is_missed_while_it_is_made(bench: Bench):
    transport = FakeTransport()
    client = bench.hub.join(transport, "ann", "t", "en")
    bench.hub.update(Update("t", "mode", {"mode": "steer", "source": "thread"}))
    await settle()
    assert transport.frames == []
    bench.hub.open(client, None, {"thread": "t"})
    await settle()
    assert transport.types == ["welcome", "mode"]
    assert transport.frames[0]["data"]["snapshot"] == {"thread": "t"}
    assert transport.frames[1]["seq"] > transport.frames[0]["data"]["seq"]
    assert bench.came == [("t", "ann")]


async def test_who_may_not_look_sees_nothing(bench: Bench):
    transport = FakeTransport()
    client = bench.hub.join(transport, "eve", "t", "en")
    bench.hub.update(Update("t", "mode", {"mode": "steer"}))
    bench.hub.leave(client)
    await settle()
    assert transport.frames == []
    assert transport.aborted
    assert bench.hub.count() == 0


async def test_two_clients_of_a_thread_stay_in_step(bench: Bench):
    _, one = await bench.client()
    bench.hub.show(REF, "He", final=False)
    await settle()
    _, two = await bench.client()
    bench.hub.show(REF, "Hello", final=True)
    bench.hub.update(Update("t", "run", {"run": "r1", "state": "delivering"}))
    bench.hub.close(REF, "Hello", None)
    await settle()
    assert one.text("r1") == two.text("r1") == "Hello"
    assert one.types[-2:] == two.types[-2:] == ["run", "closed"]


async def test_other_threads_hear_nothing(bench: Bench):
    _, transport = await bench.client(thread="other")
    bench.hub.show(REF, "Hello", final=False)
    bench.hub.tell(Notice("t", "NOTHING_TO_STOP"))
    await settle()
    assert transport.types == ["welcome"]


async def test_a_notice_reaches_whom_it_is_for_in_their_own_language(bench: Bench):
    _, ann = await bench.client("ann", language="ru")
    _, bob = await bench.client("bob")
    bench.hub.tell(Notice("t", "THREAD_BUSY", {}, to="ann", language="en"))
    bench.hub.tell(Notice("t", "NOTHING_TO_STOP", {}))
    await settle()
    assert [n["data"]["code"] for n in ann.of_type("notice")] == ["THREAD_BUSY", "NOTHING_TO_STOP"]
    assert [n["data"]["text"] for n in bob.of_type("notice")] == ["Nothing is running."]
    assert ann.of_type("notice")[1]["data"]["text"] == "Ничего не выполняется."


async def test_a_client_that_never_reads_is_cut_off_and_delays_nobody(bench: Bench):
    client, slow = await bench.client(takes=1)
    _, fast = await bench.client()
    bench.hub.show(REF, "Hello", final=False)
    await settle()
    assert fast.text("r1") == "Hello"
    await asyncio.sleep(11)
    assert slow.aborted
    assert client.outbox.why == "slow"
    assert bench.hub.count("t") == 1


async def test_too_much_waiting_cuts_a_client_off(bench: Bench):
    client, slow = await bench.client(takes=1)
    for _ in range(60):
        bench.hub.tell(Notice("t", "X", {"filler": "x" * 100_000}))
    assert client.outbox.why == "slow"
    await settle()
    assert slow.aborted


async def test_goodbye_is_said_after_what_waits(bench: Bench):
    _, transport = await bench.client()
    bench.hub.tell(Notice("t", "NOTHING_TO_STOP"))
    bench.hub.close_all("shutdown")
    await settle()
    assert transport.types == ["welcome", "notice", "bye"]
    assert transport.aborted


# -- resume ----------------------------------------------------------------------------------------


async def test_a_client_goes_on_where_it_was(bench: Bench):
    client, before = await bench.client()
    bench.hub.show(REF, "He", final=False)
    bench.hub.tell(Notice("t", "NOTHING_TO_STOP"))
    await settle()
    bench.hub.leave(client)
    bench.hub.tell(Notice("t", "THREAD_BUSY", to="ann"))
    bench.hub.tell(Notice("t", "QUEUE_FULL", to="bob"))
    bench.hub.show(REF, "Hello", final=True)
    _, after = await bench.client(last=last_of(before))
    assert after.of_type("welcome")[0]["data"]["resumed"] is True
    assert "snapshot" not in after.of_type("welcome")[0]["data"]
    assert [n["data"]["code"] for n in after.of_type("notice")] == ["THREAD_BUSY"]
    assert after.text("r1") == "Hello"


async def test_another_boot_or_a_gap_gets_a_snapshot(bench: Bench):
    client, before = await bench.client()
    last = last_of(before)
    bench.hub.leave(client)
    _, other_boot = await bench.client(last=Last(boot="other", seq=last.seq))
    assert other_boot.of_type("welcome")[0]["data"]["snapshot"] == {"thread": "t"}
    for _ in range(600):
        bench.hub.tell(Notice("t", "NOTHING_TO_STOP"))
        await asyncio.sleep(0)
    _, gap = await bench.client(last=last)
    assert gap.of_type("welcome")[0]["data"]["resumed"] is False


async def test_numbers_go_on_growing_after_a_restart(bench: Bench):
    _, before = await bench.client()
    bench.hub.tell(Notice("t", "NOTHING_TO_STOP"))
    await settle()
    clock = LoopClock(START + timedelta(seconds=1))
    again = Hub("terminal", clock=clock, ids=CountingIds(9), supervisor=bench.supervisor)
    transport = FakeTransport()
    again.open(again.join(transport, "ann", "t", "en"), last_of(before), {})
    await settle()
    welcome = transport.of_type("welcome")[0]["data"]
    assert welcome["resumed"] is False
    assert welcome["seq"] > last_of(before).seq
    again.close_all("shutdown")


# -- questions -------------------------------------------------------------------------------------


async def ask(bench: Bench, prompt: Prompt) -> "asyncio.Task[Sent]":
    task = bench.supervisor.spawn(bench.hub.ask(prompt), name="ask")
    await settle()
    return task


async def test_nobody_there_nobody_asked(bench: Bench):
    await bench.client("bob")
    assert (await bench.hub.ask(a_prompt("ann"))).delivery is Delivery.NOBODY


async def test_a_question_is_confirmed_once_written_to_the_person_asked(bench: Bench):
    _, ann = await bench.client("ann", takes=1)
    _, bob = await bench.client("bob")
    task = await ask(bench, a_prompt("ann"))
    assert not task.done()
    ann.take()
    sent = await task
    assert sent.delivery is Delivery.CONFIRMED
    frame = ann.of_type("question")[0]
    assert (sent.seq, sent.message_ref) == (frame["seq"], "token-ann")
    assert frame["data"]["token"] == "token-ann"
    assert frame["data"]["form"] == "1. eu, 2. us"
    assert "argumentsDigest" not in str(frame)
    assert bob.of_type("question") == []


async def test_one_of_two_clients_is_enough(bench: Bench):
    _, stuck = await bench.client("ann", takes=1)
    await bench.client("ann")
    task = await ask(bench, a_prompt("ann"))
    assert (await task).delivery is Delivery.CONFIRMED
    assert stuck.of_type("question") == []


async def test_a_client_that_dies_before_it_was_written_leaves_the_question_waiting(bench: Bench):
    _, transport = await bench.client("ann", takes=1)
    task = await ask(bench, a_prompt("ann"))
    transport.die()
    assert (await task).delivery is Delivery.NOBODY


async def test_a_client_that_hangs_leaves_the_outcome_unknown_within_ten_seconds(bench: Bench):
    await bench.client("ann", takes=1)
    began = asyncio.get_running_loop().time()
    sent = await bench.hub.ask(a_prompt("ann"))
    assert sent.delivery in (Delivery.UNKNOWN, Delivery.NOBODY)
    assert asyncio.get_running_loop().time() - began <= 10.1


async def test_an_approver_is_asked_where_they_are(bench: Bench):
    _, home = await bench.client("boss", thread="terminal:boss")
    _, person = await bench.client("ann")
    sent = await bench.hub.ask(a_prompt("boss", chat="terminal:boss"))
    assert sent.delivery is Delivery.CONFIRMED
    assert len(home.of_type("question")) == 1
    assert person.of_type("question") == []


async def test_a_decided_question_folds_for_its_reader(bench: Bench):
    _, ann = await bench.client("ann")
    _, bob = await bench.client("bob")
    prompt = a_prompt("ann")
    decision = Decision(status=Status.ANSWERED, how=Way.BUTTON, value="eu", by="ann")
    bench.hub.withdraw(prompt.row, prompt.question.decide(decision, START))
    await settle()
    assert ann.of_type("folded")[0]["data"]["question"]["status"] == "answered"
    assert bob.of_type("folded") == []


async def test_an_idle_hub_keeps_nothing(bench: Bench):
    client, _ = await bench.client()
    bench.hub.show(REF, "Hello", final=True)
    bench.hub.close(REF, "Hello", None)
    bench.hub.show(TextRef("t", "r2", 0), "Hello", final=False)
    bench.hub.update(Update("t", "run", {"run": "r2", "state": "ended"}))
    bench.hub.leave(client)
    await settle()
    held: dict[str, Any] = {"texts": bench.hub._texts, "clients": bench.hub._clients}
    assert held == {"texts": {}, "clients": {}}
