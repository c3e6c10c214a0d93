"""Named mutants: a change that must turn a named test red.

Each is applied to a copy of the tree, where its one test then runs: it has to fail.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TREE = ("gateway", "tests", "examples", "pyproject.toml")
FAILED = 1
"""pytest's exit code where tests ran and failed."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """`old`, which stands once in `file`, becomes `new`; `test` must see it."""

    name: str
    file: str
    old: str
    new: str
    test: str


MUTANTS = (
    Mutant(
        "guard: the tool's list is not asked",
        "gateway/hosting.py",
        "        if not access.may_run(tool, row.principals):\n            return Leave.REFUSE\n",
        "",
        "tests/flows/test_rights.py::test_a_tool_runs_only_for_those_on_its_list",
    ),
    Mutant(
        "guard: whoever approved may have lost the right",
        "gateway/hosting.py",
        "if not all(self._still_may(question) for question in self._granted(facts)):",
        "if False:",
        "tests/flows/test_race_28_a_right_withdrawn.py",
    ),
    Mutant(
        "guard: every call may run",
        "gateway/hosting.py",
        "        if facts.destructive or not rules <= self._state.rules:\n",
        "        if False:\n",
        "tests/flows/test_approvals.py::test_an_approval_shows_its_arguments_and_a_yes_runs_it",
    ),
    Mutant(
        "fence: what a person sent starts while their stop is being stored",
        "gateway/session.py",
        "        if row.new.principal not in state.fenced and not row.beside\n    ]",
        "        if not row.beside\n    ]",
        "tests/flows/test_race_30_fence.py",
    ),
    Mutant(
        "fence: an approved call goes on while its person's stop is being stored",
        "gateway/handlers.py",
        "    if state.stop_on_its_way(live):\n",
        "    if False:\n",
        "tests/flows/test_race_30_about_to_begin.py",
    ),
    Mutant(
        "door: a stop waits for the actor",
        "gateway/fence.py",
        "        live.handle.stop(InterruptReason.USER_SIGINT)\n",
        "",
        "tests/acceptance/test_row_010_streaming_call_is_aborted.py",
    ),
    Mutant(
        "door: a shutdown overtakes a stop that is being stored",
        "gateway/hosting.py",
        "first = reason if live.tripped_at is None else InterruptReason.USER_SIGINT",
        "first = reason",
        "tests/acceptance/test_row_002_first_reason_wins.py",
    ),
    Mutant(
        "door: a stop that is delivered again stops the run that is on now",
        "gateway/router.py",
        " and not await self.wiring.store.known(new.dedup)",
        "",
        "tests/acceptance/test_row_066_order_of_checks.py",
    ),
    Mutant(
        "output: a NOW that is being stored lets more of the text out",
        "gateway/delivery.py",
        "    live.output_closed = True\n    live.more.clear()\n",
        "",
        "tests/flows/test_race_25_a_stop_against_an_edit_in_flight.py",
    ),
    Mutant(
        "digest: other arguments than those approved run",
        "gateway/runs/leave.py",
        "if digest(call.arguments) != approved.arguments_digest:",
        "if False:",
        "tests/runs/test_questions.py::test_arguments_that_changed_after_the_approval_do_not_run",
    ),
    Mutant(
        "epoch: a stale owner still writes",
        "gateway/store/fenced.py",
        "    if held == 0:\n",
        "    if False:\n",
        "tests/store/test_contract.py::test_a_stale_epoch_writes_nothing",
    ),
    Mutant(
        "grace: it is never over",
        "gateway/effects.py",
        "    live.grace = state.later(max(at - now, 0.0), Happened(live.id, GraceOver()))\n",
        "",
        "tests/acceptance/test_row_008_grace_then_hard_cancel.py",
    ),
    Mutant(
        "grace: a later stop does not shorten it",
        "gateway/effects.py",
        "    if at >= live.grace_at:\n        return\n",
        "    if live.grace is not None:\n        return\n",
        "tests/flows/test_race_09_now_against_an_uncuttable_call.py",
    ),
    Mutant(
        "group: one that failed is not undone alone",
        "gateway/store/connection.py",
        '            execute("ROLLBACK TO one")\n',
        "",
        "tests/store/test_group_commit.py",
    ),
    Mutant(
        "group: who was cancelled before the turn is run",
        "gateway/supervise.py",
        "taken = [(future, fn) for future, fn in taken if not future.cancelled()]",
        "taken = list(taken)",
        "tests/store/test_group_commit.py",
    ),
    Mutant(
        "dedup: what was delivered again is taken again",
        "gateway/store/unfenced.py",
        "    if known:\n        return int(known[0]), False\n",
        "",
        "tests/acceptance/test_row_059_duplicates.py",
    ),
    Mutant(
        "expiry: an answer at the very moment is in time",
        "gateway/core/interrupts.py",
        "self.expires_at is not None and now >= self.expires_at",
        "self.expires_at is not None and now > self.expires_at",
        "tests/core/test_interrupts.py::test_expiry_is_inclusive",
    ),
    Mutant(
        "seen: who can't have seen the question answers it",
        "gateway/reading.py",
        "    return any(row.new.seen is None or row.new.seen >= seq for seq in shown)",
        "    return True",
        "tests/flows/test_race_16_unseen.py::"
        "test_race_16_a_message_from_before_the_prompt_is_no_answer",
    ),
    Mutant(
        "numbers: the second question becomes the first once that is decided",
        "gateway/reading.py",
        "    for name in asked:\n",
        "    state.numbers.clear()\n    for name in [q.id for q in open_now]:\n",
        "tests/flows/test_answers.py::test_a_number_keeps_its_question",
    ),
    Mutant(
        "approvers: where there are none the customer is asked",
        "gateway/effects.py",
        "if question.approvers and named else question",
        "if question.approvers else question",
        "tests/flows/test_approvers.py::"
        "test_row_110_without_approvers_nobody_is_asked_least_of_all_the_customer",
    ),
    Mutant(
        "approvers: what they say becomes an input of the customer's thread",
        "gateway/intake.py",
        "    if row.new.chat:\n",
        "    if False:\n",
        "tests/flows/test_approvers.py::"
        "test_row_110_an_unclear_reply_is_asked_again_and_never_an_input_of_the_customer",
    ),
    Mutant(
        "remember: a denial allows the tool from then on",
        "gateway/answering.py",
        "    leave = own and decision.status is Status.APPROVED\n",
        "    leave = own\n",
        "tests/flows/test_approvals.py::test_a_denial_is_never_remembered_as_leave",
    ),
    Mutant(
        "edits: whatever they are, they are taken",
        "gateway/answering.py",
        "    if wrong is not None:\n        raise AnswerInvalid(wrong",
        "    if False:\n        raise AnswerInvalid(wrong",
        "tests/flows/test_approvals.py::test_edits_are_checked_and_bound",
    ),
    Mutant(
        "expiry: it does not wait for what was said in time",
        "gateway/expiring.py",
        "        if wait > 0:\n",
        "        if False:\n",
        "tests/flows/test_race_01_answer_against_expiry.py::"
        "test_race_01_the_expiry_waits_ten_seconds_for_what_was_said_in_time",
    ),
    Mutant(
        "now: a hold word with text answers",
        "gateway/reading.py",
        "        if now_text(text) is not None:\n",
        "        if False:\n",
        "tests/flows/test_race_08_now_during_a_pause.py::"
        "test_race_08_a_hold_word_with_text_moves_on",
    ),
    Mutant(
        "journal: a call that started is run again",
        "gateway/runs/batch.py",
        "                case Record.STARTED:\n"
        "                    self.results[call.id] = _unknown(call)\n",
        "                case Record.STARTED:\n                    again.append(call)\n",
        "tests/flows/test_race_22_crash_between_effect_and_log.py",
    ),
    Mutant(
        "journal: started is not durable before dispatch",
        "gateway/effects.py",
        '    ending.note(live, work, JournalRecord(event.call.id, "started"))\n',
        "",
        "tests/flows/test_race_22_crash_between_effect_and_log.py",
    ),
    Mutant(
        "answers: what is unclear approves",
        "gateway/reading.py",
        "    reading = Reading.UNCLEAR if outcome.attempt else Reading.SENTENCE\n",
        "    return replace(found, reading=Reading.VALUE, value=True)\n",
        "tests/flows/test_approvals.py::test_row_41_unclear_never_approves",
    ),
    Mutant(
        "answers: a typed no approves",
        "gateway/asking.py",
        "    status = Status.APPROVED if approved else Status.DENIED\n    return Decision(",
        "    status = Status.APPROVED\n    return Decision(",
        "tests/flows/test_rights.py::test_a_typed_no_runs_nothing",
    ),
    Mutant(
        "stop: what waits is not given back",
        "gateway/waiting.py",
        "    returned = [] if nothing else _give_back(state, work, principal, beside)\n",
        "    returned: list[InputRow] = []\n",
        "tests/flows/test_race_30_fence.py",
    ),
    Mutant(
        "shown: what was generated counts as shown",
        "gateway/delivery.py",
        "    shown = live.cut[step]\n",
        "    shown = Shown(kept.text)\n",
        "tests/flows/test_race_13_delivering.py::test_a_barge_in_saves_what_was_heard_and_its_mark",
    ),
    Mutant(
        "shown: it is not stored while it plays",
        "gateway/delivery.py",
        "        save_run(state, live, work, texts=texts)\n",
        "        pass\n",
        "tests/flows/test_race_24_restart.py::test_the_partial_is_closed_and_the_same_run_goes_on",
    ),
    Mutant(
        "recovery: a lost step's number is used again",
        "gateway/recovery.py",
        "crashes=row.crashes + 1, step=row.step + 1)",
        "crashes=row.crashes + 1)",
        "tests/flows/test_race_24_restart.py::"
        "test_no_life_reuses_the_number_of_a_step_that_another_one_showed",
    ),
    Mutant(
        "recovery: a run may crash the process for ever",
        "gateway/recovery.py",
        "crashes=row.crashes + 1, step=row.step + 1)",
        "crashes=0, step=row.step + 1)",
        "tests/flows/test_race_24_restart.py::test_the_third_crash_in_a_row_ends_the_run_failed",
    ),
    Mutant(
        "recovery: what an unreadable run asked stays open",
        "gateway/recovery.py",
        "            asking.close(state, work, question, How.UNDELIVERABLE)\n",
        "            pass\n",
        "tests/acceptance/test_row_060_bad_rows.py::test_questions_and_runs",
    ),
    Mutant(
        "retry: it does not rewind",
        "gateway/recovery.py",
        "    ending.take_out(state, work, last.id)\n",
        "",
        "tests/acceptance/test_row_057_retry.py::test_one_clean_trail_as_if_never_interrupted",
    ),
    Mutant(
        "retry: anybody may",
        "gateway/commands.py",
        "not (admin or row.new.principal in last.principals)",
        "False",
        "tests/acceptance/test_row_057_retry.py::"
        "test_only_the_persons_own_and_only_the_last_run_of_the_branch",
    ),
    Mutant(
        "delivery: a text told twice has to settle twice",
        "gateway/core/run_rules.py",
        "if not text or run.durable or step <= run.said:",
        "if not text or run.durable:",
        "tests/flows/test_race_13_delivering.py::"
        "test_a_text_that_settled_during_its_call_is_not_waited_for_again",
    ),
    Mutant(
        "grace: a stop's grace counts from its storing",
        "gateway/effects.py",
        "    since = now if live.stop_at is None else live.stop_at\n",
        "    since = now\n",
        "tests/flows/test_grace_from_the_door.py",
    ),
    Mutant(
        "children: a NOW to a child stops the run around it",
        "gateway/core/queueing.py",
        "    if run is not None and facts.to_child and _stops(facts.mode, override):\n",
        "    if False:\n",
        "tests/acceptance/test_row_026_a_child_alone.py",
    ),
    Mutant(
        "approvers: what they are asked is known once its thread is looked at",
        "gateway/router.py",
        "            self.elsewhere.restore(prompt, question)\n",
        "            continue\n",
        "tests/flows/test_race_01_late_approver.py",
    ),
    Mutant(
        "rules: a call by a remembered rule leaves no entry",
        "gateway/ending.py",
        "    if call.id in noted:\n",
        "    if True:\n",
        "tests/flows/test_approvals.py",
    ),
    Mutant(
        "branches: a run beside moves the active leaf",
        "gateway/store/writes.py",
        'True: "head = ?"}',
        'True: "head = ?, leaf = head + 1"}',
        "tests/flows/test_branches.py::test_the_active_leaf_stays_where_it_is",
    ),
    Mutant(
        "threads: two runs at once",
        "gateway/session.py",
        "        if not state.occupying():\n            return waiting\n",
        "        return waiting\n",
        "tests/flows/test_modes.py::test_a_second_message",
    ),
    Mutant(
        "storage: nobody is told that it failed",
        "gateway/session.py",
        "        if isinstance(error, StoreFailed):\n",
        "        if False:\n",
        "tests/acceptance/test_bad_storage.py::test_a_run_whose_commit_fails_goes_on_when_it_can",
    ),
    Mutant(
        "shutdown: what is said meanwhile is taken",
        "gateway/router.py",
        '            return Receipt(code="SHUTTING_DOWN")\n        thread = await',
        "            pass\n        thread = await",
        "tests/acceptance/test_row_062_sigterm.py::"
        "test_what_is_said_while_it_ends_is_refused_or_kept",
    ),
)


def copy_tree(to: Path) -> None:
    """The part of the tree that tests need."""
    skip = shutil.ignore_patterns("__pycache__", "*.pyc", ".hypothesis")
    for name in TREE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=skip)
        else:
            shutil.copy(ROOT / name, to / name)


def apply(mutant: Mutant, tree: Path) -> None:
    """Make the change.

    Raises:
        ValueError: what it changes isn't there exactly once.
    """
    path = tree / mutant.file
    source = path.read_text(encoding="utf-8")
    if source.count(mutant.old) != 1:
        raise ValueError(f"{mutant.name}: {mutant.file} has it {source.count(mutant.old)} times")
    path.write_text(source.replace(mutant.old, mutant.new), encoding="utf-8")


def run_test(test: str, tree: Path, seconds: float = 120.0) -> tuple[int, str]:
    """The exit code of pytest, and what it said."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", test, "-x", "-q", "--no-header"),
            *("-p", "no:cacheprovider", "-p", "no:randomly", "--timeout", "30"),
        ],
        cwd=tree,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )
    return done.returncode, done.stdout
