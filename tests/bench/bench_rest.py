"""The REST API's figures: its share of the first token, 200 streams, events beside bare aiohttp."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
REQUESTS, WARM = 300, 20
STREAMS, TOKENS = 200, 500
TOKEN_SECONDS = 0.02
RACING, EVENTS = 8, 10_000
ROUNDS = 3
AT_ONCE, A_TURN_EACH = "-1", "0"
"""How the model says its words: none waits for anything, or each gives up the loop once."""
TEXT = b"event: text\n"


class Served:
    """A server process."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.pid = process.pid
        self.host, self.port = str(urlsplit(url).hostname), int(urlsplit(url).port or 0)

    def rss(self) -> int:
        """Bytes of memory."""
        pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        return int(pages) * resource.getpagesize()

    def cpu(self) -> float:
        """Seconds of processor time until now."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(*arguments: str) -> Iterator[Served]:
    command = [sys.executable, "-m", "tests.bench.rest_server", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield Served(process, process.stdout.readline().strip())
    finally:
        process.kill()
        process.wait()


def request(body: dict[str, str]) -> bytes:
    """A request for a stream, as it goes over the wire."""
    data = json.dumps(body).encode()
    head = (
        "POST /v1/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    return head.encode() + data


async def first_token(server: Served) -> tuple[list[float], float]:
    """Milliseconds from the request to the first byte of text, one after the other, each on a
    thread of its own; and how many of the server's processor a whole request took.
    """
    found: list[float] = []
    began_at = 0.0
    for number in range(REQUESTS + WARM):
        reader, writer = await asyncio.open_connection(server.host, server.port)
        began = time.perf_counter()
        writer.write(request({"input": "hi", "thread": f"first{number}"}))
        await reader.readuntil(TEXT)
        took = (time.perf_counter() - began) * 1000
        writer.close()
        if number >= WARM:
            found.append(took)
        else:
            began_at = server.cpu()
    return found, (server.cpu() - began_at) * 1000 / REQUESTS


async def behind(server: Served) -> tuple[float, list[float]]:
    """Memory of one of 200 streams, and how far behind each piece of text came, in milliseconds:
    behind the moment at which its last word was said, by the stream's own first word.
    """
    before = server.rss()
    streams = [
        await asyncio.open_connection(server.host, server.port, limit=2**20) for _ in range(STREAMS)
    ]
    delays: list[float] = []

    async def read(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(request({"input": "talk", "thread": f"stream{number}"}))
        offsets: list[float] = []
        before = b""
        while line := await reader.readline():
            if before.startswith(TEXT):
                text = json.loads(line[6:])["text"]
                word = int(text.split()[-1][4:])
                offsets.append(time.perf_counter() - word * TOKEN_SECONDS)
            elif line.startswith(b"event: finish"):
                break
            before = line
        first = min(offsets)
        delays.extend((offset - first) * 1000 for offset in offsets)
        writer.close()

    async with asyncio.TaskGroup() as group:
        for number, (reader, writer) in enumerate(streams):
            group.create_task(read(number, reader, writer))
        await asyncio.sleep(TOKENS * TOKEN_SECONDS * 0.7)
        memory = (server.rss() - before) / STREAMS
    return memory, delays


async def race(server: Served, path: str = "/v1/runs") -> tuple[float, int]:
    """Events and processor seconds of the server for streams at full speed."""

    async def read(number: int) -> int:
        reader, writer = await asyncio.open_connection(server.host, server.port, limit=2**22)
        writer.write(request({"input": "talk", "thread": f"race{number}-{time.time_ns()}"}))
        count, tail = 0, b""
        while True:
            data = await reader.read(2**18)
            whole = tail + data
            count += whole.count(TEXT) - tail.count(TEXT)
            tail = whole[-len(TEXT) :]
            if not data or b"event: finish" in whole or b"0\r\n\r\n" in whole[-5:]:
                writer.close()
                return count

    before = server.cpu()
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(read(number)) for number in range(RACING)]
    return server.cpu() - before, sum(task.result() for task in tasks)


async def recorded(server: Served) -> bytes:
    """What one stream at full speed is, event by event, without HTTP's chunks."""
    reader, writer = await asyncio.open_connection(server.host, server.port, limit=2**22)
    writer.write(request({"input": "talk", "thread": "recorded"}))
    await reader.readuntil(b"\r\n\r\n")
    body = b""
    while size := int((await reader.readline()).strip(), 16):
        body += await reader.readexactly(size)
        await reader.readline()
    writer.close()
    return body


async def rate(*arguments: str) -> float:
    """Text events a second of a server's processor: the median of some rounds, once it is warm."""
    with serving(*arguments) as server:
        await race(server)
        rounds = [await race(server) for _ in range(ROUNDS)]
    wanted = RACING * EVENTS
    assert all(count == wanted for _, count in rounds), rounds
    return statistics.median(count / seconds for seconds, count in rounds)


def quantile(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1]


def main() -> None:
    """Print every figure."""
    with serving("gateway", "3", AT_ONCE) as server:
        first, cpu = asyncio.run(first_token(server))
    print(
        f"first token over HTTP: p50 {quantile(first, 50):.1f} ms (wanted: at most 5), "
        f"p95 {quantile(first, 95):.1f} ms (wanted: at most 15)"
    )
    print(f"  of the server's processor, a whole run with it: {cpu:.1f} ms")
    with serving("gateway", str(TOKENS), str(TOKEN_SECONDS)) as server:
        began = server.cpu()
        memory, delays = asyncio.run(behind(server))
        busy = (server.cpu() - began) / (TOKENS * TOKEN_SECONDS)
    print(f"{STREAMS} streams of 50 tokens a second:")
    print(
        f"  behind: p50 {quantile(delays, 50):.0f} ms, p99 {quantile(delays, 99):.0f} ms, "
        f"longest {max(delays):.0f} ms (wanted: at most 150)"
    )
    print(f"  {memory / 1024:.0f} kB a stream; {busy:.0%} of a processor")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "events"
        with serving("gateway", str(EVENTS), A_TURN_EACH) as server:
            file.write_bytes(asyncio.run(recorded(server)))
        turns = asyncio.run(rate("gateway", str(EVENTS), A_TURN_EACH))
        loops = asyncio.run(rate("bare", str(file)))
        at_once = asyncio.run(rate("gateway", str(EVENTS), AT_ONCE))
        fed = asyncio.run(rate("bare", str(file), str(EVENTS)))
    print("text events a second of the server's processor, each a word of the model:")
    print(f"  an aiohttp handler that loops over the same events and writes each: {loops:,.0f}")
    print(f"  the gateway, the model gives up the loop at each word: {turns:,.0f}")
    print(f"    of the handler's: {turns / loops:.2f} (wanted: 0.50)")
    print(f"    of one that the same model gives its turns: {fed:,.0f}; {turns / fed:.2f}")
    print(f"  the gateway, the model says as fast as it is heard: {at_once:,.0f}")
    print(f"    of the handler's: {at_once / loops:.2f} (wanted: 0.50)")


if __name__ == "__main__":
    main()
