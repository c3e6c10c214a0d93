"""docs/voice-core.md shows the policy as the code has it."""

from tools import marks, voice_policy
from voice.core.barge_in import RULES


def test_the_page_is_up_to_date():
    assert marks.write(voice_policy.PAGES, "voice_policy", ["--check"]) == 0


def test_every_rule_and_threshold_stands_there():
    assert all(rule.when in voice_policy.rules() for rule in RULES)
    assert "`hold_limit_ms` | 3000 | 3000 | 580 | 580 |" in voice_policy.profiles()
