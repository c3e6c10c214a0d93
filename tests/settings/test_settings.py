"""Settings come from three places, and a mistake is named by its path."""

from pathlib import Path
from typing import Any

import pytest

from gateway.core.errors import SettingsInvalid
from gateway.core.queueing import Drop, Mode
from gateway.settings import LogFormat, Settings, load

NOWHERE: dict[str, str] = {}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bargein.toml"


def mistakes(**given: Any) -> dict[str, str]:
    with pytest.raises(SettingsInvalid) as caught:
        load(**{"environment": NOWHERE} | given)
    assert caught.value.code == "SETTINGS_INVALID"
    return {mistake.path: mistake.text for mistake in caught.value.params["mistakes"]}  # type: ignore[attr-defined]


def test_everything_has_a_default():
    settings = load(environment=NOWHERE)
    assert settings.agent == "demo"
    assert settings.queue_mode is Mode.STEER
    assert settings.shared_queue_mode is Mode.ENQUEUE
    assert (settings.queue.cap, settings.queue.drop) == (20, Drop.REJECT_NEWEST)
    assert (settings.timeouts.run_seconds, settings.timeouts.shutdown_seconds) == (600, 10)
    assert settings.http.host == "127.0.0.1"


def test_the_file_is_read_with_its_tables(file: Path):
    file.write_text(
        """
        agent = "shop.agents:clerk"
        queue_mode = "interrupt"
        [queue]
        cap = 5
        [channels.terminal]
        queue_mode = "collect"
        [access]
        admins = ["ann"]
        tools.deploy = ["ann", "bob"]
        [log]
        format = "console"
        """,
        encoding="utf-8",
    )
    settings = load(file, NOWHERE)
    assert settings.agent == "shop.agents:clerk"
    assert settings.queue.cap == 5
    assert settings.channels["terminal"].queue_mode is Mode.COLLECT
    assert settings.access.admins == ("ann",)
    assert settings.access.tools == {"deploy": ("ann", "bob")}
    assert settings.log.format is LogFormat.CONSOLE


def test_the_environment_beats_the_file_and_the_command_line_beats_both(file: Path):
    file.write_text('queue_mode = "reject"\n[queue]\ncap = 5\ndebounce_ms = 70\n', "utf-8")
    environment = {
        "BARGEIN_QUEUE_MODE": "collect",
        "BARGEIN_QUEUE__CAP": "7",
        "BARGEIN_ACCESS__ALLOW": "ann, bob",
        "BARGEIN_ACCESS__TOOLS__DEPLOY": '["ann"]',
        "BARGEIN_CHANNELS__TERMINAL__QUEUE_MODE": "parallel",
        "PATH": "/bin",
    }
    settings = load(file, environment, {"queue": {"cap": 9}, "http": {"port": 0}})
    assert settings.queue_mode is Mode.COLLECT
    assert (settings.queue.cap, settings.queue.debounce_ms) == (9, 70)
    assert settings.access.allow == ("ann", "bob")
    assert settings.access.tools == {"deploy": ("ann",)}
    assert settings.channels["terminal"].queue_mode is Mode.PARALLEL
    assert settings.http.port == 0


def test_the_file_may_be_named_by_the_environment(file: Path):
    file.write_text("max_concurrent_runs = 3\n", encoding="utf-8")
    assert load(environment={"BARGEIN_CONFIG": str(file)}).max_concurrent_runs == 3


def test_a_secret_is_never_shown_and_may_come_out_of_a_file(tmp_path: Path):
    secret = tmp_path / "key"
    secret.write_text("s3cret\n", encoding="utf-8")
    settings = load(environment={"BARGEIN_MODEL_API_KEY_FILE": str(secret)})
    assert settings.model_api_key is not None
    assert settings.model_api_key.get_secret_value() == "s3cret"
    assert "s3cret" not in repr(settings)


def test_a_secret_of_a_section_can_stand_in_a_file_and_numbers_be_numbers(file: Path):
    secret = file.parent / "token"
    secret.write_text("42:AAA\n", encoding="utf-8")
    file.write_text("[telegram]\nallow = [1001]\n", encoding="utf-8")
    given = {
        "BARGEIN_TELEGRAM__TOKEN_FILE": str(secret),
        "BARGEIN_TELEGRAM__GROUPS": "-100, -200",
        "BARGEIN_TELEGRAM__GROUP_ALLOW": "*",
    }
    telegram = load(config=file, environment=given).telegram
    assert telegram.token is not None
    assert telegram.token.get_secret_value() == "42:AAA"
    assert (telegram.allow, telegram.groups) == (("1001",), ("-100", "-200"))
    assert telegram.group_allow == ("*",)
    assert "allow" in str(mistakes(environment={"BARGEIN_TELEGRAM__ALLOW": "@ann"}))


def test_a_secret_is_given_once_and_readable(tmp_path: Path):
    both = {"BARGEIN_MODEL_API_KEY": "x", "BARGEIN_MODEL_API_KEY_FILE": str(tmp_path)}
    assert "BARGEIN_MODEL_API_KEY is set too" in str(mistakes(environment=both))
    missing = {"BARGEIN_MODEL_API_KEY_FILE": str(tmp_path / "none")}
    assert list(mistakes(environment=missing)) == ["BARGEIN_MODEL_API_KEY_FILE"]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("colour = 1", "colour"),
        ("[queue]\ncup = 1", "queue.cup"),
        ('[queue]\ncap = "many"', "queue.cap"),
        ("[queue]\ncap = 0", "queue.cap"),
        ('queue_mode = "fast"', "queue_mode"),
        ('[channels.terminal]\nqueue_mode = "fast"', "channels.terminal.queue_mode"),
        ("[access]\nallow = [1]", "access.allow.0"),
        ('agent = "no colon"', "agent"),
        ('model_base_url = "ftp://x"', "model_base_url"),
        ("[http]\nport = 70000", "http.port"),
        ("queue = 5", "queue"),
    ],
)
def test_a_mistake_in_the_file_is_named_by_its_path(file: Path, text: str, path: str):
    file.write_text(text, encoding="utf-8")
    assert list(mistakes(config=file)) == [path]


@pytest.mark.parametrize(
    ("variable", "value", "path"),
    [
        ("BARGEIN_COLOUR", "1", "BARGEIN_COLOUR"),
        ("BARGEIN_QUEUE__CUP", "1", "BARGEIN_QUEUE__CUP"),
        ("BARGEIN_QUEUE_FILE", "x", "BARGEIN_QUEUE_FILE"),
        ("BARGEIN_QUEUE__CAP", "many", "queue.cap"),
        ("BARGEIN_LOG__FORMAT", "xml", "log.format"),
        ("BARGEIN_CHANNELS", "{", "channels"),
    ],
)
def test_a_mistake_in_the_environment_is_named(variable: str, value: str, path: str):
    assert path in mistakes(environment={variable: value})


def test_all_mistakes_are_told_at_once(file: Path):
    file.write_text('colour = 1\nqueue_mode = "fast"\n', encoding="utf-8")
    assert set(mistakes(config=file)) == {"colour", "queue_mode"}


def test_a_file_that_is_no_toml_or_not_there_is_named(file: Path):
    assert list(mistakes(config=file)) == [str(file)]
    file.write_text("a = 1\nqueue_mode = x", encoding="utf-8")
    assert "line 2" in mistakes(config=file)[str(file)]


def test_nothing_is_read_behind_its_back():
    assert Settings().database == Path("bargein.db")


def test_both_prices_are_set_or_none():
    assert load(environment=NOWHERE).prices.input_usd is None
    given = {"BARGEIN_PRICES__INPUT_USD": "2", "BARGEIN_PRICES__OUTPUT_USD": "8"}
    assert load(environment=given).prices.output_usd == 8
    assert "or none of them" in str(mistakes(environment={"BARGEIN_PRICES__INPUT_USD": "2"}))


def test_what_a_model_reads_is_a_list_of_known_kinds():
    assert load(environment=NOWHERE).model_files is None
    assert load(environment={"BARGEIN_MODEL_FILES": ""}).model_files == ()
    both = load(environment={"BARGEIN_MODEL_FILES": "pictures, documents"})
    assert both.model_files == ("pictures", "documents")
    assert "model_files" in str(mistakes(environment={"BARGEIN_MODEL_FILES": "films"}))
