"""Pictures and files of a program that has the gateway inside: brought, said, and said to a run by
its handle; they are kept, refused or given back with their message.
"""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, Gateway
from gateway.api.handles import MemoryHandle, ThreadHandle
from gateway.core.errors import NotFound, ValidationFailed
from gateway.core.messages import Attachment, UserMessage
from gateway.files import UploadTooLarge
from gateway.settings import Settings
from tests.acceptance.desk import Desk
from tests.acceptance.library import program, soon, stored
from tests.acceptance.log import bodies
from tests.acceptance.scripted import Script, call
from tests.acceptance.test_files_of_programs import PNG
from tests.acceptance.test_files_to_runs import with_files, work
from tests.builders import LoopClock

pytestmark = pytest.mark.looptime
HOWS = ["steer", "follow_up", "inject"]


def an_agent(model: Script) -> Agent:
    return Agent("tester", model, "", [work])


async def told_meanwhile(
    gateway: Gateway, how: str, words: str = "like this", whose: str = "ann"
) -> tuple[ThreadHandle | MemoryHandle, Attachment]:
    """Ann's run, told this while its tool works, with a file that somebody brought."""
    cat = await gateway.bring(PNG, "cat.png", principal=whose)
    handle = await gateway.start("go", thread="t", principal="ann")
    await asyncio.sleep(0.5)
    assert getattr(handle, how)(words, (cat,))
    return handle, cat


async def test_a_file_is_brought_and_said(tmp_path: Path):
    model = Script(["a cat"], ["still a cat"])
    async with program(tmp_path, an_agent(model)) as gateway:
        cat = await gateway.bring(PNG, "../cat.png", principal="ann")
        assert (cat.name, cat.media_type, cat.size_bytes) == ("cat.png", "image/png", len(PNG))
        handle = await gateway.start("look", thread="t", principal="ann", attachments=(cat,))
        assert (await soon(handle.result())).text == "a cat"
        (request,) = model.requests
        assert with_files(request) == [("look", ["cat.png"])]
        assert await request.read(cat.blob) == (PNG, "image/png")
        again = await gateway.start("again", thread="t", principal="ann", attachments=(cat,))
        assert (await soon(again.result())).text == "still a cat"


async def test_one_sends_only_ones_own(tmp_path: Path):
    model = Script(["never"])
    async with program(tmp_path, an_agent(model)) as gateway:
        cat = await gateway.bring(PNG, principal="bob")
        with pytest.raises(NotFound):
            await gateway.start("mine?", thread="t", principal="ann", attachments=(cat,))
        mine = await gateway.bring(PNG + b"ann", principal="ann")
        with pytest.raises(ValidationFailed):
            await gateway.start("hi", thread="t", principal="ann", attachments=(mine,) * 21)
        with pytest.raises(ValidationFailed):
            await gateway.start("hi", principal="ann", attachments=(mine,))
        assert model.requests == []


async def test_a_file_has_its_limit(tmp_path: Path):
    settings = Settings.model_validate({"http": {"upload_limit_bytes": 10}})
    async with program(tmp_path, an_agent(Script(["a"])), settings) as gateway:
        await gateway.bring(bytes(10))
        with pytest.raises(UploadTooLarge):
            await gateway.bring(bytes(11))


@pytest.mark.parametrize("how", HOWS)
async def test_a_file_joins_a_run_and_is_kept(tmp_path: Path, how: str):
    model = Script([call("work")], ["one"], ["two"])
    agent, clock = an_agent(model), LoopClock()
    async with program(tmp_path, agent, clock=clock) as gateway:
        handle, cat = await told_meanwhile(gateway, how)
        result = await soon(handle.result())
        assert (result.status, result.returned) == ("completed", ())
        assert with_files(model.requests[-1]) == [("go", []), ("like this", ["cat.png"])]
    later = Settings.model_validate({"http": {"upload_keep_seconds": 60}})
    await asyncio.sleep(100)
    async with program(tmp_path, agent, later, clock) as gateway:
        again = await gateway.start("and now?", thread="t", principal="ann")
        await soon(again.result())
        request = model.requests[-1]
        assert with_files(request)[1] == ("like this", ["cat.png"])
        assert await request.read(cat.blob) == (PNG, "image/png")
    log = await stored(tmp_path, agent, "t", "ann")
    assert [one["name"] for one in bodies(log, "user")[1]["attachments"]] == ["cat.png"]


@pytest.mark.parametrize("how", HOWS)
async def test_it_is_given_back_with_its_message(tmp_path: Path, how: str):
    model = Script([call("work")], ["again"])
    async with program(tmp_path, an_agent(model)) as gateway:
        handle, cat = await told_meanwhile(gateway, how)
        assert await soon(handle.abort()) == ["like this"]
        result = await soon(handle.result())
        assert result.undelivered == ("like this",)
        assert result.returned == handle.returned
        assert result.returned == (UserMessage("like this", attachments=(cat,)),)
        again = await gateway.start(
            "like this", thread="t", principal="ann", attachments=result.returned[0].attachments
        )
        assert (await soon(again.result())).text == "again"


@pytest.mark.parametrize("how", HOWS)
async def test_somebody_elses_is_refused_and_not_the_run(tmp_path: Path, how: str):
    model = Script([call("work")], ["one"])
    async with program(tmp_path, an_agent(model)) as gateway:
        handle, cat = await told_meanwhile(gateway, how, "mine?", "bob")
        result = await soon(handle.result())
        assert (result.status, result.undelivered) == ("completed", ())
        assert with_files(model.requests[-1]) == [("go", [])]
        assert [(r.text, r.code, r.attachments) for r in handle.refused] == [
            ("mine?", "NOT_FOUND", (cat,))
        ]


@pytest.mark.parametrize("thread", ["t", None])
async def test_too_many_or_without_a_thread(tmp_path: Path, thread: str | None):
    model = Script([call("work")], ["one"])
    async with program(tmp_path, an_agent(model)) as gateway:
        cat = await gateway.bring(PNG, principal="ann")
        handle = await gateway.start("go", thread=thread, principal="ann")
        await asyncio.sleep(0.5)
        for how in HOWS:
            with pytest.raises(ValidationFailed):
                getattr(handle, how)("hi", (cat,) * (21 if thread else 1))
        assert handle.queued == []
        await soon(handle.result())


async def test_what_was_not_sent_is_dropped_after_its_time(tmp_path: Path):
    agent, clock = an_agent(Script(["a"])), LoopClock()
    settings = Settings.model_validate({"http": {"upload_keep_seconds": 60}})
    async with program(tmp_path, agent, settings, clock) as gateway:
        cat = await gateway.bring(PNG, principal="ann")
        await asyncio.sleep(50)
        dog = await gateway.bring(PNG + b"dog", principal="ann")
        await asyncio.sleep(50)
        with pytest.raises(NotFound):
            await gateway.start("late", thread="t", principal="ann", attachments=(cat,))
    await asyncio.sleep(50)
    async with program(tmp_path, agent, settings, clock) as gateway:
        await asyncio.sleep(1)
        with pytest.raises(NotFound):
            await gateway.start("late", thread="t", principal="ann", attachments=(dog,))


async def test_a_deleted_thread_takes_its_files_along(tmp_path: Path):
    agent = an_agent(Script([call("work")], ["one"]))
    async with program(tmp_path, agent) as gateway:
        cat = await gateway.bring(PNG, principal="ann")
        handle = await gateway.start("go", thread="t", principal="ann")
        await asyncio.sleep(0.5)
        assert handle.steer("like this", (cat,))
        await soon(handle.result())
    async with Desk(tmp_path, agent) as desk:
        await desk.app.store.delete_thread("t")
        with pytest.raises(NotFound):
            await desk.app.store.get(cat.blob)  # type: ignore[attr-defined]
