"""Where a conversation stands, read from its messages alone: a restart or a retry knows it too."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.agents.concierge.reading import Fact, Reading, language_of, read
from gateway.agents.concierge.texts import Power, Talk
from gateway.core.messages import (
    DECLINED,
    MOVED_ON_TEXT,
    AssistantMessage,
    Message,
    ToolResult,
    UserMessage,
)

RELEVANT: Mapping[Power, tuple[str, ...]] = {
    Power.DEPLOY: ("region", "number"),
    Power.SEARCH: ("number",),
    Power.CHECKS: (),
    Power.LOOKUP: ("number",),
    Power.REPORT: ("section",),
    Power.PLAN: (),
    Power.TABLE: ("number",),
}
"""Which facts, said on their own, correct which task."""

SETTLED_BY: Mapping[str, Mapping[str, str]] = {
    "deployment_target": {"service": "service", "region": "region", "replicas": "number"},
}
"""What a tool's result settles: the field of the result, and the fact it becomes."""


@dataclass(slots=True)
class Task:
    """Something the person asked for. `results` are those since it was asked for or corrected.

    `cut` is a reply that was cut; `broken_off`: and nobody has said anything since, so it was not
    the person who cut it.
    """

    power: Power
    language: str
    facts: dict[str, Fact]
    results: dict[str, ToolResult] = field(default_factory=dict)
    corrected: bool = False
    going_on: bool = False
    told: bool = False
    cut: str | None = None
    broken_off: bool = False

    def ok(self, tool: str) -> dict[str, Any] | None:
        """What the tool returned, None if it didn't or failed."""
        result = self.results.get(tool)
        if result is None or result.error is not None:
            return None
        value = json.loads(result.content)
        return value if isinstance(value, dict) else None

    def correct(self, facts: Mapping[str, Fact], language: str) -> None:
        """The person said something else: what was done with the old facts no longer counts."""
        self.facts |= facts
        self.language = language
        self._again()
        self.corrected = True

    def go_on(self, language: str) -> None:
        """The person wants it to go on."""
        self.language = language
        self._again()
        self.going_on = True

    def _again(self) -> None:
        self.results = {}
        self.told = self.going_on = self.broken_off = False


@dataclass(slots=True)
class Story:
    """The task in hand, the one that it pushed aside, and what was said besides."""

    task: Task | None = None
    before: Task | None = None
    aside: Talk | None = None
    language: str = "en"


def story_of(messages: Sequence[Message], person_language: str) -> Story:
    """Read the conversation from its beginning."""
    story = Story(language=person_language)
    for message in messages:
        match message:
            case UserMessage():
                _person_said(story, message.text, person_language)
            case AssistantMessage():
                _agent_said(story, message)
            case ToolResult():
                _tool_said(story, message)
    return story


def _person_said(story: Story, text: str, person_language: str) -> None:
    reading = read(text)
    task = story.task
    if task is not None:
        task.broken_off = False
    if reading.power is not None:
        story.language = language_of(text, person_language)
        if task is not None and not task.told and task.cut is None:
            story.before = task
        story.task = Task(reading.power, story.language, dict(reading.facts))
        story.aside = None
        return
    story.language = language_of(text, story.language if task else person_language)
    facts = _corrections(reading, task)
    if task is not None and facts:
        task.correct(facts, story.language)
        story.aside = None
    elif task is not None and reading.talk is Talk.GO_ON:
        task.go_on(story.language)
        story.aside = None
    else:
        story.aside = reading.talk


def _corrections(reading: Reading, task: Task | None) -> dict[str, Fact]:
    if task is None or reading.asks:
        return {}
    return {name: reading.facts[name] for name in RELEVANT[task.power] if name in reading.facts}


def _agent_said(story: Story, message: AssistantMessage) -> None:
    task = story.task
    story.aside = None
    if not message.interrupted or "\n\n" in message.text:
        story.before = None  # how it ended was said first, in a paragraph of its own
    if task is None:
        return
    if message.interrupted:
        task.cut, task.broken_off = message.text, True
    elif not message.calls:
        task.told, task.cut = True, None


def _tool_said(story: Story, result: ToolResult) -> None:
    task = story.task
    if task is None:
        return
    task.results[result.name] = result
    if result.error == DECLINED and result.content != MOVED_ON_TEXT:
        task.told = True  # the person broke it off themselves: there is nothing to say of it
    settled = task.ok(result.name) or {}
    for field_name, fact in SETTLED_BY.get(result.name, {}).items():
        if field_name in settled:
            task.facts[fact] = settled[field_name]
