"""Row 79: Ctrl+C in the terminal, its two banners, the count of iterations, `/retry`; on a pty."""

import pytest

from tests.fakes.pty import CTRL_C, ENTER
from tests.terminal.conftest import Server, house, server

__all__ = ["house", "server"]

pytestmark = [pytest.mark.process, pytest.mark.timeout(120)]


async def test_ctrl_c_stops_the_reply_and_a_second_one_leaves(server: Server):
    ann = server.chat("--as", "ann")
    await ann.sees("Enter: send")
    ann.type("hi" + ENTER)
    await ann.sees("Hello!")
    await ann.sees("Enter: add to what I'm doing")
    ann.type(CTRL_C)
    await ann.sees("▏")
    await ann.sees("[Interrupted] Stopped by you")
    await ann.sees("Ctrl+C: leave")
    assert "Error" not in ann.seen
    assert "iteration" not in ann.seen
    ann.type(CTRL_C)
    assert await ann.left() == 0


async def test_iterations_are_counted_only_when_asked_for(server: Server):
    ann = server.chat("--as", "ann", "--show-iterations")
    await ann.sees("Enter: send")
    ann.type("hi" + ENTER)
    await ann.sees("Hello!")
    ann.type(CTRL_C)
    await ann.sees("[Interrupted after 1 iteration] Stopped by you")


async def test_a_call_that_nobody_can_cut_is_abandoned_and_said_to_may_still_run(server: Server):
    ann = server.chat("--as", "ann")
    await ann.sees("Enter: send")
    ann.type("look up order 1042" + ENTER)
    await ann.sees("· look_up_order(")
    ann.type(CTRL_C)
    await ann.sees("[Aborted] Stopped waiting for")
    await ann.sees("it may still be running")
    await ann.sees("Enter: send")
    assert "[Interrupted" not in ann.seen


async def test_retry_runs_the_stopped_request_again(server: Server):
    ann = server.chat("--as", "ann")
    await ann.sees("Enter: send")
    ann.type("hi" + ENTER)
    await ann.sees("Hello!")
    ann.type(CTRL_C)
    await ann.sees("[Interrupted]")
    ann.type("/retry" + ENTER)
    await ann.sees("[retrying] hi")
    await ann.sees("Hello!")
