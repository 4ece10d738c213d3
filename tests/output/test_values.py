"""Values as people read them."""

import base64
import json
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.columns import at, size, sort_rows
from roomctl.output.look import fold_prose
from roomctl.output.values import cell, short
from tests.conftest import Cases

BERLIN = ZoneInfo("Europe/Berlin")
KEY = "3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"


def test_a_value_reads_as_a_person_expects(cases: Cases) -> None:
    """Its text, and behind `|` its style and the zone of its moment."""

    def says(value: Any, kind: str) -> str:
        text, *more = cell(value, kind, BERLIN)
        return " | ".join([json.dumps(text, ensure_ascii=False), *filter(None, more)])

    cases("values.txt", says)


def test_of_a_very_long_text_the_beginning_is_shown_and_the_rest_counted() -> None:
    assert short("x" * 500) == "x" * 500
    assert short("x" * 1048576) == "x" * 500 + "… (1048076 more characters: `-o json` shows all)"


TEXTS = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]) | st.sampled_from("a b大👩\u200d👧"))


def test_prose_hangs_below_what_it_belongs_to_and_nothing_that_can_be_typed_is_broken(cases: Cases) -> None:
    cases("hanging.txt", lambda text: fold_prose(text, 26).replace("\n", "\n  "))


@given(TEXTS, st.integers(2, 30))
def test_prose_loses_nothing_but_blanks(text: str, space: int) -> None:
    assert fold_prose(text, space).replace("\n", "").replace(" ", "") == text.replace(" ", "")


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
    times = [f"2026-11-01T{at}" for at in ("12:30:00+02:00", "11:00:00Z", "11:00:00.5Z", "12:00:00.5000001+01:00")]
    numbers = ["-1.5", 0.5, 1, "2", 9, "10", "0100", 10**30, f"{10**30}1"]
    ordered = [False, True, *numbers, *times, "10:00", "1e", "T", "t", "v2", [1], {"a": 1}]
    for rows in (ordered, ordered[::-1], ordered[1::2] + ordered[::2]):
        pairs = [
            (sort_rows([None, *rows], lambda each: each, descending=bool(n)), ordered[:: 1 - 2 * n]) for n in (0, 1)
        ]
        assert all(found == [*wanted, None] for found, wanted in pairs)
