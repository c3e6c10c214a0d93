"""The rows of answers that this folder's tests read, own and shared."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gateway.core.answers import Outcome, parse_answer
from gateway.core.answers.schema import same

FILES = ("yesno", "number", "enum", "mixed")
DATA = Path(__file__).parent / "data"
NOW = datetime.fromisoformat("2026-03-11T10:00:00+03:00")


@dataclass(frozen=True, slots=True)
class Row:
    """One text under one schema; `expected` is None where it has to be asked again."""

    name: str
    lang: str
    channel: Any
    kind: str
    schema: Mapping[str, Any]
    text: str
    expected: tuple[Any] | None
    kept: bool = False
    now: datetime | None = None


def languages(lang: str) -> tuple[str, ...]:
    """The person's language first."""
    return ("en", "ru") if lang == "en" else ("ru", "en")


def answer(row: Row) -> Outcome:
    """What the row's text comes to."""
    return parse_answer(
        row.text, row.schema, languages=languages(row.lang), channel=row.channel, now=row.now
    )


def lines(path: Path) -> list[str]:
    """The lines of a file."""
    return path.read_text(encoding="utf-8").strip("\n").split("\n")


def own(name: str) -> Iterator[Row]:
    """The rows written for this project's tests."""
    schemas = json.loads((DATA / "schemas.json").read_text(encoding="utf-8"))
    for number, line in enumerate(lines(DATA / f"{name}.jsonl"), 1):
        raw = json.loads(line)
        yield Row(
            f"{name}:{number}",
            raw["lang"],
            raw["channel"],
            raw["kind"],
            schemas[raw["schema"]],
            raw["text"],
            (raw["value"],) if "value" in raw else None,
            raw["half"] == "kept",
            NOW,
        )


def shared_folder() -> Path | None:
    """The folder of the shared rows, where it is there."""
    named = os.environ.get("BARGEIN_SHARED")
    base = Path(named) if named else Path(__file__).parents[4] / "shared"
    folder = base / "answers"
    return folder if folder.is_dir() else None


def shared(folder: Path, name: str) -> Iterator[Row]:
    """The rows of a shared file."""
    for line in lines(folder / f"{name}.jsonl"):
        raw = json.loads(line)
        expect = raw["expect"]
        now = raw.get("now")
        yield Row(
            raw["id"],
            raw["lang"],
            raw["channel"],
            raw["kind"],
            raw["schema"],
            raw["text"],
            (expect["value"],) if expect["ok"] else None,
            now=datetime.fromisoformat(now) if now else None,
        )


_LENGTH = re.compile(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?")


def seconds(text: str) -> float | None:
    """The length that an ISO duration without months writes."""
    found = _LENGTH.fullmatch(text)
    if found is None:
        return None
    parts = [float(part or 0) for part in found.groups()]
    sizes = (604800, 86400, 3600, 60, 1)
    return sum(part * size for part, size in zip(parts, sizes, strict=True))


def means_the_same(row: Row, value: Any) -> bool:
    """Whether a value is the expected one, lengths and clock times compared by meaning."""
    assert row.expected is not None
    expected = row.expected[0]
    if row.schema.get("format") == "duration":
        return seconds(str(value)) == seconds(expected)
    if row.schema.get("format") == "date-time":
        return str(value).replace("Z", "+00:00") == expected.replace("Z", "+00:00")
    return same(value, expected)
