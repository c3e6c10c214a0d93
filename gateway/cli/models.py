"""Models of recognisers that the operator brings: list, add, check."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gateway.cli.deferred import Deferred
from gateway.cli.options import Config
from gateway.core.errors import EngineFailed, SettingsInvalid
from voice.engines import vosk_models

if TYPE_CHECKING:
    from gateway import settings as setup
else:
    setup = Deferred("gateway.settings")

ENGINE = "vosk"
_LANGUAGE = re.compile(r"[a-z]{2,3}")

app = typer.Typer(help="Models of recognisers: list, add, check.", no_args_is_help=True)


@app.command("list")
def models_list(config: Config = None) -> None:
    """Every model that was added, and every one that the settings name."""
    voice = setup.load(config).voice
    for one in vosk_models.installed(voice.cache):
        print(f"{ENGINE}\t{one.language}\t{one.path}\t{one.source}")
    for language, path in voice.hearing.models.items():
        print(f"{ENGINE}\t{language}\t{path}\tsettings")


@app.command("add")
def models_add(
    engine: Annotated[str, typer.Argument(help="vosk.")],
    language: Annotated[str, typer.Argument(help="Its language, as ru.")],
    source: Annotated[str, typer.Argument(help="A directory, a zip file, or its address.")],
    sha256: Annotated[
        str | None, typer.Option("--sha256", help="The zip file's; needed for an address.")
    ] = None,
    config: Config = None,
) -> None:
    """Put a model beside Whisper's weights, checked; it takes the place of that language's."""
    if engine != ENGINE:
        raise SettingsInvalid(f"{engine}: models can be added for {ENGINE} only", path="engine")
    if _LANGUAGE.fullmatch(language) is None:
        raise SettingsInvalid(f"{language!r} is no language, as en or ru", path="language")
    said: list[str] = []
    added = vosk_models.add(
        language,
        source,
        setup.load(config).voice.cache,
        sha256,
        try_out=lambda path: said.append(_loaded(path, language)),
    )
    print(f"Added: {added.path}. {said[0]}")


@app.command("check")
def models_check(config: Config = None) -> None:
    """Whether each model is as it was added, and can be loaded."""
    voice = setup.load(config).voice
    failed = 0
    named = {language: path.expanduser() for language, path in voice.hearing.models.items()}
    every = {one.language: one.path for one in vosk_models.installed(voice.cache)} | named
    for language, path in every.items():
        try:
            said = _loaded(path, language)
        except EngineFailed as error:
            failed, said = failed + 1, str(error)
        print(f"{ENGINE}\t{language}\t{said}")
    if not every:
        print("No models.")
    raise typer.Exit(int(failed > 0))


def _loaded(path: Path, language: str) -> str:
    """What a model is worth once it is in memory.

    Raises:
        EngineFailed: it is damaged or another language's.
    """
    if find_spec(ENGINE) is None:
        vosk_models.complete(path)
        return "Not loaded: pip install 'bargein[vosk]'"
    model = import_module("voice.engines.vosk_model").Model(path, language)
    if model.refuses:
        return "It loads."
    return "It loads, but has no word [unk] for what it doesn't know: other words may be misheard."
