"""Vosk's models: directories that the operator brings, each of one language.

None is on a package index, so nothing is shipped. `add` puts one from a directory, a zip file or an
https address into the cache, beside a record of each file's SHA-256; `check` compares.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gateway.core.errors import EngineFailed
from voice.engines.digests import sha256_of

RECORD = "bargein-model.json"
LARGEST_BYTES = 6 << 30
"""A download or a zip's contents beyond this is no model."""
_NEEDED = ("am/final.mdl", "conf/mfcc.conf")
_GRAPH = "graph/HCLr.fst"
_CHUNK = 1 << 20
_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Installed:
    """A model in the cache: where it came from, and the SHA-256 of its files by their paths."""

    language: str
    path: Path
    source: str
    files: Mapping[str, str]


def place(cache: Path, language: str) -> Path:
    """Where the model of a language is in the cache."""
    return cache.expanduser() / "models" / f"vosk-{language}"


def installed(cache: Path) -> Iterator[Installed]:
    """Those that were added, by language.

    Raises:
        EngineFailed: a record can't be read.
    """
    for record in sorted((cache.expanduser() / "models").glob(f"vosk-*/{RECORD}")):
        yield recorded(record.parent)


def recorded(directory: Path) -> Installed:
    """What was written down when it was added.

    Raises:
        EngineFailed: the record can't be read.
    """
    try:
        found = json.loads((directory / RECORD).read_text("utf-8"))
        return Installed(found["language"], directory, found["source"], dict(found["files"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EngineFailed(f"vosk: the record of {directory} can't be read: {error!r}") from error


def complete(directory: Path) -> None:
    """Whether it has what a model that can listen for answers needs.

    Raises:
        EngineFailed: it isn't there, is no model, or is one with a fixed graph.
    """
    if not directory.is_dir():
        raise EngineFailed(f"vosk: there is no directory {directory}")
    missing = [name for name in _NEEDED if not (directory / name).is_file()]
    if missing:
        raise EngineFailed(f"vosk: {directory} is no model: {', '.join(missing)} missing")
    if not (directory / _GRAPH).is_file():
        raise EngineFailed(
            f"vosk: {directory} has no {_GRAPH}: a model with a fixed graph can't listen for the "
            "answers to a question; take a small one, or one whose name ends in -lgraph"
        )


def check(model: Installed) -> None:
    """Whether its files are those that were added.

    Raises:
        EngineFailed: one is missing, was changed or can't be read.
    """
    complete(model.path)
    for name, wanted in model.files.items():
        path = model.path / name
        if not path.is_file():
            raise EngineFailed(f"vosk: {path} is missing; add the model again")
        if sha256_of(path) != wanted:
            raise EngineFailed(f"vosk: {path} is not the file that was added; add the model again")


def add(
    language: str,
    source: str,
    cache: Path,
    sha256: str | None,
    *,
    try_out: Callable[[Path], None] = lambda path: None,
) -> Installed:
    """Put a model into the cache, in place of an earlier one of that language. `sha256` is the
    archive's; a zip from an address has to have one. `try_out` may refuse it.

    Raises:
        EngineFailed: it can't be read, its hash differs, or it is no model. Nothing is changed.
    """
    target = place(cache, language)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".adding-") as work:
            model = _root(_fetched(source, sha256, Path(work)))
            complete(model)
            try_out(model)
            made = Path(work) / "model"
            shutil.copytree(model, made)
            record = {"language": language, "source": source, "files": _hashes(made)}
            (made / RECORD).write_text(json.dumps(record, indent=1), "utf-8")
            if target.exists():
                target.replace(Path(work) / "earlier")
            made.replace(target)
    except (OSError, zipfile.BadZipFile, shutil.Error, ValueError) as error:
        raise EngineFailed(f"vosk: {source} can't be added: {error}") from error
    return recorded(target)


def _hashes(directory: Path) -> dict[str, str]:
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): sha256_of(path) for path in files}


def _fetched(source: str, sha256: str | None, work: Path) -> Path:
    """A directory that holds what the source holds."""
    if source.startswith(("https://", "http://")):
        if sha256 is None:
            raise EngineFailed(f"vosk: {source} needs --sha256: it says which file you want")
        archive = work / "model.zip"
        _download(source, archive)
    else:
        archive = Path(source).expanduser()
        if archive.is_dir():
            if sha256 is not None:
                raise EngineFailed("vosk: --sha256 is an archive's, and this is a directory")
            return archive
        if not archive.is_file():
            raise EngineFailed(f"vosk: there is nothing at {archive}")
    found = sha256_of(archive)
    if sha256 is not None and found != sha256.lower():
        raise EngineFailed(f"vosk: {source} has the SHA-256 {found}, not {sha256.lower()}")
    unpacked = work / "unpacked"
    _unpack(archive, unpacked)
    return unpacked


def _download(address: str, into: Path) -> None:
    request = urllib.request.Request(address, headers={"User-Agent": "bargein"})
    with urllib.request.urlopen(request, timeout=_SECONDS) as reply, into.open("wb") as file:
        taken = 0
        while chunk := reply.read(_CHUNK):
            taken += len(chunk)
            if taken > LARGEST_BYTES:
                raise EngineFailed(f"vosk: {address} is larger than any model")
            file.write(chunk)


def _unpack(archive: Path, into: Path) -> None:
    with zipfile.ZipFile(archive) as packed:
        if sum(one.file_size for one in packed.infolist()) > LARGEST_BYTES:
            raise EngineFailed(f"vosk: {archive.name} unpacks to more than any model")
        packed.extractall(into)


def _root(directory: Path) -> Path:
    """The directory with the model in it: archives hold one directory above it."""
    found = next(directory.rglob(_NEEDED[0]), None)
    return directory if found is None else found.parent.parent
