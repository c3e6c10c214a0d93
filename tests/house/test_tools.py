"""The small guards: file lengths, the Dockerfile, the names that ``gateway`` exports."""

import ast
import importlib
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import gateway
from tools import dockerfile, lengths

ROOT = Path(__file__).resolve().parents[2]
GOOD = dockerfile.DOCKERFILE.read_text(encoding="utf-8")


def test_a_file_over_the_limit_is_found(tmp_path: Path):
    (tmp_path / "gateway").mkdir()
    (tmp_path / "gateway" / "long.py").write_text("x = 1\n" * 321, encoding="utf-8")
    (tmp_path / "gateway" / "short.py").write_text("x = 1\n" * 320, encoding="utf-8")
    assert lengths.too_long(tmp_path) == [(tmp_path / "gateway" / "long.py", 321)]


def test_continued_lines_are_joined_and_comments_left_out():
    text = "# a\nFROM x:1.2\nENV A=1 \\\n    B=2\n"
    assert dockerfile.parse(text) == [("FROM", "x:1.2"), ("ENV", "A=1 B=2")]


def test_our_dockerfile_is_in_order():
    assert dockerfile.lint(dockerfile.parse(GOOD)) == []


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("USER bargein", "USER root", "the program would run as root"),
        ("USER bargein\n", "", "the program would run as root"),
        (":3.13-slim-bookworm", "", "FROM python: name a version"),
        ("/healthz", "/", "HEALTHCHECK must ask /healthz"),
        ('VOLUME ["/data"]', "", "there must be one volume, /data"),
        ('["/opt/bargein/bin/bargein", "serve"]', "bargein serve", "CMD is not in exec form"),
        ("EXPOSE 8642", "EXPOSE 8080", "must name the port of BARGEIN_HTTP__PORT"),
        ("127.0.0.1:8642", "127.0.0.1:8080", "must name the port of BARGEIN_HTTP__PORT"),
        ("HTTP__PORT=8642", "HTTP__PORT=1", "must name the port of BARGEIN_HTTP__PORT"),
        ("WORKDIR /src", "WORKDRI /src", "unknown instruction WORKDRI"),
    ],
)
def test_what_is_wrong_in_a_dockerfile_is_named(old: str, new: str, complaint: str):
    assert old in GOOD
    problems = dockerfile.lint(dockerfile.parse(GOOD.replace(old, new)))
    assert any(complaint in problem for problem in problems)


def test_the_build_context_holds_sources_and_nothing_built(tmp_path: Path):
    dockerfile.build_context(ROOT, tmp_path)
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    assert {"pyproject.toml", "gateway/i18n.py", "tools/locales.py", "docker/steps.sh"} <= names
    assert not [name for name in names if name.endswith((".mo", ".pyc")) or "tests" in name]


def test_the_image_has_extras_that_exist_and_compose_its_port():
    given = dockerfile.environment(dockerfile.parse(GOOD))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(given["EXTRAS"].split(",")) <= set(project["optional-dependencies"])
    compose = (ROOT / "docker" / "compose.yml").read_text(encoding="utf-8")
    port = given[dockerfile.PORT]
    assert f'"127.0.0.1:{port}:{port}"' in compose


def test_steps_have_what_the_image_sets():
    step = 'RUN test "$EXTRAS" = a,b && test "$BARGEIN_HTTP__PORT" != 1 && test -n "$PATH"'
    text = f'ARG EXTRAS="a,b"\nENV BARGEIN_HTTP__PORT=1 PATH=/x:$PATH\n{step}'
    assert dockerfile.run(dockerfile.parse(text)) == 0


def test_steps_fail_with_the_code_of_the_first_failing_one():
    assert dockerfile.run(dockerfile.parse("RUN true\nRUN exit 3\nRUN exit 4")) == 3


def test_importing_gateway_loads_nothing_else():
    code = "import sys, gateway; print(*sorted(m for m in sys.modules if m.startswith('gateway')))"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout.split() == ["gateway"]


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = gateway.nothing


def written(module: str) -> bool:
    path = ROOT / module.replace(".", "/")
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def typed_exports() -> dict[str, str]:
    """The names that a type checker sees, with the modules it is told to look in."""
    source = (ROOT / "gateway" / "__init__.py").read_text(encoding="utf-8")
    imports = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom))
    return {name.name: str(node.module) for node in imports for name in node.names}


@pytest.mark.parametrize("name", gateway.__all__)
def test_each_exported_name_is_there_and_typed(name: str):
    module = gateway._EXPORTS[name]
    if not written(module):
        pytest.skip(f"{module} is not written yet")
    assert getattr(gateway, name) is getattr(importlib.import_module(module), name)
    assert typed_exports().get(name) == module
