"""`@tool`: a typed function as a tool, its JSON Schema, and the check of a call's arguments."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias, get_type_hints, overload

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.fields import FieldInfo

from gateway.core.cancellation import InterruptBehavior
from gateway.core.errors import ToolFailed
from gateway.core.messages import Json
from gateway.ports.model import ToolSpec
from gateway.runs.context import SyncToolContext, ToolContext
from gateway.runs.schema import problems
from gateway.supervise import Caught, guarded

Approval: TypeAlias = bool | Callable[..., object]
ARGUMENTS_INVALID = "TOOL_ARGUMENTS_INVALID"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


@cache
def _schema_of(arguments: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments, made once; nobody changes it."""
    return arguments.model_json_schema()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A function that a model may call.

    `parallel_safe`: may run beside other calls of its step. `approval`: a person has to allow each
    call, or those whose arguments the function picks. `destructive`: a rule never allows it.
    `sandboxed`: it gets no way to ask. `timeout_seconds`: after it the call fails TOOL_TIMED_OUT.
    `let_go` is told the run and the id of a call that asked and will not run again, because its
    question was closed without an answer.
    """

    name: str
    description: str
    function: Callable[..., Any]
    arguments: type[BaseModel]
    context_parameter: str | None
    is_async: bool
    behavior: InterruptBehavior = InterruptBehavior.NON_INTERRUPTIBLE
    parallel_safe: bool = False
    approval: Approval = False
    destructive: bool = False
    sandboxed: bool = False
    timeout_seconds: float | None = None
    let_go: Callable[[str, str], object] | None = None

    @property
    def spec(self) -> ToolSpec:
        """The tool as a model sees it."""
        return ToolSpec(self.name, self.description, _schema_of(self.arguments))

    @property
    def runs_beside(self) -> bool:
        """Whether it may run together with other calls of a step."""
        return self.parallel_safe and not self.behavior.has_registrar

    def parse(self, arguments: Mapping[str, Json]) -> dict[str, Any]:
        """The arguments as the function takes them; what the call leaves out keeps its default.

        Raises:
            ToolFailed: TOOL_ARGUMENTS_INVALID, with what is wrong in words for the model.
        """
        try:
            parsed = self.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            text = f"The arguments of {self.name} are not valid: {problems(error)}"
            raise ToolFailed(ARGUMENTS_INVALID, text) from error
        return {name: getattr(parsed, name) for name in parsed.model_fields_set}

    def needs_approval(self, parsed: Mapping[str, Any]) -> bool:
        """Whether a person has to allow a call with these arguments.

        Raises:
            ToolFailed: TOOL_RAISED, when the function that says so raised; the call must not run.
        """
        if not callable(self.approval):
            return self.approval
        outcome = guarded(self.approval, **parsed)
        if isinstance(outcome, Caught):
            text = f"Whether {self.name} needs an approval could not be told: {outcome.error}"
            raise ToolFailed("TOOL_RAISED", text)
        return bool(outcome)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The plain function, for its own tests."""
        return self.function(*args, **kwargs)


Function: TypeAlias = Callable[..., Any] | Callable[..., Awaitable[Any]]


@overload
def tool(function: Function, /) -> Tool: ...


@overload
def tool(
    *,
    name: str | None = None,
    behavior: InterruptBehavior | str = ...,
    parallel_safe: bool = ...,
    approval: Approval = ...,
    destructive: bool = ...,
    sandboxed: bool = ...,
    timeout_seconds: float | None = ...,
) -> Callable[[Function], Tool]: ...


def tool(
    function: Function | None = None,
    /,
    *,
    name: str | None = None,
    behavior: InterruptBehavior | str = InterruptBehavior.NON_INTERRUPTIBLE,
    parallel_safe: bool = False,
    approval: Approval = False,
    destructive: bool = False,
    sandboxed: bool = False,
    timeout_seconds: float | None = None,
) -> Tool | Callable[[Function], Tool]:
    """Make a tool of a typed function; its docstring is what the model reads.

    A parameter annotated `ToolContext` (async functions) or `SyncToolContext` (plain ones) gets the
    call's context and is no argument. `behavior` says what a stop does to a call that is running;
    by default it runs to its end. `approval` is True, False or a function over the arguments.

    Raises:
        TypeError: a parameter has no type, or the context's kind doesn't fit the function.
    """

    def make(fn: Function) -> Tool:
        tool_name = name or fn.__name__
        if _NAME.fullmatch(tool_name) is None:
            raise TypeError(f"{tool_name!r} can't be a tool's name: letters, digits, _ and -")
        context_parameter, arguments = _arguments(fn, tool_name)
        return Tool(
            name=tool_name,
            description=inspect.getdoc(fn) or "",
            function=fn,
            arguments=arguments,
            context_parameter=context_parameter,
            is_async=inspect.iscoroutinefunction(fn),
            behavior=InterruptBehavior(behavior),
            parallel_safe=parallel_safe,
            approval=approval,
            destructive=destructive,
            sandboxed=sandboxed,
            timeout_seconds=timeout_seconds,
        )

    return make if function is None else make(function)


def _arguments(fn: Function, tool_name: str) -> tuple[str | None, type[BaseModel]]:
    hints = get_type_hints(fn, include_extras=True)
    fitting: type = ToolContext if inspect.iscoroutinefunction(fn) else SyncToolContext
    context_parameter: str | None = None
    fields: dict[str, Any] = {}
    for parameter in inspect.signature(fn).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(f"tool {tool_name}: *{parameter.name} can't be an argument")
        if parameter.name not in hints:
            raise TypeError(f"tool {tool_name}: parameter {parameter.name} has no type")
        hint = hints[parameter.name]
        if hint in (ToolContext, SyncToolContext):
            if hint is not fitting:
                raise TypeError(f"tool {tool_name}: its context must be a {fitting.__name__}")
            context_parameter = parameter.name
            continue
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[parameter.name] = default if isinstance(default, FieldInfo) else (hint, default)
        if isinstance(default, FieldInfo):
            fields[parameter.name] = (hint, default)
    model = create_model(tool_name, __config__=ConfigDict(extra="forbid"), **fields)
    return context_parameter, model
