"""Named mutants of runs, stops and what is shown of them."""

from __future__ import annotations

from tests.soak.mutants import Mutant

RUNS = (
    Mutant(
        "fence: what a person sent starts while their stop is being stored",
        "gateway/starting.py",
        "        if row.new.principal not in state.fenced and not row.beside\n    ]",
        "        if not row.beside\n    ]",
        "tests/flows/test_race_30_fence.py",
    ),
    Mutant(
        "fence: an approved call goes on while its person's stop is being stored",
        "gateway/run_handlers.py",
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
        "gateway/running.py",
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
        "            deciding.close(state, work, question, Way.UNDELIVERABLE)\n",
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
        "gateway/commanding.py",
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
        "branches: a run beside moves the active leaf",
        "gateway/store/writes.py",
        'True: "head = ?"}',
        'True: "head = ?, leaf = head + 1"}',
        "tests/flows/test_branches.py::test_the_active_leaf_stays_where_it_is",
    ),
    Mutant(
        "inbox: what was stored as the actor came is taken twice",
        "gateway/session.py",
        "            elif not self._came_before(message):\n",
        "            else:\n",
        "tests/flows/test_first.py::test_a_message_is_answered",
    ),
    Mutant(
        "threads: two runs at once",
        "gateway/starting.py",
        "    if not state.occupying():\n        return waiting\n",
        "    return waiting\n",
        "tests/flows/test_modes.py::test_a_second_message",
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
