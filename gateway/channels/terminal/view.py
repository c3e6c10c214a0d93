"""What stands in the terminal, from the server's frames; knows no terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gateway.channels.link import Back, Frame, Lost, Who
from gateway.channels.signs import seen
from gateway.channels.terminal import words
from gateway.channels.terminal.speech import Speech
from gateway.i18n import Translator, translator

HISTORY, SHORT = 12, 48
OVER = "ended"


class View:
    """Takes frames; prints lines by `out`; `tail`, `status` and `queue` are drawn below them."""

    def __init__(
        self,
        who: Who,
        out: Callable[[str], None],
        *,
        width: Callable[[], int] = lambda: 0,
        show_iterations: bool = False,
    ) -> None:
        self._me = who.principal
        self._print = seen(out)
        self._words: Translator = translator(who.language)
        self._iterations = show_iterations
        self.speech = Speech(self._print, width)
        self.runs: dict[str, Mapping[str, Any]] = {}
        self.questions: dict[str, Mapping[str, Any]] = {}
        self.queue: list[Mapping[str, Any]] = []
        self._mode = "steer"
        self._mine: dict[str, str] = {}
        self._on_the_way: set[str] = set()
        self._inputs: set[int] = set()
        self._ended_inputs: set[int] = set()
        self._calls: dict[str, Mapping[str, Any]] = {}
        self._entry = 0
        self._greeted = False
        self._lost = False
        self._ended: Mapping[str, Any] | None = None
        self._handlers: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
            "welcome": self._welcome,
            "text": self._text,
            "closed": self._closed,
            "run": self._run,
            "notice": self._notice,
            "input": self._input,
            "queue": self._queue,
            "mode": self._set_mode,
            "entry": self._note_entry,
            "call": self._call,
            "progress": self._progress,
            "question": self._question,
            "folded": self._folded,
            "decided": self._decided,
            "receipt": self._receipt,
            "error": self._error,
        }

    # -- what is drawn below -------------------------------------------------------------------

    @property
    def tail(self) -> str:
        """The line of the reply that still grows."""
        return self.speech.tail

    @property
    def mine_runs(self) -> tuple[str, ...]:
        """The runs of this person that are on."""
        return tuple(id_ for id_, run in self.runs.items() if self._me in run["principals"])

    @property
    def to_stop(self) -> tuple[str, ...] | None:
        """What Ctrl+C stops: these runs; all, where something is on its way; None for nothing."""
        return () if self._on_the_way else self.mine_runs or None

    def status(self, gone_seconds: float | None) -> str:
        """What Enter and Ctrl+C will do, in words."""
        say = self._words.gettext
        if gone_seconds is not None:
            span = self._words.span(round(gone_seconds))
            return say(words.ENTER_OFFLINE, span=span)
        if self.questions:
            enter = words.ENTER_ANSWER
        elif self.mine_runs:
            enter = words.ENTER.get(self._mode, words.ENTER_SEND)
        else:
            enter = words.ENTER_WAIT if self.runs else words.ENTER_SEND
        leave = words.CTRL_C_LEAVE if self.to_stop is None else words.CTRL_C
        return f"{say(enter)} · {say(leave)}"

    def queue_line(self) -> str:
        """What waits, or nothing."""
        if not self.queue:
            return ""
        items = "; ".join(
            f"{number}. {short(item['text'])}" for number, item in enumerate(self.queue, 1)
        )
        return self._words.text(words.QUEUE, count=len(self.queue), items=items)

    # -- what happens --------------------------------------------------------------------------

    def typed(self, id_: str, text: str) -> None:
        """This person sent it from here; the line editor has shown it already."""
        self._mine[id_] = text
        self._on_the_way.add(id_)

    def take(self, event: Frame | Lost | Back) -> None:
        """Draw one frame, or that the server is gone or back."""
        match event:
            case Lost():
                self._lost = True
                self.say(self._words.gettext(words.LOST))
            case Back(gone_seconds=gone):
                if self._lost:
                    self.say(self._words.gettext(words.BACK, span=self._words.span(round(gone))))
                self._lost = False
            case _:
                if event["type"] != "notice":
                    self.flush()
                if event["type"] in ("receipt", "error") and event["data"]["code"]:
                    self._on_the_way.discard(event.get("id", ""))
                handler = self._handlers.get(event["type"])
                if handler is not None:
                    handler(event["data"])

    def flush(self) -> None:
        """Say how the last run ended; a word on what may still run would have come by now."""
        ended, self._ended = self._ended, None
        if ended is not None:
            self._say_end(ended)

    def say(self, line: str) -> None:
        """Print something that is no part of a reply."""
        self.speech.break_off()
        self._print(line)

    # -- frames --------------------------------------------------------------------------------

    def _welcome(self, data: Mapping[str, Any]) -> None:
        snapshot = data.get("snapshot")
        if snapshot is None:
            return
        self.runs = {run["run"]: run for run in snapshot["runs"]}
        self.queue = list(snapshot["queue"])
        self._mode = snapshot["mode"]["mode"]
        self._history(snapshot["entries"])
        began = {entry["run"] for entry in snapshot["entries"] if entry["kind"] == "user"}
        known = [row for row in (*snapshot["inputs"], *snapshot["past"]) if row["run"] in began]
        self._inputs |= {row["seq"] for row in (*snapshot["queue"], *known)}
        asked = {question["id"]: question for question in snapshot["questions"]}
        self.questions = {id_: known for id_, known in self.questions.items() if id_ in asked}
        for question in asked.values():
            if self._me in question.get("asked", ()):
                self._question({"question": question, "form": question["form"]})
        if not self._greeted and not snapshot["entries"]:
            self.say(self._words.gettext(words.WELCOME))
        self._greeted = True

    def _history(self, entries: list[Mapping[str, Any]]) -> None:
        said = [e for e in entries if e["kind"] in ("user", "assistant")]
        new = [e for e in said if e["seq"] > self._entry or self.speech.grows(_key(e))]
        for entry in entries:
            self._note_entry(entry)
        for entry in new if self._greeted else new[-HISTORY:]:
            body = entry["body"]
            cut = bool(body.get("metadata", {}).get("interrupted"))
            if entry["kind"] == "assistant":
                self.speech.close(_key(entry), body["text"], cut)
            elif body["text"] not in self._mine.values():
                self.say(f"{body.get('sender') or '>'} {body['text']}")

    def _text(self, data: Mapping[str, Any]) -> None:
        self.speech.more(_key(data), data["offset"], data["text"])

    def _closed(self, data: Mapping[str, Any]) -> None:
        self.speech.close(_key(data), data["text"], data.get("reason") is not None)

    def _run(self, data: Mapping[str, Any]) -> None:
        if data["state"] != OVER:
            self.runs[data["run"]] = data
            return
        before = self.runs.pop(data["run"], None)
        if before is not None and data["end"] == "interrupted":
            self._ended = data

    def _say_end(self, data: Mapping[str, Any]) -> None:
        reason = data.get("reason") or ""
        why = words.WHY.get(reason, words.MOVED_ON)
        if reason == "USER_SIGINT" and self._me not in data.get("principals", ()):
            why = words.STOPPED_BY
        said = self._words.gettext(why)
        if self._iterations:
            count = int(data.get("step") or 0) + 1
            self.say(self._words.text(words.INTERRUPTED_AFTER, count=count, why=said))
        else:
            self.say(self._words.gettext(words.INTERRUPTED, why=said))

    def _notice(self, data: Mapping[str, Any]) -> None:
        if data["code"] == "MAY_STILL_RUN":
            self._ended = None
            tools = self._words.listed([str(tool) for tool in data["params"].get("tools", ())])
            why = self._words.gettext(words.MAY_STILL_RUN, tools=tools)
            if not tools:
                why = self._words.gettext(words.ABANDONED)
            self.say(self._words.gettext(words.ABORTED, why=why))
            return
        if data["code"] == "LANG_SET":
            self._words = translator(data["params"]["language"])
        self.flush()
        if data["text"]:
            self.say(data["text"])

    def _input(self, data: Mapping[str, Any]) -> None:
        id_ = str(data.get("id", "")).rsplit(":", 1)[-1]
        new = data["seq"] not in self._inputs
        self._inputs.add(data["seq"])
        if new and id_ not in self._mine and data["kind"] == "text":
            self.say(f"{data['sender'] or data['principal']}: {data['text']}")
        if data["outcome"]:
            self._on_the_way.discard(id_)
        if data["outcome"] and id_ in self._mine and data["seq"] not in self._ended_inputs:
            self._ended_inputs.add(data["seq"])
            label = words.OUTCOMES.get(data["outcome"])
            if data["detail"] == "DROPPED_BY_PERSON":
                label = words.DROPPED
            if label is not None:
                self.say(f"  ↳ {self._words.gettext(label, text=short(data['text']))}")

    def _queue(self, data: Mapping[str, Any]) -> None:
        self.queue = list(data["items"])

    def _set_mode(self, data: Mapping[str, Any]) -> None:
        self._mode = data["mode"]

    def _note_entry(self, data: Mapping[str, Any]) -> None:
        self._entry = max(self._entry, data["seq"])
        if data["kind"] == "tool_call":
            self._calls[data["body"]["id"]] = data["body"]

    def _call(self, data: Mapping[str, Any]) -> None:
        if data["state"] == "started":
            self.say(f"· {data['name']}({arguments(data['arguments'])})")
        elif data.get("error"):
            text = words.NOT_DONE.get(data["error"], words.CALL_FAILED)
            failed = self._words.gettext(text, tool=data["name"], code=data["error"])
            self.say(f"· {failed}")

    def _progress(self, data: Mapping[str, Any]) -> None:
        if data["text"]:
            self.say(f"  {data['text']}")

    def _question(self, data: Mapping[str, Any]) -> None:
        question = data["question"]
        again = data.get("again")
        known = question["id"] in self.questions
        self.questions[question["id"]] = question
        if known and again is None:
            return
        approval = question["kind"] == "approval"
        asks = words.APPROVE if approval else words.ASKS
        tool, message = question["toolName"], question["message"]
        self.say(f"? {self._words.gettext(asks, tool=tool, message=message)}")
        for number, step in enumerate(question.get("details", {}).get("plan", ()), 1):
            self.say(f"    {number}. {step}")
        for line in given(question, self._calls) if approval else ():
            self.say(f"    {line}")
        if approval:
            self.say(f"  {self._words.gettext(words.APPROVE_SO)}")
        elif data.get("form"):
            self.say(f"  {self._words.gettext(words.ANSWER_SO, form=data['form'])}")

    def _folded(self, data: Mapping[str, Any]) -> None:
        self.questions.pop(data["question"]["id"], None)

    def _decided(self, data: Mapping[str, Any]) -> None:
        self.questions.pop(data["id"], None)
        label = words.DECIDED.get(data["status"])
        if label is not None:
            understood = data["understood"] or str(data.get("value"))
            said = self._words.gettext(label, message=data["message"], understood=understood)
            self.say(f"✓ {said}" if data["status"] in ("answered", "approved") else f"– {said}")

    def _receipt(self, data: Mapping[str, Any]) -> None:
        if data.get("text"):
            self.say(data["text"])

    def _error(self, data: Mapping[str, Any]) -> None:
        self.say(data.get("text") or data["message"] or data["code"])


def _key(data: Mapping[str, Any]) -> tuple[str, int]:
    return data["run"], data["step"]


def short(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= SHORT else f"{line[: SHORT - 1]}…"


def arguments(given: Mapping[str, Any]) -> str:
    """A call's arguments on one line."""
    return ", ".join(f"{name}={short(str(value))}" for name, value in given.items())


def given(question: Mapping[str, Any], calls: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What an approval is asked about, each argument whole: as the question holds them, else as the
    call has them. What goes over several lines is set in, so that it can't pass for ours.
    """
    held = question.get("details", {}).get("arguments")
    call = calls.get(question["toolCallId"], {})
    named = held if held is not None else call.get("arguments", {})
    return [f"{name}: {value}".replace("\n", "\n      ") for name, value in named.items()]
