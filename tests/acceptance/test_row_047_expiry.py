"""Row 47: at its expiry a question is closed, the person is told, the run goes on."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.asking import asked, asking_agent, requests_of, results
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import messages

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize(
    ("after", "outcome"),
    [(59.9, "decided"), (60.0, "refused"), (60.1, "refused")],
)
async def test_before_at_and_after(tmp_path: Path, after: float, outcome: str):
    agent = asking_agent(bool, expires_in=60)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        await ann.say("go")
        expires_at = (await ann.frame("armed"))["data"]["expiresAt"]
        left = _seconds(expires_at) - 60 - (desk.clock.now() - desk.clock.start).total_seconds()
        await asyncio.sleep(after + left)
        said = await ann.say("yes")
        result = await ann.outcome(said)
        assert result[0] == outcome
        assert (await ann.ended())["end"] == "completed"
        if outcome == "refused":
            assert result[1] == "INTERRUPT_EXPIRED"
            told = (await ann.frame("notice", code="QUESTION_EXPIRED"))["data"]
            assert "Well?" in told["text"]
            text = f'Nobody answered "Well?" before it expired at {expires_at}'
            assert await results(ann) == [text]
            assert messages(requests_of(agent)[1])[-1] == ("result", text)


def _seconds(moment: str) -> float:
    """Seconds since nine o'clock, when the test's clock began."""
    hours, minutes, seconds = moment.split("T")[1].rstrip("Z").split(":")
    return (int(hours) - 9) * 3600 + int(minutes) * 60 + float(seconds)


async def test_a_late_answer_is_told_so_after_a_restart_and_then_all_is_normal(tmp_path: Path):
    agent = asking_agent(bool, ["fine"], ["normal"], expires_in=60)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        await asked(ann)
        await ann.ended(within=70)
        await desk.kill()
        await desk.start()
        ann = await desk.person("ann")
        late = await ann.say("yes", id_="late")
        assert await ann.outcome(late) == ("refused", "INTERRUPT_EXPIRED")
        normal = await ann.say("yes", id_="normal")
        assert (await ann.outcome(normal))[0] == "answered"


async def test_the_expiry_of_a_process_that_was_gone(tmp_path: Path):
    async with Desk(tmp_path, asking_agent(bool, expires_in=60)) as desk:
        ann = await desk.person("ann")
        await asked(ann)
        await asyncio.sleep(1)
        await desk.kill()
        await asyncio.sleep(100)
        await desk.start()
        ann = await desk.person("ann")
        await asyncio.sleep(1)
        (result,) = await results(ann)
        assert result.startswith('Nobody answered "Well?"')
