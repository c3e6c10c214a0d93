"""docs/voice-core.md shows the policy as the code has it."""

import pytest

from tools import voice_policy
from voice.core.barge_in import RULES


def test_the_page_is_up_to_date():
    assert voice_policy.main(["--check"]) == 0


def test_a_page_without_its_marks_is_an_error():
    with pytest.raises(ValueError, match="words"):
        voice_policy.drawn("nothing")


def test_every_rule_and_threshold_stands_there():
    assert all(rule.when in voice_policy.rules() for rule in RULES)
    assert "`hold_limit_ms` | 3000 | 3000 | 560 | 560 |" in voice_policy.profiles()
