"""The tables of the docs are those of the models."""

import pytest

from tools import tables


def test_the_pages_are_up_to_date():
    assert tables.main(["--check"]) == 0


def test_a_page_without_its_marks_is_an_error():
    with pytest.raises(ValueError, match="settings"):
        tables.written("nothing", tables.PARTS["settings.md"])


def test_every_frame_and_setting_stands_there():
    assert "### `hello`" in tables.client_frames()
    assert "| `as` | text |" in tables.client_frames()
    assert "### `welcome`" in tables.server_frames()
    assert "`BARGEIN_CHANNELS__NAME__QUEUE_MODE`" in tables.settings()
    assert "`threads.delete`" in tables.methods()
