"""The tables of the docs are those of the models."""

from tools import marks, tables


def test_the_pages_are_up_to_date():
    assert marks.write(tables.PAGES, "tables", ["--check"]) == 0


def test_every_frame_and_setting_stands_there():
    assert "### `hello`" in tables.client_frames()
    assert "| `as` | text |" in tables.client_frames()
    assert "### `welcome`" in tables.server_frames()
    assert "`BARGEIN_CHANNELS__NAME__QUEUE_MODE`" in tables.settings()
    assert "`threads.delete`" in tables.methods()
