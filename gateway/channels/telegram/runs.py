"""What the outgoing side knows of runs and people: who asked for what, in which language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.channels.telegram.names import message_in
from gateway.channels.telegram.tongues import Tongues
from gateway.core.messages import Json

ACTIVE = ("starting", "running", "stopping", "delivering")
WORKING = ("starting", "running")
REMEMBERED = 5_000


@dataclass(slots=True)
class Run:
    """A run on one of Telegram's threads, and the message that it answers."""

    thread: str
    principals: tuple[str, ...] = ()
    state: str = ""
    message: int | None = None


@dataclass(slots=True)
class Known:
    """What is not in `tongues` is forgotten at a restart, and comes again with what people say."""

    tongues: Tongues
    runs: dict[str, Run] = field(default_factory=dict)
    last: dict[tuple[str, str], int] = field(default_factory=dict)
    messages: dict[tuple[str, int], int] = field(default_factory=dict)

    def input(self, thread: str, data: Mapping[str, Json]) -> int | None:
        """An input changed; the message that it was."""
        message = message_in(str(data["id"]))
        seq, run = data["seq"], data["run"]
        if message is not None and isinstance(seq, int):
            _remember(self.messages, (thread, seq), message)
        if message is not None and isinstance(run, str) and data["state"] == "running":
            known = self.runs.setdefault(run, Run(thread))
            known.message = known.message or message
        return message

    def run(self, thread: str, data: Mapping[str, Json]) -> Run:
        """A run changed."""
        run = self.runs.setdefault(str(data["run"]), Run(thread))
        run.state = str(data["state"])
        principals = data.get("principals")
        if isinstance(principals, list):
            run.principals = tuple(str(name) for name in principals)
        return run

    def busy(self, thread: str, principal: str) -> bool:
        """Whether a run of this person is on."""
        return any(
            run.thread == thread and principal in run.principals and run.state in ACTIVE
            for run in self.runs.values()
        )

    def working(self, thread: str) -> bool:
        """Whether anything is worked on there."""
        return any(run.thread == thread and run.state in WORKING for run in self.runs.values())

    def language_of(self, run: str) -> str:
        """The language of the person whose run it is."""
        known = self.runs.get(run)
        names = known.principals if known is not None else ()
        return self.tongues.of(names[0], "en") if names else "en"


def _remember(where: dict[tuple[str, int], int], key: tuple[str, int], value: int) -> None:
    where[key] = value
    if len(where) > REMEMBERED:
        del where[next(iter(where))]
