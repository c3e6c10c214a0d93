"""A call with real parts, in both languages: recorded people are a browser's microphone; detector,
recogniser, engine, voice and the page's player are the ones that are shipped.

The truth of what was heard is not asked of the server: the browser's own player says at which
sample it dropped the reply, and the voice says at which sample each word begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import playwright.async_api as playwright
import pytest
from playwright.async_api import expect

from gateway import Agent, ToolContext, tool
from gateway.app import App
from gateway.channels.callers import engines_of
from gateway.settings import Settings
from gateway.supervise import Supervisor
from tests.acceptance.scripted import Script, call
from tests.web.chromium import CHROMIUM
from tests.web.recorded import Wire, microphone, there
from tests.web.site import HOME, WITHIN_MS, Site, Tab, voiced
from voice.core.clauses import Clause
from voice.core.pcm import Samples
from voice.ports import Speech

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(240),
    pytest.mark.slow,
]

LONG_MS = 60_000

TEXTS: dict[str, dict[str, Any]] = {
    "en": {
        "said": ["number-not-answering", "check-number-dial-again", "digits/5"],
        "answer": "5",
        "first": "not answering",
        "second": "dial again",
        "reply": "I looked into it at once. The line was open the whole morning, and nobody called "
        "before nine. After that there were seven calls in a row, and all of them were answered "
        "by the same person. In the afternoon it was quiet, and the line was closed a little "
        "earlier than on other days, because the office moves to another house next week.",
        "question": "How many times shall I try?",
        "last": "I will do that.",
        "heard": "heard:",
    },
    "ru": {
        "said": ["number-not-answering", "check-number-dial-again", "digits/2"],
        "answer": "2",
        "first": "не отвечает",
        "second": "проверьте",
        "reply": "Я сразу всё посмотрел. Линия была открыта всё утро, и до девяти никто не звонил. "
        "Потом было семь звонков подряд, и на все ответил один и тот же человек. Днём было тихо, "
        "и линию закрыли немного раньше, чем в другие дни, потому что на следующей неделе офис "
        "переезжает в другой дом.",
        "question": "Сколько раз мне попробовать?",
        "last": "Так и сделаю.",
        "heard": "услышано:",
    },
}


def script(words: dict[str, Any]) -> Agent:
    @tool
    async def tries(context: ToolContext) -> str:
        """Ask how often to try."""
        return str(await context.interrupt(message=words["question"], response_schema=int))

    model = Script([words["reply"]], [call("tries")], [words["last"]])
    return Agent("desk", model, "", [tries])


class Overheard:
    """The engines that are shipped; what the voice made is kept, clause by clause."""

    def __init__(self, engines: Any) -> None:
        self._engines = engines
        self._voice: Any = None
        self.said: list[tuple[Clause, list[Speech]]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engines, name)

    def voice(self, language: str) -> Overheard:
        self._voice = self._engines.voice(language)
        self.name, self.rate = self._voice.name, self._voice.rate
        self.word_times = self._voice.word_times
        return self

    async def speak(self, clause: Clause, language: str) -> AsyncIterator[Speech]:
        pieces: list[Speech] = []
        self.said.append((clause, pieces))
        async for piece in self._voice.speak(clause, language):
            pieces.append(piece)
            yield piece

    def spoken(self, reply: str) -> tuple[Samples, dict[int, int]]:
        """The beginning of a reply as it was made, and at which sample its words begin, by their
        number.
        """
        sound: list[Samples] = []
        begins: dict[int, int] = {}
        samples = end = 0
        for clause, pieces in self.said:
            if clause.start != end or not reply.startswith(clause.text, end):
                continue
            end = clause.end
            start = samples
            for piece in pieces:
                for mark in piece.marks:
                    word = next(w for w in clause.spoken.words if mark.place < w.spoken_end)
                    begins.setdefault(len(reply[: word.start].split()), start + mark.sample)
                sound.append(piece.samples)
                samples += len(piece.samples)
        return np.concatenate(sound), begins


@asynccontextmanager
async def caller(tmp_path: Path, sound: Path) -> AsyncIterator[Site]:
    """A site, and a browser that hears this file once."""
    async with playwright.async_playwright() as started:
        browser = await voiced(started, sound)
        site = Site(tmp_path, browser)
        try:
            yield site
        finally:
            await site.close()
            await browser.close()


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")
@pytest.mark.parametrize("language", TEXTS)
async def test_talked_over_it_keeps_what_was_heard_and_takes_a_spoken_answer(
    tmp_path: Path, language: str
) -> None:
    if not there(language):
        pytest.skip("no recordings; as root, `make packages` installs asterisk-core-sounds")
    make = engines_of(Settings(database=tmp_path / "a.db"))
    if make is None:
        pytest.skip("the extra `voice` is not installed")
    overheard: list[Overheard] = []

    def engines(supervisor: Supervisor) -> Any:
        overheard.append(Overheard(make(supervisor)))
        return overheard[0]

    words = TEXTS[language]
    first, second, answer = words["said"]
    sound = tmp_path / "microphone.wav"
    microphone(sound, language, [3.0, first, 9.0, second, 10.0, answer, 5.0])
    async with caller(tmp_path, sound) as site:
        app = await site.start(script(words), engines=engines)
        tab = await site.page(language=f"{language}-{'US' if language == 'en' else 'RU'}")
        wire = Wire()
        wire.watch(tab.page)
        await app._loading
        await tab.all("#talk").click()
        await expect(tab.all("#call")).to_have_attribute("data-state", "listening")

        await seen(tab, ".said .words", words["first"])
        await seen(tab, ".reply.cut .bar")
        await seen(tab, ".said .words", words["second"])
        heard, unheard = await saved_cut(app, words["reply"])
        cut = await truth(wire, overheard[0], words["reply"])
        assert cut.before <= len(heard.split()) <= cut.after, (heard, cut)
        await expect(tab.all(".reply.cut .text")).to_contain_text(heard)
        await expect(tab.all(".reply.cut .unheard")).to_have_text(unheard.strip())

        await seen(tab, ".card.open h3", words["question"])
        await seen(tab, ".card.folded .answer", words["answer"])
        await seen(tab, ".voice-understood", words["heard"])
        await seen(tab, '.reply:not(.cut)[data-live="false"]', words["last"])
        await expect(tab.all("#call")).to_have_attribute("data-state", "listening")
        assert await replies(app, 2) == [heard, words["last"]]

        await tab.all("#call").get_by_role("button").last.click()
        await tab.reload()
        await expect(tab.all(".reply.cut .unheard")).to_have_text(unheard.strip())
        await seen(tab, ".card.folded .answer", words["answer"])


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")
async def test_a_line_that_is_lost_in_mid_word_goes_on_and_nothing_is_lost_or_said_twice(
    tmp_path: Path,
) -> None:
    if not there("en"):
        pytest.skip("no recordings; as root, `make packages` installs asterisk-core-sounds")
    make = engines_of(Settings(database=tmp_path / "a.db"))
    if make is None:
        pytest.skip("the extra `voice` is not installed")
    reply = TEXTS["en"]["reply"].partition(" In the afternoon")[0]
    sound = tmp_path / "microphone.wav"
    microphone(sound, "en", [3.0, "number-not-answering", 40.0])
    async with caller(tmp_path, sound) as site:
        site.may_log += ["WebSocket", "ERR_"]
        app = await site.start(Agent("desk", Script([reply]), ""), engines=make)
        tab = await site.page()
        wire = Wire()
        wire.watch(tab.page)
        await app._loading
        await tab.all("#talk").click()
        await seen(tab, ".voice-agent", "The line was open")
        [here] = app.lines._open  # type: ignore[union-attr]
        here.line.cut_off()
        await seen(tab, '.reply:not(.cut)[data-live="false"]', reply[-30:])
        assert await replies(app, 1) == [reply]
        played = [frame for frame in wire.told if frame["type"] == "played"]
        assert {frame["flight"] for frame in played} == {0, 1}
        positions = [frame["position"] for frame in played]
        assert positions == sorted(positions)
        assert positions[-1] == len(wire.pcm(played[-1]["generation"]))


async def seen(tab: Tab, selector: str, text: str = "") -> None:
    found = tab.all(selector)
    await expect((found.filter(has_text=text) if text else found).first).to_be_visible(
        timeout=LONG_MS
    )


async def assistants(app: App, count: int) -> list[dict[str, Any]]:
    """The replies that are stored, once there are so many: the page is told a moment sooner."""
    async with asyncio.timeout(WITHIN_MS / 1000):
        while True:
            entries = await app.store.entries(HOME)
            bodies = [dict(entry.body) for entry in entries if entry.kind == "assistant"]
            found = [body for body in bodies if body["text"]]
            if len(found) >= count:
                return found
            await asyncio.sleep(0.05)


async def replies(app: App, count: int) -> list[str]:
    return [str(body["text"]) for body in await assistants(app, count)]


async def saved_cut(app: App, reply: str) -> tuple[str, str]:
    """What is saved of the reply that was cut: heard, and left unheard."""
    found = await assistants(app, 1)
    metadata = found[0]["metadata"]
    assert metadata["interrupted"]
    assert 0 < metadata["heard_ms"] < metadata["total_ms"]
    heard, unheard = str(found[0]["text"]), str(metadata["unheard"])
    assert heard + unheard == reply
    return heard, unheard


class Cut:
    """How many words had begun when the browser dropped the sound: `before` by the voice's own
    marks; a word without one, next to it, may have begun too: `after`.
    """

    def __init__(self, before: int, after: int, position: int) -> None:
        self.before, self.after, self.position = before, after, position

    def __repr__(self) -> str:
        return f"{self.before}…{self.after} words at sample {self.position}"


async def truth(wire: Wire, voice: Overheard, reply: str) -> Cut:
    first = next(frame for frame in wire.told if frame["type"] == "cleared")
    generation, position = first["generation"], first["position"]
    received = wire.pcm(generation)
    samples, begins = voice.spoken(reply)
    assert position <= len(received) <= len(samples)
    assert np.abs(received - samples[: len(received)]).max() < 0.001
    begun = [word for word, sample in begins.items() if sample < position]
    later = [word for word, sample in begins.items() if sample >= position]
    return Cut(max(begun, default=-1) + 1, min(later, default=len(reply.split())), position)
