"""Fields by dotted path, rows in order, and bytes by their size."""

import base64
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.fields import at, size, sort_rows
from tests.conftest import Cases

HOSTS = [{"name": "Bob"}, {"name": "Eve", "tags": ["x", "y"]}, 7]
ROW: dict[str, Any] = {"name": "Lobby", "user": {"name": "Ada", "a.b": 1}, "hosts": HOSTS, "dotted.name": {"x": 2}}
ROW |= {"imageBytes": "QUJD", "theme": {"imageBytes": "QUJD"}, "none": None}


def test_a_path_leads_to_a_value_or_to_nothing(cases: Cases) -> None:
    cases("paths.txt", lambda path: json.dumps(at(ROW, path)))


def test_equal_rows_keep_their_order() -> None:
    rows = [{"x": 1, "n": 1}, {"x": 1, "n": 2}, {"x": 0, "n": 3}]
    both = [sort_rows(rows, lambda row: row["x"], descending=descending) for descending in (False, True)]
    assert [[row["n"] for row in found] for found in both] == [[3, 1, 2], [1, 2, 3]]


@given(st.binary(max_size=200))
def test_the_size_is_that_of_the_bytes_not_of_the_base64(data: bytes) -> None:
    text = base64.b64encode(data).decode()
    assert size(text) == size(base64.encodebytes(data).decode()) == size(text.rstrip("=")) == f"<{len(data)} bytes>"


def test_values_of_several_kinds_have_an_order() -> None:
    rows = [{"x": value} for value in ({"a": 1}, None, "t", 1, True, [1], False)]
    assert [row["x"] for row in sort_rows(rows, lambda row: row["x"])] == [False, True, 1, "t", [1], {"a": 1}, None]
