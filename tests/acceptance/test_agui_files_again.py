"""The same file sent more than once to an AG-UI agent: a request never holds more than it may."""

from pathlib import Path

import pytest

from tests.acceptance.test_agui_agents import desk_of
from tests.acceptance.test_agui_files import CAT, brought, contents, sends, told
from tests.fakes.agui_server import agui_server, run, text

pytestmark = pytest.mark.looptime


async def test_where_there_is_room_it_stands_wherever_it_was_sent(tmp_path: Path):
    steps = run(text("A cat.")), run(text("Again.", "m2"))
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        cat = await brought(desk)
        await sends(ann, "look", cat)
        await sends(ann, "and now", cat)
        assert [said[1:] for said in contents(server)] == [[CAT], [CAT]]


async def test_else_where_it_was_sent_last(tmp_path: Path):
    steps = run(text("A cat.")), run(text("Again.", "m2"))
    async with (
        agui_server(*steps) as server,
        desk_of(tmp_path, server, agent_files_limit_bytes=60) as desk,
    ):
        ann = await desk.person("ann")
        cat = await brought(desk)
        await sends(ann, "look", cat)
        await sends(ann, "and now", cat, cat)
        first, second = contents(server)
        assert first.startswith("look\n[attached: cat.png")
        assert second[1:] == [CAT]
        assert "newer files fill the request" in second[0]["text"]
        assert not told(ann, "AGENT_FILE_TOO_LARGE")
