"""The import contracts hold, and would notice."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as main; main()",
    ]
    return subprocess.run(
        [*command, "--no-cache"], cwd=root, capture_output=True, text=True, check=False
    )


@pytest.fixture
def skeleton(tmp_path: Path) -> Path:
    """Two empty packages under the real contracts."""
    shutil.copy(ROOT / ".importlinter", tmp_path)
    shutil.copytree(
        ROOT / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__")
    )
    for package in ("gateway", "gateway/core", "gateway/runs", "voice", "voice/core"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    ours = {file.stem for file in (ROOT / "gateway").glob("*.py")}
    for module in ours | {"ports", "settings"}:
        (tmp_path / "gateway" / f"{module}.py").touch()
    return tmp_path


def test_the_contracts_hold_for_this_tree():
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout


def test_the_contracts_hold_for_empty_packages(skeleton: Path):
    result = lint_imports(skeleton)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("module", "line", "complaint"),
    [
        (
            "gateway/ports.py",
            "import gateway.runs",
            "gateway.ports is not allowed to import gateway.runs",
        ),
        ("gateway/runs/loop.py", "import gateway.session", "gateway.runs is not allowed"),
        ("gateway/session.py", "import gateway.runs", "gateway.session is not allowed"),
        ("gateway/effects.py", "import gateway.runs", "gateway.effects is not allowed"),
        ("gateway/core/run.py", "import voice.core", "gateway.core is not allowed"),
        ("gateway/helpers.py", "", "gateway.helpers"),
        ("gateway/core/run.py", "import asyncio", "gateway.core.run may not import asyncio"),
        ("gateway/core/run.py", "import pydantic", "gateway.core.run may not import pydantic"),
        ("gateway/core/run.py", "import numpy", "gateway.core.run may not import numpy"),
        ("gateway/session.py", "import aiohttp", "gateway.session may not import aiohttp"),
        ("gateway/session.py", "import sqlite3", "gateway.session may not import sqlite3"),
        ("gateway/settings.py", "import babel", "gateway.settings may not import babel"),
    ],
)
def test_a_step_over_the_line_is_named(skeleton: Path, module: str, line: str, complaint: str):
    (skeleton / module).write_text(f"{line}\n", encoding="utf-8")
    result = lint_imports(skeleton)
    assert result.returncode == 1
    assert complaint in " ".join(result.stdout.split())


def test_a_cycle_is_named(skeleton: Path):
    (skeleton / "gateway/session.py").write_text("import gateway.effects\n", encoding="utf-8")
    (skeleton / "gateway/effects.py").write_text("import gateway.session\n", encoding="utf-8")
    result = lint_imports(skeleton)
    assert result.returncode == 1
    assert "No cycles BROKEN" in result.stdout


def test_numpy_is_allowed_in_the_voice_core(skeleton: Path):
    (skeleton / "voice/core/pcm.py").write_text("import numpy\n", encoding="utf-8")
    assert lint_imports(skeleton).returncode == 0
