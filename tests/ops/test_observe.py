"""The log holds ids and lengths; metrics count what the engine names."""

import asyncio
import io
import json
import logging
from typing import Any

import pytest

from gateway.api.ops import HttpServer
from gateway.core.errors import ModelFailed
from gateway.observe import Observer
from tests.builders import CountingIds, LoopClock

SECRET = "my card is 4111"


@pytest.fixture
def stream() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def observer(stream: io.StringIO) -> Observer:
    return Observer(stream=stream, json=True, level="info", ids=CountingIds())


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_words_become_lengths(observer: Observer, stream: io.StringIO):
    observer.log.info("input", thread="t", run="r", text=SECRET, arguments={"a": SECRET})
    observer.log.info("other", note=SECRET * 100)
    first, second = lines(stream)
    assert (first["thread"], first["run"], first["text"]) == ("t", "r", f"<{len(SECRET)}>")
    assert first["arguments"] == "<1>"
    assert len(second["note"]) < 320


def test_an_error_is_found_by_its_id_and_tells_no_words(observer: Observer, stream: io.StringIO):
    try:
        raise ValueError(SECRET)
    except ValueError as error:
        error_id = observer.report("tool deploy", error)
    (line,) = lines(stream)
    assert line["error_id"] == error_id == "00000001"
    assert line["error"] == "ValueError"
    assert "test_observe.py" in line["at"][-1]
    assert SECRET not in stream.getvalue()


def test_our_own_errors_name_their_code_and_reason(observer: Observer, stream: io.StringIO):
    observer.failed("model", ModelFailed("MODEL_AUTH", "the key was refused"))
    assert lines(stream)[0]["code"] == "MODEL_AUTH"
    assert lines(stream)[0]["why"] == "the key was refused"


def test_a_warning_of_ours_is_told_in_its_words(observer: Observer, stream: io.StringIO):
    assert observer.report("store", UserWarning("this SQLite has a defect")) == ""
    (line,) = lines(stream)
    assert (line["level"], line["event"], line["why"]) == (
        "warning",
        "store",
        "this SQLite has a defect",
    )
    assert "error" not in line


def test_libraries_log_here_without_their_values(observer: Observer, stream: io.StringIO):
    undo = observer.take_over_logging()
    logging.getLogger("aiohttp").warning("bad request from %s", SECRET)
    undo()
    logging.getLogger("aiohttp").warning("after")
    (line,) = lines(stream)
    assert (line["library"], line["said"]) == ("aiohttp", "bad request from %s")


async def test_what_is_no_http_is_a_line_without_a_traceback(
    observer: Observer, stream: io.StringIO
):
    undo = observer.take_over_logging()
    server = HttpServer([])
    address = await server.start("127.0.0.1", 0)
    port = int(address.rsplit(":", 1)[1])
    for nonsense in (b"GET / HTTP/9.9.9", b"GET / HTTP/1.1\r\n: nothing", b"\x16\x03\x01"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(nonsense + b"\r\n\r\n")
        assert b" 400 " in await asyncio.wait_for(reader.readline(), 5)
        writer.close()
    await server.stop()
    undo()
    assert {(line["event"], line["level"]) for line in lines(stream)} == {
        ("malformed request", "info")
    }
    assert all("at" not in line for line in lines(stream))


def test_a_console_line_is_no_json(stream: io.StringIO):
    observer = Observer(stream=stream, json=False, level="warning", ids=CountingIds())
    observer.log.info("hidden")
    observer.log.warning("seen", text=SECRET)
    assert "seen" in stream.getvalue()
    assert "hidden" not in stream.getvalue()
    assert SECRET not in stream.getvalue()


def test_metrics_count_observe_and_are_read(observer: Observer):
    observer.metrics("inputs", {"outcome": "answered"}, 1)
    observer.metrics("inputs", {"outcome": "answered"}, 1)
    observer.watch("clients", "Connected clients.", lambda: 3)
    observer.metrics("stop_seconds", {}, 0.015)
    text = observer.exposition().decode()
    assert 'bargein_inputs_total{outcome="answered"} 2.0' in text
    assert "bargein_clients 3.0" in text
    assert 'bargein_stop_seconds_bucket{le="0.02"} 1.0' in text


def test_a_metric_nobody_described_is_a_mistake(observer: Observer):
    with pytest.raises(KeyError):
        observer.metrics("colour", {}, 1)


@pytest.mark.looptime
async def test_the_loops_delay_is_measured(observer: Observer):
    watch = asyncio.get_running_loop().create_task(observer.watch_loop(LoopClock()))
    await asyncio.sleep(3.5)
    watch.cancel()
    await asyncio.wait([watch])
    assert "bargein_loop_delay_seconds_count 3.0" in observer.exposition().decode()
