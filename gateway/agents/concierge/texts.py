"""The form of what the concierge says and understands in one language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Power(StrEnum):
    """What it can do."""

    DEPLOY = "deploy"
    SEARCH = "search"
    CHECKS = "checks"
    LOOKUP = "lookup"
    REPORT = "report"
    PLAN = "plan"
    TABLE = "table"


class Talk(StrEnum):
    """What it answers without doing anything."""

    HELLO = "hello"
    THANKS = "thanks"
    HELP = "help"
    GO_ON = "go_on"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report."""

    key: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Words:
    """What is understood, as regular expressions; letters' case and ё don't matter.

    In `service` and `topic`, the group is the fact.
    """

    powers: Mapping[Power, str]
    talk: Mapping[Talk, str]
    regions: Mapping[str, str]
    sections: Mapping[str, str]
    numbers: Mapping[str, int]
    unit: str
    before: str
    refused: str
    asks: str
    service: str
    not_a_service: frozenset[str]
    topic: str
    after_topic: str


@dataclass(frozen=True, slots=True)
class Asking:
    """What tools ask and report while they run."""

    region: str
    regions: Mapping[str, str]
    replicas: str
    deploying: tuple[str, ...]
    page: str
    check: str
    plan: str
    date: str
    people: str


@dataclass(frozen=True, slots=True)
class Saying:
    """What the model says; names in braces are filled in."""

    deploy: str
    deploy_changed: str
    confirm: str
    confirm_changed: str
    deployed: str
    denied: str
    search: str
    found: str
    found_nothing: str
    checks: str
    checked: str
    lookup: str
    looked_up: str
    no_order: str
    report: str
    report_only: str
    report_cut: str
    report_go_on: str
    plan: str
    plan_done: str
    plan_denied: str
    table: str
    booked: str
    unknown: str
    no_answer: str
    stopped: str
    not_allowed: str
    failed: str
    set_aside: str
    go_on: str
    hello: str
    thanks: str
    outside: str
    help: str


@dataclass(frozen=True, slots=True)
class Texts:
    """One language of the concierge."""

    language: str
    words: Words
    asking: Asking
    saying: Saying
    sections: tuple[Section, ...]
    handbook: tuple[tuple[str, str], ...]
    orders: Mapping[int, str]
    goal: str
    plan_steps: tuple[str, ...]
    query: str
    service: str
    restaurant: str
