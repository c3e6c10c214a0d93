"""The queue from the chat: caps, bursts, what waits, and whose it is."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway.access import Access
from gateway.core.messages import Attachment, ToolResult, UserMessage
from gateway.core.queueing import Drop, Mode, Priority
from gateway.policy import Policy
from gateway.ports.rows import InputKind, Outcome
from tests.fakes.channel import FakeChannel
from tests.flows.desk import Desk, agent_of, open_desk
from tests.flows.watching import TOOLS, model, most_at_once, users

pytestmark = pytest.mark.looptime


async def desk_of(
    tmp_path: Path, policy: Policy, *, channels: dict[str, FakeChannel] | None = None
) -> Desk:
    named = channels or {"fake": FakeChannel("fake", share=1.0)}
    access = Access(open_channels=named, admins=("root",))
    agent = agent_of(model(), *TOOLS)
    return await open_desk(tmp_path / "a.db", agent, policy=policy, access=access, channels=named)


async def history_texts(desk: Desk) -> list[str]:
    return [m.text for m in await desk.history() if isinstance(m, UserMessage)]


# -- the cap ---------------------------------------------------------------------------------------


async def test_the_newest_is_refused_over_the_cap(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(mode=Mode.ENQUEUE, cap=3))
    await desk.say("work")
    await desk.settle(1)
    said = [await desk.say(f"m{n}") for n in range(5)]
    await desk.settle(20)
    got = [await desk.outcome(receipt) for receipt in said]
    assert got == [Outcome.ANSWERED] * 3 + [Outcome.DROPPED] * 2
    assert [n.params["count"] for n in desk.told("QUEUE_FULL")] == [1, 2]
    await desk.close()


async def test_the_oldest_gives_way(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(mode=Mode.ENQUEUE, cap=3, drop=Drop.DROP_OLDEST))
    await desk.say("work")
    await desk.settle(1)
    said = [await desk.say(f"m{n}") for n in range(5)]
    await desk.settle(20)
    got = [await desk.outcome(receipt) for receipt in said]
    assert got == [Outcome.DROPPED] * 2 + [Outcome.ANSWERED] * 3
    assert [n.params["count"] for n in desk.told("DROPPED_OLDEST")] == [1, 2]
    await desk.close()


async def test_a_full_queue_is_shortened_and_stays_readable(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(mode=Mode.ENQUEUE, cap=3, drop=Drop.SUMMARIZE))
    picture = Attachment("sha", "image/png", "p.png", 3)
    await desk.say("work")
    await desk.settle(1)
    said = [await desk.say("x" * 70)]
    said += [await desk.say(f"m{n}", attachments=(picture,)) for n in range(1, 8)]
    await desk.settle(30)
    got = [await desk.outcome(receipt) for receipt in said]
    assert got.count(Outcome.MERGED) == 6
    assert got.count(Outcome.ANSWERED) == 2
    texts = await history_texts(desk)
    lines = ["[7 messages, shortened]", "- " + "x" * 60, *(f"- m{n}" for n in range(1, 7))]
    assert texts == ["work", "\n".join(lines), "m7"]
    kept = [m for m in await desk.history() if isinstance(m, UserMessage)]
    assert kept[1].attachments == (picture,) * 6
    assert [n.params["count"] for n in desk.told("SUMMARIZED")] == [3, 5, 7]
    await desk.close()


async def test_one_persons_cap_is_not_anothers(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(shared_mode=Mode.ENQUEUE, cap=1))
    await desk.share()
    await desk.say("work")
    await desk.settle(1)
    ann = [await desk.say("a1"), await desk.say("a2")]
    bob = await desk.say("b1", by="bob")
    await desk.settle(20)
    assert [await desk.outcome(r) for r in (*ann, bob)] == [
        Outcome.ANSWERED,
        Outcome.DROPPED,
        Outcome.ANSWERED,
    ]
    await desk.close()


async def test_now_is_never_over_the_cap(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(mode=Mode.ENQUEUE, cap=1))
    await desk.say("work")
    await desk.settle(1)
    waits = await desk.say("later")
    now = await desk.say("now", override=Priority.NOW)
    await desk.settle(20)
    assert await desk.outcome(now) is Outcome.ANSWERED
    assert await desk.outcome(waits) is Outcome.ANSWERED
    assert (await history_texts(desk)) == ["work", "now", "later"]
    await desk.close()


# -- bursts ----------------------------------------------------------------------------------------


async def test_a_burst_to_an_idle_thread_is_one_run(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(debounce_ms=300))
    said = []
    for text in ("one", "two", "three"):
        said.append(await desk.say(text))
        await desk.settle(0.1)
    await desk.settle(5)
    assert [await desk.outcome(r) for r in said] == [
        Outcome.ANSWERED,
        Outcome.MERGED,
        Outcome.MERGED,
    ]
    assert len(desk.channel.texts()) == 1
    assert await history_texts(desk) == ["one", "two", "three"]
    await desk.close()


async def test_a_typist_who_never_pauses_waits_the_longest_wait_once(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(debounce_ms=300, debounce_longest_ms=1_000))
    started = asyncio.get_running_loop().time()
    while not desk.channel.texts():
        await desk.say("more")
        await desk.settle(0.2)
        assert asyncio.get_running_loop().time() - started < 2.5
    assert 1.0 <= asyncio.get_running_loop().time() - started < 1.5
    await desk.settle(5)
    await desk.close()


async def test_commands_stops_and_now_never_wait_for_a_burst(tmp_path: Path) -> None:
    policy = Policy(mode=Mode.ENQUEUE, debounce_ms=2_000, debounce_longest_ms=9_000)
    desk = await desk_of(tmp_path, policy)
    one = await desk.say("one")
    status = await desk.say("/status")
    await desk.settle(0.1)
    assert await desk.outcome(status) is Outcome.HANDLED
    now = await desk.say("right now", override=Priority.NOW)
    await desk.settle(0.5)
    assert await desk.outcome(now) is Outcome.ANSWERED
    stop = await desk.say("stop")
    await desk.settle(0.1)
    assert await desk.outcome(stop) is Outcome.HANDLED
    assert await desk.outcome(one) is Outcome.RETURNED
    assert len(desk.told("STOPPED")) == 1
    await desk.settle(20)
    assert await history_texts(desk) == ["right now"]
    await desk.close()


async def test_an_answer_never_waits_for_a_burst(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(debounce_ms=2_000))
    await desk.say("ask")
    await desk.settle(4)
    yes = await desk.say("yes")
    await desk.settle(0.1)
    assert await desk.outcome(yes) is Outcome.DECIDED
    await desk.close()


async def test_bursts_of_two_people_are_two_runs(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(shared_mode=Mode.ENQUEUE, debounce_ms=300))
    await desk.share()
    a1 = await desk.say("a1")
    b1 = await desk.say("b1", by="bob")
    a2 = await desk.say("a2")
    await desk.settle(5)
    assert await desk.outcome(a1) is Outcome.ANSWERED
    assert await desk.outcome(a2) is Outcome.MERGED
    assert await desk.outcome(b1) is Outcome.ANSWERED
    assert most_at_once(desk.channel) == 1
    await desk.close()


async def test_collect_names_each_sender_and_keeps_every_attachment(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(shared_mode=Mode.COLLECT))
    await desk.share()
    brain = desk.router.wiring.agent.model  # type: ignore[attr-defined]
    await desk.say("work")
    await desk.settle(1)
    picture, sheet = Attachment("s1", "image/png"), Attachment("s2", "text/csv")
    ann = await desk.say("look", attachments=(picture,))
    bob = await desk.say("and this", by="bob", attachments=(sheet,))
    await desk.settle(10)
    assert await desk.outcome(ann) is Outcome.ANSWERED
    assert await desk.outcome(bob) is Outcome.MERGED
    asked = [m for m in brain.requests[-1].messages if isinstance(m, UserMessage)]
    assert [(m.sender, m.text, m.attachments) for m in asked[-2:]] == [
        ("ann", "look", (picture,)),
        ("bob", "and this", (sheet,)),
    ]
    assert len(desk.channel.texts()) == 2
    await desk.close()


async def test_each_sender_of_a_merged_run_may_stop_it_and_is_told(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(shared_mode=Mode.COLLECT))
    await desk.share()
    await desk.say("a")
    bob = await desk.say("work b", by="bob")
    await desk.settle(1)
    assert await desk.outcome(bob) is Outcome.MERGED
    await desk.say("/stop", by="bob")
    await desk.settle(3)
    ended = [u for u in desk.channel.of_type("run") if u["state"] == "ended"]
    assert [u["end"] for u in ended] == ["interrupted"]
    assert {n.to for n in desk.told("RUN_INTERRUPTED")} == {"ann", "bob"}
    await desk.close()


# -- seen, edited, dropped, sent -------------------------------------------------------------------


async def test_the_queue_is_seen_edited_dropped_and_sent_from_the_chat(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(mode=Mode.ENQUEUE))
    first = await desk.say("work")
    await desk.settle(1)
    a, b, c = [await desk.say(text) for text in ("aaa", "bbb", "ccc")]
    await desk.say("/queue")
    await desk.settle(0.1)
    (shown,) = desk.told("QUEUE")
    assert shown.params["items"] == ["1. aaa", "2. bbb", "3. ccc"]
    assert (shown.params["mode"], shown.params["source"]) == ("enqueue", "deployment")
    await desk.say("/queue edit 2 better")
    await desk.say("/queue drop 1")
    await desk.settle(0.1)
    assert await desk.outcome(a) is Outcome.RETURNED
    await desk.say("/queue now 3")
    await desk.settle(10)
    assert await desk.outcome(first) is Outcome.INTERRUPTED
    assert await history_texts(desk) == ["work", "ccc", "better"]
    assert [await desk.outcome(r) for r in (b, c)] == [Outcome.ANSWERED] * 2
    await desk.close()


async def test_a_number_means_what_was_shown_though_the_queue_went_on(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(mode=Mode.ENQUEUE))
    await desk.say("work")
    await desk.settle(1)
    await desk.say("work 2")
    await desk.say("bbb")
    await desk.say("/queue")
    await desk.settle(3)
    gone = await desk.say("/queue edit 1 other")
    await desk.say("/queue edit 2 better")
    await desk.settle(20)
    assert await history_texts(desk) == ["work", "work 2", "better"]
    assert (await desk.row(gone)).detail == "QUEUE_ITEM_GONE"
    await desk.close()


async def test_an_edit_that_races_with_the_take_is_all_or_nothing(tmp_path: Path) -> None:
    for moment in range(2_990, 3_012):
        directory = tmp_path / str(moment)
        directory.mkdir()
        desk = await desk_of(directory, Policy(mode=Mode.ENQUEUE))
        await desk.say("work")
        await desk.say("old")
        await desk.say("/queue")
        await desk.settle(moment / 1000)
        edit = await desk.say("/queue edit 1 new")
        await desk.settle(10)
        row = await desk.row(edit)
        said = (await history_texts(desk))[-1]
        assert (row.detail, said) in (("QUEUE_EDITED", "new"), ("QUEUE_ITEM_GONE", "old"))
        await desk.close()


async def test_only_ones_own_may_be_changed_save_by_an_admin(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(shared_mode=Mode.ENQUEUE))
    await desk.share()
    work = await desk.say("work")
    await desk.settle(1)
    mine = await desk.say("aaa")
    for words in ("edit 1 evil", "drop 1", "now 1"):
        await desk.say(f"/queue {words}", by="bob")
    await desk.settle(0.1)
    assert [n.to for n in desk.told("THREAD_ACCESS_DENIED")] == ["bob"] * 3
    await desk.say("/queue edit 1 by root", by="root")
    await desk.settle(10)
    assert await desk.outcome(work) is Outcome.ANSWERED
    assert await desk.outcome(mine) is Outcome.ANSWERED
    assert (await history_texts(desk))[-1] == "by root"
    await desk.close()


async def test_an_item_sent_now_never_stops_anothers_run(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(shared_mode=Mode.ENQUEUE))
    await desk.share()
    work = await desk.say("work")
    await desk.settle(1)
    await desk.say("c1", by="cid")
    bob = await desk.say("b1", by="bob")
    await desk.say("/queue now 2", by="bob")
    await desk.settle(10)
    assert await desk.outcome(work) is Outcome.ANSWERED
    assert await desk.outcome(bob) is Outcome.ANSWERED
    assert await history_texts(desk) == ["work", "c1", "b1"]
    await desk.close()


async def test_an_item_sent_now_rolls_back_where_that_is_the_mode(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(mode=Mode.ROLLBACK))
    work = await desk.say("work")
    await desk.settle(1)
    await desk.say("bbb", override=Priority.NEXT)
    await desk.say("/queue now 1")
    await desk.settle(10)
    assert await desk.outcome(work) is Outcome.INTERRUPTED
    assert await history_texts(desk) == ["bbb"]
    await desk.close()


# -- settings --------------------------------------------------------------------------------------


async def source(desk: Desk, channel: str = "fake", thread: str = "fake:1") -> tuple[str, str]:
    await desk.say("/queue", channel=channel, thread=thread)
    await desk.settle(0.2)
    notices = desk.router.wiring.channels[channel].notices  # type: ignore[attr-defined]
    said = [n for n in notices if n.code == "QUEUE"][-1].params
    return str(said["mode"]), str(said["source"])


async def test_thread_beats_channel_beats_deployment_and_the_reply_says_so(
    tmp_path: Path,
) -> None:
    named = {name: FakeChannel(name, share=1.0) for name in ("fake", "web")}
    policy = Policy(mode=Mode.ENQUEUE, channel_modes={"web": Mode.INTERRUPT})
    desk = await desk_of(tmp_path, policy, channels=named)
    assert await source(desk) == ("enqueue", "deployment")
    assert await source(desk, "web", "web:1") == ("interrupt", "channel")
    assert await source(desk, "web") == ("interrupt", "channel")
    await desk.say("/queue collect")
    assert await source(desk) == ("collect", "thread")
    assert await source(desk, "web") == ("collect", "thread")
    assert await source(desk, "web", "web:1") == ("interrupt", "channel")
    (told,) = desk.told("MODE_SET")
    assert (told.params["mode"], told.params["source"]) == ("collect", "thread")
    await desk.close()


async def test_the_mode_of_a_thread_survives_a_restart(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy())
    await desk.say("/queue reject")
    await desk.settle(1)
    await desk.close()
    desk = await desk_of(tmp_path, Policy())
    await desk.say("/queue", dedup="again")
    await desk.settle(1)
    assert desk.told("QUEUE")[0].params["mode"] == "reject"
    await desk.close()


async def test_what_is_set_stands_in_the_log_and_is_no_turn(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy())
    await desk.say("hi")
    await desk.settle(1)
    for text in ("/queue reject", "/lang ru"):
        await desk.say(text)
    await desk.settle(1)
    entries = await desk.store.entries("fake:1")
    assert [dict(e.body) for e in entries if e.kind.value == "setting"] == [
        {"queueMode": "reject", "by": "ann"},
        {"language": "ru", "by": "ann"},
    ]
    after = await desk.say("after", branch=entries[-3].seq)
    await desk.settle(1)
    assert await desk.outcome(after) is Outcome.ANSWERED
    assert [m.text for m in await desk.history() if isinstance(m, UserMessage)] == ["hi", "after"]
    await desk.close()


async def test_in_a_shared_thread_only_admins_set_the_mode(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy())
    await desk.share()
    row = await desk.say("/queue reject")
    await desk.settle(1)
    assert (await desk.row(row)).detail == "ADMINS_ONLY"
    assert await source(desk) == ("enqueue", "deployment")
    await desk.say("/queue reject", by="root")
    assert await source(desk) == ("reject", "thread")
    await desk.close()


async def test_an_admin_may_stop_and_retry_anybodys_run(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Policy(shared_mode=Mode.ENQUEUE))
    await desk.share()
    work = await desk.say("work")
    await desk.settle(1)
    await desk.say("/stop", by="bob")
    await desk.settle(1)
    assert await desk.outcome(work) is None
    await desk.say("/stop", by="root", kind=InputKind.STOP)
    await desk.settle(1)
    assert await desk.outcome(work) is Outcome.INTERRUPTED
    denied = await desk.say("/retry", by="bob")
    await desk.settle(1)
    assert (await desk.row(denied)).detail == "NOTHING_TO_RETRY"
    again = await desk.say("/retry", by="root")
    await desk.settle(10)
    assert await desk.outcome(again) is Outcome.ANSWERED
    results = [m.content for m in await desk.history() if isinstance(m, ToolResult)]
    assert results == ["worked"]
    assert users(desk.router.wiring.agent.model.requests[-1]) == ["work"]  # type: ignore[attr-defined]
    await desk.close()
