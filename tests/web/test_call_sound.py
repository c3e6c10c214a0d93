"""What a call's worklets play and hear, sample by sample: in the page, and in a real device."""

from typing import Any

import numpy as np
import pytest

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.fakes.calls import ScriptedCall, ScriptedCalls
from tests.web.site import Site, Tab
from voice.core.floor import Sound
from voice.transports.line import RATE

pytestmark = pytest.mark.asyncio(loop_scope="session")

PIECE = RATE // 50

PLAYOUT = """async (steps) => {
  const { Playout } = await import('/js/call/playout.js');
  const told = [], out = [];
  const playout = new Playout(1000, (message) => told.push(message));
  for (const [name, ...given] of steps) {
    if (name === 'take') {
      const [generation, flight, position, count] = given;
      const first = generation * 1000 + position + 1;
      const samples = Float32Array.from({ length: count }, (_, n) => first + n);
      playout.take({ generation, flight, position, samples });
    } else if (name === 'render') {
      const block = new Float32Array(given[0]);
      playout.render(block);
      out.push(...block);
    } else playout[name](...given);
  }
  return { out, told };
}"""


async def playout(tab: Tab, *steps: Any) -> tuple[list[float], list[dict[str, Any]]]:
    """Play steps at 1,000 Hz; sample n of generation g is g·1000 + n + 1."""
    made = await tab.page.evaluate(PLAYOUT, [list(step) for step in steps])
    return made["out"], made["told"]


@pytest.fixture
def quiet() -> Agent:
    return Agent("a", Script(["Hello."]), "")


async def opened(site: Site, agent: Agent) -> Tab:
    await site.start(agent)
    return await site.page()


async def test_every_sample_is_played_once_and_told(caller: Site, quiet: Agent) -> None:
    tab = await opened(caller, quiet)
    out, told = await playout(
        tab,
        ("take", 1, 0, 0, 50),
        ("take", 1, 0, 40, 60),  # ten samples come twice
        ("render", 64),
        ("take", 1, 0, 0, 30),  # late
        ("render", 64),
        ("render", 200),
    )
    assert out[:100] == [1001 + n for n in range(100)]
    assert abs(out[-1]) < 5
    positions = [message["position"] for message in told]
    assert positions == sorted(set(positions))
    assert positions[-1] == 100


async def test_what_is_cleared_is_never_played_again(caller: Site, quiet: Agent) -> None:
    tab = await opened(caller, quiet)
    out, told = await playout(
        tab,
        ("take", 1, 0, 0, 200),
        ("render", 50),
        ("clear", 1),
        ("take", 1, 0, 200, 100),  # on its way when it was cleared
        ("sound", 1, "ducked"),
        ("render", 100),
        ("take", 2, 0, 0, 30),
        ("render", 200),
        ("render", 1),
    )
    assert {"type": "cleared", "generation": 1, "position": 50} in told
    assert out[:50] == [1001 + n for n in range(50)]
    assert max(out[51:150]) < 1050
    assert out[150:180] == [2001 + n for n in range(30)]
    after = told[told.index({"type": "cleared", "generation": 1, "position": 50}) + 1 :]
    assert {message["generation"] for message in after} == {2}


async def test_held_sound_goes_on_at_the_very_sample(caller: Site, quiet: Agent) -> None:
    tab = await opened(caller, quiet)
    out, told = await playout(
        tab,
        ("take", 1, 0, 0, 300),
        ("render", 77),
        ("sound", 1, "held"),
        ("render", 200),
        ("sound", 1, "plain"),
        ("render", 100),
        ("render", 200),
    )
    assert out[:77] == [1001 + n for n in range(77)]
    assert abs(out[276]) < 1
    ramp = out[277:297]
    assert ramp == sorted(ramp)
    assert out[297:500] == pytest.approx([1001 + n for n in range(97, 300)])
    assert told[-1]["position"] == 300


async def test_ducked_is_fifteen_decibels_quieter_after_a_ramp(caller: Site, quiet: Agent) -> None:
    tab = await opened(caller, quiet)
    out, _ = await playout(
        tab,
        ("take", 1, 0, 0, 400),
        ("render", 100),
        ("sound", 1, "ducked"),
        ("render", 100),
        ("sound", 1, "plain"),
        ("render", 100),
    )
    played = np.array(out)
    gain = played / np.array([1001.0 + n for n in range(300)])
    assert gain[:100] == pytest.approx(1)
    assert 20 * np.log10(gain[130:200]) == pytest.approx(-15, abs=0.01)
    assert gain[230:] == pytest.approx(1)
    assert np.abs(np.diff(gain)).max() < 0.06


async def test_sound_that_was_taken_back_is_played_from_where_it_is_sent_anew(
    caller: Site, quiet: Agent
) -> None:
    tab = await opened(caller, quiet)
    out, told = await playout(
        tab,
        ("take", 1, 0, 0, 200),
        ("render", 50),
        ("take", 1, 1, 50, 100),  # the next flight
        ("take", 1, 0, 150, 100),  # the last of the flight before
        ("render", 200),
    )
    assert out[:150] == [1001 + n for n in range(150)]
    assert told[-1] == {"type": "played", "generation": 1, "flight": 1, "position": 150}


async def test_what_the_device_still_holds_is_not_told_as_played(
    caller: Site, quiet: Agent
) -> None:
    tab = await opened(caller, quiet)
    _, told = await playout(
        tab,
        ("setLatency", 0.05),
        ("take", 1, 0, 0, 200),
        ("render", 100),
        ("render", 100),
        ("render", 20),
        ("render", 100),
    )
    assert [message["position"] for message in told] == [50, 150, 200]


async def test_any_order_of_things_plays_a_generation_in_order_and_never_after_its_end(
    caller: Site, quiet: Agent
) -> None:
    tab = await opened(caller, quiet)
    random = np.random.default_rng(7)
    for _ in range(60):
        steps: list[tuple[Any, ...]] = []
        generation, ends = 1, [0, 0]
        for choice in random.integers(0, 6, 60):
            if choice <= 1:
                size = int(random.integers(1, 120))
                steps.append(("take", generation, 0, ends[generation], size))
                ends[generation] += size
            elif choice <= 3:
                steps.append(("render", int(random.integers(1, 128))))
            elif choice == 4:
                sound = ("plain", "held", "ducked")[int(random.integers(3))]
                steps.append(("sound", generation, sound))
            elif generation < 9:
                steps.append(("clear", generation))
                generation += 1
                ends.append(0)
        rest = (("sound", generation, "plain"), ("render", 9000), ("render", 1))
        _, told = await playout(tab, *steps, *rest)
        cleared, before = 0, (0, 0)
        for message in told:
            if message["type"] == "cleared":
                cleared = max(cleared, message["generation"])
                assert message["position"] <= ends[message["generation"]]
                continue
            now = (message["generation"], message["position"])
            assert now[0] > cleared
            assert now > before
            before = now
        if ends[generation]:
            assert before == (generation, ends[generation])


async def test_the_microphones_rate_becomes_sixteen_kilohertz(caller: Site, quiet: Agent) -> None:
    tab = await opened(caller, quiet)
    loudness = """async ([from, hertz]) => {
      const { Resampler } = await import('/js/call/resampler.js');
      const resampler = new Resampler(from, 16000), out = [];
      const turn = 2 * Math.PI * hertz / from;
      const tone = Float32Array.from({ length: from }, (_, n) => Math.sin(turn * n));
      for (let at = 0; at < from; at += 128)
        out.push(...resampler.apply(tone.subarray(at, at + 128)));
      const later = out.slice(1000);
      const power = later.reduce((sum, one) => sum + one * one, 0) / later.length;
      return [out.length, Math.sqrt(2 * power)];
    }"""
    for rate in (44_100, 48_000, 96_000, 16_000):
        made, gain = await tab.page.evaluate(loudness, [rate, 1_000])
        assert abs(made - 16_000) <= 2
        assert gain == pytest.approx(1, abs=0.01)
    for rate in (44_100, 48_000, 96_000):
        _, gain = await tab.page.evaluate(loudness, [rate, 9_000])
        assert gain < 0.005


# -- through the browser's audio


async def called(site: Site, agent: Agent) -> tuple[Tab, ScriptedCall]:
    calls = ScriptedCalls()
    await site.start(agent, calls=calls)
    tab = await site.page()
    await tab.all("#talk").click()
    call = await calls.came()
    await tab.sees('#call[data-state="listening"]')
    return tab, call


def speak(call: ScriptedCall, generation: int, seconds: float, first: int = 0) -> int:
    """Send a tone in pieces of 20 ms; where it ends."""
    tone = 0.2 * np.sin(np.arange(int(seconds * RATE)) * 0.06).astype(np.float32)
    for start in range(0, len(tone), PIECE):
        call.line.play(generation, 0, first + start, tone[start : start + PIECE])
    return first + len(tone)


def at(generation: int, position: int) -> Any:
    return lambda e: e[0] == "played" and e[1] == generation and int(e[3]) >= position


async def test_the_player_tells_every_40_ms_which_sample_it_plays(
    caller: Site, quiet: Agent
) -> None:
    _, call = await called(caller, quiet)
    end = speak(call, 0, 1.0)
    await call.has(at(0, end))
    positions = [int(str(event[3])) for event in call.events if event[0] == "played"]
    assert positions == sorted(set(positions))
    assert positions[-1] == end
    steps = np.diff(positions)
    assert len(positions) >= 20
    assert np.median(steps) <= 0.05 * RATE


async def test_a_hold_stands_still_and_a_clear_ends_it(caller: Site, quiet: Agent) -> None:
    _, call = await called(caller, quiet)
    end = speak(call, 0, 2.0)
    await call.has(at(0, RATE // 4))
    call.line.sound(0, Sound.HELD)
    frames = len(call.frames)
    await call.heard(frames + 15)  # 300 ms by the microphone's own clock
    held = [event[3] for event in call.events if event[0] == "played"][-1]
    await call.heard(frames + 30)
    assert [event[3] for event in call.events if event[0] == "played"][-1] == held
    call.line.sound(0, Sound.PLAIN)
    await call.has(at(0, int(str(held)) + RATE // 4))
    call.line.clear(0)
    _, generation, position = await call.told("cleared")
    assert generation == 0
    assert int(str(held)) < int(str(position)) < end
    told = len(call.events)
    speak(call, 0, 0.5, first=end)
    after = speak(call, 1, 0.3)
    await call.has(at(1, after))
    assert {event[1] for event in call.events[told:] if event[0] == "played"} == {1}


LISTENING = """async (again) => {
  const { Sound } = await import('/js/call/sound.js');
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  const streams = [], firsts = [];
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await ask(wanted);
    streams.push(stream);
    return stream;
  };
  const on = { frame: (first) => firsts.push(first), report() {}, unplugged() {}, plays() {} };
  const sound = new Sound(on);
  const live = () => streams.flatMap((s) => s.getTracks()).filter((t) => t.readyState === 'live');
  const first = sound.listen();
  if (again === 'after') await first;
  await Promise.all([first, sound.listen()]);
  firsts.length = 0;
  while (firsts.length < 10) await new Promise((done) => setTimeout(done, 20));
  const open = live().length, doubled = firsts.length - new Set(firsts).size;
  sound.close();
  return { asked: streams.length, open, doubled, left: live().length };
}"""


@pytest.mark.parametrize("again", ["at once", "after"])
async def test_asked_for_twice_it_is_one_microphone(caller: Site, quiet: Agent, again: str) -> None:
    """Who presses "Try again" twice is heard once, and by nobody after the call."""
    tab = await opened(caller, quiet)
    found = await tab.page.evaluate(LISTENING, again)
    assert found == {"asked": 2, "open": 1, "doubled": 0, "left": 0}
