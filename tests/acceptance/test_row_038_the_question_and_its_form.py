"""Row 38: a tool's question pauses the run and is asked with the form of its answer."""

from pathlib import Path

import pytest

from tests.acceptance.asking import REGION, REPLICAS, asked, asking_agent
from tests.acceptance.desk import Desk

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize(
    ("schema", "language", "form"),
    [
        (bool, "en", "yes or no"),
        (bool, "ru", "да или нет"),
        (REGION, "en", "eu"),
        (REPLICAS, "en", "1"),
    ],
)
async def test_the_prompt_holds_message_and_format(
    tmp_path: Path, schema: object, language: str, form: str
):
    async with Desk(tmp_path, asking_agent(schema, message="Which one?")) as desk:
        ann = await desk.person("ann", language=language)
        question = (await asked(ann))["data"]
        assert question["question"]["message"] == "Which one?"
        assert question["question"]["status"] == "pending"
        assert form in question["form"]
        assert (await ann.frame("run", state="asking"))["data"]["run"] == question["run"]
