"""Commands, as data: their names in both languages, and what they are for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gateway.core.queueing import Priority
from gateway.i18n import N_


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its name, its names in Russian, and what it is for."""

    name: str
    russian: tuple[str, ...]
    help: str


COMMANDS = (
    Command("stop", ("стоп",), N_("Stop what is running and give back what waits")),
    Command("retry", ("повторить", "заново"), N_("Run the last request that did not finish again")),
    Command("skip", ("пропустить",), N_("Leave the open question out")),
    Command("cancel", ("отмена", "отменить"), N_("Decline the open question and end the run")),
    Command("questions", ("вопросы",), N_("List the open questions")),
    Command(
        "queue",
        ("очередь",),
        N_("Show the queue; a mode sets it; edit N text, drop N, now N change an item"),
    ),
    Command("now", ("сейчас",), N_("Stop what is running and do this instead")),
    Command("next", ("далее", "следом"), N_("Add this to what is running, or do it next")),
    Command("later", ("потом", "позже"), N_("Do this when everything else is done")),
    Command("new", ("новый", "новое"), N_("Start afresh")),
    Command("lang", ("язык",), N_("Choose the language: en or ru")),
    Command("status", ("статус",), N_("What is going on")),
    Command("whoami", ("ктоя",), N_("Who I am for you")),
    Command("help", ("помощь", "справка", "start"), N_("This list")),
)
PRIORITIES = {"now": Priority.NOW, "next": Priority.NEXT, "later": Priority.LATER}
_COMMAND = re.compile(r"/(\S+)\s*(.*)", re.DOTALL)
_NAMES = {word: command.name for command in COMMANDS for word in (command.name, *command.russian)}


@dataclass(frozen=True, slots=True)
class Parsed:
    """A command and what follows it."""

    name: str
    args: str


def parse(text: str) -> Parsed | None:
    """The command in a text, or None: a slash, a known name (`@bot` may follow), arguments."""
    found = _COMMAND.fullmatch(text.strip())
    if found is None:
        return None
    name = _NAMES.get(found[1].partition("@")[0].casefold())
    return None if name is None else Parsed(name, found[2])
