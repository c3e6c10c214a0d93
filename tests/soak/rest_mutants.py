"""Mutants of the REST API and of what it rests on; each turns its test red."""

from __future__ import annotations

from tests.soak.mutants import Mutant

DOORS = "tests/api/test_gate.py"
MESSAGES = "tests/acceptance/test_rest_messages.py"
FILES = "tests/acceptance/test_files"
QUESTIONS = "tests/acceptance/test_rest_questions.py"
STREAMS = "tests/acceptance/test_rest_streams.py"

REST = (
    Mutant(
        name="REST: every token opens every door",
        file="gateway/api/auth.py",
        old="        if scope not in caller.scopes:\n",
        new="        if not caller.scopes:\n",
        test=f"{DOORS}::test_a_token_opens_its_doors_until_it_is_revoked",
    ),
    Mutant(
        name="REST: a signature counts for any body",
        file="gateway/api/auth.py",
        old="    digest = hashlib.sha256(body).hexdigest()\n",
        new='    digest = hashlib.sha256(b"").hexdigest()\n',
        test=f"{DOORS}::test_a_proxy_vouches_for_people",
    ),
    Mutant(
        name="REST: what was said before the question was sent answers it",
        file="gateway/api/door.py",
        old="            seen=self._seen.get((saying.thread, caller.principal), _Seen()).upto,\n",
        new="",
        test=f"{QUESTIONS}::test_race_16_what_was_said_before_the_question_was_sent_is_no_answer",
    ),
    Mutant(
        name="REST: a key is any request's",
        file="gateway/api/door.py",
        old="        if row.new.fingerprint != new.fingerprint:\n",
        new="        if not row.new.fingerprint:\n",
        test=f"{STREAMS}::test_row_059_the_same_request_again_is_one_message",
    ),
    Mutant(
        name="REST: what was only handed over counts as shown",
        file="gateway/api/runlog.py",
        old="            self._shorten(step, grown.written)\n",
        new="",
        test=f"{STREAMS}::test_what_counts_as_shown_is_what_was_written_to_a_reader",
    ),
    Mutant(
        name="REST: a message to a run that asks waits, and may answer",
        file="gateway/intake.py",
        old="    if live is not None and live.machine.open:\n"
        "        answering.refused(state, work, row, AgentRunPausedError())\n"
        "    elif live is None",
        new="    if live is None",
        test=f"{MESSAGES}::test_race_20_what_was_not_delivered_at_a_pause_is_taken_after_it",
    ),
    Mutant(
        name="REST: an injected message starts a run",
        file="gateway/ending.py",
        old="    close_injected(state, work, live, keep=effect.end is End.COMPLETED)\n",
        new="",
        test=f"{MESSAGES}::test_row_031_a_run_that_fails_gives_back_what_was_injected",
    ),
    Mutant(
        name="REST: a follow-up shares the turn's iterations",
        file="gateway/runs/loop.py",
        old="        kinds = {one.queued for one in joined}\n"
        "        if Queued.FOLLOW_UP in kinds:\n",
        new="        kinds = {one.queued for one in joined}\n        if not kinds:\n",
        test=f"{MESSAGES}::test_row_099_a_follow_up_has_its_own_iterations",
    ),
    Mutant(
        name="REST: somebody else's file is said to a run",
        file="gateway/files.py",
        old="        return tuple([await self.attached(one, principal) for one in given])\n",
        new="        return tuple(given)\n",
        test=f"{FILES}_to_runs.py::test_one_says_only_ones_own_files_to_a_run",
    ),
    Mutant(
        name="a handle's message brings somebody else's file",
        file="gateway/runs/queue.py",
        old="        if error is not None or item.attach is None or not message.attachments:\n",
        new="        if error is not None or item.attach is not None:\n",
        test=f"{FILES}_of_library.py::test_somebody_elses_is_refused_and_not_the_run",
    ),
    Mutant(
        name="a file that joined a run is dropped like one that was not sent",
        file="gateway/store/writes.py",
        old="            files.said(fenced, attached)\n",
        new="            pass\n",
        test=f"{FILES}_of_library.py::test_a_file_joins_a_run_and_is_kept",
    ),
    Mutant(
        name="AG-UI: a file that the agent fails on is sent for ever",
        file="gateway/agents/agui/files.py",
        old="        if self._failures.get(one.blob, 0) >= MOST_FAILURES:\n",
        new="        if False:\n",
        test="tests/acceptance/test_agui_files.py"
        "::test_a_file_that_the_agent_fails_on_is_left_out_the_third_time",
    ),
    Mutant(
        name="AG-UI: a deleted conversation is gone on with",
        file="gateway/agents/agui/outgoing.py",
        old='    return _id("thread", start.thread, start.since, start.branch, ',
        new='    return _id("thread", start.thread, start.branch, ',
        test="tests/acceptance/test_agui_agents.py"
        "::test_a_deleted_conversation_is_not_gone_on_with",
    ),
)
