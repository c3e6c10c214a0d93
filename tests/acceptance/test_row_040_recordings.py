"""Row 40 by recordings on the page, and RACES 1 for them: the answer's time is when it came."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, tool
from gateway.files import sniffed
from tests.acceptance.asking import asked, asking_agent, results
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.desk import Desk
from tests.acceptance.people import Person
from tests.acceptance.scripted import Script, call
from tests.corpus.recordings import wav

pytestmark = CALLING


def recording(desk: CallDesk, text: str) -> bytes:
    return wav(desk.engines.ears.say(text))


async def send(desk: Desk, person: Person, data: bytes, text: str = "") -> dict[str, Any]:
    media_type = sniffed(data)
    store: Any = desk.app.store
    key = await store.put(data, media_type, person.name)
    file = {"blob": key, "mediaType": media_type, "name": "note.wav"}
    return await person._ask({"type": "input", "text": text, "attachments": [file]})


@pytest.mark.parametrize(("language", "text", "value"), [("en", "yes", True), ("ru", "нет", False)])
async def test_a_recording_answers(tmp_path: Path, language: str, text: str, value: bool):
    async with CallDesk(tmp_path, asking_agent(bool)) as desk:
        ann = await desk.person("ann", language=language)
        await asked(ann)
        receipt = await send(desk, ann, recording(desk, text))
        assert receipt["code"] == ""
        card = (await ann.frame("decided"))["data"]
        assert (card["value"], card["how"], card["by"]) == (value, "voice", "ann")
        assert card["understood"]
        drawn = (await ann.frame("input", text=text))["data"]
        assert drawn["attachments"][0]["kind"] == "voice"
        await ann.ended()
        assert await results(ann) == [f"ask={value!r}"]
        (heard,) = desk.engines.ears.heard
        assert heard.expected is not None
        assert heard.language == language


async def test_with_words_beside_it_is_a_file(tmp_path: Path):
    async with CallDesk(tmp_path, Agent("a", Script(["thanks"]), "")) as desk:
        ann = await desk.person("ann")
        await send(desk, ann, recording(desk, "delete it all"), "keep this for me")
        await ann.ended()
        assert desk.engines.ears.heard == []


async def test_a_stop_does_not_wait_for_it(tmp_path: Path):
    async with CallDesk(tmp_path, Agent("a", Script([30.0, "late"], ["next"]), "")) as desk:
        desk.engines.ears.final_seconds = 5.0
        ann = await desk.person("ann")
        await ann.say("go")
        began = desk.time()
        sending = asyncio.create_task(send(desk, ann, recording(desk, "hello")), name="recording")
        await asyncio.sleep(1)
        await ann.stop()
        await ann.ended()
        assert desk.time() - began < 3
        assert (await sending)["code"] == ""


async def test_a_yes_that_may_have_been_misheard_is_not_taken(tmp_path: Path):
    @tool(approval=True)
    async def deploy() -> str:
        """Deploys."""
        return "deployed"

    agent = Agent("a", Script([call("deploy")], ["done"]), tools=[deploy])
    async with CallDesk(tmp_path, agent) as desk:
        desk.engines.ears.doubted.add("yes")
        ann = await desk.person("ann")
        await asked(ann)
        assert (await send(desk, ann, recording(desk, "yes")))["code"] == "NOTE_CONFIRM"
        desk.engines.ears.doubted.clear()
        assert (await send(desk, ann, recording(desk, "yes")))["code"] == ""
        await ann.ended()
        assert await results(ann) == ["deployed"]


@pytest.mark.parametrize(
    ("takes", "outcome"),
    [(8.0, "decided"), (14.0, "refused")],
)
async def test_an_expiry_waits_for_it(tmp_path: Path, takes: float, outcome: str):
    """It came 2 s before the question expired: read 6 s after that it counts, 12 s after it is late
    (the wait is 10 s at most).
    """
    async with CallDesk(tmp_path, asking_agent(bool, expires_in=60)) as desk:
        desk.engines.ears.final_seconds = takes
        ann = await desk.person("ann")
        await asked(ann)
        await ann.frame("armed")
        await asyncio.sleep(58)
        receipt = await send(desk, ann, recording(desk, "yes"))
        found = await ann.outcome(receipt)
        assert found[0] == outcome
        if outcome == "refused":
            assert found[1] == "INTERRUPT_EXPIRED"
        await ann.ended()
        assert (await results(ann) == ["ask=True"]) is (outcome == "decided")


async def test_one_that_came_too_late_is_told_so(tmp_path: Path):
    async with CallDesk(tmp_path, asking_agent(bool, expires_in=60)) as desk:
        ann = await desk.person("ann")
        await asked(ann)
        await ann.frame("armed")
        await asyncio.sleep(60.5)
        receipt = await send(desk, ann, recording(desk, "yes"))
        assert await ann.outcome(receipt) == ("refused", "INTERRUPT_EXPIRED")


async def test_a_yes_that_destroys_is_not_given_by_a_recording(tmp_path: Path):
    @tool(approval=True, destructive=True)
    async def wipe() -> str:
        """Wipes."""
        return "wiped"

    agent = Agent("a", Script([call("wipe")], ["done"]), tools=[wipe])
    async with CallDesk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        question = await asked(ann)
        receipt = await send(desk, ann, recording(desk, "yes"))
        assert receipt["code"] == "NOTE_CONFIRM"
        assert "yes" in receipt["text"]
        assert len(await desk.app.store.questions(open_only=True)) == 1
        await ann.press(question, "approve")
        await ann.ended()
        assert await results(ann) == ["wiped"]


async def test_an_engine_that_fails_is_told(tmp_path: Path):
    async with CallDesk(tmp_path, asking_agent(bool)) as desk:
        desk.may_fail = True
        desk.engines.ears.fails = True
        ann = await desk.person("ann")
        await asked(ann)
        receipt = await send(desk, ann, recording(desk, "yes"))
        assert receipt["code"] == "VOICE_ENGINE_FAILED"
        assert receipt["params"]["errorId"] in receipt["text"]
        desk.engines.ears.fails = False
        await send(desk, ann, recording(desk, "yes"))
        await ann.ended()
        assert await results(ann) == ["ask=True"]
