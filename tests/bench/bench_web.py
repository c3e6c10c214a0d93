"""The page's figures, in Chromium on this machine, and 500 WebSocket clients of a real server."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from io import StringIO
from pathlib import Path
from typing import Any

import aiohttp
from playwright.async_api import Browser, Page, async_playwright

from gateway import Agent
from gateway.app import App
from gateway.channels.local import local_user
from gateway.clock import SystemClock, SystemIds
from gateway.core.queueing import Mode
from gateway.ports.rows import NewInput
from gateway.settings import HttpSettings, QueueSettings, Settings, VoiceSettings
from gateway.store.sqlite import SqliteStore
from gateway.tokens import Keys
from tests.acceptance.scripted import Script

ME = local_user()
HOME = f"local:{ME}"
KEYS, MESSAGES = 80, 2_000
PEOPLE, THREADS_EACH, CLIENTS_A_THREAD = 10, 5, 10

PAINTED = """() => {
  window.painted = {}; window.pressed = {};
  addEventListener('keydown', e => {
    const field = document.querySelector('#message');
    if (e.key === 'Enter') window.pressed[field.value] = performance.timeOrigin + e.timeStamp;
  }, true);
  const seen = () => requestAnimationFrame(() => { const c = new MessageChannel();
    c.port1.onmessage = () => { const now = performance.timeOrigin + performance.now();
      for (const n of [...document.querySelectorAll('#flow .words')].slice(-6))
        window.painted[n.textContent] ??= now; };
    c.port2.postMessage(0); });
  new MutationObserver(seen).observe(document.querySelector('#flow'),
    { childList: true, subtree: true });
}"""
LONG = """new PerformanceObserver(list => { for (const e of list.getEntries())
  (window.long ??= []).push(e.duration); }).observe({ type: 'longtask', buffered: true });"""


class Stored:
    """A store that notes when an input was first stored as running."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.at: dict[str, float] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def commit(self, thread: str, epoch: int, writes: Any) -> None:
        await self.store.commit(thread, epoch, writes)
        now = time.time() * 1000
        for write in writes:
            row = getattr(write, "row", None)
            if row is not None and getattr(row, "new", None) is not None:
                self.at.setdefault(row.new.text, now)


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


async def started(folder: str, agent: Agent) -> tuple[App, Stored]:
    kept: list[Stored] = []

    def wrap(store: Any) -> Any:
        kept.append(Stored(store))
        return kept[0]

    settings = Settings(
        database=Path(folder) / "a.db",
        http=HttpSettings(port=0),
        queue_mode=Mode.ENQUEUE,
        queue=QueueSettings(cap=1_000),
        voice=VoiceSettings(enabled=False),
    )
    app = App(settings, agent=agent, wrap=wrap, log=StringIO())
    await app.start()
    return app, kept[0]


async def opened(browser: Browser, app: App) -> Page:
    page = await browser.new_page(viewport={"width": 1280, "height": 800})
    await page.add_init_script(LONG)
    await page.goto(app.address)
    await page.wait_for_selector("body[data-ready]")
    return page


async def painting(browser: Browser) -> tuple[float, float]:
    """p95 from key press and from store to paint, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        app, stored = await started(folder, Agent("b", Script(["Yes."]), ""))
        page = await opened(browser, app)
        await page.evaluate(PAINTED)
        for number in range(KEYS):
            await page.fill("#message", f"key {number}")
            await page.locator("#message").press("Enter")
            await page.locator(".words", has_text=f"key {number}").first.wait_for()
            await asyncio.sleep(0.03)
        for number in range(KEYS):
            text = f"other {number}"
            new = NewInput(dedup=text, thread=HOME, channel="local", principal=ME, text=text)
            await app.router.accept(new)
            await page.locator(".words", has_text=text).first.wait_for()
            await asyncio.sleep(0.03)
        pressed = await page.evaluate("() => window.pressed")
        painted = await page.evaluate("() => window.painted")
        await page.close()
        await app.stop()
    keys = [painted[text] - at for text, at in pressed.items() if text in painted]
    stores = [
        painted[t] - stored.at[t] for t in painted if t.startswith("other") and t in stored.at
    ]
    return p95(keys), p95(stores)


async def long_thread(browser: Browser) -> dict[str, float]:
    """The longest task while 2,000 messages load, scroll and stream."""
    words: list[Any] = []
    for _ in range(300):
        words += ["word after word ", 0.005]
    with tempfile.TemporaryDirectory() as folder:
        short = [["A reply of **some** words, as they are, with `code`."]] * (MESSAGES // 2)
        app, _ = await started(folder, Agent("b", Script(*short, words), ""))
        for number in range(MESSAGES // 2):
            text = f"message {number}"
            new = NewInput(dedup=text, thread=HOME, channel="local", principal=ME, text=text)
            await app.router.accept(new)
        for _ in range(1_200):
            view = await app.router.view(HOME, ME)
            if not view["runs"] and not view["queue"]:
                break
            await asyncio.sleep(0.1)
        page = await opened(browser, app)
        await page.wait_for_selector(".reply")
        for _ in range(200):
            if await page.locator("#flow > *").count() >= MESSAGES:
                break
            await asyncio.sleep(0.05)
        found = {"items": float(await page.locator("#flow > *").count())}
        found["load"] = await longest(page)
        await page.mouse.move(640, 300)
        for delta in [-4000] * 40 + [6000] * 40:
            await page.mouse.wheel(0, delta)
            await asyncio.sleep(0.02)
        found["scroll"] = await longest(page)
        await page.fill("#message", "stream")
        await page.locator("#message").press("Enter")
        await page.locator(".reply[data-live=true]", has_text="word").wait_for()
        await page.locator(".reply[data-live=true]").wait_for(state="detached", timeout=60_000)
        found["stream"] = await longest(page)
        await page.close()
        await app.stop()
    return found


async def longest(page: Page) -> float:
    tasks = await page.evaluate(
        "() => { const l = window.long ?? []; window.long = []; return l; }"
    )
    return max(tasks, default=0.0)


async def first_load(browser: Browser) -> tuple[int, float]:
    """Bytes over the wire, and milliseconds until the page is ready; the median of five."""
    with tempfile.TemporaryDirectory() as folder:
        app, _ = await started(folder, Agent("b", Script(["Yes."]), ""))
        sizes, times = [], []
        for _ in range(5):
            context = await browser.new_context()
            page = await context.new_page()
            await page.goto(app.address)
            await page.wait_for_selector("body[data-ready]")
            sizes.append(
                await page.evaluate(
                    "() => [...performance.getEntriesByType('navigation'),"
                    " ...performance.getEntriesByType('resource')]"
                    ".reduce((sum, e) => sum + e.transferSize, 0)"
                )
            )
            ready = "() => performance.getEntriesByName('ready')[0].startTime"
            times.append(await page.evaluate(ready))
            await context.close()
        await app.stop()
    return int(statistics.median(sizes)), statistics.median(times)


async def crowd() -> dict[str, float]:
    """500 clients on 50 streaming threads of a server process, one of which never reads."""
    with tempfile.TemporaryDirectory() as folder:
        secrets = await tokens(Path(folder) / "bargein.db")
        server = await serve(folder)
        url = server.url
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            before = server.rss()
            sockets = await connect(session, url, secrets)
            per_client = (server.rss() - before) / len(sockets)
            deaf = await connect_deaf(session, url, secrets[0])
            delays = await stream(sockets)
            await deaf.close()
            for socket, _, _ in sockets:
                await socket.close()
        server.process.terminate()
        server.process.wait(15)
    return {
        "clients": float(len(sockets)),
        "kB a client": per_client / 1024,
        "p95 ms": p95(delays),
        "slowest ms": max(delays),
    }


async def tokens(file: Path) -> list[str]:
    store = await SqliteStore.open(
        file, owner="bench", clock=SystemClock(), report=lambda where, error: None
    )
    keys = Keys(store, SystemClock(), SystemIds())
    secrets = [await keys.create(f"person{number}") for number in range(PEOPLE)]
    await store.close()
    return secrets


class Served:
    """A server process."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.process = process
        self.url = url

    def rss(self) -> int:
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * resource.getpagesize()


async def serve(folder: str) -> Served:
    root = str(Path(__file__).parents[2])
    told = {"BARGEIN_HTTP__REQUIRE_TOKENS": "true", "BARGEIN_VOICE__ENABLED": "false"}
    environment = {**os.environ, **told, "PYTHONPATH": root}
    command = [sys.executable, "-c", "from gateway.cli import main; main()", "serve", "--port", "0"]
    process = await asyncio.to_thread(
        subprocess.Popen,
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    line = await asyncio.to_thread(process.stdout.readline)
    url = next(word for word in line.replace(",", " ").split() if word.startswith("http://"))
    return Served(process, url.rstrip("."))


Sockets = list[tuple[Any, int, int]]


async def connect(session: aiohttp.ClientSession, url: str, secrets: list[str]) -> Sockets:
    found: Sockets = []
    for person, secret in enumerate(secrets):
        headers = {"Origin": url, "Cookie": f"bargein={secret}"}
        for thread in range(THREADS_EACH):
            name = f"local:person{person}:{thread}"
            for _ in range(CLIENTS_A_THREAD):
                socket = await session.ws_connect(f"{url}/ws", headers=headers)
                await socket.send_json({"type": "hello", "v": 1, "thread": name})
                await socket.receive_json()
                found.append((socket, person, thread))
    return found


async def connect_deaf(session: aiohttp.ClientSession, url: str, secret: str) -> Any:
    headers = {"Origin": url, "Cookie": f"bargein={secret}"}
    socket = await session.ws_connect(f"{url}/ws", headers=headers)
    await socket.send_json({"type": "hello", "v": 1, "thread": "local:person0:0"})
    socket._response.connection.transport.pause_reading()  # type: ignore[union-attr]
    return socket


async def stream(sockets: Sockets, seconds: float = 12.0) -> list[float]:
    """How much later than the first of its thread each client gets a piece, in milliseconds."""
    arrived: dict[tuple[int, int, str], list[float]] = {}

    async def read(socket: Any, person: int, thread: int) -> None:
        async for message in socket:
            if message.type is not aiohttp.WSMsgType.TEXT:
                return
            frame = json.loads(message.data)
            if frame["type"] == "text":
                data = frame["data"]
                key = (person, thread, f"{data['run']}:{data['step']}:{data['offset']}")
                arrived.setdefault(key, []).append(time.monotonic() * 1000)

    readers = [asyncio.create_task(read(*one)) for one in sockets]
    for index in range(0, len(sockets), CLIENTS_A_THREAD):
        say = {"type": "input", "id": f"say{index}", "text": "read me the quarterly report"}
        await sockets[index][0].send_json(say)
    await asyncio.sleep(seconds)
    for reader in readers:
        reader.cancel()
    return [at - min(times) for times in arrived.values() for at in times if len(times) > 1]


async def pages() -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        print("the page: there is no chromium, nothing measured")
        return
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        size, ready = await first_load(browser)
        print(f"first load: {size / 1000:.0f} kB over the wire (wanted: at most 150)")
        print(f"  ready after {ready:.0f} ms (wanted: at most 1000)")
        key, store = await painting(browser)
        print(f"key press to painted own message, p95: {key:.0f} ms (wanted: at most 50)")
        print(f"event stored to painted, p95: {store:.0f} ms (wanted: at most 50)")
        tasks = await long_thread(browser)
        print(f"longest task with {tasks['items']:.0f} items (wanted: at most 100 ms):")
        for name in ("load", "scroll", "stream"):
            print(f"  {name}: {tasks[name]:.0f} ms")
        await browser.close()


def main() -> None:
    """Print every figure."""
    asyncio.run(pages())
    found = asyncio.run(crowd())
    print(f"{found['clients']:.0f} WebSocket clients on 50 streams, one more that never reads:")
    print(f"  {found['kB a client']:.0f} kB a client in the server")
    print(f"  behind the first of its thread: p95 {found['p95 ms']:.1f} ms", end="")
    print(f", slowest {found['slowest ms']:.0f} ms")


if __name__ == "__main__":
    main()
