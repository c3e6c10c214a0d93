"""Adds one step to the build: the catalogs in ``locales/`` are compiled into the package."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tools"))

from locales import compile_catalogs  # noqa: E402 - found through the line above


class BuildWithCatalogs(build_py):
    """Compiles each ``messages.po`` to ``gateway/locales/<language>/LC_MESSAGES/messages.mo``."""

    def run(self) -> None:
        super().run()
        base = ROOT if self.editable_mode else Path(self.build_lib)
        compile_catalogs(base / "gateway" / "locales")


setup(cmdclass={"build_py": BuildWithCatalogs})
