"""The Dockerfile without an engine: ``python tools/dockerfile.py lint | run``.

``lint`` looks at what matters here: a pinned base, nobody runs as root, one volume, a health
check, exec forms, one port for all. ``run`` copies what ``.dockerignore`` lets through to a
temporary directory and executes the ``RUN`` steps there, with the image's environment, the program
and its data beside it.
"""

from __future__ import annotations

import getpass
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DOCKERFILE = ROOT / "docker" / "Dockerfile"
PORT = "BARGEIN_HTTP__PORT"
THE_IMAGES_OWN = {"PATH", "PIP_NO_CACHE_DIR"}
KNOWN = {"FROM", "ARG", "ENV", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "LABEL"}
KNOWN |= {"HEALTHCHECK", "STOPSIGNAL", "CMD", "ENTRYPOINT"}


class Instruction(NamedTuple):
    """One instruction with its continuation lines joined."""

    name: str
    value: str


def parse(text: str) -> list[Instruction]:
    """The instructions of a Dockerfile, in order."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\s*\\\n\s*", " ", "\n".join(lines))
    pairs = (line.strip().partition(" ") for line in joined.splitlines() if line.strip())
    return [Instruction(name.upper(), value.strip()) for name, _, value in pairs]


def lint(instructions: list[Instruction]) -> list[str]:
    """What is wrong, in sentences."""
    return list(_problems(instructions, dict(instructions)))


def _problems(instructions: list[Instruction], last: dict[str, str]) -> Iterator[str]:
    for name, value in instructions:
        if name not in KNOWN:
            yield f"unknown instruction {name}"
        if name == "FROM" and not re.search(r":\d+\.\d+", value):
            yield f"FROM {value}: name a version"
        if name in {"CMD", "ENTRYPOINT"} and not _is_exec_form(value):
            yield f"{name} is not in exec form: signals would not arrive"
    if last.get("USER", "root").split(":")[0] in {"root", "0"}:
        yield "the program would run as root"
    if [value for name, value in instructions if name == "VOLUME"] != ['["/data"]']:
        yield "there must be one volume, /data"
    if "/healthz" not in last.get("HEALTHCHECK", ""):
        yield "HEALTHCHECK must ask /healthz"
    elif not _is_exec_form(last["HEALTHCHECK"].partition("CMD ")[2]):
        yield "HEALTHCHECK is not in exec form"
    port = environment(instructions).get(PORT, "")
    if last.get("EXPOSE") != port or f":{port}/" not in last.get("HEALTHCHECK", ""):
        yield f"EXPOSE and HEALTHCHECK must name the port of {PORT}"


def environment(instructions: list[Instruction]) -> dict[str, str]:
    """What ``ARG`` and ``ENV`` set, an ``ARG`` by its default."""
    pairs = [
        pair.partition("=")
        for name, value in instructions
        if name in {"ARG", "ENV"}
        for pair in shlex.split(value)
    ]
    return {name: value for name, _, value in pairs}


def _is_exec_form(value: str) -> bool:
    try:
        return isinstance(json.loads(value), list)
    except json.JSONDecodeError:
        return False


def build_context(root: Path, target: Path) -> None:
    """Copies what ``.dockerignore`` lets through (the form used here: nothing but ``!name``)."""
    lines = (root / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for name in (line[1:] for line in lines if line.startswith("!")):
        source, copy = root / name, target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
        else:
            shutil.copy2(source, copy)


def run(instructions: list[Instruction]) -> int:
    """Executes the RUN steps in a temporary directory; returns the first failing exit code."""
    with tempfile.TemporaryDirectory(prefix="image-") as directory:
        place = Path(directory)
        build_context(ROOT, place / "src")
        image = environment(instructions)
        given = {name: value for name, value in image.items() if name not in THE_IMAGES_OWN}
        variables = {
            **given,
            **os.environ,
            PORT: str(_free_port()),
            "PREFIX": str(place / "opt"),
            "DATA": str(place / "data"),
            "SERVICE_USER": getpass.getuser(),
        }
        for step in (value for name, value in instructions if name == "RUN"):
            print(f"RUN {step}", flush=True)
            command = ["/bin/sh", "-eu", "-c", step]
            code = subprocess.run(
                command, cwd=place / "src", env=variables, stdin=subprocess.DEVNULL, check=False
            ).returncode
            if code:
                return code
    return 0


def _free_port() -> int:
    """A port that nobody listens on, for this machine may have a server of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def main(arguments: list[str]) -> int:
    instructions = parse(DOCKERFILE.read_text(encoding="utf-8"))
    match arguments:
        case ["lint"]:
            problems = lint(instructions)
            for problem in problems:
                print(f"docker/Dockerfile: {problem}")
            return 1 if problems else 0
        case ["run"]:
            return run(instructions)
        case _:
            print(__doc__)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
