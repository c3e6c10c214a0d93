"""`@tool`: the schema a model sees, the check of its arguments, what can't be a tool."""

from typing import Annotated, Literal

import pytest
from inline_snapshot import snapshot
from pydantic import Field

from gateway.core.cancellation import InterruptBehavior
from gateway.core.errors import ToolFailed
from gateway.runs.agent import Agent
from gateway.runs.context import SyncToolContext, ToolContext
from gateway.runs.tools import tool
from tests.fakes.model import ScriptedModel


@tool(parallel_safe=True)
async def deploy(
    context: ToolContext,
    service: str,
    region: Literal["eu", "us"],
    replicas: Annotated[int, Field(ge=1, le=5)] = 1,
) -> str:
    """Deploys a service.

    Takes a minute.
    """
    return service


def test_the_schema_holds_what_the_model_may_say_and_nothing_else():
    assert deploy.name == "deploy"
    assert deploy.description == "Deploys a service.\n\nTakes a minute."
    assert dict(deploy.spec.parameters) == snapshot(
        {
            "additionalProperties": False,
            "properties": {
                "service": {"title": "Service", "type": "string"},
                "region": {"enum": ["eu", "us"], "title": "Region", "type": "string"},
                "replicas": {
                    "default": 1,
                    "maximum": 5,
                    "minimum": 1,
                    "title": "Replicas",
                    "type": "integer",
                },
            },
            "required": ["service", "region"],
            "title": "deploy",
            "type": "object",
        }
    )


def test_defaults():
    @tool
    def plain() -> None:
        """Plain."""

    assert plain.behavior is InterruptBehavior.NON_INTERRUPTIBLE
    assert (plain.parallel_safe, plain.approval, plain.sandboxed) == (False, False, False)
    assert (plain.is_async, deploy.is_async) == (False, True)
    assert plain() is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"region": "eu"}, "service: Field required"),
        ({"service": "api", "region": "mars"}, "region: Input should be 'eu' or 'us'"),
        (
            {"service": "api", "region": "eu", "replicas": 7},
            "replicas: Input should be less than or equal to 5",
        ),
        ({"service": "api", "region": "eu", "force": True}, "force: Extra inputs"),
    ],
)
def test_arguments_that_do_not_fit_say_where_and_why(arguments, said):
    with pytest.raises(ToolFailed) as refused:
        deploy.parse(arguments)
    assert refused.value.code == "TOOL_ARGUMENTS_INVALID"
    assert said in str(refused.value)


def test_arguments_come_as_typed_and_defaults_stay_the_functions_own():
    assert deploy.parse({"service": "api", "region": "eu"}) == {"service": "api", "region": "eu"}


def test_what_cannot_be_a_tool():
    with pytest.raises(TypeError, match="has no type"):

        @tool
        def untyped(a) -> None:
            """Untyped."""

    with pytest.raises(TypeError, match="must be a ToolContext"):

        @tool
        async def wrong(context: SyncToolContext) -> None:
            """Wrong context."""

    with pytest.raises(TypeError, match="must be a SyncToolContext"):

        @tool
        def wrong_too(context: ToolContext) -> None:
            """Wrong context."""

    with pytest.raises(TypeError, match="can't be an argument"):

        @tool
        def anything(**rest: int) -> None:
            """Anything."""

    with pytest.raises(TypeError, match="tool's name"):
        tool(name="two words")(lambda: None)
    with pytest.raises(ValueError):
        tool(name="a", behavior="SOMETIMES")(lambda: None)


def test_two_tools_of_one_name_are_refused():
    with pytest.raises(ValueError, match="same name"):
        Agent("a", ScriptedModel(), tools=[deploy, deploy])
    with pytest.raises(ValueError, match="on_iteration_limit"):
        Agent("a", ScriptedModel(), on_iteration_limit="sometimes")
    assert Agent("a", ScriptedModel(), tools=[deploy]).destructive("deploy") is False
    assert Agent("a", ScriptedModel()).destructive("nothing") is True
