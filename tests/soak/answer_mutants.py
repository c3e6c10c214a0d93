"""Named mutants of how answers are understood."""

from __future__ import annotations

from tests.soak.mutants import Mutant

ROWS = "tests/core/answers/test_rows.py::test_own_rows_are_all_understood"

ANSWERS = (
    Mutant(
        "answers: a yes behind a stop is one",
        "gateway/core/answers/yesno.py",
        "if after.yes and _halts(items[: place + 1], words):",
        "if False:",
        ROWS,
    ),
    Mutant(
        "answers: an idiom that a pause undoes stays one",
        "gateway/core/answers/yesno.py",
        "not (idiom in words.apart and left.end < right.start)",
        "True",
        ROWS,
    ),
    Mutant(
        "answers: one question is the number 1",
        "gateway/core/answers/numbers.py",
        "code=None if self._says(aside) else ProblemCode.MENTION",
        "code=None",
        ROWS,
    ),
    Mutant(
        "answers: any unit that the schema names will do",
        "gateway/core/answers/numbers.py",
        "if first is None else not first.isdisjoint(stems)",
        "",
        ROWS,
    ),
    Mutant(
        "answers: a member of a choice is what the number before it counts",
        "gateway/core/answers/pieces.py",
        "(counts and self._is_choice(unit))",
        "False",
        ROWS,
    ),
    Mutant(
        "answers: a first one counts one",
        "gateway/core/answers/pieces.py",
        "return all(name is None or name[0] != number for name in beside)",
        "return False",
        ROWS,
    ),
    Mutant(
        "answers: a couple is the second",
        "gateway/core/answers/choices.py",
        "found.part or self._counts(start, found.end)",
        "False",
        ROWS,
    ),
    Mutant(
        "answers: the last two are the last and the second",
        "gateway/core/answers/arrays.py",
        "    if several is not None:\n",
        "    if False:\n",
        ROWS,
    ),
    Mutant(
        "answers: how long to wait is the number",
        "gateway/core/answers/shell.py",
        "return words in consent(languages).halts",
        "return False",
        ROWS,
    ),
    Mutant(
        "words: who is ready again says yes",
        "voice/core/words.py",
        "for phrase in (*talk.resume, *talk.ready)",
        "for phrase in talk.resume",
        "tests/voice/core/test_wait_is_no_yes.py::"
        "test_whatever_says_that_the_wait_is_over_is_no_yes",
    ),
)
