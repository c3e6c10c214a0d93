"""JSON Patch, as changes of an agent's state come."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.agents.agui.patch import patched
from gateway.core.errors import AgentFailed

JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("value", "change", "made"),
    [
        ({"a": 1}, {"op": "add", "path": "/b", "value": [2]}, {"a": 1, "b": [2]}),
        ({"a": [1, 3]}, {"op": "add", "path": "/a/1", "value": 2}, {"a": [1, 2, 3]}),
        ({"a": [1]}, {"op": "add", "path": "/a/-", "value": 2}, {"a": [1, 2]}),
        ({"a": [1]}, {"op": "add", "path": "/a/1", "value": 2}, {"a": [1, 2]}),
        ({"a": 1, "b": 2}, {"op": "remove", "path": "/a"}, {"b": 2}),
        ({"a": [1, 2]}, {"op": "remove", "path": "/a/0"}, {"a": [2]}),
        ({"a": 1}, {"op": "replace", "path": "/a", "value": None}, {"a": None}),
        (None, {"op": "replace", "path": "", "value": {"x": 1}}, {"x": 1}),
        ({"a": {"b": 1}}, {"op": "move", "from": "/a/b", "path": "/c"}, {"a": {}, "c": 1}),
        ({"a": [1]}, {"op": "copy", "from": "/a", "path": "/b"}, {"a": [1], "b": [1]}),
        ({"a/b": 1, "m~n": 2}, {"op": "remove", "path": "/a~1b"}, {"m~n": 2}),
        ({"a/b": 1, "m~n": 2}, {"op": "remove", "path": "/m~0n"}, {"a/b": 1}),
        ({"a": 1}, {"op": "test", "path": "/a", "value": 1}, {"a": 1}),
    ],
)
def test_an_operation(value: Any, change: Any, made: Any):
    assert patched(value, [change]) == made


@pytest.mark.parametrize(
    "change",
    [
        {"op": "remove", "path": "/nothing"},
        {"op": "replace", "path": "/nothing", "value": 1},
        {"op": "add", "path": "/a/9", "value": 1},
        {"op": "add", "path": "/a/01", "value": 1},
        {"op": "add", "path": "a", "value": 1},
        {"op": "add", "path": "/n/x", "value": 1},
        {"op": "add", "path": "/b"},
        {"op": "test", "path": "/n", "value": True},
        {"op": "move", "from": "/nothing", "path": "/b"},
        {"op": "jump", "path": "/a"},
        {"path": "/a"},
        {},
    ],
)
def test_what_cant_be_done_is_said(change: Any):
    before: Any = {"a": [1], "n": 1}
    with pytest.raises(AgentFailed) as raised:
        patched(before, [{"op": "add", "path": "/a/-", "value": 2}, change])
    assert raised.value.code == "AGENT_BROKEN_STREAM"
    assert before == {"a": [1], "n": 1}


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=4), st.text(max_size=6), JSON)
def test_what_was_added_is_there_and_gone_when_removed(value: Any, key: str, new: Any):
    path = "/" + key.replace("~", "~0").replace("/", "~1")
    added = patched(value, [{"op": "add", "path": path, "value": new}])
    assert added == {**value, key: new}
    removed = patched(added, [{"op": "remove", "path": path}])
    assert removed == {k: v for k, v in value.items() if k != key}


def test_a_few_bytes_make_no_great_state():
    doubling = {"op": "copy", "from": "", "path": "/-"}
    assert patched([1], [doubling] * 2) == [1, [1], [1, [1]]]
    with pytest.raises(AgentFailed, match="too much"):
        patched([1], [doubling] * 64)
    compared = {"op": "test", "path": "", "value": ["x" * 1000]}
    with pytest.raises(AgentFailed, match="too much"):
        patched(["x" * 1000], [compared] * 50_000)
    state: Any = ["x" * 3_000_000]
    with pytest.raises(AgentFailed, match="more than"):
        patched(state, [{"op": "add", "path": "/-", "value": "y" * 3_000_000}])
    deep = [{"op": "add", "path": "/0" * depth, "value": [1]} for depth in range(1, 3_000)]
    with pytest.raises(AgentFailed):
        patched([1], deep)
