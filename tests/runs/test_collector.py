"""What a process has loaded is no work for its garbage collector."""

from __future__ import annotations

import gc

from gateway.supervise import COLLECT_EVERY, spare_collector


def test_what_is_loaded_is_gone_through_no_more() -> None:
    before = gc.get_threshold()
    try:
        spare_collector()
        assert gc.get_freeze_count() > 1_000
        assert gc.get_threshold()[0] == COLLECT_EVERY > before[0]
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
    assert gc.get_freeze_count() == 0
