"""axe-core as npm gives it, for this process alone: nothing is written beside the sources."""

import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.web.site import Tab

VERSION = "4.14.1"
FETCH_SECONDS = 50
SERIOUS = (
    "() => axe.run().then(r => r.violations.filter(v => ['serious', 'critical']"
    ".includes(v.impact)).flatMap(v => v.nodes.map(n => `${v.id} ${n.target} ${n.html}`)))"
)


class Axe:
    """Finds what is hard to use on a page."""

    def __init__(self, source: str) -> None:
        self.source = source

    async def __call__(self, tab: Tab) -> list[str]:
        """What axe-core finds serious, as its rule and where."""
        await tab.page.evaluate(self.source)
        found: list[str] = await tab.page.evaluate(SERIOUS)
        return found


def fetch(directory: Path) -> Axe:
    """axe-core from npm, packed into this directory; where npm gives none, the test is skipped with
    npm's words. A package without its file is an error.
    """
    if shutil.which("npm") is None:
        pytest.skip("axe-core needs npm")
    command = ["npm", "pack", f"axe-core@{VERSION}"]
    try:
        got = subprocess.run(
            command,
            cwd=directory,
            capture_output=True,
            text=True,
            timeout=FETCH_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm doesn't give axe-core within {FETCH_SECONDS} s")
    if got.returncode:
        pytest.skip(f"npm doesn't give axe-core: {got.stderr[:100]}")
    with tarfile.open(directory / f"axe-core-{VERSION}.tgz") as package:
        file = package.extractfile("package/axe.min.js")
        assert file is not None
        return Axe(file.read().decode())
