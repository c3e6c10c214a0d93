"""Each line of the policy on a whole call, as the stream that its line is told, in both languages.

Only what the policy decides stands in the streams: sound, clear, what the caller is told, outcomes.
"""

import asyncio

import pytest
from inline_snapshot import snapshot

from gateway import Agent, tool
from tests.acceptance.asking import asking_agent
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script, call

pytestmark = CALLING

REPLY = "I found three servers in Frankfurt. All of them are idle since Monday, and they cost ten."
GO = {"en": "go there", "ru": "иди туда"}


def both(english, russian):
    """The same golden stream in both languages."""
    return pytest.mark.parametrize(
        ("language", "said"), [("en", english), ("ru", russian)], ids=["en", "ru"]
    )


def stream(ann, since=0):
    """What the line was told from then on."""
    lines = []
    for at, kind, data in ann.line.events:
        if at < since:
            continue
        if kind == "sound":
            lines.append(f"sound {data['sound']}")
        elif kind == "clear":
            lines.append(f"clear {data['generation']}")
        elif kind == "told":
            lines.append("told")
        elif kind == "caller" and data["outcome"]:
            lines.append(f"outcome {data['outcome']}")
    return lines


async def over_a_reply(tmp_path, language, said, *, wait=6.0, word_ms=260):
    """Say it over the reply that plays; the stream from then on."""
    async with CallDesk(tmp_path, Agent("a", Script([REPLY], ["So."]), "")) as desk:
        ann = await desk.caller(language=language)
        await ann.say(GO[language])
        await ann.hears("found")
        since = ann.at_ms()
        if said is None:
            ann.cough(200)
        else:
            ann.speak(said, word_ms=word_ms)
        await asyncio.sleep(wait)
        return stream(ann, since)


@both("stop", "стоп")
async def test_line_2_a_stop_word(tmp_path, language, said):
    assert await over_a_reply(tmp_path, language, said) == snapshot(
        ["sound ducked", "clear 1", "outcome input"]
    )


@both("wait", "подожди")
async def test_line_2_hold_words_and_silence(tmp_path, language, said):
    assert await over_a_reply(tmp_path, language, said, wait=14.0) == snapshot(
        ["sound ducked", "sound held", "outcome hold", "sound plain"]
    )


@both("uh-huh", "угу")
async def test_line_2_a_hum(tmp_path, language, said):
    assert await over_a_reply(tmp_path, language, said) == snapshot(
        ["sound ducked", "sound plain", "outcome backchannel"]
    )


@both("delete first", "удали первый")
async def test_line_2_two_words(tmp_path, language, said):
    assert await over_a_reply(tmp_path, language, said) == snapshot(
        ["sound ducked", "sound held", "clear 1", "outcome input"]
    )


@both("Frankfurt", "Франкфурт")
async def test_line_2_one_long_word(tmp_path, language, said):
    assert await over_a_reply(tmp_path, language, said, word_ms=1_200) == snapshot(
        ["sound ducked", "sound held", "clear 1", "outcome input"]
    )


@both(None, None)
async def test_line_3_noise(tmp_path, language, said):
    assert await over_a_reply(tmp_path, language, said) == snapshot(
        ["sound ducked", "sound held", "sound plain", "outcome noise"]
    )


async def over_a_prompt(tmp_path, language, said, after, *, wait=4.0, keys=""):
    """Say it when this much of the prompt was heard; the stream from then on."""
    message = "Shall I delete all of the servers?"
    async with CallDesk(tmp_path, asking_agent(bool, message=message)) as desk:
        ann = await desk.caller(language=language)
        await ann.say(GO[language])
        await ann.hears(after)
        since = ann.at_ms()
        ann.speak(said)
        await asyncio.sleep(0.15)
        for key in keys:
            ann.actor.key(key)
        await asyncio.sleep(wait)
        return stream(ann, since)


@both("yes", "да")
async def test_line_4_an_answer_once_the_question_was_heard(tmp_path, language, said):
    assert await over_a_prompt(tmp_path, language, said, "servers?") == snapshot(
        ["sound ducked", "sound plain", "clear 1", "outcome answer", "told"]
    )


@both("yes", "да")
async def test_line_4_an_answer_too_early(tmp_path, language, said):
    assert await over_a_prompt(tmp_path, language, said, "Shall", wait=9.0) == snapshot(
        ["sound ducked", "sound plain", "outcome early"]
    )


@both("stop", "стоп")
async def test_line_4_a_stop_is_no_answer_and_never_too_early(tmp_path, language, said):
    found = await over_a_prompt(tmp_path, language, said, "Shall", wait=9.0)
    assert found == snapshot(["sound ducked", "clear 1", "outcome input"])


@both("no", "нет")
async def test_line_5_keys_beat_speech(tmp_path, language, said):
    found = await over_a_prompt(tmp_path, language, said, "servers?", keys="1")
    assert (found[:2], found[-1]) == snapshot((["sound ducked", "clear 1"], "outcome keys"))


@both("hello", "алло")
async def test_line_7_nothing_plays(tmp_path, language, said):
    @tool
    async def slow() -> str:
        """Takes a while."""
        await asyncio.sleep(6)
        return "done"

    model = Script([call("slow")], ["So."])
    async with CallDesk(tmp_path, Agent("a", model, tools=[slow])) as desk:
        ann = await desk.caller(language=language)
        await ann.say(GO[language])
        since = ann.at_ms()
        ann.speak(said)
        await asyncio.sleep(8)
        assert stream(ann, since) == snapshot(["outcome presence", "told"])


async def test_line_8_what_is_late_changes_nothing(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script([REPLY], [REPLY]), "")) as desk:
        ann = await desk.caller()
        await ann.say("go there")
        await ann.hears("found")
        await ann.say("delete first")
        await ann.hears("found")
        before = ann.caption()
        ann.actor.played(1, 0, 99_999)
        ann.actor.cleared(1, 99_999)
        assert ann.caption() == before
        await asyncio.sleep(8)
        assert ann.captions()[-1] == REPLY
