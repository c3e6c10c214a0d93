"""Canonical JSON against the vectors of RFC 8785."""

from __future__ import annotations

import hashlib
import json
import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core.canonical import canonical_json, digest
from gateway.core.errors import ValidationFailed

# RFC 8785, appendix B: IEEE 754 bits, and how ECMAScript writes them.
NUMBERS = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-(2.0**53), 2.0**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(("bits", "text"), NUMBERS)
def test_numbers_are_written_as_ecmascript_writes_them(bits, text):
    (value,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical_json(value) == text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, {"a": [math.nan]}])
def test_numbers_that_are_not_finite_are_refused(value):
    with pytest.raises(ValidationFailed):
        canonical_json(value)


@pytest.mark.parametrize("value", [b"bytes", {1: "a"}, {"a": {1, 2}}, object(), 1j])
def test_what_is_not_json_is_refused(value):
    with pytest.raises(ValidationFailed):
        canonical_json(value)


def test_the_sample_of_section_3_2_2():
    sample = json.loads(
        r"""{
          "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
          "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
          "literals": [null, true, false]
        }"""
    )
    assert canonical_json(sample) == (
        r'{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        r'"string":"€$\u000f\nA' + "'" + r'B\"\\\\\"/"}'
    )


def test_the_sample_of_section_3_2_3_sorts_keys_by_utf_16():
    sample = json.loads(
        r"""{"\u20ac": "Euro Sign", "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
        "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis"}"""
    )
    assert list(json.loads(canonical_json(sample)).values()) == [
        "Carriage Return",
        "One",
        "Control",
        "Latin Small Letter O With Diaeresis",
        "Euro Sign",
        "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (9007199254740993, "9007199254740993"),
        (-(10**40) - 1, "-1" + "0" * 39 + "1"),
        (10**21, "1" + "0" * 21),
        (1.0, "1"),
        (-0.0, "0"),
        (True, "true"),
        ((1, 2), "[1,2]"),
        ({"b": 1, "a": {}}, '{"a":{},"b":1}'),
        ("\x7f\u2028\x1f", '"\x7f\u2028\\u001f"'),
    ],
)
def test_integers_keep_all_their_digits_and_text_what_needs_no_escape(value, text):
    assert canonical_json(value) == text


def test_two_account_numbers_that_a_double_can_not_tell_apart_have_two_digests():
    assert digest({"account": 9007199254740993}) != digest({"account": 9007199254740992})


def test_the_digest_is_the_sha_256_of_the_canonical_utf_8():
    assert digest({"город": "Москва", "n": 1.0}) == (
        hashlib.sha256('{"n":1,"город":"Москва"}'.encode()).hexdigest()
    )
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


@given(json_values)
def test_it_reads_back_as_the_same_value_and_is_its_own_canonical_form(value):
    text = canonical_json(value)
    assert json.loads(text) == value
    assert canonical_json(json.loads(text)) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_as_the_same_double(value):
    assert float(canonical_json(value)) == value


@given(st.dictionaries(st.text(), st.integers(), min_size=2))
def test_the_order_of_keys_changes_nothing(value):
    turned = dict(reversed(value.items()))
    assert digest(turned) == digest(value)
