"""A run's text: handed over, shown, cut, and saved as exactly what was shown or heard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from gateway.core import run_effects as fx
from gateway.core.cancellation import InterruptReason
from gateway.core.events import End
from gateway.core.growing import Growing
from gateway.core.log import Kind, Place, assistant_body
from gateway.live import LiveRun, Work
from gateway.mail import SaveShownNow
from gateway.ports.channel import Channel, Piecewise, Shown, TextRef
from gateway.ports.rows import StepText
from gateway.ports.store import SaveRun
from gateway.state import ThreadState


def save_run(state: ThreadState, live: LiveRun, work: Work, **changes: Any) -> None:
    """Store the run's row with its machine's state; the last save of a unit of work is enough."""
    live.row = replace(live.row, state=live.machine.state.value, **changes)
    work.save(SaveRun(live.row))


def open_output(state: ThreadState, live: LiveRun) -> None:
    """A task of the run begins: what it says is shown."""
    live.output_closed = False
    live.cut.clear()
    live.more.clear()


def begin_text(state: ThreadState, live: LiveRun, step: int, first: str) -> None:
    """Show the first that the run's task says of a step, where that still may be shown."""
    if live.output_closed or step in live.written:
        return
    channel, ref = state.channel(live.row.channel), live.ref(step)
    text = live.texts[step] = Growing(first)
    channel.show(ref, first, False)
    if isinstance(channel, Piecewise):
        go_on = channel.words(ref)
    else:
        go_on = partial(_show_more, channel, ref, text)
    live.more[step] = text.add, go_on
    watch_shown(state, live)


def _show_more(channel: Channel, ref: TextRef, text: Growing, _more: str) -> None:
    channel.show(ref, text.text, False)


def said(state: ThreadState, live: LiveRun, work: Work, step: int, whole: StepText) -> None:
    """A step's whole text is known: append it, or keep it until what was shown of it is known."""
    kept = live.row.texts.get(step)
    if step in live.written or (kept is not None and kept.final):
        return
    if not whole.text and whole.provider_parts is None:
        return
    channel = state.channel(live.row.channel)
    if whole.text and (live.output_closed or not channel.capabilities.durable):
        live.texts[step] = Growing(whole.text)
        shown = kept.shown if kept is not None else ""
        texts = {**live.row.texts, step: replace(whole, shown=shown, final=True)}
        live.row = replace(live.row, texts=texts)
        work.then(watch_shown, state, live)
        _show_whole(state, live, work, step, whole)
    else:
        body = assistant_body(whole.text, provider_parts=whole.provider_parts)
        _append_text(state, live, work, step, body)
        _show_whole(state, live, work, step, whole)
        work.then(channel.close, live.ref(step), whole.text, None)


def _show_whole(state: ThreadState, live: LiveRun, work: Work, step: int, whole: StepText) -> None:
    if whole.text and not live.output_closed:
        work.then(state.channel(live.row.channel).show, live.ref(step), whole.text, True)


def _append_text(
    state: ThreadState, live: LiveRun, work: Work, step: int, body: Mapping[str, Any]
) -> None:
    live.written.add(step)
    live.more.pop(step, None)
    live.texts.pop(step, None)
    live.row = replace(live.row, texts={k: v for k, v in live.row.texts.items() if k != step})
    state.append(work, Kind.ASSISTANT, Place.TEXT, body, run=live.id, step=step)


def append_settled(state: ThreadState, live: LiveRun, effect: fx.AppendText, work: Work) -> None:
    """A text was delivered to its end: append it whole."""
    kept = live.row.texts[effect.step]
    shown = state.channel(live.row.channel).shown(live.ref(effect.step))
    body = assistant_body(
        kept.text,
        provider_parts=kept.provider_parts,
        heard_ms=shown.heard_ms,
        total_ms=shown.total_ms,
    )
    _append_text(state, live, work, effect.step, body)
    save_run(state, live, work)
    work.then(state.channel(live.row.channel).close, live.ref(effect.step), kept.text, None)


def cut_output(state: ThreadState, live: LiveRun) -> None:
    """Reveal nothing more of the run, here and now; what was shown is remembered."""
    live.output_closed = True
    live.more.clear()
    channel = state.channel(live.row.channel)
    for step in live.texts:
        if step not in live.cut:
            live.cut[step] = channel.cut(live.ref(step))


def close_output(state: ThreadState, live: LiveRun, effect: fx.CutOutput, work: Work) -> None:
    """The machine's wish to reveal nothing more."""
    cut_output(state, live)


def save_shown(state: ThreadState, live: LiveRun, effect: fx.SaveShown, work: Work) -> None:
    """Append what was shown of every text that has not settled, with its mark where it was cut."""
    cut_output(state, live)
    for step, text in sorted(live.texts.items()):
        _close_cut(state, live, work, step, replace(_kept(live, step, text.text), text=text.text))


def _kept(live: LiveRun, step: int, text: str) -> StepText:
    return live.row.texts.get(step) or StepText(text)


def _close_cut(state: ThreadState, live: LiveRun, work: Work, step: int, kept: StepText) -> None:
    """Append the part of a text that was shown; nothing shown, nothing saved (what a whole reply
    left unheard excepted).
    """
    shown = live.cut[step]
    whole = kept.final and shown.text == kept.text
    reason = None if whole else _reason(live)
    work.then(state.channel(live.row.channel).close, live.ref(step), shown.text, reason)
    if not shown.text and not kept.final:
        live.texts.pop(step, None)
        return
    body = assistant_body(
        shown.text,
        provider_parts=kept.provider_parts if whole else None,
        interrupted=reason,
        heard_ms=shown.heard_ms,
        total_ms=shown.total_ms,
        unheard=kept.text[len(shown.text) :],
    )
    _append_text(state, live, work, step, body)


def _reason(live: LiveRun) -> str:
    if live.machine.reason is not None:
        return live.machine.reason.value
    return "FAILED" if live.machine.end is End.FAILED else InterruptReason.HOLDER_LOST.value


def close_partial(state: ThreadState, live: LiveRun, effect: fx.ClosePartial, work: Work) -> None:
    """After a crash: append what was shown; a text channel gets the rest of a whole text."""
    channel = state.channel(live.row.channel)
    for step, kept in sorted(live.row.texts.items()):
        known = channel.shown(live.ref(step))
        live.cut[step] = known if len(known.text) > len(kept.shown) else Shown(kept.shown)
        _close_cut(state, live, work, step, kept)
        if kept.final and kept.shown != kept.text and not channel.capabilities.voice:
            work.then(channel.show, live.ref(step), kept.text, True)
    live.row = replace(live.row, texts={})


def store_shown(state: ThreadState, live: LiveRun, work: Work) -> None:
    """Keep what was shown of the run's text until now, where it has grown (every 250 ms)."""
    texts = dict(live.row.texts)
    channel = state.channel(live.row.channel)
    for step, text in live.texts.items():
        kept = texts.get(step) or StepText(text.text)
        texts[step] = replace(kept, text=text.text, shown=channel.shown(live.ref(step)).text)
    if texts != live.row.texts and any(kept.shown for kept in texts.values()):
        save_run(state, live, work, texts=texts)
    if any(kept.shown != kept.text for kept in texts.values()):
        watch_shown(state, live)


def watch_shown(state: ThreadState, live: LiveRun) -> None:
    """Look again, after a moment, at what was shown of the run's texts."""
    if live.ticking is None:
        every = state.wiring.policy.shown_every_ms / 1000
        live.ticking = state.later(every, SaveShownNow(live.id))
