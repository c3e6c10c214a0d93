"""Named mutants of calls and of what they hear; each turns its test red."""

from __future__ import annotations

from tests.soak.mutants import Mutant

CORE = "tests/voice/core"
CALL = "tests/voice/call"
ROWS = "tests/acceptance"
ENGINES = "tests/voice/engines"

VOICE = (
    Mutant(
        "call: what an earlier generation tells counts",
        "voice/core/floor_changes.py",
        "    if event.generation != floor.generation or not floor.playing:\n",
        "    if not floor.playing:\n",
        f"{CORE}/test_barge_in.py::test_line_8_the_late_end_of_a_generation_ends_no_later_one",
    ),
    Mutant(
        "call: a stop raises no generation",
        "voice/core/barge_in_rules.py",
        "        generation=floor.generation + 1,\n",
        "",
        f"{CORE}/test_barge_in.py",
    ),
    Mutant(
        "call: what was cleared still leaves",
        "voice/transports/outgoing.py",
        "if f.generation is None or f.generation > generation]",
        "if f]",
        "tests/voice/transports/test_browser_line.py::test_what_was_cleared_leaves_no_more",
    ),
    Mutant(
        "echo: our own words interrupt",
        "voice/core/barge_in.py",
        "        lambda c: c.reading.kind is Kind.ECHO,\n",
        "        lambda c: False,\n",
        f"{CORE}/test_barge_in.py",
    ),
    Mutant(
        "echo: our own sound has words",
        "voice/call_turns.py",
        "        if found.words and self._is_own(found.utterance):\n",
        "        if False:\n",
        f"{ROWS}/test_row_091_own_echo.py",
    ),
    Mutant(
        "approval: a yes right behind one of ours counts",
        "voice/core/barge_in_rules.py",
        "        if not near_our_yes(self.began_ms, until, self.floor.played):\n",
        "        if True:\n",
        f"{CORE}/test_barge_in.py",
    ),
    Mutant(
        "question: an answer counts before its last word was heard",
        "voice/core/barge_in_rules.py",
        "        return question.heard_ms is None or self.began_ms < question.heard_ms\n",
        "        return False\n",
        f"{ROWS}/test_row_085_short_answers.py::test_early_it_is_asked_again",
    ),
    Mutant(
        "question: a final that never came decides it",
        "voice/core/barge_in_rules.py",
        "    if case.floor.question is None:\n        return stop_for",
        "    if True:\n        return stop_for",
        f"{CORE}/test_barge_in.py",
    ),
    Mutant(
        "keys: speech answers while they are pressed",
        "voice/core/barge_in_rules.py",
        "    return drop(case, DropReason.KEYS)\n",
        "    return take(case)\n",
        f"{ROWS}/test_row_090_keys.py::test_words_are_no_answer_while_keys_are_pressed",
    ),
    Mutant(
        "silence: the question is asked again for ever",
        "voice/core/silence.py",
        "    if asked == policy.silences:\n",
        "    if False:\n",
        f"{ROWS}/test_row_089_silence.py::test_asked_again_twice_then_told",
    ),
    Mutant(
        "silence: it counts while a run works",
        "voice/core/silence.py",
        "busy = floor.playing or floor.running or",
        "busy = floor.playing or",
        f"{CORE}/test_barge_in.py::"
        "test_silence_does_not_count_while_a_run_works_or_the_caller_asked_to_wait",
    ),
    Mutant(
        "noise: a voice without words holds the speech again and again",
        "voice/core/barge_in.py",
        "    if floor.wary or utterance.noise or utterance",
        "    if utterance",
        f"{CORE}/test_barge_in.py",
    ),
    Mutant(
        "digits: an open length does not wait",
        "voice/core/endpointing.py",
        "    if form is Form.OPEN:\n        return times.number_ms\n",
        "",
        f"{ROWS}/test_row_087_numbers_in_groups.py::test_an_open_length_waits",
    ),
    Mutant(
        "digits: a known length waits",
        "voice/core/endpointing.py",
        "        return 0 if turn.complete else times.number_ms\n",
        "        return times.number_ms\n",
        f"{ROWS}/test_row_087_numbers_in_groups.py::test_a_known_length_ends_at_once",
    ),
    Mutant(
        "endpointing: half a sentence is a turn",
        "voice/core/endpointing.py",
        "    return times.unfinished_ms if words[-1] in _GOES_ON else times.talk_ms\n",
        "    return times.talk_ms\n",
        f"{CORE}/test_endpointing.py",
    ),
    Mutant(
        "hold: what was held is lost",
        "voice/core/playout.py",
        "replace(track, sent=track.acknowledged, flight=track.flight + 1)",
        "replace(track, flight=track.flight + 1)",
        f"{ROWS}/test_row_083_a_false_interruption.py::test_over_a_reply",
    ),
    Mutant(
        "hold: marks of what was taken back count",
        "voice/core/playout.py",
        "        if track is None or track.cut or track.flight != flight:\n",
        "        if track is None or track.cut:\n",
        f"{CORE}/test_playout.py",
    ),
    Mutant(
        "heard: what was sent counts as heard",
        "voice/core/playout.py",
        "        played = max(track.acknowledged, min(position, track.sent))\n"
        "        return self._with(replace(track, acknowledged=played))\n",
        "        return self._with(replace(track, acknowledged=track.sent))\n",
        f"{CORE}/test_playout.py",
    ),
    Mutant(
        "heard: a page that lies gains what was never sent",
        "voice/core/playout.py",
        "        played = max(track.acknowledged, min(position, track.sent))\n"
        "        return self._with(replace(track, acknowledged=played, cleared=True))\n",
        "        return self._with(replace(track, acknowledged=position, cleared=True))\n",
        f"{CORE}/test_playout.py",
    ),
    Mutant(
        "heard: a word counts before it sounds",
        "voice/core/playout.py",
        "        if at is None or at >= played:\n",
        "        if at is None or at >= played + 22_050:\n",
        f"{CORE}/test_playout.py",
    ),
    Mutant(
        "microphone: a line that counts anew is never heard again",
        "voice/call_ear.py",
        "            if self._strange < STRANGE_FRAMES:\n",
        "            if True:\n",
        f"{ROWS}/test_row_093_bad_sound.py::test_a_page_that_counts_anew_is_heard_again",
    ),
    Mutant(
        "line: half a sample is sound",
        "voice/transports/frames.py",
        "    if size <= 0 or size % 2 or size > _LONGEST_SOUND_BYTES:\n",
        "    if size <= 0 or size > _LONGEST_SOUND_BYTES:\n",
        "tests/voice/transports/test_browser_line.py::test_garbage_is_known_as_such",
    ),
    Mutant(
        "line: who hung up may come back",
        "voice/transports/line.py",
        "            here.left = True\n            return False\n",
        "            return False\n",
        "tests/voice/transports/test_browser_line.py::"
        "test_what_the_page_tells_reaches_the_call_in_order",
    ),
    Mutant(
        "approval: a yes that stood among our own words counts",
        "voice/call_asking.py",
        "doubtful=left.doubtful or (asked.is_leave and left.consents))",
        "doubtful=left.doubtful)",
        f"{CALL}/test_answers_among_echoes.py::test_a_yes_among_our_own_words_gives_no_leave",
    ),
    Mutant(
        "approval: what our own words hid is not weighed again",
        "voice/call_dialogue.py",
        "        answer = self.questions.left(answer, action.text, self.stage.now())\n",
        "",
        f"{CALL}/test_answers_among_echoes.py",
    ),
    Mutant(
        "keys: one counts for a question that was not heard",
        "voice/call_dialogue.py",
        "        if not asked.heard:\n            self._put(asked, sayings.lead(e.DropReason.EARLY",
        "        if False:\n            self._put(asked, sayings.lead(e.DropReason.EARLY",
        f"{CALL}/test_keys_pressed_twice.py",
    ),
    Mutant(
        "stop: before a question was heard it is dropped",
        "voice/core/barge_in_rules.py",
        "    if question is None or (case.early and case.reading.kind is Kind.STOP):\n",
        "    if question is None:\n",
        f"{CALL}/test_policy_lines.py::test_line_4_a_stop_is_no_answer_and_never_too_early",
    ),
    Mutant(
        "call: whose token is revoked is heard to the end",
        "voice/call.py",
        "        self._inputs.close()\n",
        "",
        f"{CALL}/test_dismissed.py::test_a_yes_in_the_middle_of_which_a_token_is_revoked",
    ),
    Mutant(
        "call: whose token is revoked while their line is lost stays on it",
        "voice/transports/browser.py",
        "        self._calls.dismiss(digests)\n",
        "        for here in self._open:\n"
        "            if here.visitor.token in digests and here.call is not None:\n"
        "                here.call.dismiss()\n",
        "tests/voice/transports/test_browser_line.py"
        "::test_a_revoked_token_ends_the_call_whose_line_was_lost",
    ),
    Mutant(
        "call: a call goes by the token that it began with",
        "voice/calls.py",
        "            self._tokens[known] = token\n",
        "",
        f"{CALL}/test_dismissed.py::test_a_call_goes_by_the_token_it_went_on_with",
    ),
    Mutant(
        "call: what breaks on hearing of an input ends the sending",
        "voice/call_inputs.py",
        "        told = guarded(self.done, handed, code)\n",
        "        told: object = self.done(handed, code)\n",
        f"{CALL}/test_inputs.py",
    ),
    Mutant(
        "floor: a pause behind one word stops a prompt that is open",
        "voice/core/barge_in.py",
        """            and c.floor.question is None
            and c.reading.kind in _SAYING
""",
        """            and c.reading.kind in _SAYING
""",
        f"{CORE}/test_barge_in.py::test_line_4_a_pause_behind_one_word_settles_no_question",
    ),
    Mutant(
        "floor: what began while the question waited lets go on for good",
        "voice/core/floor_changes.py",
        "waited=waited)",
        "waited=False)",
        f"{CORE}/test_barge_in.py::"
        "test_line_2_what_lets_the_prompt_go_on_is_no_yes_though_the_prompt_ends_meanwhile",
    ),
    Mutant(
        "models: another language's is taken",
        "voice/engines/vosk_model.py",
        "        if sum(map(self.knows, basic)) * 2 < len(basic):\n",
        "        if False:\n",
        f"{ENGINES}/test_vosk.py::test_a_model_of_another_language_is_refused",
    ),
    Mutant(
        "models: other weights than the pinned ones are loaded",
        "voice/engines/whisper_weights.py",
        "    if digest.hexdigest() != part.sha256:\n",
        "    if False:\n",
        f"{ENGINES}/test_whisper_weights.py::test_another_file_than_the_pinned_one_is_never_used",
    ),
    Mutant(
        "models: a file that was changed since it was added is loaded",
        "voice/engines/vosk_models.py",
        "        if sha256_of(path) != wanted:\n",
        "        if False:\n",
        f"{ENGINES}/test_vosk_models.py::test_what_was_changed_since_is_noticed",
    ),
    Mutant(
        "models: what failed once is never tried again",
        "voice/engines/choose.py",
        "        if not self.failed or self.loading():\n            return False\n",
        "        if True:\n            return False\n",
        f"{ROWS}/test_bad_models.py::test_a_recording_has_what_failed_tried_again_too",
    ),
    Mutant(
        "notes: a doubtful yes allows",
        "gateway/channels/spoken.py",
        "            and (written.confirm or agent.destructive(question.tool_name))\n",
        "            and agent.destructive(question.tool_name)\n",
        f"{ROWS}/test_row_040_recordings.py::test_a_yes_that_may_have_been_misheard_is_not_taken",
    ),
    Mutant(
        "notes: a doubtful yes gives the leave that a tool asks for",
        "gateway/channels/spoken.py",
        "            question.kind is not QuestionKind.INPUT\n",
        "            question.asks_leave\n",
        "tests/flows/test_asleep.py::test_nor_is_one_to_what_a_tool_asks_leave_for",
    ),
    Mutant(
        "notes: an approver's doubtful yes allows",
        "gateway/router.py",
        "        return [*await self.open_to(chat, principal), *elsewhere]\n",
        "        return await self.open_to(chat, principal)\n",
        "tests/flows/test_asleep.py::test_nor_is_one_to_what_a_tool_asks_leave_for",
    ),
    Mutant(
        "notes: a yes that destroys is given by a recording",
        "gateway/channels/spoken.py",
        "            and (written.confirm or agent.destructive(question.tool_name))\n",
        "            and written.confirm\n",
        f"{ROWS}/test_row_040_recordings.py::test_a_yes_that_destroys_is_not_given_by_a_recording",
    ),
    Mutant(
        "notes: an hour is listened to",
        "voice/engines/sound_files.py",
        "            if length > most:\n",
        "            if False:\n",
        f"{ROWS}/test_bad_recordings.py::test_on_the_page",
    ),
    Mutant(
        "call: okay after a wait is a yes",
        "voice/core/words.py",
        '    return " ".join(words) in _SETTLED or any(\n',
        "    return any(\n",
        f"{CORE}/test_wait_is_no_yes.py",
    ),
)
