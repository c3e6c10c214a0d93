"""Row 43: cancel, skip, repeat and help are about the question, never its answer."""

from pathlib import Path

import pytest

from tests.acceptance.asking import asked, asking_agent, requests_of, results
from tests.acceptance.desk import Desk

pytestmark = pytest.mark.looptime
OPTIONAL = {"anyOf": [{"type": "string"}, {"type": "null"}]}
TEXT = {"type": "string"}


@pytest.mark.parametrize("text", ["cancel", "отмена", "/cancel"])
@pytest.mark.parametrize("schema", [bool, TEXT])
async def test_cancel_declines_and_ends_the_run(tmp_path: Path, text: str, schema: object):
    agent = asking_agent(schema)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        await asked(ann)
        await ann.say(text)
        ended = await ann.ended()
        assert (ended["end"], ended["reason"]) == ("interrupted", "USER_SIGINT")
        assert await results(ann) == ['The user declined to answer "Well?"']
        assert len(requests_of(agent)) == 1
        (card,) = ann.find("decided")
        assert (card["status"], card["how"]) == ("cancelled", "declined")


@pytest.mark.parametrize("text", ["skip", "пропусти", "/skip"])
@pytest.mark.parametrize(
    ("schema", "result"),
    [
        ({"type": "integer", "default": 2}, "ask=2"),
        (OPTIONAL, "ask=None"),
        (bool, 'The user declined to answer "Well?"'),
    ],
)
async def test_skip_leaves_the_question_out(tmp_path: Path, text: str, schema: object, result: str):
    async with Desk(tmp_path, asking_agent(schema)) as desk:
        ann = await desk.person("ann")
        await asked(ann)
        await ann.say(text)
        assert (await ann.ended())["end"] == "completed"
        assert await results(ann) == [result]


@pytest.mark.parametrize("text", ["repeat", "повтори", "help", "помощь"])
async def test_repeat_and_help_count_no_try(tmp_path: Path, text: str):
    async with Desk(tmp_path, asking_agent(bool)) as desk:
        ann = await desk.person("ann")
        await asked(ann)
        for _ in range(4):
            said = await ann.say(text)
            assert (await ann.outcome(said))[0] == "handled"
            await ann.frame("question")
        await ann.say("yes")
        await ann.ended()
        assert await results(ann) == ["ask=True"]


async def test_a_member_of_the_schema_beats_its_control(tmp_path: Path):
    schema = {"type": "string", "enum": ["continue", "stop"]}
    async with Desk(tmp_path, asking_agent(schema)) as desk:
        ann = await desk.person("ann")
        await asked(ann)
        await ann.say("stop")
        assert (await ann.ended())["end"] == "completed"
        assert await results(ann) == ["ask='stop'"]
