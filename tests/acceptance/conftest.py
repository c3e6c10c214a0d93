from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a recogniser's weights are put together, once."""
    return tmp_path_factory.mktemp("weights")
