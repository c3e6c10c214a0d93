"""What the operator sets: `bargein.toml`, then the environment, then the command line; last wins.

`BARGEIN_QUEUE__CAP=5` is `cap` of `[queue]`. A secret may stand in a file: its name with `_FILE`.
Unknown keys and wrong types are errors that name their path.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from gateway.core.errors import SettingsInvalid
from gateway.settings.environment import CONFIG_VARIABLE, Mistake, from_environment
from gateway.settings.mcp import McpServerSettings
from gateway.settings.models import (
    AccessSettings,
    ApiSettings,
    ChannelSettings,
    GraceSettings,
    HearingSettings,
    HttpSettings,
    LogFormat,
    LogSettings,
    QueueSettings,
    Settings,
    SpeechSettings,
    TelegramSettings,
    TimeoutSettings,
    VoiceSettings,
)

__all__ = [
    "AccessSettings",
    "ApiSettings",
    "ChannelSettings",
    "GraceSettings",
    "HearingSettings",
    "HttpSettings",
    "LogFormat",
    "LogSettings",
    "McpServerSettings",
    "Mistake",
    "QueueSettings",
    "Settings",
    "SpeechSettings",
    "TelegramSettings",
    "TimeoutSettings",
    "VoiceSettings",
    "load",
    "system_language",
]

DEFAULT_CONFIG = Path("bargein.toml")


def load(
    config: Path | None = None,
    environment: Mapping[str, str] | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Settings:
    """The settings. `overrides` come from the command line, nested as in the file.

    Raises:
        SettingsInvalid: `params["mistakes"]` are all of them, `params["path"]` the first one's.
    """
    given = dict(os.environ if environment is None else environment)
    named = config or (Path(given[CONFIG_VARIABLE]) if given.get(CONFIG_VARIABLE) else None)
    file = _read(named or DEFAULT_CONFIG, must_exist=named is not None)
    variables, mistakes = from_environment(given)
    tree = _merged(_merged(file, variables), overrides or {})
    try:
        settings = Settings(**tree)
    except ValidationError as error:
        mistakes += [_mistake(item["loc"], item["msg"]) for item in error.errors()]
    else:
        if not mistakes:
            return settings
    text = "\n".join(str(mistake) for mistake in mistakes)
    raise SettingsInvalid(text, path=mistakes[0].path, mistakes=tuple(mistakes))


def _read(path: Path, *, must_exist: bool) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if not must_exist:
            return {}
        problem = "there is no such file"
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        problem = str(error)
    mistake = Mistake(str(path), problem)
    raise SettingsInvalid(str(mistake), path=str(path), mistakes=(mistake,)) from None


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        if isinstance(under, Mapping) and isinstance(value, Mapping):
            merged[key] = _merged(under, value)
        else:
            merged[key] = value
    return merged


def _mistake(loc: tuple[int | str, ...], text: str) -> Mistake:
    problem = "unknown setting" if text == "Extra inputs are not permitted" else text
    return Mistake(".".join(str(part) for part in loc), problem)


def system_language(environment: Mapping[str, str] | None = None) -> str:
    """The language that the system is set to, as a tag ("ru_RU.UTF-8"); "en" where none is."""
    given = os.environ if environment is None else environment
    found = (given.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return next((value for value in found if value), "en")
