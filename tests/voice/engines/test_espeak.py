import asyncio
import random
from collections.abc import Sequence

import numpy as np
import pytest

from gateway.core.errors import EngineFailed
from tests.voice.engines.sounds import clause, supervisor
from voice.core.pcm import Samples
from voice.core.playout import Ledger, Mark
from voice.engines.espeak import RATE, EspeakVoice, Library, Spoken, in_order
from voice.ports import Speech

BLOCK = RATE * 60 // 1000
TEXTS = {
    "en": (
        "Wait, please, your three servers are in Frankfurt; shall I stop them?",
        "I found 25 flights, the cheapest one leaves at 12:30.",
        "A café — it's “fine” — costs $9.99.",
    ),
    "ru": (
        "Подождите, пожалуйста, три сервера стоят в Москве; остановить их?",
        "Нашлось 25 рейсов, самый дешёвый вылетает в 12:30.",
        "Ёлка, объём, съезд — «хорошо» — стоит 1 234 ₽.",
    ),
}
BOTH = [(language, text) for language, texts in TEXTS.items() for text in texts]


async def speech(voice: EspeakVoice, text: str, language: str) -> Speech:
    pieces = [piece async for piece in voice.speak(clause(text, language), language)]
    assert len(pieces) == 1
    return pieces[0]


def loudness(samples: Samples) -> float:
    return float(np.sqrt(np.mean(samples.astype(np.float64) ** 2))) if len(samples) else 0.0


def alike(samples: Samples, marks: Sequence[Mark], other: Samples, others: Sequence[Mark]) -> bool:
    """Whether both are of one text: espeak varies the length of its periods by a few samples."""
    return (
        abs(len(samples) - len(other)) < BLOCK
        and [mark.place for mark in marks] == [mark.place for mark in others]
        and all(abs(a.sample - b.sample) < BLOCK for a, b in zip(marks, others, strict=True))
    )


@pytest.mark.parametrize(("language", "text"), BOTH)
async def test_each_mark_is_where_a_word_of_the_spoken_text_stands(language: str, text: str):
    said = clause(text, language).spoken
    made = await speech(EspeakVoice(supervisor()), text, language)
    places = [mark.place for mark in made.marks]
    samples = [mark.sample for mark in made.marks]
    assert places == sorted(set(places))
    assert samples == sorted(samples)
    assert samples[-1] < len(made.samples)
    starts = {word.spoken_start for word in said.words}
    for place in places:
        before = said.text[place - 1] if place else " "
        assert place in starts or not before.isalpha(), said.text[place:]
    marked = [word for word in said.words if word.spoken_start in places]
    assert len(marked) >= 0.75 * len(said.words)  # two short words may have one event


@pytest.mark.parametrize(("language", "text"), BOTH)
async def test_a_word_behind_a_pause_sounds_from_its_mark_on(language: str, text: str):
    said = clause(text, language).spoken
    made = await speech(EspeakVoice(supervisor()), text, language)
    behind = [m for m in made.marks if m.place >= 2 and said.text[m.place - 2] in ",;"]
    assert behind
    for mark in behind:
        silence = made.samples[mark.sample - BLOCK // 4 : mark.sample]
        sound = made.samples[mark.sample : mark.sample + 2 * BLOCK]
        assert loudness(silence) < 0.002
        assert loudness(sound) > 0.005


@pytest.mark.parametrize(("language", "text"), BOTH)
async def test_what_was_heard_is_exact_at_every_mark(language: str, text: str):
    whole = clause(text, language)
    made = await speech(EspeakVoice(supervisor()), text, language)
    marks = {mark.place: mark.sample for mark in made.marks}
    for word in whole.spoken.words:
        if word.spoken_start not in marks:
            continue
        at = marks[word.spoken_start]
        for played, heard in ((at, False), (at + 1, True)):
            ledger = Ledger(RATE).begin(1).say(1, whole)
            ledger = ledger.synthesised(1, 0, len(made.samples), made.marks).finished(1, 0)
            ledger, _ = ledger.take(1, len(made.samples))
            ledger = ledger.acknowledge(1, 0, played)
            assert (len(ledger.heard(1).text) >= word.end) is heard, word


def test_a_number_has_one_mark_where_it_begins():
    marks = [Mark(0, 0), Mark(5, 100), Mark(6, 150), Mark(6, 190), Mark(6, 230), Mark(9, 300)]
    assert in_order(marks) == (Mark(0, 0), Mark(5, 100), Mark(6, 150), Mark(9, 300))


def test_it_stops_after_the_block_in_hand(library: Library):
    class Stopping(list[bytes]):
        def append(self, block: bytes) -> None:
            super().append(block)
            spoken.stopped = len(self) == 3

    spoken = Spoken(blocks=Stopping())
    library.speak("one two three four five six seven eight nine ten", b"en", spoken)
    assert len(spoken.blocks) == 3
    again = library.speak("one two three", b"en", Spoken())
    assert len(again.samples) > RATE // 2


def test_what_was_said_before_changes_nothing(library: Library):
    once = library.speak("Готово, три сервера.", b"ru", Spoken())
    library.speak("Something in between.", b"en", Spoken())
    again = library.speak("Готово, три сервера.", b"ru", Spoken())
    assert alike(once.samples, once.marks, again.samples, again.marks)


def test_a_voice_that_it_doesnt_have_fails(library: Library):
    with pytest.raises(EngineFailed, match="no voice 'xx-none'"):
        library.speak("hello", b"xx-none", Spoken())


def test_two_copies_dont_share_their_state(library: Library):
    other = Library()
    took = library.speak("Hello there.", b"en", Spoken())
    spoken = other.speak("Здравствуйте.", b"ru", Spoken())
    assert took.marks
    assert spoken.marks
    assert len(took.samples) != len(spoken.samples)


async def test_ten_callers_take_turns_clause_by_clause():
    voice = EspeakVoice(supervisor())
    alone = {text: await speech(voice, text, language) for language, text in BOTH}
    order: list[int] = []

    async def call(number: int) -> None:
        for _ in range(3):
            language, text = BOTH[number % len(BOTH)]
            made = await speech(voice, text, language)
            first = alone[text]
            assert alike(first.samples, first.marks, made.samples, made.marks)
            order.append(number)

    tasks = [asyncio.create_task(call(number)) for number in range(10)]
    for task in tasks:
        await task
    for turn in range(3):
        assert sorted(order[turn * 10 : turn * 10 + 10]) == list(range(10))


async def test_a_caller_who_leaves_in_mid_clause_holds_up_nobody():
    voice = EspeakVoice(supervisor())
    await voice.load()
    for _ in range(20):
        leaving = asyncio.create_task(speech(voice, TEXTS["en"][0] * 10, "en"))
        await asyncio.sleep(random.Random(1).random() / 1000)
        leaving.cancel()
        await asyncio.wait({leaving})
        made = await speech(voice, "Да.", "ru")
        assert made.marks == (Mark(0, 0),)


async def test_a_clause_without_words_has_no_sound():
    voice = EspeakVoice(supervisor())
    assert [piece async for piece in voice.speak(clause("---\n"), "en")] == []
