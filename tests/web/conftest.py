"""Chromium for the tests of the page; they are skipped aloud where there is none."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

playwright = pytest.importorskip("playwright.async_api", reason="playwright is not installed")

from tests.web.axe import Axe, fetch  # noqa: E402 - only with playwright
from tests.web.chromium import CHROMIUM, FLAGS  # noqa: E402 - only with playwright
from tests.web.house import House  # noqa: E402 - only with playwright
from tests.web.site import Site, voiced  # noqa: E402 - only with playwright


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[object]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium; as root, `make packages` installs it")
    async with playwright.async_playwright() as started:
        browser = await started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def site(tmp_path: Path, browser: object) -> AsyncIterator[Site]:
    site = Site(tmp_path, browser)  # type: ignore[arg-type]
    yield site
    await site.close()


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def voiced_browser() -> AsyncIterator[object]:
    """A browser with a microphone that beeps once a second, and that may be used."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium; as root, `make packages` installs it")
    async with playwright.async_playwright() as started:
        yield await voiced(started)


@pytest_asyncio.fixture(loop_scope="session")
async def caller(tmp_path: Path, voiced_browser: object) -> AsyncIterator[Site]:
    """A site whose visitors have a microphone."""
    site = Site(tmp_path, voiced_browser)  # type: ignore[arg-type]
    yield site
    await site.close()


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> Axe:
    return fetch(tmp_path_factory.mktemp("axe"))


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House(tmp_path)
    yield house
    await house.close()
