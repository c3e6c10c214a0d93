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


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_fed_back(tmp_path: Path, cache: Path, language: str):
    for heard in await echoed(tmp_path, cache, language, (120, 260, 400)):
        assert heard.whole
        assert heard.ducks <= 1
        assert heard.taken == ()
