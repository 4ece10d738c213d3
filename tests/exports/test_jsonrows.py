"""JSON to bytes and back, lossless and printable (R25)."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.exports.jsonrows import decode, encode, lines
from tests.values import values

ODD = [10**400, [int("9" * 4_000)], "\ud800", ["\udfff", {"\ud800": 1}], "\x7f", "\u202e\u2028\U000e0041"]
ODD += ["\x00\x1b\n\r\t", 1e16, -0.0, "é日"]


@pytest.mark.parametrize("value", ODD)
def test_odd_values_come_back_as_they_were(value: Any) -> None:
    assert decode(encode(value)) == value


@given(st.lists(values(st.text(), 8), max_size=5))
def test_lines_hold_one_row_each_whatever_is_in_it_r25(rows: list[Any]) -> None:
    data = lines(rows)
    assert data.count(b"\n") == len(rows)
    assert [json.loads(line) for line in data.splitlines()] == rows


class Exact(Decimal):
    """A number that keeps its text, as the client gives those that a float would not give back."""

    def __str__(self) -> str:
        return "0.10"


LONG = "1" + "0" * 5_000
WRITTEN = [
    ("\u202e\x7f\x9b\U000e0041é", '"\\u202e\\u007f\\u009b\\udb40\\udc41é"'),
    ({"a": Exact("0.1"), "b": [1e-07, 1e16, 1.0, {"c": -(10**5_000)}], "d": "\ud800\u202e"},
     f'{{"a":0.10,"b":[1e-07,1e+16,1.0,{{"c":-{LONG}}}],"d":"\\ud800\\u202e"}}'),
    ({"a": 10**5_000}, f'{{"a":{LONG}}}'),
    ([2.5], "[2.5]"),
    ([None, True, "é\n", Exact("1"), {}], '[null,true,"é\\n",0.10,{}]'),
]  # fmt: skip


def test_what_does_not_show_is_escaped_and_numbers_keep_every_digit_and_their_writing_r25() -> None:
    assert lines([row for row, _ in WRITTEN]).decode().splitlines() == [line for _, line in WRITTEN]
    assert [lines([row]).decode() for row, _ in WRITTEN] == [f"{line}\n" for _, line in WRITTEN]
