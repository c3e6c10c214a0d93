"""What recognisers must not do, and which test says so."""

from __future__ import annotations

from tests.soak.mutants import Mutant

ROWS = "tests/acceptance"
ENGINES = "tests/voice/engines"

HEARING = (
    Mutant(
        "ears: words that nobody said are kept",
        "voice/engines/whisper_gate.py",
        "        or evidence.no_speech >= NO_SPEECH\n",
        "",
        f"{ENGINES}/test_whisper_gate.py::test_where_nobody_spoke_nothing_was_said",
    ),
    Mutant(
        "ears: other words are heard as an answer",
        "voice/engines/whisper_limited.py",
        "ratio, apart and ratio >= LEAST_RATIO)",
        "ratio, True or ratio >= LEAST_RATIO)",
        f"{ENGINES}/test_whisper_limited.py::test_what_is_no_answer_is_refused",
    ),
    Mutant(
        "ears: a second hearing answers something else than the first was like",
        "voice/engines/whisper_limited.py",
        " and outcome.value == first.guess.value",
        "",
        f"{ENGINES}/test_whisper_limited.py::test_two_guesses_are_no_answer",
    ),
    Mutant(
        "ears: an earlier pause tells its words in a later one",
        "voice/call_hearing.py",
        " and number == self._pauses",
        "",
        "tests/voice/call/test_hearing.py::"
        "test_an_earlier_pause_that_comes_after_a_later_one_tells_nothing",
    ),
    Mutant(
        "ears: another language is translated, and closes the question",
        "voice/engines/whisper_limited.py",
        "    if len(free.words) >= SENTENCE and model.is_foreign(encoded):\n",
        "    if False:\n",
        f"{ROWS}/test_bad_sound_heard.py::test_another_language_in_a_note",
    ),
    Mutant(
        "ears: a noise has words",
        "voice/engines/whisper_talk.py",
        "    if like.noise >= noisy:\n",
        "    if False:\n",
        f"{ENGINES}/test_whisper_sounds.py::test_people_behind_a_wall_are_no_words",
    ),
    Mutant(
        "ears: speech that the decoder doubts is a noise",
        "voice/engines/whisper_talk.py",
        "        no_speech = 0.0\n",
        "        pass\n",
        f"{ENGINES}/test_whisper_sounds.py::test_speech_that_the_decoder_doubts_is_heard",
    ),
    Mutant(
        "ears: a hum is read as words",
        "voice/engines/whisper_talk.py",
        "(heard.like.hum >= HUMMED or _repeats(free.text))",
        "_repeats(free.text)",
        f"{ENGINES}/test_whisper_sounds.py::test_a_hum_asks_for_nobody",
    ),
    Mutant(
        "ears: a voice begins where the detector believes in it",
        "voice/core/vad.py",
        "        began = max(since if foot is None else foot, since - self.gating.foot_ms)\n",
        "        began = since\n",
        "tests/voice/core/test_vad.py::test_a_soft_beginning_belongs_to_the_voice",
    ),
)
