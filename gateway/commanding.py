"""What each command does in the thread's actor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from gateway import answering, ending, intake, reading, recovery, running, views, waiting
from gateway.commands import parse
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import AlreadyDecided
from gateway.core.events import End
from gateway.core.interrupts import Interrupt
from gateway.core.messages import Json
from gateway.core.queueing import AskedOf, Mode, Priority
from gateway.i18n import LANGUAGES
from gateway.live import Work
from gateway.ports.rows import InputRow, Outcome
from gateway.state import ThreadState


def handle(state: ThreadState, work: Work, row: InputRow) -> None:
    """Do what a command says; its input ends as handled, unless a run goes on from it."""
    parsed = parse(row.new.text)
    if parsed is None:
        _done(state, work, row, "UNKNOWN_COMMAND")
        return
    _HANDLERS[parsed.name](state, work, row, parsed.args)


def _done(state: ThreadState, work: Work, row: InputRow, code: str, **params: Json) -> None:
    state.finish(work, row, Outcome.HANDLED, code)
    state.answer(work, row, code, **params)


# -- runs ------------------------------------------------------------------------------------------


def _stop(state: ThreadState, work: Work, row: InputRow, args: str) -> None:
    waiting.stop(state, work, row)


def _retry(state: ThreadState, work: Work, row: InputRow, args: str) -> None:
    last = state.last_run
    if state.occupying():
        _done(state, work, row, "RETRY_BUSY")
        return
    on_branch = last is not None and any(entry.run == last.id for entry in state.chain)
    admin = state.wiring.access.is_admin(row.new.principal)
    if last is None or not on_branch or not (admin or row.new.principal in last.principals):
        _done(state, work, row, "NOTHING_TO_RETRY")
    elif last.end == End.INTERRUPTED:
        text = recovery.retry_anew(state, work, row, last)
        state.answer(work, row, "RETRYING", text=text)
    elif last.end == End.FAILED:
        text = recovery.retry_on(state, work, row, last)
        state.answer(work, row, "RETRYING", text=text)
    else:
        _done(state, work, row, "NOTHING_TO_RETRY")


def _new(state: ThreadState, work: Work, row: InputRow, args: str) -> None:
    if not _may_set(state, row):
        _done(state, work, row, "ADMINS_ONLY")
        return
    ending.begin_afresh(state, work)
    for live in state.occupying():
        running.stop_run(state, live, InterruptReason.SESSION_RELEASED, work, row.new.principal)
    _done(state, work, row, "NEW_CONVERSATION")


# -- questions -------------------------------------------------------------------------------------


def _skip(state: ThreadState, work: Work, row: InputRow, args: str) -> None:
    mine = reading.numbered_here(state, row.new.principal)
    question = _meant(state, work, row, args, mine, several=len(mine) > 1)
    if question is not None:
        found = reading.Read(AskedOf.MINE, question=question)
        answering.skip(state, work, row, answering.BY_COMMAND, found)


def _cancel(state: ThreadState, work: Work, row: InputRow, args: str) -> None:
    """Decline what one is asked; where it is somebody else who is asked, end one's own pause."""
    mine = reading.numbered_here(state, row.new.principal)
    own = {live.id for live in state.runs_of(row.new.principal)}
    asked = mine or {n: q for n, q in reading.numbered(state).items() if q.run in own}
    ends = reading.to_decline(asked.values()) if mine else {q.run for q in asked.values()}
    question = _meant(state, work, row, args, asked, several=len(ends) > 1)
    if question is not None and mine:
        found = reading.Read(AskedOf.MINE, question=question)
        answering.decline(state, work, row, answering.BY_COMMAND, found)
    elif question is not None:
        answering.cancel(state, work, row, question.run)


def _meant(
    state: ThreadState,
    work: Work,
    row: InputRow,
    number: str,
    asked: Mapping[int, Interrupt],
    *,
    several: bool,
) -> Interrupt | None:
    """The question that a command is for: the one of that number, or the only one. Else the command
    ends, with what there is to say.
    """
    if number.isdecimal() and int(number) in asked:
        return asked[int(number)]
    if not asked:
        _done(state, work, row, "RUN_NOT_PAUSED")
    elif number.isdecimal():
        answering.refused(state, work, row, AlreadyDecided())
    elif several:
        answering.which(state, work, row, asked)
    else:
        return next(iter(asked.values()))
    return None


def _questions(state: ThreadState, work: Work, row: InputRow, args: str) -> None:
    mine = reading.numbered_here(state, row.new.principal)
    items: list[Json] = [f"{number}. {q.message}" for number, q in mine.items()]
    _done(state, work, row, "QUESTIONS" if items else "RUN_NOT_PAUSED", items=items)


# -- the queue -------------------------------------------------------------------------------------


def _queue(state: ThreadState, work: Work, row: InputRow, args: str) -> None:
    word, _, rest = args.partition(" ")
    modes = {mode.value: mode for mode in Mode}
    if not word:
        _show_queue(state, work, row)
    elif word.casefold() in modes:
        _set_mode(state, work, row, modes[word.casefold()])
    elif word.casefold() in _ITEM_WORDS:
        _change_item(state, work, row, _ITEM_WORDS[word.casefold()], rest)
    else:
        _done(state, work, row, "QUEUE_HELP", modes=list(modes))


def _show_queue(state: ThreadState, work: Work, row: InputRow) -> None:
    mode, source = state.mode_and_source(row.new.channel)
    waits = state.waiting()
    state.listed[row.new.principal] = tuple(item.seq for item in waits)
    items: list[Json] = [f"{n}. {item.new.text[:60]}" for n, item in enumerate(waits, 1)]
    _done(state, work, row, "QUEUE", mode=mode.value, source=source, items=items)


def _may_set(state: ThreadState, row: InputRow) -> bool:
    return state.thread.private or state.wiring.access.is_admin(row.new.principal)


def _set_mode(state: ThreadState, work: Work, row: InputRow, mode: Mode) -> None:
    if not _may_set(state, row):
        _done(state, work, row, "ADMINS_ONLY")
        return
    entry: dict[str, Json] = {"queueMode": mode.value, "by": row.new.principal}
    state.keep_setting(work, "mode", mode.value, entry)
    state.draw(work, "mode", {"mode": mode.value, "source": "thread"})
    _done(state, work, row, "MODE_SET", mode=mode.value, source="thread")


_ITEM_WORDS = {
    "edit": "edit",
    "drop": "drop",
    "now": "now",
    "правка": "edit",
    "убрать": "drop",
    "сейчас": "now",
}


def _change_item(state: ThreadState, work: Work, row: InputRow, what: str, args: str) -> None:
    """Edit, drop or send an item of the queue; by its place in the list that the person was shown
    last, or by `#` and its number.
    """
    word, _, text = args.partition(" ")
    item = _item(state, word, row.new.principal)
    principal = row.new.principal
    admin = state.wiring.access.is_admin(principal)
    if item is None:
        _done(state, work, row, "QUEUE_ITEM_GONE")
    elif item.new.principal != principal and not admin:
        _done(state, work, row, "THREAD_ACCESS_DENIED")
    elif what == "drop":
        state.finish(work, item, Outcome.RETURNED, "DROPPED_BY_PERSON")
        _done(state, work, row, "QUEUE_DROPPED", text=item.new.text)
    elif what == "now":
        del state.queue[item.seq]
        intake.take_in(state, work, replace(item, new=replace(item.new, override=Priority.NOW)))
        _done(state, work, row, "QUEUE_SENT", text=item.new.text)
    elif text.strip():
        state.save_input(work, replace(item, new=replace(item.new, text=text.strip()), detail=""))
        _done(state, work, row, "QUEUE_EDITED", text=text.strip())
    else:
        _done(state, work, row, "QUEUE_HELP", modes=[mode.value for mode in Mode])


def _item(state: ThreadState, word: str, principal: str) -> InputRow | None:
    if word.startswith("#") and word[1:].isdecimal():
        return state.queue.get(int(word[1:]))
    seen = state.listed.get(principal, ())
    listed = (*seen, *(item.seq for item in state.waiting() if item.seq not in seen))
    if word.isdecimal() and 1 <= int(word) <= len(listed):
        return state.queue.get(listed[int(word) - 1])
    return None


# -- the person ------------------------------------------------------------------------------------


def _priority(state: ThreadState, work: Work, row: InputRow, args: str) -> None:
    _done(state, work, row, "NEEDS_TEXT")


def _lang(state: ThreadState, work: Work, row: InputRow, args: str) -> None:
    language = args.strip().casefold()
    if language not in LANGUAGES:
        _done(state, work, row, "LANG_HELP", languages=list(LANGUAGES))
        return
    entry: dict[str, Json] = {"language": language, "by": row.new.principal}
    state.keep_setting(work, f"language:{row.new.principal}", language, entry)
    row = replace(row, new=replace(row.new, language=language))
    _done(state, work, row, "LANG_SET", language=language)


def _status(state: ThreadState, work: Work, row: InputRow, args: str) -> None:
    mode, source = state.mode_and_source(row.new.channel)
    tokens, cost_usd = views.used(state)
    facts: dict[str, Json] = {
        "runs": [live.machine.state.value for live in state.runs.values()],
        "waiting": len(state.queue),
        "questions": len(state.open_questions()),
        "mode": mode.value,
        "source": source,
        "tokens": tokens,
        "cost": f"{cost_usd:.4f}",
    }
    _done(state, work, row, "STATUS", **facts)


def _whoami(state: ThreadState, work: Work, row: InputRow, args: str) -> None:
    relation = state.wiring.access.relation(row.new.principal, state.thread)
    _done(state, work, row, "WHOAMI", principal=row.new.principal, relation=relation.value)


def _help(state: ThreadState, work: Work, row: InputRow, args: str) -> None:
    _done(state, work, row, "HELP")


_HANDLERS: Mapping[str, Callable[[ThreadState, Work, InputRow, str], None]] = {
    "stop": _stop,
    "retry": _retry,
    "skip": _skip,
    "cancel": _cancel,
    "questions": _questions,
    "queue": _queue,
    "now": _priority,
    "next": _priority,
    "later": _priority,
    "new": _new,
    "lang": _lang,
    "status": _status,
    "whoami": _whoami,
    "help": _help,
}
