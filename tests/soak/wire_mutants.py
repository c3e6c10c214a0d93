"""Mutants of what goes over AG-UI, MCP, ACP, HTTP and a call's line; each turns its test red."""

from __future__ import annotations

from tests.soak.mutants import Mutant

ROWS = "tests/acceptance"
SERVERS = f"{ROWS}/test_agui_agents.py"

WIRES = (
    Mutant(
        "HTTP: a question that came while another was written was seen",
        "gateway/api/door.py",
        "            seen.upto = max(sight.upto, seen.upto)\n",
        "            seen.upto = self.feed.sequence.next()\n",
        f"{ROWS}/test_rest_seen.py",
    ),
    Mutant(
        "HTTP: who is gone by then has seen it",
        "gateway/api/door.py",
        "        if not caller.here():\n",
        "        if False:\n",
        f"{ROWS}/test_rest_seen.py",
    ),
    Mutant(
        "HTTP: whoever looks has seen it, written or not",
        "gateway/api/rest/stored.py",
        "        made, self._sight = await views.run(self._door, self._caller, row)\n",
        "        made, self._sight = await views.run(self._door, self._caller, row)\n"
        "        self.wrote()\n",
        f"{ROWS}/test_rest_seen.py",
    ),
    Mutant(
        "HTTP: a client that stops reading is waited for",
        "gateway/api/asgi.py",
        "            async with asyncio.timeout(WRITE_DEADLINE_SECONDS):\n",
        "            async with asyncio.timeout(None):\n",
        "tests/api/test_asgi.py",
    ),
    Mutant(
        "calls: a quiet line shows no sign of life",
        "voice/transports/line.py",
        "        async with asyncio.timeout(ALIVE_SECONDS):\n",
        "        async with asyncio.timeout(None):\n",
        "tests/voice/transports/test_browser_line.py::"
        "test_a_page_that_is_sent_nothing_else_is_sent_signs_of_life",
    ),
    Mutant(
        "lines: a local program that stops reading is waited for",
        "gateway/api/plugs.py",
        "        async with asyncio.timeout(WRITE_DEADLINE_SECONDS):\n",
        "        async with asyncio.timeout(None):\n",
        "tests/mcp/test_unread.py",
    ),
    Mutant(
        "MCP server: declining ends whatever is asked by now",
        "gateway/api/mcp/exchange.py",
        "            thread, self._caller.principal, of=frozenset(questions)\n",
        "            thread, self._caller.principal\n",
        f"{ROWS}/test_row_097_mcp_server.py"
        "::test_who_declines_what_was_answered_elsewhere_ends_no_other_question",
    ),
    Mutant(
        "MCP tools: an answer goes to the next question",
        "gateway/agents/mcp/call.py",
        "        if self._answer is not None and self._answer[0] == key and not",
        "        if self._answer is not None and not",
        "tests/mcp/test_calls.py::test_a_yes_to_a_question_that_was_taken_back_is_none_to_the_next",
    ),
    Mutant(
        "ACP: declining ends every run's pause",
        "gateway/resuming.py",
        "if live.machine.state is State.ASKING and (of is None or live.machine.open & of)\n",
        "if live.machine.state is State.ASKING\n",
        f"{ROWS}/test_row_097_acp.py::test_a_form_that_is_not_answered_ends_no_other_run",
    ),
    Mutant(
        "AG-UI: who may not any more approves",
        "gateway/agents/agui/run.py",
        "            if await self._host.may_run(facts) is not Leave.RUN:\n",
        "            if False:\n",
        f"{SERVERS}::test_race_28_who_may_not_any_more_approves_nothing",
    ),
    Mutant(
        "AG-UI: an answer that does not count is logged as given",
        "gateway/agents/agui/questions.py",
        "        return ToolResult(call.id, call.name, NOT_COUNTED, NOT_ALLOWED)\n",
        "        pass\n",
        f"{SERVERS}::test_race_28_an_answer_that_does_not_count_is_logged_as_none",
    ),
    Mutant(
        "AG-UI: calls without an end",
        "gateway/agents/agui/turn.py",
        "        if self._parts > MAX_PARTS:\n",
        "        if False:\n",
        f"{SERVERS}::test_a_bad_server_is_a_clear_error_and_the_thread_goes_on",
    ),
)
