"""The call strip in a browser, with calls that the test plays: states, captions, keys, ends."""

import asyncio
from typing import Any

import numpy as np
import pytest
from playwright.async_api import expect

from gateway import Agent, ToolContext, tool
from gateway.agents.scripted import concierge
from tests.acceptance.scripted import Script
from tests.acceptance.scripted import call as called
from tests.fakes.calls import ScriptedCall, ScriptedCalls
from tests.web.site import HOME, UNPLUG, Site, Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

WORDS = {
    "en-US": {
        "listening": "Listening",
        "thinking": "Thinking",
        "speaking": "Speaking",
        "asking": "Asking",
        "loading": "Voice is still being loaded: voice, recogniser.",
        "heard": "heard: twenty five → 25",
        "lost": "No connection for",
        "elsewhere": "The call goes on in another tab",
        "back": "Continue here",
        "refused": "The microphone is not allowed here",
        "again": "Try again",
        "left": "You left the call",
        "call again": "Call again",
        "hang up": "Hang up",
    },
    "ru-RU": {
        "listening": "Слушаю",
        "thinking": "Думаю",
        "speaking": "Говорю",
        "asking": "Спрашиваю",
        "loading": "Голос ещё загружается: голос, распознавание.",
        "heard": "услышано: двадцать пять → 25",
        "lost": "Нет связи",
        "elsewhere": "Звонок продолжается в другой вкладке",
        "back": "Продолжить здесь",
        "refused": "Микрофон здесь не разрешён",
        "again": "Попробовать снова",
        "left": "Вы вышли из звонка",
        "call again": "Позвонить снова",
        "hang up": "Завершить",
    },
}


@tool
async def pick(context: ToolContext) -> str:
    """Ask how many."""
    return str(await context.interrupt(message="How many?", response_schema=int))


async def talk(site: Site, **page: Any) -> tuple[Tab, ScriptedCall, ScriptedCalls]:
    """Somebody presses Talk and is answered."""
    calls = ScriptedCalls()
    await site.start(Agent("a", Script(["Hello."], ["And more."]), ""), calls=calls)
    tab = await site.page(**page)
    await tab.all("#talk").click()
    call = await calls.came()
    await state(tab, "listening")
    return tab, call, calls


async def state(tab: Tab, name: str) -> None:
    await expect(tab.all("#call")).to_have_attribute("data-state", name)


async def press(tab: Tab, name: str) -> None:
    await tab.all("#call").get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize("language", WORDS)
async def test_talk_shows_what_the_agent_does_and_who_says_what(
    caller: Site, language: str
) -> None:
    words = WORDS[language]
    tab, call, _ = await talk(caller, language=language)
    assert (call.thread, call.language) == (HOME, language[:2])
    await expect(tab.all("#composer")).to_be_hidden()
    await tab.sees(".voice-state", words["listening"])
    for name in ("thinking", "speaking", "asking"):
        call.tell("state", state=name)
        await state(tab, name)
        await tab.sees(".voice-state", words[name])
    call.tell("caller", utterance=0, text="twen", final=False, outcome=None)
    await tab.sees('.voice-caller[data-final="false"] q', "twen")
    call.tell("caller", utterance=0, text="twenty five", final=True, outcome="answer")
    await tab.sees('.voice-caller[data-final="true"] q', "twenty five")
    said = words["heard"].partition(": ")[2].partition(" →")[0]
    call.tell("understood", question="q", said=said, value="25")
    await tab.sees(".voice-understood", words["heard"])
    call.tell("agent", text="Twenty-five it is, and the rest")
    await tab.sees(".voice-agent", "Twenty-five it is, and the rest")
    await tab.gone(".voice-agent .bar")
    call.line.clear(0)
    await tab.sees(".voice-agent .bar")
    call.tell("caller", utterance=1, text="угу", final=True, outcome="near our yes")
    await tab.sees(".voice-outcome")
    await tab.gone(".voice-understood:not(:empty)")
    call.tell("told", text="I could not hear you")
    await tab.sees(".voice-agent.told", "I could not hear you")


async def test_the_microphone_is_heard_in_numbered_frames(caller: Site) -> None:
    """The fake microphone beeps once a second."""
    _, call, _ = await talk(caller)
    frames = await call.heard(75)
    firsts = [first for first, _ in frames]
    assert firsts == list(range(0, 320 * len(frames), 320))
    assert {len(samples) for _, samples in frames} == {320}
    assert max(float(np.abs(samples).max()) for _, samples in frames) > 0.05


async def test_muted_the_microphone_is_silence(caller: Site) -> None:
    tab, call, _ = await talk(caller)
    await press(tab, "Mute")
    assert await call.told("mute") == ("mute", True)
    await tab.sees(".voice-state", "Muted")
    await call.silent(75)
    await press(tab, "Unmute")
    await call.has(lambda event: event == ("mute", False))
    since = len(call.frames)
    await call.heard(since + 60)
    assert any(samples.any() for _, samples in call.frames[since:])


async def test_push_to_talk_by_button_and_by_space(caller: Site) -> None:
    tab, call, calls = await talk(caller)
    await press(tab, "Push to talk")
    assert await call.told("talk") == ("talk", False)
    hold = tab.all(".voice-hold")
    await hold.hover()
    await tab.page.mouse.down()
    await call.has(lambda event: event == ("talk", True))
    await tab.sees('.voice-hold[data-on="true"]')
    await tab.page.mouse.up()
    await tab.sees('.voice-hold[data-on="false"]')
    await tab.page.keyboard.down(" ")
    await tab.page.keyboard.down(" ")
    await tab.sees('.voice-hold[data-on="true"]')
    await tab.page.keyboard.up(" ")
    await tab.sees('.voice-hold[data-on="false"]')
    await press(tab, "Keypad")
    await press(tab, "Key 5")
    assert await call.told("key") == ("key", "5")
    talked = [event[1] for event in call.events if event[0] == "talk"]
    assert talked == [False, True, False, True, False]
    await tab.reload()
    await tab.all("#talk").click()
    call = await calls.came()
    await call.has(lambda event: event == ("talk", False))
    await tab.sees(".voice-hold")
    await press(tab, "Push to talk")
    await call.has(lambda event: event == ("talk", True))
    await tab.gone(".voice-hold:visible")


async def test_keys_stop_and_hang_up(caller: Site) -> None:
    tab, call, _ = await talk(caller)
    await press(tab, "Keypad")
    await press(tab, "Key #")
    assert await call.told("key") == ("key", "#")
    await tab.key("7")
    await call.has(lambda event: event == ("key", "7"))
    call.tell("state", state="speaking")
    await press(tab, "Stop")
    await call.told("stop")
    await tab.key("Escape")
    assert len([event for event in call.events if event == ("stop",)]) <= 2
    await press(tab, "Hang up")
    await call.told("hung up")
    await tab.gone("#call")
    await expect(tab.all("#message")).to_be_focused()
    await tab.say("typed after the call")
    await tab.sees(".said", "typed after the call")


async def test_leaving_the_page_or_the_thread_hangs_up(caller: Site) -> None:
    tab, call, calls = await talk(caller)
    await tab.page.get_by_role("button", name="New conversation").click()
    await call.told("hung up")
    await tab.gone("#call")
    await tab.all("#talk").click()
    call = await calls.came()
    assert call.thread.startswith(f"{HOME}:")
    await state(tab, "listening")
    await tab.page.goto("about:blank")
    await call.told("hung up")


@pytest.mark.parametrize("language", WORDS)
async def test_a_page_that_is_loaded_anew_says_that_the_call_was_left(
    caller: Site, language: str
) -> None:
    tab, call, calls = await talk(caller, language=language)
    await tab.page.reload()
    await call.told("hung up")
    await state(tab, "over")
    await tab.sees("#call", WORDS[language]["left"])
    await expect(tab.all("#message")).to_be_visible()
    await tab.say("typed after the call")
    await tab.sees(".said", "typed after the call")
    await press(tab, WORDS[language]["call again"])
    await calls.came()
    await state(tab, "listening")
    await press(tab, WORDS[language]["hang up"])
    await tab.gone("#call")
    await tab.page.reload()
    await expect(tab.all("#talk")).to_be_visible()
    await expect(tab.all("#call")).to_have_count(0)


async def test_writing_goes_on_during_a_call(caller: Site) -> None:
    tab, _, _ = await talk(caller)
    await press(tab, "Write")
    await expect(tab.all("#message")).to_be_focused()
    await tab.say("in writing 5")
    await tab.sees(".said", "in writing 5")
    await tab.sees("#call")
    await press(tab, "Write")
    await expect(tab.all("#composer")).to_be_hidden()


async def test_a_question_stays_above_and_takes_a_click(caller: Site) -> None:
    calls = ScriptedCalls()
    agent = Agent("a", Script([called("pick")], ["Fine."]), "", [pick])
    await caller.start(agent, calls=calls)
    tab = await caller.page()
    await tab.all("#talk").click()
    await calls.came()
    await state(tab, "listening")
    await press(tab, "Write")
    await tab.say("go")
    await tab.sees(".card.open", "How many?")
    card = await tab.all(".card.open").bounding_box()
    strip = await tab.all("#call").bounding_box()
    assert card is not None
    assert strip is not None
    assert card["y"] + card["height"] <= strip["y"]
    await tab.all(".card.open input").fill("25")
    await tab.press("Answer")
    await tab.sees(".card.folded .answer", "25")


@pytest.mark.parametrize("language", WORDS)
async def test_talk_while_weights_are_loading_begins_by_itself(caller: Site, language: str) -> None:
    calls = ScriptedCalls("espeak", "hibari", "whisper")
    await caller.start(Agent("a", Script(["Hello."]), ""), calls=calls)
    tab = await caller.page(language=language)
    await tab.all("#talk").click()
    await state(tab, "loading")
    await tab.sees(".voice-trouble", WORDS[language]["loading"])
    calls.parts = ()
    call = await calls.came()
    await state(tab, "listening")
    assert (await call.heard(3))[0][0] == 0


@pytest.mark.parametrize("language", WORDS)
async def test_a_refused_microphone_is_explained_and_asked_for_again(
    caller: Site, language: str
) -> None:
    words = WORDS[language]
    calls = ScriptedCalls()
    await caller.start(Agent("a", Script(["Hello."]), ""), calls=calls)
    tab = await caller.page(language=language)
    await tab.page.evaluate(
        """() => {
          const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
          window.allow = false;
          navigator.mediaDevices.getUserMedia = (asked) => window.allow ? real(asked)
            : Promise.reject(new DOMException("no", "NotAllowedError"));
        }"""
    )
    await tab.all("#talk").click()
    await tab.sees(".voice-trouble", words["refused"])
    await expect(tab.all(".voice-trouble p")).not_to_be_empty()
    assert not calls.all
    await tab.page.evaluate("() => (window.allow = true)")
    await press(tab, words["again"])
    await (await calls.came()).heard(3)
    await state(tab, "listening")


async def test_without_a_microphone_one_listens_and_presses_keys(site: Site) -> None:
    """This browser has none."""
    calls = ScriptedCalls()
    await site.start(Agent("a", Script(["Hello."]), ""), calls=calls)
    tab = await site.page()
    await tab.page.evaluate(
        "() => (navigator.mediaDevices.getUserMedia = () =>"
        " Promise.reject(new DOMException('none', 'NotFoundError')))"
    )
    await tab.all("#talk").click()
    await tab.sees(".voice-trouble", "No microphone was found")
    await press(tab, "Only listen")
    call = await calls.came()
    await state(tab, "listening")
    await expect(tab.all("#call").get_by_role("button", name="Mute")).to_be_hidden()
    await press(tab, "Keypad")
    await press(tab, "Key 1")
    await call.told("key")


async def lose(tab: Tab, call: ScriptedCall) -> None:
    """The line is gone, until the page calls `plug()`."""
    await tab.page.evaluate(UNPLUG)
    call.line.cut_off()  # type: ignore[attr-defined]
    await tab.sees(".voice-trouble", "No connection for")


@pytest.mark.parametrize("lost", ["", "before", "after"])
async def test_a_microphone_that_is_unplugged_goes_on_where_it_was(caller: Site, lost: str) -> None:
    """Also where the line is lost before or after that: how to get it back is said then, too."""
    caller.may_log += ["WebSocket", "ERR_"]
    calls = ScriptedCalls()
    await caller.start(Agent("a", Script(["Hello."]), ""), calls=calls)
    tab = await caller.page()
    await tab.page.evaluate(
        """() => {
          const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
          navigator.mediaDevices.getUserMedia = async (asked) => (window.given = await real(asked));
        }"""
    )
    await tab.all("#talk").click()
    call = await calls.came()
    await call.heard(10)
    if lost == "before":
        await lose(tab, call)
    await tab.page.evaluate(
        "() => { const [track] = given.getTracks(); track.stop();"
        " track.dispatchEvent(new Event('ended')); }"
    )
    if lost == "after":
        await tab.sees(".voice-trouble", "The microphone is gone")
        await lose(tab, call)
    if lost:
        await tab.page.evaluate("plug()")
        assert await calls.came() is call
    await tab.sees(".voice-trouble", "The microphone is gone")
    await state(tab, "listening")
    await expect(tab.all("#call").get_by_role("button", name="Mute")).to_be_hidden()
    before = len(call.frames)
    await press(tab, "Try again")
    await tab.gone(".voice-trouble:visible")
    frames = await call.heard(before + 60)
    firsts = [first for first, _ in frames]
    since = before if lost else 0  # what was said in an outage is left out
    assert firsts[since:] == [firsts[since] + 320 * at for at in range(len(firsts) - since)]
    assert firsts == sorted(set(firsts))
    assert any(samples.any() for _, samples in frames[before:])


async def test_a_browser_that_plays_nothing_is_told_so_and_helped(caller: Site) -> None:
    calls = ScriptedCalls()
    await caller.start(Agent("a", Script(["Hello."]), ""), calls=calls)
    tab = await caller.page()
    await tab.page.evaluate(
        """() => {
          window.may = false;
          const Real = AudioContext;
          window.AudioContext = class extends Real {
            constructor(options) {
              super(options);
              if (options.sampleRate) this.suspend();
            }
            get state() { return this.player && !window.may ? 'suspended' : super.state; }
            get player() { return this.sampleRate === 22050; }
            async resume() { if (!this.player || window.may) await super.resume(); }
          };
        }"""
    )
    await tab.all("#talk").click()
    call = await calls.came()
    await tab.sees(".voice-trouble", "doesn’t play")
    await state(tab, "listening")
    await tab.page.evaluate("() => (window.may = true)")
    await press(tab, "Play")
    await tab.gone(".voice-trouble:visible")
    call.line.play(0, 0, 0, np.zeros(4410, dtype=np.float32))
    await call.has(lambda event: event == ("played", 0, 0, 4410))


async def test_what_a_call_needs_is_loaded_on_talk(caller: Site) -> None:
    calls = ScriptedCalls()
    await caller.start(Agent("a", Script(["Hello."]), ""), calls=calls)
    tab = await caller.page("/#elsewhere")
    asked: list[str] = []
    tab.page.on("request", lambda request: asked.append(request.url))
    await tab.reload()
    assert not [url for url in asked if "/call" in url]
    await tab.key("?")
    await tab.sees(".keys", "push to talk")
    await tab.key("Escape")
    await tab.page.goto(caller.address)
    await tab.all("#talk").click()
    await calls.came()
    assert [url for url in asked if "/js/call/call.js" in url]


@pytest.mark.parametrize("language", WORDS)
async def test_another_tab_takes_the_call_and_gives_it_back(caller: Site, language: str) -> None:
    words = WORDS[language]
    tab, _, calls = await talk(caller, language=language)
    other = await tab.tab()
    await other.all("#talk").click()
    await calls.came()
    await tab.sees(".voice-trouble", words["elsewhere"])
    await state(other, "listening")
    await press(tab, words["back"])
    await calls.came()
    await other.sees(".voice-trouble", words["elsewhere"])
    await state(tab, "listening")


@pytest.mark.parametrize("language", WORDS)
async def test_a_lost_connection_goes_on_with_the_same_call(caller: Site, language: str) -> None:
    caller.may_log += ["WebSocket", "ERR_"]
    tab, call, calls = await talk(caller, language=language)
    call.tell("state", state="speaking")
    await state(tab, "speaking")
    frames = len(await call.heard(5))
    await tab.page.evaluate(UNPLUG)
    call.line.cut_off()  # type: ignore[attr-defined]
    await tab.sees(".voice-trouble", WORDS[language]["lost"])
    await tab.page.evaluate("plug()")
    assert await calls.came() is call
    await state(tab, "speaking")
    await tab.gone(".voice-trouble:visible")
    again = (await call.heard(frames + 10))[-1][0]
    assert again > 320 * frames
    assert len(calls.all) == 1


async def test_a_call_that_is_over_for_the_server_begins_anew(caller: Site) -> None:
    caller.may_log += ["WebSocket", "ERR_"]
    tab, call, calls = await talk(caller)
    await call.heard(20)
    calls.all.clear()
    call.line.cut_off()  # type: ignore[attr-defined]
    other = await calls.came()
    assert other is not call
    assert (await other.heard(2))[0][0] < 5 * 320
    await state(tab, "listening")


@pytest.mark.parametrize("reason", ["failed", "busy", "flooding", "made up"])
async def test_the_server_hangs_up_with_a_reason(caller: Site, reason: str) -> None:
    tab, call, calls = await talk(caller)
    call.line.hang_up(reason)
    await state(tab, "over")
    await expect(tab.all(".voice-trouble p")).not_to_be_empty()
    await press(tab, "Call again")
    await calls.came()
    await state(tab, "listening")


async def test_the_state_is_told_politely_and_captions_are_not_read_out(caller: Site) -> None:
    tab, call, _ = await talk(caller)
    page = tab.page
    await expect(page.get_by_role("region", name="Call")).to_be_visible()
    await expect(tab.all(".voice-state")).to_have_attribute("role", "status")
    await expect(tab.all(".voice-captions")).to_have_attribute("aria-live", "off")
    await press(tab, "Write")
    await tab.say("hello")
    await tab.sees(".reply", "Hello.")
    await press(tab, "Hang up")
    await call.told("hung up")
    assert "Hello." not in await tab.all("#spoken").inner_text()
    await tab.say("again")
    await tab.sees(".reply", "And more.")
    await expect(tab.all("#spoken")).to_contain_text("And more.")


@pytest.mark.parametrize("width", [1280, 390, 320])
async def test_nothing_of_the_strip_lies_aside(caller: Site, width: int) -> None:
    tab, call, _ = await talk(caller, width=width, language="ru-RU")
    call.tell("state", state="speaking")
    call.tell("agent", text="слово " * 200)
    call.tell("caller", utterance=0, text="оченьдлинноеслово" * 12, final=True, outcome="early")
    await press(tab, "По кнопке")
    await press(tab, "Клавиши")
    await asyncio.sleep(0.2)
    wide = await tab.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= width
    outside = await tab.page.evaluate(
        """() => [...document.querySelectorAll('#call *')].filter((node) => node.checkVisibility()
             && !node.closest('.voice-button span')
             && node.getBoundingClientRect().right > innerWidth + 0.5).length"""
    )
    assert outside == 0


async def test_both_languages_have_the_same_words(caller: Site) -> None:
    await caller.start(Agent("a", Script(["Hello."]), ""))
    tab = await caller.page()
    one, other = [
        await tab.page.evaluate(
            f"() => import('/js/call/words.{name}.js').then(m => Object.keys(m.default).sort())"
        )
        for name in ("en", "ru")
    ]
    assert one == other
    await expect(tab.all("#talk")).to_be_hidden()


async def test_the_demo_offers_to_be_talked_over(caller: Site) -> None:
    calls = ScriptedCalls()
    await caller.start(concierge(), calls=calls)
    tab = await caller.page()
    await tab.sees(".offer", count=5)
    await tab.all('[data-offer="talk"]').click()
    await calls.came()
    await tab.sees("#tip", "talk over it")
    await press(tab, "Hang up")
    await tab.gone("#tip:visible")


async def test_how_to_allow_the_microphone_is_said_per_browser(caller: Site) -> None:
    await caller.start(Agent("a", Script(["Hello."]), ""))
    tab = await caller.page()
    agents = {
        "Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 Chrome/140.0 Safari/537.36": "chrome",
        "Mozilla/5.0 (Windows NT 10.0) AppleWebKit Chrome/140.0 Safari/537.36 Edg/140.0": "edge",
        "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "firefox",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1": "safari",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Mobile Safari/604.1": "ios",
        "Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36": "android",
        "Lynx/2.9": "other",
    }
    for agent, name in agents.items():
        found = await tab.page.evaluate(
            "(agent) => import('/js/call/browsers.js').then(m => m.browserName(agent, 0))", agent
        )
        assert found == name, agent
