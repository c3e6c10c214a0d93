"""Modules that a command may not need: each is loaded when something of it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Deferred:
    """Stands for a module by its name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)
