"""Named mutants of Telegram's channel."""

from __future__ import annotations

from tests.soak.mutants import Mutant

HERE = "gateway/channels/telegram"
ROWS = "tests/acceptance"

TELEGRAM = (
    Mutant(
        "a batch is confirmed though an update of it was not stored",
        f"{HERE}/polling.py",
        "self._offset = min(missed, default=max(ids) + 1)",
        "self._offset = max(ids) + 1",
        "tests/telegram/test_in.py::test_what_could_not_be_stored_comes_again_and_holds_nobody_up",
    ),
    Mutant(
        "an edit of unknown outcome counts as made",
        f"{HERE}/texts.py",
        "                part.stands = None\n",
        "                part.stands, part.revealed = frame, end\n",
        f"{ROWS}/test_row_074_exactly_once.py",
    ),
    Mutant(
        "the opening frame holds the whole text",
        f"{HERE}/texts.py",
        "words = opening(frame.rendered.text)",
        "words = frame.rendered.text",
        f"{ROWS}/test_row_074_exactly_once.py",
    ),
    Mutant(
        "anybody's press decides",
        f"{HERE}/presses.py",
        "if prompt.principal != pressed.principal:",
        "if not pressed.principal:",
        f"{ROWS}/test_row_067_presses.py",
    ),
    Mutant(
        "a penalty is not waited out",
        f"{HERE}/lanes.py",
        "self.penalised(failed.retry_after)",
        "self.penalised(1.0)",
        f"{ROWS}/test_row_073_streaming.py::test_a_429_holds_up_its_own_chat_only",
    ),
    Mutant(
        "refreshing takes what is kept for finals",
        f"{HERE}/limits.py",
        "GROUP_COUNT, GROUP_SECONDS, GROUP_KEPT = 20, 60.0, 3",
        "GROUP_COUNT, GROUP_SECONDS, GROUP_KEPT = 40, 60.0, 0",
        f"{ROWS}/test_row_073_streaming.py",
    ),
    Mutant(
        "what became of a message is told at most once",
        f"{HERE}/notes.py",
        "if failed.fate is Fate.UNKNOWN and self.sure and self.unknown < UNKNOWN_TRIES:",
        "if False:",
        "tests/telegram/test_out.py::test_what_became_of_a_message_is_told_at_least_once",
    ),
    Mutant(
        "a notice is not kept before it goes out",
        f"{HERE}/notes.py",
        "        if self.sure and not self.kept:\n",
        "        if False:\n",
        "tests/telegram/test_out.py",
    ),
    Mutant(
        "a question of unknown delivery is not sent again",
        f"{HERE}/prompting.py",
        "for _ in range(1 + UNKNOWN_TRIES):",
        "for _ in range(1):",
        "tests/telegram/test_questions.py",
    ),
    Mutant(
        "a delivery that is known late arms nothing",
        f"{HERE}/prompting.py",
        "            self.late(row, sent)\n",
        "            return\n",
        "tests/telegram/test_questions.py",
    ),
    Mutant(
        "an approver who blocks the bot ends it for the others",
        "gateway/expiring.py",
        'if lost and all(row.state == "failed" for row in state.prompts_of(question.id)):',
        "if lost:",
        f"{ROWS}/test_row_076_send_errors.py",
    ),
    Mutant(
        "a question that was lost thrice is never sent again",
        f"{HERE}/prompting.py",
        "        while sent.delivery is Delivery.UNKNOWN and await self._waits(row, pause):\n",
        "        while False:\n",
        "tests/telegram/test_questions.py",
    ),
    Mutant(
        "a reply to a question of unknown outcome is no answer",
        f"{HERE}/presses.py",
        "rows or await self._proved(item, item.reply_to, place)",
        "rows",
        "tests/telegram/test_questions.py",
    ),
    Mutant(
        "an edit of what waits in pieces is dropped",
        f"{HERE}/inbox.py",
        "        if says and self._lines.holds(item):\n",
        "        if False:\n",
        f"{ROWS}/test_row_070_edits.py",
    ),
    Mutant(
        "the stop of an old draft stops what runs now",
        f"{HERE}/inbox.py",
        "if run is None or not (place.private",
        "if not (place.private",
        "tests/telegram/test_drafts.py",
    ),
    Mutant(
        "a press that is delivered again switches back",
        f"{HERE}/selecting.py",
        'if row.body.get("pressed") != pressed.id:',
        "if pressed.id:",
        "tests/telegram/test_selecting.py",
    ),
    Mutant(
        "the words of a quote are not escaped",
        "gateway/core/notes.py",
        "{escape_note(quote.text[:QUOTE_LENGTH])}",
        "{quote.text[:QUOTE_LENGTH]}",
        "tests/telegram/test_replies.py",
    ),
    Mutant(
        "a chosen language is forgotten",
        f"{HERE}/tongues.py",
        "        if row is not None and row.chosen:\n            return row.language\n",
        "",
        "tests/telegram/test_access.py",
    ),
    Mutant(
        "a group's members are let in by the private list's guests",
        f"{HERE}/gate.py",
        "        if str(chat) not in self.groups and EVERYBODY not in self.groups:\n"
        "            return False\n",
        "",
        f"{ROWS}/test_row_080_access.py::test_groups_are_apart_from_private_chats",
    ),
)
