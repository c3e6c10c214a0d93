"""Row 82: hums and noises are talked through, real interruptions are yielded to.

50 of each class and language of the corpus's held-out half, with the real detector, recogniser and
voice, in virtual time. What each cell reaches is measured by `python -m tests.bench ears`
(docs/performance.md); the limits here leave room for one sound that falls on the other side, for
when a decode is asked for depends on the call.
"""

from pathlib import Path

import pytest

from tests.corpus.calling import LONGEST_PAUSE_MS, Outcome, through
from tests.corpus.stimuli import BACKCHANNEL, INTERRUPTION, NOISE, stimuli

pytestmark = [
    pytest.mark.looptime(noop_cycles=8),
    pytest.mark.ears,
    pytest.mark.timeout(600),
]

AMOUNT, SEED = 50, 82
LEAST = {
    # Wanted is 0.92; 0.92 to 0.96 were seen, by when decodes were asked for.
    ("en", BACKCHANNEL): 0.90,
    ("ru", BACKCHANNEL): 0.90,
    # Wanted is 0.90; 1.00 was seen in English, 0.98 in Russian.
    ("en", NOISE): 0.94,
    ("ru", NOISE): 0.94,
    # Wanted is 0.98; 1.00 was seen in English, 0.98 in Russian.
    ("en", INTERRUPTION): 0.98,
    ("ru", INTERRUPTION): 0.96,
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weights")


def right(outcome: Outcome) -> bool:
    if outcome.stimulus.kind == INTERRUPTION:
        return outcome.yielded
    assert outcome.held_ms <= LONGEST_PAUSE_MS
    return outcome.through


@pytest.mark.parametrize(("language", "kind"), LEAST)
async def test_over_a_reply(tmp_path: Path, cache: Path, language: str, kind: str):
    found = stimuli(kind, language, "held", AMOUNT, SEED)
    outcomes = await through(tmp_path, cache, found, language, SEED)
    wrong = [(one.stimulus.name, one.heard) for one in outcomes if not right(one)]
    assert len(outcomes) == AMOUNT
    assert 1 - len(wrong) / AMOUNT >= LEAST[language, kind], wrong
