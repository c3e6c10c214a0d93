"""A question that takes several of its options: each is a switch, Done answers with what is on.

What is on stands in the store with the buttons, so that a restart takes nothing back.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import cast

from gateway.channels.telegram.asking import keyboard, page_of
from gateway.channels.telegram.press import Out, Pressed, Told
from gateway.core.answers import Problem, ProblemCode, read_back, render_problem, validates
from gateway.core.messages import Json
from gateway.ports.rows import PromptRow
from gateway.ports.store import Store
from gateway.ports.telegram import ButtonRow, TelegramStore

Find = Callable[[Pressed, ButtonRow], Awaitable[PromptRow | Told]]
Decide = Callable[[Pressed, str, str, Json, str], Awaitable[Told | None]]


@dataclass(slots=True)
class Selecting:
    """`find` gives the open prompt that this person may press on; `decide` answers it."""

    store: Store
    keep: TelegramStore
    out: Out
    find: Find
    decide: Decide

    async def toggle(self, pressed: Pressed, row: ButtonRow) -> Told | None:
        """Switch one option; a press that is delivered again switches nothing."""
        prompt = await self.find(pressed, row)
        if isinstance(prompt, Told):
            return prompt
        if row.body.get("pressed") != pressed.id:
            body = {**row.body, "on": not row.body["on"], "pressed": pressed.id}
            row = replace(row, body=body)
            await self.keep.change_buttons([row])
        mine = await self._batch(row)
        buttons = keyboard(mine, page_of(row), pressed.language)
        self.out.keyboard(pressed.place, pressed.message, buttons)
        return Told()

    async def done(self, pressed: Pressed, row: ButtonRow) -> Told | None:
        """Answer with what is on, or say what is wrong with it."""
        prompt = await self.find(pressed, row)
        if isinstance(prompt, Told):
            return prompt
        switches = [one for one in await self._batch(row) if one.kind == "toggle"]
        switches.sort(key=lambda one: int(one.body["place"]))
        value = cast(Json, [one.body["value"] for one in switches if one.body["on"]])
        asked = await self.store.questions(open_only=True)
        question = next((one for one in asked if one.id == prompt.question), None)
        if question is None:
            return Told("INTERRUPT_ALREADY_DECIDED", alert=True)
        wrong = validates(value, question.schema)
        if wrong is not None:
            said = render_problem(Problem(ProblemCode(wrong)), question.schema, pressed.language)
            return Told("INTERRUPT_ANSWER_INVALID", alert=True, params={"problem": said})
        label = read_back(value, question.schema, pressed.language)
        return await self.decide(pressed, row.subject, "value", value, label)

    async def _batch(self, row: ButtonRow) -> list[ButtonRow]:
        """The buttons on the same message."""
        rows = await self.keep.buttons_of(row.subject)
        return [one for one in rows if one.body["batch"] == row.body["batch"]]
