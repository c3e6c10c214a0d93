"""What the concierge does next: what it says and which tool it calls, by how the story stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gateway.agents.concierge.reading import LANGUAGES
from gateway.agents.concierge.story import Task, story_of
from gateway.agents.concierge.texts import Power, Section, Talk, Texts
from gateway.core.messages import ABORTED_BEFORE_DISPATCH, INTERRUPTED, OUTCOME_UNKNOWN, Json
from gateway.ports.model import ModelRequest
from gateway.runs.batch import CLOSED_QUESTION
from gateway.runs.leave import DENIED, NOT_ALLOWED

FIRST_STEP = 1
MAX_REPLICAS = 5
MAX_PEOPLE = 12


@dataclass(frozen=True, slots=True)
class Turn:
    """One model call's answer: a text, and at most one tool call."""

    text: str
    tool: str = ""
    arguments: Mapping[str, Json] | None = None


def next_turn(request: ModelRequest) -> Turn:
    """The answer to a request; the same request has the same answer."""
    story = story_of(request.messages, request.language)
    task, texts = story.task, LANGUAGES[story.language]
    begins = request.step <= FIRST_STEP
    if task is None or (story.aside is not None and (begins or task.told)):
        return Turn(_small_talk(story.aside or Talk.OUTSIDE, texts))
    turn = turn_of(task)
    if story.aside is not None:
        return _after(_small_talk(story.aside, texts), turn)
    if story.before is not None:
        earlier = turn_of(story.before)
        return _after(earlier.text if not earlier.tool else texts.saying.set_aside, turn)
    return turn


def _after(text: str, turn: Turn) -> Turn:
    return Turn(f"{text}\n\n{turn.text}", turn.tool, turn.arguments)


def _small_talk(talk: Talk, texts: Texts) -> str:
    say = texts.saying
    match talk:
        case Talk.THANKS:
            return say.thanks
        case Talk.GO_ON:
            return say.go_on
        case Talk.HELLO:
            return f"{say.hello}\n\n{say.help}"
        case Talk.HELP:
            return say.help
        case Talk.OUTSIDE:
            return f"{say.outside}\n\n{say.help}"


def turn_of(task: Task) -> Turn:
    """What the task in hand needs next."""
    return HANDLERS[task.power](task, LANGUAGES[task.language])


def _trouble(task: Task, tool: str, texts: Texts) -> str | None:
    """What to say about a call that failed; None if it did not."""
    result, say = task.results.get(tool), texts.saying
    if result is None or result.error is None:
        return None
    by_code = {
        OUTCOME_UNKNOWN: say.unknown,
        CLOSED_QUESTION: say.no_answer,
        INTERRUPTED: say.stopped,
        ABORTED_BEFORE_DISPATCH: say.stopped,
        NOT_ALLOWED: say.not_allowed,
    }
    other = say.failed.format(content=result.content.rstrip("."))
    return by_code.get(result.error, other)


def _deploy(task: Task, texts: Texts) -> Turn:
    say = texts.saying
    service = str(task.facts.get("service", texts.service))
    region, replicas = task.facts.get("region"), _within(task.facts.get("number"), MAX_REPLICAS)
    done = task.ok("deploy")
    if done is not None:
        place = texts.asking.regions[done["region"]]
        return Turn(say.deployed.format(**{**done, "region": place}))
    result = task.results.get("deploy")
    if result is not None and result.error == DENIED:
        _, _, reason = result.content.partition(": ")
        return Turn(say.denied.format(service=service, reason=f" ({reason})" if reason else ""))
    trouble = _trouble(task, "deploy", texts) or _trouble(task, "deployment_target", texts)
    if trouble is not None:
        return Turn(trouble)
    if region is None or replicas is None:
        known: dict[str, Json] = {"service": service, "language": texts.language}
        known |= {"region": region} if region is not None else {}
        known |= {"replicas": replicas} if replicas is not None else {}
        text = say.deploy_changed if task.corrected else say.deploy.format(service=service)
        return Turn(text, "deployment_target", known)
    confirm = say.confirm_changed if task.corrected else say.confirm
    place = texts.asking.regions[str(region)]
    text = confirm.format(service=service, region=place, replicas=replicas)
    arguments: dict[str, Json] = {"service": service, "region": region, "replicas": replicas}
    return Turn(text, "deploy", arguments)


def _within(number: object, most: int) -> int | None:
    return number if isinstance(number, int) and 1 <= number <= most else None


def _search(task: Task, texts: Texts) -> Turn:
    say = texts.saying
    query = str(task.facts.get("query", texts.query))
    pages = _within(task.facts.get("number"), len(texts.handbook)) or len(texts.handbook)
    done = task.ok("search_pages")
    if done is not None:
        found = "\n".join(f"• {page['title']}: {page['text']}" for page in done["found"])
        said = say.found if found else say.found_nothing
        return Turn(said.format(pages=done["pages"], found=found, query=query))
    trouble = _trouble(task, "search_pages", texts)
    if trouble is not None:
        return Turn(trouble)
    arguments: dict[str, Json] = {"query": query, "pages": pages, "language": texts.language}
    return Turn(say.search.format(pages=pages, query=query), "search_pages", arguments)


def _checks(task: Task, texts: Texts) -> Turn:
    done = task.ok("run_checks")
    if done is not None:
        return Turn(texts.saying.checked.format(passed=done["passed"]))
    trouble = _trouble(task, "run_checks", texts)
    if trouble is not None:
        return Turn(trouble)
    return Turn(texts.saying.checks, "run_checks", {"language": texts.language})


def _lookup(task: Task, texts: Texts) -> Turn:
    say = texts.saying
    order = task.facts.get("number", next(iter(texts.orders)))
    done = task.ok("look_up_order")
    if done is not None:
        if done["status"] is None:
            known = ", ".join(map(str, texts.orders))
            return Turn(say.no_order.format(order=done["order"], known=known))
        return Turn(say.looked_up.format(order=done["order"], status=done["status"]))
    trouble = _trouble(task, "look_up_order", texts)
    if trouble is not None:
        return Turn(trouble)
    arguments: dict[str, Json] = {"order": order, "language": texts.language}
    return Turn(say.lookup.format(order=order), "look_up_order", arguments)


def _report(task: Task, texts: Texts) -> Turn:
    say = texts.saying
    sections, said = texts.sections, task.cut
    last = _last_begun(sections, said or "")
    by_person = last is not None and not task.broken_off
    cut = say.report_cut.format(title=sections[last or 0].title) if by_person else ""
    wanted = [section for section in sections if section.key == task.facts.get("section")]
    if (task.going_on or task.broken_off) and last is not None and not wanted:
        intro = cut + say.report_go_on.format(title=sections[last].title)
        return Turn(_read_out(intro, sections[last:]))
    if wanted:
        return Turn(_read_out(cut + say.report_only, wanted))
    return Turn(_read_out(say.report, sections))


def _last_begun(sections: tuple[Section, ...], said: str) -> int | None:
    begun = [i for i, section in enumerate(sections) if _heading(section) in said]
    return begun[-1] if begun else None


def _heading(section: Section) -> str:
    return f"{section.title}. "


def _read_out(intro: str, sections: tuple[Section, ...] | list[Section]) -> str:
    return "\n\n".join([intro, *(_heading(section) + section.text for section in sections)])


def _plan(task: Task, texts: Texts) -> Turn:
    say = texts.saying
    done = task.ok("follow_plan")
    if done is not None:
        if done["approved"]:
            return Turn(say.plan_done.format(steps=done["steps"]))
        reason = f" ({done['reason']})" if done["reason"] else ""
        return Turn(say.plan_denied.format(reason=reason))
    trouble = _trouble(task, "follow_plan", texts)
    if trouble is not None:
        return Turn(trouble)
    steps: list[Json] = list(texts.plan_steps)
    arguments: dict[str, Json] = {"goal": texts.goal, "steps": steps, "language": texts.language}
    return Turn(say.plan.format(goal=texts.goal), "follow_plan", arguments)


def _table(task: Task, texts: Texts) -> Turn:
    say = texts.saying
    done = task.ok("book_table")
    if done is not None:
        return Turn(say.booked.format(**done))
    trouble = _trouble(task, "book_table", texts)
    if trouble is not None:
        return Turn(trouble)
    people = _within(task.facts.get("number"), MAX_PEOPLE)
    arguments: dict[str, Json] = {"restaurant": texts.restaurant, "language": texts.language}
    arguments |= {"people": people} if people is not None else {}
    return Turn(say.table.format(restaurant=texts.restaurant), "book_table", arguments)


Handler: TypeAlias = Callable[[Task, Texts], Turn]
HANDLERS: Mapping[Power, Handler] = {
    Power.DEPLOY: _deploy,
    Power.SEARCH: _search,
    Power.CHECKS: _checks,
    Power.LOOKUP: _lookup,
    Power.REPORT: _report,
    Power.PLAN: _plan,
    Power.TABLE: _table,
}
