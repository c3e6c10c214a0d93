"""Row 91: the agent's own voice, fed back, does not interrupt, and ducks at most once a reply.

With the real detector, recogniser and voice: what the line plays is what the microphone hears.
"""

from pathlib import Path

import pytest

from tests.corpus.calling import echoed

pytestmark = [
    pytest.mark.looptime(noop_cycles=8),
    pytest.mark.slow,
    pytest.mark.timeout(240),
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weights")


LATE_MS = (120, 260, 400)


@pytest.mark.parametrize(("language", "late_ms"), [("en", (120, 400)), ("ru", (260,))])
async def test_fed_back(tmp_path: Path, cache: Path, language: str, late_ms: tuple[float, ...]):
    await fed_back(tmp_path, cache, language, late_ms)


@pytest.mark.ears
@pytest.mark.parametrize("language", ["en", "ru"])
async def test_fed_back_each_so_late(tmp_path: Path, cache: Path, language: str):
    await fed_back(tmp_path, cache, language, LATE_MS)


async def fed_back(directory: Path, cache: Path, language: str, late_ms: tuple[float, ...]) -> None:
    for heard in await echoed(directory, cache, language, late_ms):
        assert heard.whole
        assert heard.ducks <= 1
        assert heard.taken == ()
