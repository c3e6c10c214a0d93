"""What comes in over the wire. The OpenAPI document is made from these."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, StringConstraints
from pydantic.alias_generators import to_camel

from gateway.api.bodies import Body
from gateway.core.queueing import Mode
from gateway.files import MOST_FILES, NAME_LENGTH
from gateway.ports.agent import RunOptions

MAX_TEXT = 80_000
LONGEST_WAIT_SECONDS = 600.0


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("is blank")
    return text


Text = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT), AfterValidator(_said)]
ThreadName = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\s\x00-\x1f\x7f/?#]+$")
]
Id = Annotated[str, StringConstraints(min_length=1, max_length=128)]
Language = Literal["en", "ru"]
PriorityName = Literal["now", "next", "later"]
Blob = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Seconds = Annotated[float, Field(ge=0, le=LONGEST_WAIT_SECONDS)]
WAIT = "how long to wait, in seconds, for the run to end or to ask; the answer tells how it stands"
Count = Annotated[int, Field(ge=1, le=10_000_000)]


class Options(Body):
    """A run's limits, where they are others than the agent's."""

    max_iterations: Count | None = None
    max_tokens: Count | None = None
    max_cost_usd: Annotated[float, Field(gt=0, le=1e6)] | None = None
    timeout_seconds: Annotated[float, Field(gt=0, le=604_800)] | None = None
    parallel_tool_calls: bool | None = None
    on_iteration_limit: Literal["fail", "stop"] | None = None
    steering: Literal["one-at-a-time", "all"] = Field(
        "one-at-a-time", description="how many steering messages a model call takes"
    )
    follow_up: Literal["one-at-a-time", "all"] = Field(
        "one-at-a-time", description="how many follow-ups a turn takes"
    )

    def options(self) -> RunOptions:
        """The same as the engine's value."""
        return RunOptions(
            max_iterations=self.max_iterations,
            max_tokens=self.max_tokens,
            max_cost_usd=self.max_cost_usd,
            timeout_seconds=self.timeout_seconds,
            parallel_tool_calls=self.parallel_tool_calls,
            on_iteration_limit=self.on_iteration_limit,
            queue_steering=self.steering,
            queue_follow_up=self.follow_up,
        )


class Attached(Body):
    """A file that was brought before."""

    blob: Blob
    name: str = Field("", max_length=NAME_LENGTH, description="how people call it")


Files = Annotated[list[Attached], Field(max_length=MOST_FILES)]


class StartRun(Body):
    """A message, which starts a run, joins one, or waits; without a thread a run of its own."""

    input: Text = Field(examples=["deploy web"])
    agent: str | None = Field(None, max_length=128, description="the only one if none is named")
    thread: ThreadName | None = Field(
        None,
        description="a name of your own, or a whole id; nothing is kept without one",
        examples=["ops"],
    )
    language: Language = "en"
    multitask_strategy: Mode | None = Field(
        None, strict=False, description="what the message does while a run is on"
    )
    priority: PriorityName | None = Field(None, description="what overrides it")
    branch: Annotated[int, Field(ge=0, le=2**53)] | None = Field(
        None, description="the entry of the log that the run goes on from; 0 is the beginning"
    )
    reply_to: Id | None = Field(None, description="the question that the message answers")
    attachments: Files = Field(
        default_factory=list, description="files that come with it; they need a thread"
    )
    options: Options = Options()
    wait_seconds: Seconds = Field(0.0, description=WAIT)


class Say(Body):
    """A message to a run that is on."""

    text: Text = Field(examples=["only the second one"])
    attachments: Files = Field(
        default_factory=list, description="files that come with it; they need a thread"
    )


class Resume(Body):
    """Answers to open questions by their ids: values, or words that are read as a person's. All of
    them are taken, or none.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                {"required": [name], "properties": {name: {"minProperties": 1}}}
                for name in ("responses", "texts")
            ]
        }
    )

    responses: dict[Id, JsonValue] = Field(default_factory=dict, max_length=100)
    texts: dict[Id, Text] = Field(
        default_factory=dict,
        max_length=100,
        examples=[{"8c1f7f0e-6f0b-4a53-9d7c-2f6d1c1f8a55": "the second one"}],
    )
    language: Language = "en"
    wait_seconds: Seconds = Field(0.0, description=WAIT)


class Reason(Body):
    """Why something is ended; it stands in the log."""

    reason: str = Field("", max_length=1_000, examples=["not needed any more"])


class Nothing(Body):
    """Nothing is needed."""


class Wait(Body):
    """How long to wait for the run."""

    wait_seconds: Seconds = Field(0.0, description=WAIT)


class EditInput(Body):
    """A waiting message's other words, or `now` to send it at once."""

    text: Text | None = Field(None, examples=["deploy web to eu"])
    priority: Literal["now"] | None = None


# -- queries ---------------------------------------------------------------------------------------


class Query(BaseModel):
    """What all queries share: known parameters only."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, alias_generator=to_camel, validate_by_name=True
    )


class ThreadsQuery(Query):
    """A page of a list."""

    limit: int = Field(50, ge=1, le=500)
    cursor: str | None = Field(
        None, min_length=1, max_length=400, description="the last page's `next`"
    )


class EntriesQuery(Query):
    """A part of the log."""

    after: int = Field(0, ge=0, le=2**53, description="the last page's `next`")
    limit: int = Field(200, ge=1, le=1_000)
    branch: int | None = Field(None, ge=0, le=2**53, description="one branch; all of them without")


class EventsQuery(Query):
    """Where a reader goes on."""

    last_event_id: str | None = Field(
        None, pattern=r"^\d{1,16}(\.\d{1,9})?$", description="stands in for the header"
    )


class FileQuery(Query):
    """How a file is called."""

    name: str = Field("", max_length=NAME_LENGTH)


class NoQuery(Query):
    """No parameters."""
