"""Settings in the environment: which variables are ours, which are unknown, secrets in files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel, SecretStr
from pydantic_settings import BaseSettings, EnvSettingsSource, SettingsError

from gateway.settings.models import NESTED, PREFIX, Settings

CONFIG_VARIABLE = "BARGEIN_CONFIG"
FILE_SUFFIX = "_file"


@dataclass(frozen=True, slots=True)
class Mistake:
    """One wrong setting: the path of its field, and what is wrong with it."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text}"


def from_environment(environment: Mapping[str, str]) -> tuple[dict[str, Any], list[Mistake]]:
    """The settings in these variables, nested as in the file, and what is wrong with them."""
    mistakes = list(_unknown(environment))
    variables, unreadable = _with_secrets(environment)
    mistakes += unreadable
    try:
        return _Environment(Settings, variables)(), mistakes
    except SettingsError as error:
        field = str(error).split('"')[1]
        return {}, [*mistakes, Mistake(field, "is not JSON")]


class _Environment(EnvSettingsSource):
    """The variables it is given instead of the process's own."""

    def __init__(self, settings_cls: type[BaseSettings], variables: Mapping[str, str]) -> None:
        self._variables = variables
        super().__init__(settings_cls)

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return {name.lower(): value for name, value in self._variables.items()}


def _parts(variable: str) -> tuple[str, ...]:
    return tuple(variable[len(PREFIX) :].lower().split(NESTED))


def _ours(environment: Mapping[str, str]) -> list[str]:
    return sorted(
        name
        for name in environment
        if name.upper().startswith(PREFIX) and name.upper() != CONFIG_VARIABLE
    )


def _unknown(environment: Mapping[str, str]) -> Iterator[Mistake]:
    for variable in _ours(environment):
        parts = _parts(variable)
        if not _is_setting(Settings, parts) and not _is_secret_file(parts):
            yield Mistake(variable, f"unknown setting {'.'.join(parts)}")


def _is_setting(model: type[BaseModel], parts: tuple[str, ...]) -> bool:
    field = model.model_fields.get(parts[0])
    if field is None:
        return False
    kind: Any = field.annotation
    rest = parts[1:]
    if get_origin(kind) is dict:
        kind, rest = get_args(kind)[1], rest[1:]
    if not rest:
        return True
    return isinstance(kind, type) and issubclass(kind, BaseModel) and _is_setting(kind, rest)


def _is_secret_file(parts: tuple[str, ...]) -> bool:
    model: type[BaseModel] = Settings
    for part in parts[:-1]:
        section = model.model_fields[part].annotation if part in model.model_fields else None
        if not (isinstance(section, type) and issubclass(section, BaseModel)):
            return False
        model = section
    name = parts[-1].removesuffix(FILE_SUFFIX)
    field = model.model_fields.get(name)
    return field is not None and name != parts[-1] and SecretStr in get_args(field.annotation)


def _with_secrets(environment: Mapping[str, str]) -> tuple[dict[str, str], list[Mistake]]:
    """The variables, with those that name a secret's file replaced by what the file holds."""
    variables = dict(environment)
    mistakes: list[Mistake] = []
    for variable in _ours(environment):
        if not _is_secret_file(_parts(variable)):
            continue
        name = variable[: -len(FILE_SUFFIX)]
        path = Path(variables.pop(variable))
        if name in environment:
            mistakes.append(Mistake(variable, f"{name} is set too; set one of them"))
            continue
        try:
            variables[name] = path.read_text(encoding="utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            mistakes.append(Mistake(variable, str(error)))
    return variables, mistakes
