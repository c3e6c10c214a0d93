import asyncio
import threading
from collections.abc import Callable

import pytest

from gateway.core.errors import EngineFailed
from tests.voice.engines.sounds import supervisor
from voice.engines.worker import MOST_HANGS, Worker

SOON = 0.05
LONG = 5.0


class Engine:
    made = 0

    def __init__(self) -> None:
        Engine.made += 1
        self.number = Engine.made
        self.thread = threading.current_thread()


@pytest.fixture
def worker() -> Worker[Engine]:
    return Worker("tin", Engine, supervisor(), prepare_seconds=LONG)


@pytest.fixture
def stuck():
    """Work that never comes back, until the test is over."""
    over = threading.Event()
    yield lambda engine: over.wait(60)
    over.set()


async def test_the_engine_is_made_and_used_in_one_thread_of_its_own(worker: Worker[Engine]):
    assert not worker.ready
    await worker.load()
    assert worker.ready
    first = await worker.run(lambda e: (e, threading.current_thread()), seconds=LONG)
    second = await worker.run(lambda e: (e, threading.current_thread()), seconds=LONG)
    assert first == second
    assert first[0].thread is first[1] is not threading.main_thread()


async def test_what_raises_fails_and_the_engine_stays(worker: Worker[Engine]):
    engine = await worker.run(lambda e: e, seconds=LONG)
    with pytest.raises(EngineFailed, match="tin: ZeroDivisionError"):
        await worker.run(lambda e: 1 / 0, seconds=LONG)
    assert await worker.run(lambda e: e, seconds=LONG) is engine


async def test_an_error_of_the_engines_own_passes_as_it_is(worker: Worker[Engine]):
    def refuse(engine: Engine) -> None:
        raise EngineFailed("no such voice")

    with pytest.raises(EngineFailed, match=r"^no such voice$"):
        await worker.run(refuse, seconds=LONG)


async def test_who_hangs_fails_and_the_others_go_on_with_a_new_engine(
    worker: Worker[Engine], stuck: Callable[[Engine], bool]
):
    old = await worker.run(lambda e: e, seconds=LONG)
    hanging = worker.submit(stuck, seconds=SOON)
    others = [worker.submit(lambda e: e, seconds=LONG) for _ in range(3)]
    with pytest.raises(EngineFailed, match=r"tin gave nothing within 0\.05 s"):
        await hanging
    engines = {await other for other in others}
    assert len(engines) == 1
    assert old not in engines
    assert engines.pop().thread is not old.thread


async def test_an_engine_that_hangs_again_and_again_is_given_up(
    worker: Worker[Engine], stuck: Callable[[Engine], bool]
):
    for _ in range(MOST_HANGS):
        with pytest.raises(EngineFailed, match="gave nothing"):
            await worker.run(stuck, seconds=SOON)
    with pytest.raises(EngineFailed, match="given up"):
        await worker.run(lambda e: e, seconds=LONG)


async def test_an_engine_that_was_given_up_is_tried_again_once_a_hung_thread_has_ended(
    worker: Worker[Engine],
):
    over = [threading.Event() for _ in range(MOST_HANGS)]
    hung: list[threading.Thread] = []

    def hanging(until: threading.Event) -> Callable[[Engine], None]:
        def hang(engine: Engine) -> None:
            hung.append(threading.current_thread())
            until.wait(60)

        return hang

    for until in over:
        with pytest.raises(EngineFailed, match="gave nothing"):
            await worker.run(hanging(until), seconds=SOON)
    with pytest.raises(EngineFailed, match="given up"):
        await worker.load()
    over[1].set()
    await asyncio.get_running_loop().run_in_executor(None, hung[1].join)
    await worker.load()
    engine = await worker.run(lambda e: e, seconds=LONG)
    assert engine.thread not in hung
    for until in over:
        until.set()


async def test_work_goes_by_rank_then_in_the_order_asked(worker: Worker[Engine]):
    begun, go = threading.Event(), threading.Event()
    order: list[str] = []

    def first(engine: Engine) -> None:
        begun.set()
        go.wait(60)

    def noting(name: str) -> Callable[[Engine], None]:
        return lambda engine: order.append(name)

    holding = worker.submit(first, seconds=LONG)
    await asyncio.get_running_loop().run_in_executor(None, begun.wait)
    asked = [("partial 1", 1), ("partial 2", 1), ("final", 0), ("partial 3", 1)]
    jobs = [worker.submit(noting(name), seconds=LONG, rank=rank) for name, rank in asked]
    go.set()
    for job in (holding, *jobs):
        await job
    assert order == ["final", "partial 1", "partial 2", "partial 3"]


async def test_work_that_nobody_waits_for_any_more_is_not_begun(worker: Worker[Engine]):
    begun, go = threading.Event(), threading.Event()
    done: list[str] = []

    def first(engine: Engine) -> None:
        begun.set()
        go.wait(60)

    holding = worker.submit(first, seconds=LONG)
    await asyncio.get_running_loop().run_in_executor(None, begun.wait)
    given_up = worker.submit(lambda e: done.append("given up"), seconds=LONG)
    waited_for = worker.submit(lambda e: done.append("waited for"), seconds=LONG)
    given_up.cancel()
    go.set()
    await holding
    await waited_for
    assert done == ["waited for"]


async def test_an_engine_that_cant_be_made_is_tried_again():
    missing = [True]

    def prepare() -> str:
        if missing:
            raise EngineFailed("weights are missing")
        return "engine"

    worker = Worker("tin", prepare, supervisor(), prepare_seconds=LONG)
    with pytest.raises(EngineFailed, match="weights are missing"):
        await worker.load()
    assert not worker.ready
    missing.clear()
    await worker.load()
    assert worker.ready


async def test_stopping_takes_back_what_waits_and_lets_the_work_in_hand_end(
    worker: Worker[Engine],
):
    begun, go, done = threading.Event(), threading.Event(), list[str]()

    def first(engine: Engine) -> None:
        begun.set()
        go.wait(60)
        done.append("first")

    holding = worker.submit(first, seconds=LONG)
    await asyncio.get_running_loop().run_in_executor(None, begun.wait)
    waiting = worker.submit(lambda e: done.append("second"), seconds=LONG)
    stopping = asyncio.create_task(worker.stop(LONG))
    await asyncio.sleep(0)
    assert not stopping.done()
    go.set()
    await stopping
    assert waiting.cancelled()
    assert holding.done()
    assert done == ["first"]


async def test_stopping_waits_no_longer_than_it_may(
    worker: Worker[Engine], stuck: Callable[[Engine], bool]
):
    hanging = worker.submit(stuck, seconds=LONG)
    await asyncio.sleep(0)
    await worker.stop(SOON)
    assert not hanging.done()


async def test_stopping_ends_the_engine_in_its_own_thread():
    ended: list[threading.Thread] = []

    class Ending:
        def __del__(self) -> None:
            ended.append(threading.current_thread())

    worker = Worker("tin", Ending, supervisor(), prepare_seconds=LONG)
    thread = await worker.run(lambda engine: threading.current_thread(), seconds=LONG)
    assert ended == []
    await worker.stop(LONG)
    assert ended == [thread]
