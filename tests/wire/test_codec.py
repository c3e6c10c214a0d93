"""The codec takes what it names, refuses the rest by name, and never raises anything else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core.errors import FrameInvalid
from gateway.wire import (
    CLIENT_FRAMES,
    MAX_FRAME_BYTES,
    Ack,
    AnyClientFrame,
    Call,
    ClientFrame,
    Data,
    File,
    Hello,
    Input,
    Last,
    Ping,
    Press,
    ServerFrame,
    Stop,
    Text,
    decode,
    encode,
    encode_client,
)

SEQS = st.integers(0, 2**53 - 1)
SAFE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda child: st.lists(child, max_size=4) | st.dictionaries(SAFE, child, max_size=4),
    max_leaves=12,
)
FRAMES: st.SearchStrategy[ClientFrame] = st.one_of(
    st.builds(
        Hello,
        v=st.just(1),
        thread=st.from_regex(r"[a-zа-я:0-9]{0,20}", fullmatch=True),
        as_=SAFE,
        language=st.sampled_from(["en", "ru-RU"]),
        last=st.none() | st.builds(Last, boot=SAFE, seq=SEQS),
    ),
    st.builds(
        Input,
        id=IDS,
        text=st.text(st.characters(exclude_categories=["Cs"])),
        override=st.sampled_from([None, "now", "next", "later"]),
        seen=st.none() | SEQS,
        attachments=st.lists(
            st.builds(File, blob=SAFE, mediaType=SAFE, name=SAFE, sizeBytes=SEQS), max_size=3
        ).map(tuple),
    ),
    st.builds(Press, id=IDS, token=IDS, option=IDS, value=JSON),
    st.builds(Stop, id=IDS, run=st.none() | SAFE),
    st.builds(Call, id=IDS, method=IDS, params=st.dictionaries(SAFE, JSON, max_size=3)),
    st.just(Ping()),
    st.builds(Ack, seq=SEQS),
)


@given(FRAMES)
def test_what_a_client_encodes_is_what_the_server_reads(frame: AnyClientFrame):
    assert decode(encode_client(frame)) == frame


@given(st.binary(max_size=400))
def test_garbage_is_refused_by_name(data: bytes):
    with pytest.raises(FrameInvalid) as caught:
        decode(data)
    assert str(caught.value)


@given(JSON)
def test_json_that_is_no_frame_is_refused(value: Any):
    with pytest.raises(FrameInvalid):
        decode(json.dumps(value))


@given(FRAMES, st.data())
def test_a_frame_with_one_thing_wrong_is_refused_or_read(frame: ClientFrame, data: st.DataObject):
    wire = json.loads(encode_client(frame))
    key = data.draw(st.sampled_from(sorted(wire)))
    wire[key] = data.draw(JSON)
    try:
        assert isinstance(decode(json.dumps(wire)), CLIENT_FRAMES)
    except FrameInvalid as error:
        assert error.code == "FRAME_INVALID"  # noqa: PT017


@given(FRAMES, st.integers(1, 30))
def test_half_a_frame_is_refused(frame: ClientFrame, less: int):
    data = encode_client(frame)
    with pytest.raises(FrameInvalid):
        decode(data[: max(0, len(data) - less)])


@pytest.mark.parametrize(
    ("frame", "at"),
    [
        ('{"type": "input", "id": "1", "text": 5}', "text"),
        ('{"type": "input", "id": "1", "text": "x", "colour": 1}', "colour"),
        ('{"type": "input", "id": "1", "text": "x", "override": "soon"}', "override"),
        ('{"type": "hello", "v": "1"}', "v"),
        ('{"type": "hello", "v": 1, "thread": "a b"}', "thread"),
        ('{"type": "hello", "v": 1, "last": {"boot": "b"}}', "last.seq"),
        ('{"type": "press", "id": "1", "token": "t", "option": "o", "value": NaN}', "value"),
        ('{"type": "press", "id": "1", "token": "t", "option": "o", "value": 1e999}', "value"),
        ('{"type": "ack", "seq": -1}', "seq"),
    ],
)
def test_a_mistake_is_named_with_its_place(frame: str, at: str):
    with pytest.raises(FrameInvalid) as caught:
        decode(frame)
    assert caught.value.params["at"] == at
    assert at in str(caught.value)


def test_the_answer_to_a_bad_frame_carries_its_id():
    with pytest.raises(FrameInvalid) as caught:
        decode('{"type": "input", "id": "abc", "text": 5}')
    assert caught.value.params["id"] == "abc"


@pytest.mark.parametrize("depth", [40, 150, 5_000, 100_000])
def test_nesting_has_a_limit(depth: int):
    value = "[" * depth + "]" * depth
    with pytest.raises(FrameInvalid):
        decode(f'{{"type": "call", "id": "1", "method": "m", "params": {{"x": {value}}}}}')


def test_size_has_a_limit_and_is_named():
    with pytest.raises(FrameInvalid, match=str(MAX_FRAME_BYTES)):
        decode(json.dumps({"type": "input", "id": "1", "text": "x" * MAX_FRAME_BYTES}))


def test_a_lone_surrogate_is_refused_as_it_could_not_be_stored():
    with pytest.raises(FrameInvalid):
        decode(r'{"type": "input", "id": "1", "text": "\ud800"}')


def test_a_server_frame_is_one_line_of_strict_json():
    data = Text("r", 0, 3, "a\nпривет \ud800", final=False).to_data()
    line = encode(ServerFrame("text", data, 7, "t", to="ann"))
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert json.loads(line) == {
        "type": "text",
        "seq": 7,
        "thread": "t",
        "data": {"run": "r", "step": 0, "offset": 3, "text": "a\nпривет ?", "final": False},
    }


def test_every_data_names_its_type():
    assert all(data.TYPE for data in Data.__subclasses__())
