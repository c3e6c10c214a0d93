"""The demo agent drives the real loop: each power, in both languages, corrected and stopped."""

from __future__ import annotations

import asyncio
import json

import pytest

from gateway.agents.concierge.english import ENGLISH
from gateway.agents.concierge.reading import LANGUAGES
from gateway.agents.concierge.replies import next_turn
from gateway.agents.concierge.russian import RUSSIAN
from gateway.agents.scripted import concierge
from gateway.core.cancellation import InterruptReason
from gateway.core.events import End
from gateway.core.interrupts import QuestionKind
from gateway.core.log import repair_unanswered_tool_calls
from gateway.core.messages import (
    AssistantMessage,
    Json,
    Message,
    ToolCall,
    ToolResult,
    UserMessage,
)
from gateway.ports.model import ModelRequest
from gateway.runs.agent import Agent
from tests.agents.talking import Conversation, arguments
from tests.fakes.model import Call, ScriptedModel
from tests.runs.building import a_runtime

pytestmark = pytest.mark.looptime

NOW = InterruptReason.NOW_PRIORITY_INPUT
BOTH = pytest.mark.parametrize("language", ["en", "ru"])


def a_talk(language: str = "en") -> Conversation:
    return Conversation(concierge(check_seconds=0.02, runtime=a_runtime()), language)


def seconds() -> float:
    return asyncio.get_running_loop().time()


# -- deploying -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "language", "title", "done"),
    [
        ("deploy web", "en", "Europe", "Done: web runs in Europe with 2 replicas."),
        ("Разверни web", "ru", "Европа", "Готово: web работает, регион Европа, реплик: 2."),
    ],
)
async def test_a_deployment_asks_for_region_replicas_and_an_approval(text, language, title, done):
    talk = a_talk()
    await talk.say(text)
    assert talk.asked == LANGUAGES[language].asking.region.format(service="web")
    options = talk.questions[0].schema["oneOf"]
    assert isinstance(options, list)
    both = {"en": "Europe", "ru": "Европа"}
    assert {"const": "eu", "title": title, "x-titles": both} in options
    await talk.answer("eu")
    assert (talk.questions[0].schema["minimum"], talk.questions[0].schema["maximum"]) == (1, 5)
    await talk.answer(2)
    (approval,) = talk.questions
    assert approval.kind is QuestionKind.APPROVAL
    assert approval.details["arguments"] == {"service": "web", "region": "eu", "replicas": 2}
    assert approval.details["suggestedRule"] is None
    assert talk.progress == []
    result = await talk.answer({"approved": True})
    assert (result.end, result.text) == (End.COMPLETED, done)
    assert len(talk.progress) == len(ENGLISH.asking.deploying)
    assert [call.name for call in talk.calls] == ["deployment_target", "deploy"]


async def test_what_was_named_is_not_asked_for():
    talk = a_talk()
    await talk.say("please deploy the payments-api service to us with 3 replicas")
    (approval,) = talk.questions
    assert approval.details["arguments"] == {
        "service": "payments-api",
        "region": "us",
        "replicas": 3,
    }


async def test_what_an_approver_edited_is_what_is_reported():
    talk = a_talk()
    await talk.say("deploy web to asia with 2 replicas")
    edited: Json = {"service": "web", "region": "asia", "replicas": 4}
    result = await talk.answer({"approved": True, "updatedArguments": edited})
    assert result.text == "Done: web runs in Asia with 4 replicas."


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("deploy web to eu with 2 replicas", "You said no, so web was not deployed. (not today)"),
        ("разверни web в Европе, 2 реплики", "Вы сказали «нет», поэтому web не развёрнут."),
    ],
)
async def test_a_denied_deployment_is_told_and_done_nothing_about(text, answer):
    talk = a_talk()
    await talk.say(text)
    result = await talk.answer({"approved": False, "reason": "not today"})
    assert result.text.startswith(answer)
    assert talk.progress == []


@pytest.mark.parametrize(
    ("ask", "correction"), [("deploy web", "make it 3 replicas"), ("разверни web", "лучше три")]
)
async def test_a_steered_correction_is_taken_before_the_next_model_call(ask, correction):
    talk = a_talk()
    await talk.say(f"{ask} {'to eu with 2 replicas' if ask[0] == 'd' else 'в Европе, 2 реплики'}")
    talk.once_seen(
        ENGLISH.asking.deploying[1].format(region="Europe"), lambda seen: seen.steer(correction)
    )
    await talk.answer({"approved": True})
    (again,) = talk.questions
    assert again.details["arguments"] == {"service": "web", "region": "eu", "replicas": 3}
    result = await talk.answer({"approved": True})
    assert "3" in result.text
    assert [arguments(call)["replicas"] for call in talk.calls] == [2, 3]


@pytest.mark.parametrize(
    ("ask", "correction"), [("deploy web", "actually us"), ("разверни web", "вернее, в США")]
)
async def test_a_now_correction_starts_over_with_the_new_facts(ask, correction):
    talk = a_talk()
    await talk.say(ask)
    await talk.answer("eu")
    await talk.answer(2)
    talk.stop(NOW)
    await talk.say(correction)
    (approval,) = talk.questions
    assert approval.details["arguments"] == {"service": "web", "region": "us", "replicas": 2}


async def test_after_a_stop_nothing_goes_on_by_itself_until_it_is_asked_to():
    talk = a_talk()
    await talk.say("deploy web to eu with 2 replicas")
    talk.stop()
    result = await talk.say("thanks")
    assert (result.end, result.text) == (End.COMPLETED, ENGLISH.saying.thanks)
    await talk.say("go on")
    assert talk.questions[0].details["arguments"] == {
        "service": "web",
        "region": "eu",
        "replicas": 2,
    }


@pytest.mark.parametrize("ask", ["deploy web", "deploy web to eu with 2 replicas"])
async def test_a_question_that_was_broken_off_is_not_spoken_of_again(ask):
    talk = a_talk()
    await talk.say(ask)
    assert talk.questions
    talk.stop()
    assert talk.results[-1].error == "DECLINED"
    result = await talk.say("look up order 4711")
    assert "4711" in result.text
    said = " ".join(talk.said[-2:])
    assert "declined" not in said
    assert ENGLISH.saying.set_aside not in said
    assert "web" not in said


@pytest.mark.parametrize(
    ("ask", "texts"), [("deploy web to eu, 2 replicas", ENGLISH), ("разверни web", RUSSIAN)]
)
def test_a_deployment_of_unknown_outcome_is_told_and_not_simply_repeated(ask, texts):
    call = ToolCall("call-1", "deploy", {"service": "web", "region": "eu", "replicas": 2})
    lost = repair_unanswered_tool_calls([UserMessage(ask), AssistantMessage("…", (call,))])
    turn = next_turn(ModelRequest("", tuple(lost), (), step=2))
    assert (turn.text, turn.tool) == (texts.saying.unknown, "")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("QUESTION_CLOSED", ENGLISH.saying.no_answer),
        ("TOOL_NOT_ALLOWED", ENGLISH.saying.not_allowed),
        ("ABORTED_BEFORE_DISPATCH", ENGLISH.saying.stopped),
        ("TOOL_TIMED_OUT", "That did not work out: too slow."),
    ],
)
@pytest.mark.parametrize(
    ("ask", "tool"),
    [
        ("deploy web", "deployment_target"),
        ("deploy web to eu, 2 replicas", "deploy"),
        ("search for backups", "search_pages"),
        ("run the checks", "run_checks"),
        ("look up order 1042", "look_up_order"),
        ("plan the move", "follow_plan"),
        ("book a table", "book_table"),
    ],
)
def test_a_call_that_failed_is_told_in_words(ask, tool, error, said):
    messages: list[Message] = [
        UserMessage(ask),
        AssistantMessage("…", (ToolCall("call-1", tool, {}),)),
        ToolResult("call-1", tool, "too slow.", error),
    ]
    turn = next_turn(ModelRequest("", tuple(messages), (), step=2))
    assert (turn.text, turn.tool) == (said, "")


async def test_a_stop_while_it_deploys_ends_it_at_once():
    talk = a_talk()
    await talk.say("deploy web to eu with 2 replicas")
    talk.once_seen("Starting", lambda seen: seen.stop())
    result = await talk.answer({"approved": True})
    assert (result.end, result.reason) == (End.INTERRUPTED, InterruptReason.USER_SIGINT)
    assert talk.results[-1].content == "Interrupted: USER_SIGINT"
    assert talk.progress[-1].startswith("Starting")


# -- the report ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "texts"), [("the quarterly report", ENGLISH), ("квартальный отчёт", RUSSIAN)]
)
async def test_the_report_takes_about_forty_seconds_to_read(text, texts):
    talk = a_talk()
    result = await talk.say(text)
    assert 30 < seconds() < 50
    assert all(section.text in result.text for section in texts.sections)


@pytest.mark.parametrize(
    ("ask", "only", "texts"),
    [
        ("the quarterly report", "only the risks", ENGLISH),
        ("квартальный отчёт", "только риски", RUSSIAN),
    ],
)
async def test_interrupted_half_way_it_gives_only_the_risks_and_knows_where_it_was(
    ask, only, texts
):
    talk = a_talk()
    costs, risks = texts.sections[1], texts.sections[3]
    talk.once_seen(f"{costs.title}. ", lambda seen: seen.stop(NOW))
    stopped = await talk.say(ask)
    assert (stopped.end, stopped.reason) == (End.INTERRUPTED, NOW)
    assert talk.said[-1].endswith("[interrupted by the user]")
    assert risks.text not in talk.said[-1]
    result = await talk.say(only)
    assert result.text.startswith(texts.saying.report_cut.format(title=costs.title).strip())
    assert risks.text in result.text
    assert sum(section.text in result.text for section in texts.sections) == 1


@pytest.mark.parametrize(
    ("ask", "on", "texts"),
    [
        ("the quarterly report", "go on", ENGLISH),
        ("квартальный отчёт", "продолжай", RUSSIAN),
    ],
)
async def test_it_goes_on_from_where_it_was_cut(ask, on, texts):
    talk = a_talk()
    talk.once_seen(f"{texts.sections[2].title}. ", lambda seen: seen.stop())
    await talk.say(ask)
    result = await talk.say(on)
    read = [section.key for section in texts.sections if section.text in result.text]
    assert read == ["customers", "risks", "outlook"]
    after = await talk.say("the costs" if texts is ENGLISH else "расходы")
    assert after.text.startswith(texts.saying.report_only)


def test_a_report_that_a_crash_broke_off_goes_on_where_it_was():
    section = ENGLISH.sections[1]
    messages = (
        UserMessage("the quarterly report"),
        AssistantMessage(f"… {section.title}. Costs", interrupted=True, reason="HOLDER_LOST"),
    )
    turn = next_turn(ModelRequest("", messages, (), step=1))
    assert turn.text.startswith(ENGLISH.saying.report_go_on.format(title=section.title))
    assert ENGLISH.sections[0].text not in turn.text


async def test_a_section_steered_in_while_it_reads_follows_the_report():
    talk = a_talk()
    talk.once_seen("Costs. ", lambda seen: seen.steer("only the risks"))
    result = await talk.say("the quarterly report")
    assert result.text.startswith(ENGLISH.saying.report_only)
    assert ENGLISH.sections[3].text in result.text


# -- searching -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found", "page"),
    [
        ("search the handbook for backups", "Backups run at two at night", "page 12 of 12"),
        ("найди про резервные копии", "снимаются в два часа ночи", "страница 12 из 12"),
    ],
)
async def test_a_search_reads_page_by_page_for_seconds(text, found, page):
    talk = a_talk()
    result = await talk.say(text)
    assert found in result.text
    assert (len(talk.progress), talk.progress[-1]) == (12, page)
    assert seconds() > 7


async def test_a_search_that_finds_nothing_says_so():
    result = await a_talk().say("search for dragons")
    assert result.text.endswith('none of them says anything about "dragons".')


async def test_a_search_is_stopped_between_two_pages():
    talk = a_talk()
    talk.once_seen("page 4 of 12", lambda seen: seen.stop())
    result = await talk.say("search for backups")
    assert result.end is End.INTERRUPTED
    assert len(talk.progress) == 4
    assert [result.error for result in talk.results] == ["TOOL_INTERRUPTED"]


async def test_a_wish_steered_in_while_it_searches_comes_after_what_was_found():
    talk = a_talk()
    talk.once_seen("page 4 of 12", lambda seen: seen.steer("and look up order 1043"))
    result = await talk.say("search for backups")
    assert [call.name for call in talk.calls] == ["search_pages", "look_up_order"]
    assert "Backups run at two at night" in talk.said[1]
    assert result.text == "Order 1043: paid, waits for the warehouse."


async def test_small_talk_while_it_searches_is_answered_and_the_search_goes_on():
    talk = a_talk()
    talk.once_seen("page 4 of 12", lambda seen: seen.steer("thanks!"))
    result = await talk.say("search for backups")
    assert result.text.startswith(ENGLISH.saying.thanks)
    assert "Backups run at two at night" in result.text


# -- a child process, and a lookup that nobody cuts ------------------------------------------------


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("run the checks", "All 6 checks passed; the process ended by itself."),
        ("запусти проверки", "Проверки пройдены, всего 6; процесс завершился сам."),
    ],
)
async def test_the_checks_run_in_a_process(text, done):
    talk = a_talk()
    result = await talk.say(text)
    assert result.text == done
    assert json.loads(talk.results[0].content) == {"passed": 6, "exitCode": 0}
    assert len(talk.progress) == 6


@BOTH
async def test_a_stop_ends_the_process(language):
    talk = Conversation(concierge(check_seconds=0.5, runtime=a_runtime()), language)
    first = LANGUAGES[language].asking.check.format(check=1, checks=6)
    talk.once_seen(first, lambda seen: seen.stop())
    result = await talk.say("run the checks" if language == "en" else "запусти проверки")
    assert (result.end, result.abandoned) == (End.INTERRUPTED, False)
    assert [r.content for r in talk.results] == ["Interrupted: USER_SIGINT"]
    assert len(talk.progress) < 6


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("look up order 1042", "Order 1042: shipped yesterday, arrives on Thursday."),
        ("что с заказом 1043?", "Заказ 1043: оплачен, ждёт на складе."),
        ("look up order 7", "There is no order 7. I know 1042, 1043, 1044."),
    ],
)
async def test_an_order_is_looked_up(text, done):
    talk = a_talk()
    assert (await talk.say(text)).text == done


async def test_a_now_while_it_looks_up_keeps_what_was_found():
    """RACES 9."""
    talk = a_talk()
    loop = asyncio.get_running_loop()
    talk.once_seen("short.", lambda seen: loop.call_later(1.0, seen.stop, NOW))
    result = await talk.say("look up order 1042")
    assert (result.end, result.abandoned) == (End.INTERRUPTED, False)
    assert json.loads(talk.results[0].content)["status"] == ENGLISH.orders[1042]


async def test_what_the_lookup_found_is_said_once_even_if_the_next_reply_is_cut():
    talk = a_talk()
    loop = asyncio.get_running_loop()
    talk.once_seen("short.", lambda seen: loop.call_later(1.0, seen.stop, NOW))
    await talk.say("look up order 1042")
    costs = ENGLISH.sections[1]
    talk.once_seen(f"{costs.title}. ", lambda seen: seen.stop(NOW))
    report = await talk.say("the quarterly report")
    assert ENGLISH.orders[1042] in report.text
    await talk.say("plan the move")
    assert sum(said.count(ENGLISH.orders[1042]) for said in talk.said) == 1


# -- a plan, and a table ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "texts"), [("plan the move", ENGLISH), ("составь план переезда", RUSSIAN)]
)
async def test_a_plan_is_shown_agreed_to_and_carried_out(text, texts):
    talk = a_talk()
    await talk.say(text)
    (question,) = talk.questions
    assert question.kind is QuestionKind.PLAN
    assert question.details == {"plan": list(texts.plan_steps)}
    result = await talk.answer({"approved": True})
    assert talk.progress == list(texts.plan_steps)
    assert result.text == texts.saying.plan_done.format(steps=4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plan the move", "Then I leave it. Nothing was changed. (too early)"),
        ("составь план переезда", "Тогда оставлю как есть. Ничего не изменилось. (too early)"),
    ],
)
async def test_a_plan_that_is_not_agreed_to_changes_nothing(text, said):
    talk = a_talk()
    await talk.say(text)
    result = await talk.answer({"approved": False, "reason": "too early"})
    assert (result.text, talk.progress) == (said, [])


async def test_a_plan_is_stopped_between_two_steps():
    talk = a_talk()
    await talk.say("plan the move")
    talk.once_seen(ENGLISH.plan_steps[1], lambda seen: seen.stop())
    result = await talk.answer({"approved": True})
    assert result.end is End.INTERRUPTED
    assert talk.progress == list(ENGLISH.plan_steps[:2])


@pytest.mark.parametrize(
    ("text", "texts"), [("book a table", ENGLISH), ("забронируй столик", RUSSIAN)]
)
async def test_a_table_takes_two_questions_in_one_tool(text, texts):
    """Row 45."""
    talk = a_talk()
    await talk.say(text)
    assert talk.asked == texts.asking.date.format(restaurant=texts.restaurant)
    assert talk.questions[0].schema == {"type": "string", "format": "date"}
    await talk.answer("2026-05-01")
    assert talk.asked == texts.asking.people
    result = await talk.answer(4)
    booked = json.loads(talk.results[0].content)
    assert (booked["date"], booked["people"]) == ("2026-05-01", 4)
    assert str(booked["number"]) in result.text
    assert len(talk.calls) == 1


async def test_the_number_of_guests_is_corrected_and_not_asked_for_again():
    talk = a_talk()
    await talk.say("book a table for 2")
    assert talk.asked.startswith("For which day")
    talk.stop(NOW)
    await talk.say("make it four")
    result = await talk.answer("2026-05-01")
    assert json.loads(talk.results[-1].content)["people"] == 4
    assert "4 people" in result.text


# -- what it does not do ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "outside"),
    [
        ("what's the weather in Paris?", ENGLISH.saying.outside),
        ("Какая завтра погода?", RUSSIAN.saying.outside),
    ],
)
async def test_outside_its_script_it_says_so_and_what_it_can_do(text, outside):
    result = await a_talk().say(text)
    assert result.text.startswith(outside)
    assert "BARGEIN_MODEL" in result.text


@pytest.mark.parametrize(("language", "texts"), [("en", ENGLISH), ("ru", RUSSIAN)])
async def test_where_the_words_don_t_show_it_the_persons_language_counts(language, texts):
    result = await a_talk(language).say("42?")
    assert result.text.startswith(texts.saying.outside)


async def test_a_question_with_a_number_in_it_corrects_nothing():
    talk = a_talk()
    await talk.say("deploy web to eu with 2 replicas")
    await talk.answer({"approved": True})
    result = await talk.say("what is 2 plus 3")
    assert result.text.startswith(ENGLISH.saying.outside)


# -- it follows from the history alone -------------------------------------------------------------


async def test_a_new_process_goes_on_where_the_old_one_was():
    old = a_talk()
    await old.say("deploy web")
    await old.answer("asia")
    await old.answer(2)
    old.stop(NOW)
    new = a_talk()
    new.history = old.history
    await new.say("make it 3 replicas")
    assert new.questions[0].details["arguments"] == {
        "service": "web",
        "region": "asia",
        "replicas": 3,
    }


async def test_the_same_tools_work_under_another_model():
    model = ScriptedModel(
        [Call("deployment_target", {"service": "web", "replicas": 1})],
        [Call("deploy", {"service": "web", "region": "us", "replicas": 9})],
        ["Sorry."],
    )
    agent: Agent = concierge(model, runtime=a_runtime())
    talk = Conversation(agent)
    await talk.say("deploy web")
    await talk.answer("us")
    assert [result.error for result in talk.results] == [None, "TOOL_ARGUMENTS_INVALID"]
    assert all(spec.description for spec in model.requests[0].tools)
    assert {spec.name for spec in model.requests[0].tools} == {
        "deployment_target",
        "deploy",
        "search_pages",
        "run_checks",
        "look_up_order",
        "follow_plan",
        "book_table",
    }


def test_both_languages_can_say_and_read_the_same():
    assert ENGLISH.words.powers.keys() == RUSSIAN.words.powers.keys()
    assert ENGLISH.words.regions.keys() == RUSSIAN.words.regions.keys()
    assert ENGLISH.words.sections.keys() == RUSSIAN.words.sections.keys()
    assert ENGLISH.orders.keys() == RUSSIAN.orders.keys()
    assert len(ENGLISH.handbook) == len(RUSSIAN.handbook) == 12
