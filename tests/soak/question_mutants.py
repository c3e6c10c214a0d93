"""Named mutants of questions, approvals and answers."""

from __future__ import annotations

from tests.soak.mutants import Mutant

QUESTIONS = (
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
        "digest: other arguments than those approved run",
        "gateway/runs/leave.py",
        "if digest(call.arguments) != approved.arguments_digest:",
        "if False:",
        "tests/runs/test_questions.py::test_arguments_that_changed_after_the_approval_do_not_run",
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
        "answers: what is unclear approves",
        "gateway/reading.py",
        "    reading = Reading.UNCLEAR if outcome.attempt else Reading.SENTENCE\n",
        "    return replace(found, reading=Reading.VALUE, value=True)\n",
        "tests/flows/test_approvals.py::test_row_41_unclear_never_approves",
    ),
    Mutant(
        "answers: what is said is read as if it were typed",
        "gateway/reading.py",
        '        channel="speech" if new.how == "voice" else "text",\n',
        "",
        "tests/flows/test_race_26_after_a_decision.py::test_what_is_said_is_read_as_speech",
    ),
    Mutant(
        "answers: what was held for a prompt is held for ever",
        "gateway/reading.py",
        "AskedOf.UNSEEN if waited else AskedOf.UNARMED",
        "AskedOf.UNARMED",
        "tests/flows/test_race_17_before_delivery_is_known.py",
    ),
    Mutant(
        "approvers: a day by its name is no date to them",
        "gateway/reading.py",
        "        now=at,\n",
        "",
        "tests/flows/test_approvers.py::test_row_110_it_is_read_as_in_any_thread",
    ),
    Mutant(
        "answers: a typed no approves",
        "gateway/deciding.py",
        "    status = Status.APPROVED if approved else Status.DENIED\n    return Decision(",
        "    status = Status.APPROVED\n    return Decision(",
        "tests/flows/test_rights.py::test_a_typed_no_runs_nothing",
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
        "questions: a thread whose actor has left asks nothing",
        "gateway/actors.py",
        "return [question for question in asked if principal in question.asked]",
        "return []",
        "tests/flows/test_asleep.py",
    ),
    Mutant(
        "questions: an approver's answer stops at the door",
        "gateway/router.py",
        "new.override is not None or new.queued or new.chat:",
        "new.override is not None or new.queued:",
        "tests/flows/test_race_04_a_control_word_is_a_member.py",
    ),
    Mutant(
        "expiry: what is stored and not read yet is not waited for",
        "gateway/session.py",
        "        return [*self._arriving(), *unread]\n",
        "        return [*self._arriving()]\n",
        "tests/flows/test_race_01_answer_against_expiry.py",
    ),
    Mutant(
        "approvers: what one channel showed is answered on another",
        "gateway/questions.py",
        'prompt.state != "armed" or prompt.channel != new.channel:',
        'prompt.state != "armed":',
        "tests/acceptance/test_held_for_an_approver.py",
    ),
    Mutant(
        "approvers: an answer that waited is of the time it was stored",
        "gateway/router.py",
        "self._take(replace(new, said_at=at), at)",
        "self._take(new, at)",
        "tests/acceptance/test_held_for_an_approver.py",
    ),
    Mutant(
        "Telegram: what waits for a send stops the polling",
        "gateway/channels/telegram/inbox.py",
        "        return self.desk.engine.waits(self._new(item, ()))\n",
        "        return False\n",
        "tests/telegram/test_held_at_the_door.py",
    ),
    Mutant(
        "actors: what was to be heeded goes with the actor",
        "gateway/actors.py",
        "        if session.unheeded:\n",
        "        if False:\n",
        "tests/telegram/test_told_later.py",
    ),
)
