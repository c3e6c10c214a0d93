"""What is installed: the wheel has the compiled catalogs, and they speak Russian from there."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools import dockerfile, locales

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str, cwd: Path) -> str:
    result = subprocess.run(
        [sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the tree as it goes into the image."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    dockerfile.build_context(ROOT, source)
    build = ["-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-cache-dir"]
    run(*build, "-w", str(target), ".", cwd=source)
    [found] = target.glob("bargein-*.whl")
    return found


@pytest.mark.slow
def test_the_wheel_contains_each_compiled_catalog_and_the_type_markers(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    compiled = {f"gateway/locales/{x}/LC_MESSAGES/messages.mo" for x in locales.LANGUAGES}
    assert compiled | {"gateway/py.typed", "voice/py.typed"} <= names
    assert {f"gateway/api/rest/page/{x}" for x in ("index.html", "try.js", "try.css")} <= names


@pytest.mark.slow
def test_the_wheel_contains_every_module(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = [path for top in ("gateway", "voice") for path in (ROOT / top).rglob("*.py")]
    assert {path.relative_to(ROOT).as_posix() for path in sources} <= names


@pytest.mark.slow
def test_the_wheel_contains_the_product_alone(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {name for name in tops if not name.endswith(".dist-info")} == {"gateway", "voice"}


@pytest.mark.slow
def test_the_installed_package_finds_its_catalogs(wheel: Path, tmp_path: Path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = "from gateway import i18n; print(i18n.__file__, i18n.translator('ru').span(60))"
    place, *words = run("-c", code, cwd=tmp_path).split()
    assert Path(place).is_relative_to(tmp_path)
    assert words == ["1", "минута"]
