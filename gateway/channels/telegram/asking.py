"""Questions as messages: their words, their buttons, pages of buttons, and their outcome."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from gateway.channels.signs import visible
from gateway.channels.telegram import words
from gateway.channels.telegram.markdown import Rendered, Span, units
from gateway.channels.telegram.names import token_of
from gateway.channels.telegram.sender import Button, Keyboard
from gateway.core.answers import read_back
from gateway.core.answers.plan import Kind, plan_of
from gateway.core.interrupts import Interrupt, QuestionKind, Status, Way
from gateway.core.messages import Json
from gateway.deciding import choices, takes_null
from gateway.i18n import translator
from gateway.ports.channel import Prompt
from gateway.ports.rows import PromptRow
from gateway.ports.telegram import ButtonRow

PAGE = 8
MESSAGE_LENGTH, DETAIL_LENGTH = 2_500, 1_200


@dataclass(frozen=True, slots=True)
class Option:
    """What a button stands for: the engine's option, or a whole value."""

    key: str
    label: str
    value: Json = None
    style: str | None = None


def options(question: Interrupt, language: str) -> list[Option]:
    """What can be pressed."""
    text = translator(language).gettext
    if question.kind is QuestionKind.INPUT:
        found = [
            Option("toggle", read_back([value], question.schema, language), value)
            for value in several(question)
        ] or [
            Option(key, read_back(value, question.schema, language))
            for key, value in choices(question)
        ]
        if "default" in question.schema or takes_null(question.schema):
            found.append(Option("skip", text(words.BUTTONS["skip"])))
        return found
    found = [Option("approve", text(words.BUTTONS["approve"]), style="success")]
    if question.kind is QuestionKind.APPROVAL and question.details.get("suggestedRule"):
        always: Json = {"approved": True, "remember": True}
        found.append(Option("value", text(words.BUTTONS["always"]), always))
    found.append(Option("deny", text(words.BUTTONS["deny"]), style="danger"))
    found.append(Option("reason", text(words.BUTTONS["reason"])))
    return found


def several(question: Interrupt) -> list[Json]:
    """The values of which an answer takes any number; empty where it takes one."""
    plan = plan_of(question.schema)
    lists = [one for one in plan.branches or (plan,) if one.kind is Kind.ARRAY]
    items = lists[0].items if len(lists) == 1 else None
    return [cast(Json, member.value) for member in items.members] if items is not None else []


def worded(prompt: Prompt, language: str, *, buttons: bool) -> Rendered:
    """The question with its details, its form if no buttons say it, why it is asked again."""
    question = prompt.question
    writer = Written()
    if prompt.again:
        writer.add(f"{prompt.again}\n\n")
    _details(writer, question, language)
    if prompt.form and not prompt.again and not buttons:
        writer.add(f"\n\n{prompt.form}", "italic")
    return writer.rendered()


def _details(writer: Written, question: Interrupt, language: str) -> None:
    """What is asked: the message, a plan's steps, what leave is asked for."""
    say = translator(language).gettext
    details = question.details

    def show(text: str, most: int, kind: str = "") -> None:
        """As much as fits, and how much does not: it is agreed to as well."""
        writer.add(text[:most], kind)
        if len(text) > most:
            writer.add("\n" + say(words.NOT_SHOWN, count=len(text) - most), "bold")

    show(visible(question.message), MESSAGE_LENGTH, "bold")
    plan = details.get("plan")
    if isinstance(plan, list):
        steps = [f"{number}. {_json(step)}" for number, step in enumerate(plan, 1)]
        show("\n\n" + "\n".join(steps), DETAIL_LENGTH)
    arguments = details.get("arguments")
    if isinstance(arguments, dict) and arguments:
        lines = [f"{name}: {_json(value)}" for name, value in arguments.items()]
        writer.add(f"\n\n{say(words.ARGUMENTS)}\n")
        show("\n".join(lines), DETAIL_LENGTH, "pre")


def _json(value: Json) -> str:
    """A text of several lines can't pass for another argument, or step."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return visible(text).replace("\n", "\n  ")


class Written:
    """Text with formats, put together part by part."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._spans: list[Span] = []
        self._length = 0

    def add(self, text: str, kind: str = "") -> None:
        """Add a part; formats don't reach over the space around it."""
        lead = len(text) - len(text.lstrip())
        inner = text.strip()
        if kind and inner:
            self._spans.append(Span(kind, self._length + lead, units(inner)))
        self._parts.append(text)
        self._length += units(text)

    def rendered(self) -> Rendered:
        """All of it."""
        return Rendered("".join(self._parts).strip(), tuple(self._spans))


def outcome(prompt: PromptRow, question: Interrupt, language: str, name: str) -> Rendered:
    """The question and what became of it."""
    decision = question.decision
    writer = Written()
    _details(writer, question, language)
    if decision is not None:
        text = translator(language)
        key = decision.status.value
        if decision.status is Status.CANCELLED and decision.how.value in words.OUTCOMES:
            key = decision.how.value
        said = text.gettext(words.OUTCOMES[key], understood=decision.understood or "—")
        reason = decision.value.get("reason") if isinstance(decision.value, dict) else None
        if question.kind is not QuestionKind.INPUT and reason:
            said = f"{said}: {reason}"
        if name and decision.by not in ("", prompt.principal) and decision.how is not Way.EXPIRED:
            said = text.gettext(words.BY, outcome=said, name=name)
        writer.add(f"\n\n{said}")
    return writer.rendered()


# -- buttons ---------------------------------------------------------------------------------------


def button_rows(
    found: Sequence[Option], prompt: PromptRow, chat: int, uuid: Callable[[], str], at: datetime
) -> list[ButtonRow]:
    """A row for each option, and for the pages between which they are shown. Those of one message
    have one `batch`.
    """
    batch = uuid()

    def row(kind: str, body: dict[str, Any]) -> ButtonRow:
        return ButtonRow(
            token=token_of(uuid()),
            kind=kind,
            chat=chat,
            subject=prompt.token,
            kept_at=at,
            body={**body, "batch": batch},
        )

    rows = [
        row(
            "toggle" if option.key == "toggle" else "option",
            {
                "place": place,
                "key": option.key,
                "label": option.label,
                "value": option.value,
                "style": option.style,
                "on": False,
            },
        )
        for place, option in enumerate(found)
    ]
    pages = (len(found) + PAGE - 1) // PAGE
    rows += [row("page", {"page": page}) for page in range(pages) if pages > 1]
    return rows + ([row("done", {})] if any(one.kind == "toggle" for one in rows) else [])


def page_of(row: ButtonRow) -> int:
    """The page that an option is on."""
    return int(row.body["place"]) // PAGE


def keyboard(rows: Sequence[ButtonRow], page: int, language: str) -> Keyboard:
    """The buttons of one page."""
    mine = [r for r in rows if r.kind in ("option", "toggle")]
    mine.sort(key=lambda r: int(r.body["place"]))
    shown = mine[page * PAGE : (page + 1) * PAGE]
    buttons = [Button(_label(r), r.token, r.body["style"]) for r in shown]
    lines = [tuple(line) for line in _lines(buttons)]
    pages: Mapping[int, str] = {r.body["page"]: r.token for r in rows if r.kind == "page"}
    text = translator(language).gettext
    turns = [
        Button(text(words.BUTTONS[name]), pages[to])
        for name, to in (("earlier", page - 1), ("more", page + 1))
        if to in pages
    ]
    done = [
        Button(text(words.BUTTONS["done"]), r.token, "success") for r in rows if r.kind == "done"
    ]
    return tuple(line for line in (*lines, tuple(turns), tuple(done)) if line)


def _label(row: ButtonRow) -> str:
    label: str = row.body["label"]
    if row.kind == "option":
        return label
    return f"{'☑' if row.body['on'] else '☐'} {label}"


def _lines(buttons: Sequence[Button]) -> list[list[Button]]:
    """Short labels two a row, long ones alone."""
    lines: list[list[Button]] = []
    for button in buttons:
        last = lines[-1] if lines else None
        short = len(button.label) <= 16
        if short and last is not None and len(last) < 2 and len(last[0].label) <= 16:
            last.append(button)
        else:
            lines.append([button])
    return lines
