"""`bargein answers`: how a text is understood as an answer, by hand or from a pipe."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gateway.core.answers import (
    Channel,
    Control,
    Explanation,
    Problem,
    SchemaError,
    Value,
    answer_format,
    explain,
    render_problem,
    unsupported,
)
from gateway.core.errors import ValidationFailed
from gateway.i18n import LANGUAGES, known_language
from gateway.ports.clock import Clock


@dataclass(frozen=True, slots=True)
class Trial:
    """A schema to try texts on, in a person's language, typed or spoken."""

    schema: dict[str, Any]
    language: str
    channel: Channel
    clock: Clock

    def read(self, text: str) -> Explanation:
        """What becomes of one text."""
        tongues = tuple(dict.fromkeys((known_language(self.language), *LANGUAGES)))
        return explain(
            text, self.schema, languages=tongues, channel=self.channel, now=self.clock.now()
        )


def schema_of(source: str) -> dict[str, Any]:
    """The schema in a text, or in the file that `@FILE` names.

    Raises:
        ValidationFailed: it is no JSON Schema, or uses what no answer can be read by.
    """
    text = Path(source[1:]).read_text(encoding="utf-8") if source.startswith("@") else source
    try:
        schema = json.loads(text)
        left = unsupported(schema)
    except (json.JSONDecodeError, SchemaError) as error:
        raise ValidationFailed(f"the schema is no JSON Schema: {error}") from None
    if left:
        raise ValidationFailed(f"the schema uses what no answer can be read by: {', '.join(left)}")
    parsed: dict[str, Any] = schema
    return parsed


def for_people(trial: Trial, text: str, *, why: bool) -> Iterator[str]:
    """The lines that tell a person what becomes of a text; `why` adds each part's role."""
    read = trial.read(text)
    yield f"asked for: {answer_format(trial.schema, trial.language)}"
    match read.outcome:
        case Value(value=value, how=how, read_back=read_back):
            yield f"value: {json.dumps(value, ensure_ascii=False)} ({how}; {read_back})"
        case Problem() as problem:
            told = render_problem(problem, trial.schema, trial.language)
            yield f"not taken: {problem.code}: {told}"
        case Control(kind=kind):
            yield f"control: {kind}"
    if why:
        yield from (f"  {stretch.words}: {stretch.role}" for stretch in read.stretches)


def for_pipes(trial: Trial, texts: Iterable[str], *, why: bool) -> Iterator[str]:
    """A JSON line for each text."""
    for line in texts:
        text = line.rstrip("\n")
        read = trial.read(text)
        row: dict[str, Any] = {"text": text, **_outcome(trial, read)}
        if why:
            row["stretches"] = [[stretch.words, stretch.role] for stretch in read.stretches]
        yield json.dumps(row, ensure_ascii=False)


def _outcome(trial: Trial, read: Explanation) -> dict[str, Any]:
    match read.outcome:
        case Value(value=value, how=how, read_back=read_back):
            return {"ok": True, "value": value, "how": how.value, "readBack": read_back}
        case Problem() as problem:
            told = render_problem(problem, trial.schema, trial.language)
            return {"ok": False, "problem": problem.code.value, "told": told, "note": problem.note}
        case Control(kind=kind):
            return {"ok": False, "control": kind.value}
