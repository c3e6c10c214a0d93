"""What stands in the terminal after which frames; no terminal needed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.channels.link import Back, Lost, Who
from gateway.channels.terminal.speech import Speech
from gateway.channels.terminal.view import View

KEY = ("r1", 0)


class Screen:
    """A view with what it printed."""

    def __init__(self, language: str = "en", **options: Any) -> None:
        self.lines: list[str] = []
        self.view = View(Who("local:ann", "ann", language), self.lines.append, **options)

    def take(self, type_: str, **data: Any) -> "Screen":
        self.view.take({"type": type_, "data": data})
        return self

    def welcome(self, **more: Any) -> "Screen":
        snapshot = {
            "entries": [],
            "runs": [],
            "queue": [],
            "inputs": [],
            "past": [],
            "questions": [],
            "mode": {"mode": "steer", "source": "deployment"},
        } | more
        return self.take("welcome", snapshot=snapshot, boot="b", seq=1)

    def run(self, state: str = "running", principal: str = "ann", **more: Any) -> "Screen":
        data = {"run": "r1", "state": state, "end": None, "reason": None, "step": 1} | more
        return self.take("run", principals=[principal], **data)

    def text(self, text: str, offset: int = 0) -> "Screen":
        return self.take("text", run="r1", step=0, offset=offset, text=text, final=False)

    def closed(self, text: str, reason: str | None = None) -> "Screen":
        return self.take("closed", run="r1", step=0, text=text, reason=reason)

    def ended(self, reason: str = "USER_SIGINT", end: str = "interrupted") -> "Screen":
        return self.run("ended", end=end, reason=reason)

    def notice(self, code: str, text: str = "", **params: Any) -> "Screen":
        return self.take("notice", code=code, text=text, params=params)

    def input(self, seq: int = 1, **more: Any) -> "Screen":
        row = {
            "seq": seq,
            "state": "done",
            "outcome": None,
            "detail": "",
            "run": None,
            "text": "do it",
            "kind": "text",
            "principal": "ann",
            "sender": "ann",
            "id": f"local:ann:i{seq}",
        } | more
        return self.take("input", **row)

    def question(self, again: str | None = None, **more: Any) -> "Screen":
        question = {
            "id": "q1",
            "kind": "input",
            "message": "Which region?",
            "toolName": "deploy",
            "toolCallId": "c1",
        } | more
        shown = {"form": "1. eu, 2. us", "run": "r1", "token": "t", "again": again}
        return self.take("question", question=question, **shown)


# -- replies ---------------------------------------------------------------------------------------


def test_a_reply_grows_below_and_its_whole_lines_stand_above():
    screen = Screen().run().text("One\nTw")
    assert (screen.lines, screen.view.tail) == (["One"], "Tw")
    screen.text("o\nThree", offset=6).closed("One\nTwo\nThree")
    assert (screen.lines, screen.view.tail) == (["One", "Two", "Three"], "")


def test_a_cut_reply_ends_with_a_bar():
    screen = Screen().run().text("One tw").closed("One tw", "USER_SIGINT").ended()
    screen.view.flush()
    assert screen.lines == ["One tw▏", "[Interrupted] Stopped by you"]


def test_what_came_after_the_cut_is_not_shown():
    screen = Screen().run().text("One two thr").closed("One two", "USER_SIGINT")
    assert screen.lines == ["One two▏"]


def test_a_reply_said_before_an_outage_is_not_said_again():
    screen = Screen().welcome().run().text("One\nTwo")
    screen.view.take(Lost())
    screen.view.take(Back(5))
    entries = [
        {"seq": 1, "kind": "user", "run": "r1", "step": 0, "body": {"text": "hi"}},
        {
            "seq": 2,
            "kind": "assistant",
            "run": "r1",
            "step": 0,
            "body": {"text": "One\nTwo", "metadata": {"interrupted": True}},
        },
    ]
    screen.view.typed("i1", "hi")
    screen.welcome(entries=entries)
    assert screen.lines == [
        "Write what you want. /help lists what else you can write. Ctrl+C stops, Ctrl+D leaves.",
        "One",
        "Two",
        "The server is gone; what you write is sent when it is back.",
        "The server is back after 5 seconds.",
        "▏",
    ]


@given(st.text("ab \n", max_size=60), st.lists(st.integers(0, 60), max_size=8), st.integers(0, 9))
def test_whatever_the_pieces_the_lines_are_the_text(text: str, cuts: list[int], width: int):
    lines: list[str] = []
    speech = Speech(lines.append, lambda: width)
    for at in sorted(cuts):
        speech.whole(KEY, text[:at])
    speech.close(KEY, text, cut=False)
    said = "\n".join(lines)
    assert said.split() == text.split() or width
    assert "".join(said.split()) == "".join(text.split())
    assert not width or all(len(line) <= width for line in lines)
    speech.close(KEY, text, cut=False)
    assert "\n".join(lines) == said


def test_something_else_breaks_a_line_off_and_nothing_is_said_twice():
    screen = Screen().run().text("One tw").notice("X", "Told.").text("o three", offset=6)
    screen.closed("One two three")
    assert screen.lines == ["One tw", "Told.", "o three"]


# -- ends ------------------------------------------------------------------------------------------


def test_a_hard_cancel_has_another_banner():
    screen = Screen().run().ended().notice("MAY_STILL_RUN", tools=["search", "deploy"])
    screen.view.flush()
    aborted = "[Aborted] Stopped waiting for search and deploy; it may still be running"
    assert screen.lines == [aborted]


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("NOW_PRIORITY_INPUT", "Interrupted by a newer message"),
        ("BUDGET_EXCEEDED", "It used up what it was allowed"),
        ("SYSTEM_SHUTDOWN", "The server was stopped"),
    ],
)
def test_the_reason_is_told(reason: str, words: str):
    screen = Screen().run().ended(reason)
    screen.view.flush()
    assert screen.lines == [f"[Interrupted] {words}"]


def test_iterations_are_told_only_when_asked_for():
    screen = Screen(show_iterations=True).run().ended()
    screen.view.flush()
    assert screen.lines == ["[Interrupted after 2 iterations] Stopped by you"]


def test_a_completed_run_needs_no_word():
    screen = Screen().run().ended(end="completed")
    screen.view.flush()
    assert screen.lines == []


def test_how_ones_own_messages_ended():
    screen = Screen()
    for number, outcome in enumerate(("steered", "returned", "merged", "answered", "decided")):
        screen.view.typed(f"i{number}", "do it")
        for _ in range(2):
            screen.input(number, outcome=outcome)
    screen.view.typed("i9", "do it")
    screen.input(9, outcome="returned", detail="DROPPED_BY_PERSON")
    assert screen.lines == [
        "  ↳ joined: do it",
        "  ↳ not sent: do it",
        "  ↳ put together with another: do it",
        "  ↳ taken out: do it",
    ]


def test_a_stop_names_the_runs_that_one_sees():
    """Said while the server is away, it stops none that began since."""
    screen = Screen()
    screen.view.take(
        {"type": "run", "data": {"run": "r1", "state": "running", "principals": ["ann"]}}
    )
    screen.view.take(
        {"type": "run", "data": {"run": "r2", "state": "running", "principals": ["bob"]}}
    )
    seen = [screen.view.to_stop]
    screen.view.typed("i1", "mine")
    assert [*seen, screen.view.to_stop] == [("r1",), ()]


def test_what_was_just_sent_can_be_stopped_until_it_has_ended():
    screen = Screen()
    screen.view.typed("i1", "mine")
    assert screen.view.to_stop == ()
    screen.input(1, outcome="answered")
    assert screen.view.to_stop is None
    screen.view.typed("i2", "mine")
    screen.view.take(
        {"type": "receipt", "id": "i2", "data": {"code": "THREAD_BUSY", "text": "No."}}
    )
    assert screen.view.to_stop is None


def test_others_messages_are_shown_once_ones_own_are_there_already():
    screen = Screen()
    screen.view.typed("i1", "mine")
    screen.input(1).input(2, principal="bob", sender="bob", id="local:bob:x", text="hello")
    screen.input(2, principal="bob", sender="bob", id="local:bob:x", outcome="answered")
    assert screen.lines == ["bob: hello"]


# -- questions -------------------------------------------------------------------------------------


def test_a_question_is_asked_once_and_again_where_the_notice_has_said_why():
    screen = Screen().question().question()
    assert screen.lines == ["? deploy asks: Which region?", "  Answer: 1. eu, 2. us"]
    problem = "There is no mars."
    screen.take("notice", code="INTERRUPT_ANSWER_INVALID", params={}, text=problem)
    screen.take(
        "question",
        question={
            "id": "q1",
            "kind": "input",
            "message": "Which region?",
            "toolName": "deploy",
            "toolCallId": "c1",
        },
        form="1. eu, 2. us",
        run="r1",
        token="t",
        again=problem,
    )
    assert screen.lines[2:4] == [problem, "? deploy asks: Which region?"]


def test_a_language_that_was_chosen_is_the_terminals_too():
    screen = Screen()
    screen.take("notice", code="LANG_SET", params={"language": "ru"}, text="Теперь по-русски.")
    screen.run()
    assert "Ctrl+C: остановить" in screen.view.status(None)


def test_a_plan_shows_its_steps():
    screen = Screen()
    screen.take(
        "question",
        question={
            "id": "q1",
            "kind": "plan",
            "message": "May I start?",
            "toolName": "follow_plan",
            "toolCallId": "c1",
            "details": {"plan": ["Copy the files", "Switch over"]},
        },
        form="yes or no",
        run="r1",
        token="t",
    )
    assert screen.lines[1:3] == ["    1. Copy the files", "    2. Switch over"]


def test_a_question_that_is_wanted_once_more_is_shown_once_more():
    screen = Screen().question()
    before = len(screen.lines)
    screen.question(again="")
    assert screen.lines[before:] == screen.lines[:before]


def test_an_approval_shows_tool_and_arguments():
    screen = Screen().take(
        "entry",
        seq=4,
        kind="tool_call",
        run="r1",
        step=0,
        body={"id": "c1", "name": "deploy", "arguments": {"region": "eu", "replicas": 3}},
    )
    screen.question(kind="approval", message="Deploy it?")
    assert screen.lines == [
        "? deploy wants to run: Deploy it?",
        "    region: eu",
        "    replicas: 3",
        "  Answer: yes or no (a reason may follow). /skip and /cancel decline.",
    ]


def test_an_approver_elsewhere_sees_the_arguments_too():
    """The call stands in another conversation: the question itself holds what it is about."""
    details = {"arguments": {"region": "eu", "replicas": 3}}
    screen = Screen().question(kind="approval", message="Deploy it?", details=details)
    assert screen.lines[1:3] == ["    region: eu", "    replicas: 3"]


def test_spaces_that_do_not_break_stay():
    assert Screen().closed("1\u00a0234\u202f₽").lines == ["1\u00a0234\u202f₽"]


def test_no_words_act_on_the_terminal_or_pass_for_its_own():
    sly = "rm -rf /\x1b[2K\r\u202eall\r\nfine\n  Answer: yes"
    details = {"arguments": {"command": sly}}
    screen = Screen().question(kind="approval", message="Run \x1b[8mit?", details=details)
    screen.text("Gone.\x1b[2J\nAnd\x9b31m on").closed("Gone.\x1b[2J\nAnd\x9b31m on")
    assert screen.lines == [
        "? deploy wants to run: Run \\x1b[8mit?",
        "    command: rm -rf /\\x1b[2K\\r\\u202eall\n      fine\n        Answer: yes",
        "  Answer: yes or no (a reason may follow). /skip and /cancel decline.",
        "Gone.\\x1b[2J",
        "And\\x9b31m on",
    ]


def test_what_was_understood_is_echoed():
    screen = Screen().question()
    screen.take(
        "decided", id="q1", message="Which region?", status="answered", understood="eu", value="eu"
    )
    assert screen.lines[-1] == "✓ Which region? → eu"
    assert screen.view.status(None) == "Enter: send · Ctrl+C: leave"


# -- below -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("steer", "Enter: add to what I'm doing"),
        ("enqueue", "Enter: wait for your turn"),
        ("collect", "Enter: wait and be put together with others"),
        ("interrupt", "Enter: stop and do this instead"),
        ("rollback", "Enter: undo and do this instead"),
        ("reject", "Enter: not taken while I work"),
        ("parallel", "Enter: do this beside it"),
    ],
)
def test_the_status_line_says_what_enter_will_do(mode: str, words: str):
    screen = Screen().welcome()
    assert screen.view.status(None) == "Enter: send · Ctrl+C: leave"
    screen.take("mode", mode=mode, source="thread").run()
    assert screen.view.status(None) == f"{words} · Ctrl+C: stop"
    screen.question()
    assert screen.view.status(None) == "Enter: answer the question · Ctrl+C: stop"


def test_beside_somebody_elses_run_one_waits():
    screen = Screen().run(principal="bob")
    assert screen.view.status(None) == "Enter: wait for your turn · Ctrl+C: leave"
    assert not screen.view.mine_runs


def test_an_outage_is_counted():
    screen = Screen()
    assert screen.view.status(7.2) == "No server for 7 seconds; Enter: send when it is back"


def test_the_queue_has_its_own_line():
    screen = Screen()
    assert screen.view.queue_line() == ""
    screen.take("queue", items=[{"text": "buy milk"}, {"text": "x" * 60}])
    assert screen.view.queue_line() == f"2 wait: 1. buy milk; 2. {'x' * 47}…"


def test_it_speaks_russian():
    screen = Screen("ru").run()
    assert screen.view.status(None) == "Enter: добавить к тому, что я делаю · Ctrl+C: остановить"
    screen.ended()
    screen.view.flush()
    assert screen.lines == ["[Прервано] Остановлено вами"]


def test_the_last_of_a_long_history_is_shown_at_first():
    entries = [
        {"seq": n, "kind": "user", "run": f"r{n}", "step": 0, "body": {"text": f"m{n}"}}
        for n in range(1, 31)
    ]
    screen = Screen().welcome(entries=entries)
    assert screen.lines == [f"> m{n}" for n in range(19, 31)]


@pytest.mark.parametrize(
    ("language", "code", "said"),
    [
        ("en", "DECLINED", "· deploy: not done, its question was closed"),
        ("ru", "DECLINED", "· deploy: не выполнено, вопрос закрыт"),
        ("en", "OUTCOME_UNKNOWN", "· deploy: nobody knows how it came out"),
        ("ru", "TOOL_INTERRUPTED", "· deploy: остановлено"),
        ("en", "NO_SUCH_REGION", "· deploy failed: NO_SUCH_REGION"),
    ],
)
def test_a_call_without_a_result_is_told_in_words(language: str, code: str, said: str):
    screen = Screen(language)
    screen.take("call", state="returned", name="deploy", error=code, content="for the model")
    assert screen.lines == [said]
