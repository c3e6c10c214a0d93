"""Questions put to people: where each is shown, what became of that, when its time begins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gateway.core.answers import answer_format
from gateway.core.interrupts import APPROVERS, Interrupt
from gateway.drawn import armed_data
from gateway.live import LiveRun, Work
from gateway.mail import PromptSent
from gateway.ports.channel import Delivery, Prompt, Sent
from gateway.ports.rows import InputRow, PromptRow
from gateway.ports.store import SavePrompt, SaveQuestion
from gateway.reading import Read, text_schema
from gateway.state import ThreadState
from gateway.supervise import Caught, guarded_await


def new_prompts(state: ThreadState, live: LiveRun, question: Interrupt) -> list[PromptRow]:
    """Where a question is shown: to each person asked, on each channel of the thread, or to each
    approver in their own chat.
    """
    places: list[tuple[str, str, str]] = []
    if question.approvers:
        for person in (who for who in question.approvers if who != APPROVERS):
            channel, chat = state.wiring.access.home(person, live.row.channel)
            places.append((channel, chat, person))
    else:
        names = [view.name for view in state.views()] or [live.row.channel]
        places = [(n, state.thread.id, who) for n in names for who in question.principals]
    return _prompts(state, question, places)


def _prompts(
    state: ThreadState, question: Interrupt, places: Iterable[tuple[str, str, str]]
) -> list[PromptRow]:
    """Prompts at these places, by channel, chat and person."""
    return [
        PromptRow(
            question=question.id,
            thread=state.thread.id,
            channel=channel,
            chat=chat,
            principal=person,
            token=state.wiring.ids.uuid(),
        )
        for channel, chat, person in places
        if channel in state.wiring.channels
    ]


def ask_on(state: ThreadState, work: Work, channel: str) -> None:
    """Show what is open on a channel that the thread has come to be on."""
    for question in state.open_questions():
        shown = any(prompt.channel == channel for prompt in state.prompts_of(question.id))
        if question.approvers or shown:
            continue
        here = ((channel, state.thread.id, person) for person in question.principals)
        for prompt in _prompts(state, question, here):
            state.prompts[prompt.token] = prompt
            work.write(SavePrompt(prompt))
        work.then(send, state, state.runs[question.run])


def send(state: ThreadState, live: LiveRun, principal: str | None = None) -> None:
    """Send the prompts of a run that were not delivered yet (those of one person, or all)."""
    for question in state.open_questions():
        if question.run != live.id:
            continue
        for row in state.prompts_of(question.id):
            due = row.state == "ready" and row.token not in state.sending
            if due and principal in (None, row.principal):
                state.sending.add(row.token)
                state.wiring.elsewhere(row, question, True)
                _send_one(state, live, question, row)


def send_again(state: ThreadState, live: LiveRun, row: InputRow, found: Read, again: str) -> None:
    """Ask a question again on the channel of the input, saying why."""
    question = found.question
    if question is None:
        return
    for prompt in state.prompts_of(question.id):
        if prompt.channel == row.new.channel and prompt.principal == row.new.principal:
            _send_one(state, live, question, prompt, again=again)


def _send_one(
    state: ThreadState, live: LiveRun, question: Interrupt, row: PromptRow, again: str | None = None
) -> None:
    language = live.row.language
    form = answer_format(text_schema(question), language)
    prompt = Prompt(row, question, form, language, again)

    async def ask() -> None:
        sent = await guarded_await(state.channel(row.channel).ask(prompt))
        if isinstance(sent, Caught):
            state.wiring.report(f"question {question.id}", sent.error)
            sent = Sent(Delivery.FAILED)
        state.post(PromptSent(row.token, sent.delivery.value, sent.message_ref, sent.seq))

    state.wiring.supervisor.spawn(ask(), name=f"ask {row.token}")


def on_sent(state: ThreadState, work: Work, message: PromptSent) -> PromptRow | None:
    """Store what became of a prompt's sending; None where it still waits for somebody to be there.

    A prompt that was withdrawn meanwhile stays withdrawn, and knows where it has to be folded.
    """
    row = state.prompts.get(message.token)
    state.sending.discard(message.token)
    if row is None:
        return None
    if message.delivery == Delivery.NOBODY.value:
        if row.state == "ready":
            _note(state, work, replace(row, state=message.delivery))
        return None
    armed = row.state == "armed" or message.delivery == Delivery.CONFIRMED.value
    stored = replace(
        row,
        state="withdrawn" if row.state == "withdrawn" else "armed" if armed else message.delivery,
        message_ref=message.message_ref or row.message_ref,
        seq=row.seq or message.seq,
    )
    state.prompts[row.token] = stored
    work.write(SavePrompt(stored))
    if stored.state != "withdrawn":
        _note(state, work, stored)
    return stored


def _note(state: ThreadState, work: Work, row: PromptRow) -> None:
    """Tell the door what became of an approver's prompt."""
    work.then(state.wiring.elsewhere, row, state.questions[row.question], True)


def withdraw(state: ThreadState, work: Work, prompt: PromptRow, question: Interrupt) -> None:
    """Fold one prompt to its outcome."""
    row = replace(prompt, state="withdrawn")
    state.prompts[prompt.token] = row
    work.write(SavePrompt(row))
    work.then(state.channel(prompt.channel).withdraw, row, question)
    work.then(state.wiring.elsewhere, row, question, False)


def undeliverable(state: ThreadState, question: Interrupt) -> bool:
    """Whether every prompt of the question has failed."""
    rows = state.prompts_of(question.id)
    return question.armed_at is None and all(row.state == "failed" for row in rows)


def arm(state: ThreadState, work: Work, question_id: str) -> None:
    """Start a question's time."""
    armed = state.questions[question_id].arm(state.now())
    if armed is not state.questions[question_id]:
        state.questions[question_id] = armed
        work.write(SaveQuestion(armed))
        state.draw(work, "armed", armed_data(armed))
        work.then(state.wiring.expiry)
