from pathlib import Path

import pytest

from voice.engines import whisper_weights
from voice.engines.espeak import Library
from voice.engines.whisper_model import Model


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weights")


@pytest.fixture(scope="session")
def model(cache: Path) -> Model:
    return Model(whisper_weights.ready(cache, whisper_weights.installed()), threads=2)


@pytest.fixture(scope="session")
def library() -> Library:
    return Library()
