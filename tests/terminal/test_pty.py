"""Real processes on a pty: what a person at a terminal gets to see."""

import asyncio
import signal

import pytest

from tests.fakes.pty import CTRL_C, CTRL_D, ENTER
from tests.terminal.conftest import Server

pytestmark = [pytest.mark.process, pytest.mark.timeout(120)]


async def test_ctrl_c_right_after_enter_stops_what_was_sent(server: Server):
    ann = server.chat("--as", "ann")
    await ann.sees("Enter: send")
    ann.type("hi" + ENTER + CTRL_C)
    await ann.sees("Enter: send · Ctrl+C: leave")
    await asyncio.sleep(1)
    assert ann.process.poll() is None
    assert "This is what I can do" not in ann.seen


async def test_ctrl_d_leaves_and_what_runs_goes_on(server: Server):
    ann = server.chat("--as", "ann")
    await ann.sees("Enter: send")
    ann.type("hi" + ENTER)
    await ann.sees("Hello!")
    ann.type(CTRL_D)
    assert await ann.left() == 0
    again = server.chat("--as", "ann")
    await again.sees("This is what I can do:")


async def test_two_terminals_of_a_thread_stay_in_step(server: Server):
    one, two = server.chat("--as", "ann"), server.chat("--as", "ann")
    await one.sees("Enter: send")
    await two.sees("Enter: send")
    one.type("hi" + ENTER)
    await two.sees("ann: hi")
    await two.sees("Hello!")
    two.type(CTRL_C)
    await one.sees("[Interrupted] Stopped by you")
    await two.sees("[Interrupted] Stopped by you")


async def test_a_stranger_is_refused(server: Server):
    ann = server.chat("--as", "ann", "--thread", "work")
    await ann.sees("Enter: send")
    eve = server.chat("--as", "eve", "--thread", "work")
    await eve.sees("belongs to somebody else")
    assert await eve.left() == 1


async def test_the_terminal_speaks_russian(server: Server):
    ann = server.chat("--as", "anna", language="ru_RU.UTF-8")
    await ann.sees("Enter: отправить")
    ann.type("привет" + ENTER)
    await ann.sees("Enter: добавить к тому, что я делаю")
    ann.type(CTRL_C)
    await ann.sees("[Прервано] Остановлено вами")


async def test_a_killed_server_comes_back_and_what_was_typed_is_sent(server: Server):
    ann = server.chat("--as", "ann")
    await ann.sees("Enter: send")
    await server.end(signal.SIGKILL)
    await ann.sees("The server is gone")
    await ann.sees("No server for")
    ann.type("hi" + ENTER)
    await asyncio.sleep(1)
    await server.start()
    await ann.sees("The server is back after")
    await ann.sees("Hello!")


async def test_without_a_server_the_terminal_is_the_server(house: Server):
    ann = house.chat("--as", "ann")
    await ann.sees("Enter: send")
    bob = house.chat("--as", "bob")
    await bob.sees("Enter: send")
    bob.type("hi" + ENTER)
    await bob.sees("Hello!")
    ann.type(CTRL_D)
    assert await ann.left() == 0
    await bob.sees("The server is gone")


async def test_questions_are_answered_and_an_approval_shows_what_it_is_for(server: Server):
    ann = server.chat("--as", "ann")
    await ann.sees("Enter: send")
    ann.type("deploy web" + ENTER)
    await ann.sees("? ")
    await ann.sees("Answer: ")
    await ann.sees("Enter: answer the question")
    ann.type("eu" + ENTER)
    await ann.sees("→ Europe")
    await ann.sees("? ")
    ann.type("3" + ENTER)
    await ann.sees("→ 3")
    await ann.sees("wants to run")
    await ann.sees("region: eu")
    await ann.sees("replicas: 3")
    ann.type("no problem" + ENTER)
    await ann.sees("wants to run")
    ann.type("yes" + ENTER)
    await ann.sees("→ approved")
    assert ann.seen.count("→ approved") == 1


async def test_a_correction_joins_what_runs(server: Server):
    ann = server.chat("--as", "ann")
    await ann.sees("Enter: send")
    ann.type("search for backups" + ENTER)
    await ann.sees("Enter: add to what I'm doing")
    ann.type("only the newest ones" + ENTER)
    await ann.sees("joined: only the newest ones")


async def test_a_server_killed_in_a_reply_goes_on_and_says_nothing_twice(server: Server):
    ann = server.chat("--as", "ann")
    await ann.sees("Enter: send")
    ann.type("hi" + ENTER)
    await ann.sees("This is what I can do:")
    await server.end(signal.SIGKILL)
    await ann.sees("The server is gone")
    await server.start()
    await ann.sees("The server is back after")
    await ann.sees("▏")
    await ann.sees("Enter: add to what I'm doing")


async def test_a_question_survives_a_killed_server(server: Server):
    ann = server.chat("--as", "ann")
    await ann.sees("Enter: send")
    ann.type("deploy web" + ENTER)
    await ann.sees("Enter: answer the question")
    await server.end(signal.SIGKILL)
    await ann.sees("The server is gone")
    await server.start()
    await ann.sees("The server is back after")
    await ann.sees("Enter: answer the question")
    ann.type("eu" + ENTER)
    await ann.sees("→ Europe")
