"""What servers ask, as questions; and questions as flat forms. Every field wrong."""

from datetime import UTC, datetime
from typing import Any

import pytest
from mcp.server.elicitation import _validate_rendered_properties
from mcp.types import ElicitRequestFormParams, ElicitRequestURLParams, Tool, ToolAnnotations

from gateway.agents.mcp.names import is_destructive, needs_approval, tool_name
from gateway.agents.mcp.questions import asked
from gateway.api.forms import form_of
from gateway.core.errors import AnswerInvalid, ToolFailed
from gateway.core.interrupts import Interrupt, QuestionKind
from gateway.resuming import Typed


def form(schema: dict[str, Any], message: str = "Which?") -> ElicitRequestFormParams:
    return ElicitRequestFormParams(message=message, requested_schema=schema)


def flat(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields}


def test_titles_that_stand_apart_are_put_to_their_values():
    field = {"type": "string", "enum": ["a", "b"], "enumNames": ["Aisle", "Big"]}
    made = asked(form(flat(seat=field))).schema["properties"]
    assert made == {
        "seat": {
            "type": "string",
            "oneOf": [{"const": "a", "title": "Aisle"}, {"const": "b", "title": "Big"}],
        }
    }


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "string"},
        {"type": "object"},
        {"type": "object", "properties": {}},
        {"type": "object", "properties": []},
        flat(a=None),
        flat(a="string"),
        flat(a={}),
        flat(a={"type": "object", "properties": {"b": {"type": "string"}}}),
    ],
)
def test_forms_that_are_none(schema: dict[str, Any]):
    with pytest.raises(ToolFailed) as refused:
        asked(form(schema))
    assert refused.value.code == "MCP_QUESTION_INVALID"


def test_a_form_without_a_message_is_none():
    with pytest.raises(ToolFailed):
        asked(form(flat(a={"type": "string"}), "  "))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://",
        "https://user:word@example.com/",
        "https://example.com/ then",
        "https://example.com/\u202egpj",
        "https://example.com/\n",
        "https://example.com/" + "x" * 2_001,
    ],
)
def test_addresses_that_nobody_is_sent_to(url: str):
    with pytest.raises(ToolFailed) as refused:
        asked(ElicitRequestURLParams(message="Open", url=url, elicitation_id="1"))
    assert refused.value.code == "MCP_QUESTION_INVALID"


def test_names_of_tools():
    assert tool_name("air", "book") == "air_book"
    assert tool_name("air", "a.b/c d") == "air_a_b_c_d"
    assert len(tool_name("air", "x" * 200)) == 64
    assert tool_name("air", "a b", ["air_a_b"]) != "air_a_b"
    assert tool_name("air", "место").isascii()


@pytest.mark.parametrize(
    ("hints", "asks", "destructive"),
    [
        (None, True, False),
        ({}, True, False),
        ({"read_only_hint": True}, False, False),
        ({"read_only_hint": False}, True, False),
        ({"destructive_hint": True}, True, True),
        ({"destructive_hint": False}, False, False),
        ({"read_only_hint": True, "destructive_hint": True}, False, False),
    ],
)
def test_annotations(hints: Any, asks: bool, destructive: bool):
    annotations = None if hints is None else ToolAnnotations(**hints)
    tool = Tool(name="t", input_schema={"type": "object"}, annotations=annotations)
    assert needs_approval(tool, "annotations") is asks
    assert is_destructive(tool) is destructive
    assert needs_approval(tool, "always") is True
    assert needs_approval(tool, "never") is False


def question(schema: dict[str, Any], kind: QuestionKind = QuestionKind.INPUT) -> Interrupt:
    return Interrupt(
        id="q",
        run="r",
        kind=kind,
        ordinal=0,
        message="Well?",
        schema=schema,
        tool_call_id="c",
        tool_name="t",
        arguments_digest="",
        principals=("ann",),
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("schema", "kind", "content", "answer"),
    [
        ({"type": "boolean"}, "value", {"answer": True}, True),
        ({"type": "integer", "minimum": 1}, "value", {"answer": 3}, 3),
        ({"enum": ["a", "b"]}, "value", {"answer": "a"}, "a"),
        ({"oneOf": [{"const": "a", "title": "A"}]}, "value", {"answer": "a"}, "a"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, "value", {"answer": ["a"]}, ["a"]),
        ({"type": "array", "items": {"type": "string"}}, "words", {"answer": "a, b"}, None),
        ({"enum": [1, 2]}, "words", {"answer": "two"}, None),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "words", {"answer": "x"}, None),
        (flat(a={"type": "string"}), "object", {"a": "x"}, {"a": "x"}),
        (flat(a={"type": "object", "properties": {}}), "words", {"answer": "x"}, None),
        (
            {
                "type": "object",
                "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
                "required": ["a"],
            },
            "object",
            {},
            {"a": None},
        ),
        (
            {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/A"}},
                "$defs": {"A": {"enum": ["x"]}},
            },
            "object",
            {"a": "x"},
            {"a": "x"},
        ),
    ],
)
def test_questions_as_flat_forms(schema: dict[str, Any], kind: str, content: Any, answer: Any):
    """Each form is one that the protocol's own library takes."""
    made = form_of(question(schema))
    assert made.kind == kind
    _validate_rendered_properties(dict(made.schema))
    given = made.answer(content)
    assert (given == answer) or (isinstance(given, Typed) and given.text == content["answer"])


def test_an_approval_as_a_form():
    made = form_of(question({}, QuestionKind.APPROVAL))
    _validate_rendered_properties(dict(made.schema))
    assert made.answer({"approved": True}) == {"approved": True}


@pytest.mark.parametrize("content", [None, {}, [], "yes", {"other": 1}])
def test_forms_that_bring_nothing(content: Any):
    with pytest.raises(AnswerInvalid):
        form_of(question({"type": "boolean"})).answer(content)
