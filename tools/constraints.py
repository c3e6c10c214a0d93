"""Resolves all dependencies anew and writes the exact versions to ``constraints.txt``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = "acp,anthropic,dev,google,hibari,mcp,piper,postgres,telegram,test,voice,vosk"
HEADER = "# The versions that were tried together; made by `make constraints`.\n"


def main() -> int:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
    command += ["--report", "-", f"{ROOT}[{EXTRAS}]"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    packages = (item["metadata"] for item in report["install"])
    pins = {package["name"].lower().replace("_", "-"): package["version"] for package in packages}
    pins.pop("bargein")
    lines = [f"{name}=={version}\n" for name, version in sorted(pins.items())]
    (ROOT / "constraints.txt").write_text(HEADER + "".join(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
