"""Every Python file of the product fits one reading: at most 320 lines."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 320
PACKAGES = ("gateway", "voice")


def too_long(root: Path = ROOT, limit: int = LIMIT) -> list[tuple[Path, int]]:
    """Files over the limit with their number of lines."""
    files = (file for package in PACKAGES for file in sorted((root / package).rglob("*.py")))
    counted = [(file, len(file.read_text(encoding="utf-8").splitlines())) for file in files]
    return [(file, lines) for file, lines in counted if lines > limit]


def main() -> int:
    found = too_long()
    for file, lines in found:
        print(f"{file.relative_to(ROOT)}: {lines} lines, at most {LIMIT} are allowed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
