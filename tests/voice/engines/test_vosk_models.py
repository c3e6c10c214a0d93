"""Models that the operator brings: added, listed, checked, refused with a reason."""

import hashlib
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gateway.cli import app
from gateway.core.errors import EngineFailed
from gateway.settings import HearingSettings, VoiceSettings
from voice.engines import vosk_models
from voice.engines.choose import vosk_paths

FILES = {
    "am/final.mdl": b"acoustics",
    "conf/mfcc.conf": b"--sample-frequency=16000",
    "graph/HCLr.fst": b"graph",
    "graph/Gr.fst": b"grammar",
}


def model(directory: Path, left_out: str = "") -> Path:
    for name, data in FILES.items():
        if name != left_out:
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            (directory / name).write_bytes(data)
    return directory


def archive(path: Path, inside: str = "vosk-model-small-ru-0.22") -> tuple[Path, str]:
    with zipfile.ZipFile(path, "w") as packed:
        for name, data in FILES.items():
            packed.writestr(f"{inside}/{name}", data)
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_directory_is_added_and_listed(tmp_path: Path):
    source = model(tmp_path / "mine")
    added = vosk_models.add("ru", str(source), tmp_path / "cache", None)
    assert added.path == vosk_models.place(tmp_path / "cache", "ru")
    assert set(added.files) == set(FILES)
    assert (added.path / "am/final.mdl").read_bytes() == b"acoustics"
    vosk_models.check(added)
    assert list(vosk_models.installed(tmp_path / "cache")) == [added]
    voice = VoiceSettings(cache=tmp_path / "cache", hearing=HearingSettings(models={"en": source}))
    assert vosk_paths(voice) == {"ru": added.path, "en": source}


def test_a_zip_is_added_where_its_hash_is_the_one_that_was_named(tmp_path: Path):
    packed, sha256 = archive(tmp_path / "model.zip")
    added = vosk_models.add("ru", str(packed), tmp_path / "cache", sha256.upper())
    assert (added.path / "graph/Gr.fst").read_bytes() == b"grammar"
    earlier = added.path / "am/final.mdl"
    with pytest.raises(EngineFailed, match=f"has the SHA-256 {sha256}, not {'0' * 64}"):
        vosk_models.add("ru", str(packed), tmp_path / "cache", "0" * 64)
    assert earlier.read_bytes() == b"acoustics"


def test_an_address_needs_a_hash(tmp_path: Path):
    with pytest.raises(EngineFailed, match="needs --sha256"):
        vosk_models.add("ru", "https://example.org/model.zip", tmp_path / "cache", None)


@pytest.mark.parametrize("left_out", ["am/final.mdl", "conf/mfcc.conf", "graph/HCLr.fst"])
def test_what_is_no_model_is_refused(tmp_path: Path, left_out: str):
    source = model(tmp_path / "mine", left_out)
    with pytest.raises(EngineFailed, match=left_out):
        vosk_models.add("ru", str(source), tmp_path / "cache", None)
    assert list(vosk_models.installed(tmp_path / "cache")) == []


def test_a_model_that_cant_be_loaded_takes_no_place(tmp_path: Path):
    cache = tmp_path / "cache"
    vosk_models.add("ru", str(model(tmp_path / "mine")), cache, None)

    def refuse(path: Path) -> None:
        raise EngineFailed("another language")

    with pytest.raises(EngineFailed, match="another language"):
        vosk_models.add("ru", str(model(tmp_path / "other")), cache, None, try_out=refuse)
    (added,) = vosk_models.installed(cache)
    assert added.source == str(tmp_path / "mine")
    assert [path.name for path in added.path.parent.iterdir()] == ["vosk-ru"]


@pytest.mark.parametrize(
    ("source", "said"), [("nowhere", "there is nothing at"), ("text.zip", "not a zip file")]
)
def test_what_is_not_there_or_no_archive_is_refused(tmp_path: Path, source: str, said: str):
    (tmp_path / "text.zip").write_text("hello")
    with pytest.raises(EngineFailed, match=said):
        vosk_models.add("ru", str(tmp_path / source), tmp_path / "cache", None)


def test_a_file_outside_the_archive_s_directory_stays_inside(tmp_path: Path):
    packed, _ = archive(tmp_path / "model.zip")
    with zipfile.ZipFile(packed, "a") as more:
        more.writestr("../../../evil", b"x")
    vosk_models.add("ru", str(packed), tmp_path / "cache" / "deep", None)
    assert not list(tmp_path.rglob("evil")) or not (tmp_path / "evil").exists()


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("am/final.mdl", b"changed", "is not the file that was added"),
        ("graph/Gr.fst", None, "is missing; add the model again"),
        (vosk_models.RECORD, b"{", "can't be read"),
    ],
)
def test_what_was_changed_since_is_noticed(
    tmp_path: Path, name: str, change: bytes | None, said: str
):
    added = vosk_models.add("ru", str(model(tmp_path / "mine")), tmp_path / "cache", None)
    if change is None:
        (added.path / name).unlink()
    else:
        (added.path / name).write_bytes(change)
    with pytest.raises(EngineFailed, match=said):
        vosk_models.check(vosk_models.recorded(added.path))


def test_the_commands(tmp_path: Path, korean: Path):
    config = tmp_path / "bargein.toml"
    config.write_text(f'[voice]\ncache = "{tmp_path / "cache"}"\n')

    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["models", *words, "--config", str(config)])
        return done.exit_code, done.output + str(done.exception or "")

    assert run("check") == (0, "No models.\n")
    assert "can be added for vosk only" in run("add", "kaldi", "ru", str(tmp_path))[1]
    assert "is no language" in run("add", "vosk", "Russian", str(tmp_path))[1]
    assert "is damaged" in run("add", "vosk", "ru", str(model(tmp_path / "mine")))[1]
    assert run("list") == (0, "")
    path = vosk_models.place(tmp_path / "cache", "ko")
    code, said = run("add", "vosk", "ko", str(korean))
    assert (code, said.startswith(f"Added: {path}. It loads, but has no word [unk]")) == (0, True)
    assert run("list") == (0, f"vosk\tko\t{path}\t{korean}\n")
    assert run("check")[0] == 0
    (path / "graph/Gr.fst").write_bytes(b"")
    code, said = run("check")
    assert (code, "is not the file that was added" in said) == (1, True)
