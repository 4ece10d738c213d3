"""Values as people read them."""

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from roomctl.output.values import Cell, cell, short

BERLIN = ZoneInfo("Europe/Berlin")
KEY = "3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"


@pytest.mark.parametrize(
    ("value", "kind", "told"),
    [
        (None, "text", Cell("")),
        (True, "bool", Cell("yes", "good")),
        (False, "text", Cell("no", "dim")),
        ("a\nb\x1b", "text", Cell("a\\nb\\x1b")),
        ("2026-11-21T08:00:00Z", "time", Cell("2026-11-21 09:00", zone="CET")),
        ("soon", "time", Cell("soon")),
        ("FAILED", "state", Cell("FAILED", "bad")),
        ("NEW_STATE", "state", Cell("NEW_STATE")),
        ("no such user", "bad", Cell("no such user", "bad")),
        (12, "number", Cell("12")),
        (2**70, "text", Cell("1180591620717411303424")),
        (0.1, "number", Cell("0.1")),
        ([1, "x", None, True], "text", Cell("1, x, , yes")),
        ([1, 2], "count", Cell("2")),
        ([], "pairs", Cell("")),
        ([{"name": "Diet", "value": "vegan"}, {"name": "Size"}], "pairs", Cell("Diet: vegan; Size: ")),
        ([7], "pairs", Cell("7")),
        ([{"property": "p", "operator": "=", "value": "v"}], "rules", Cell("p = v")),
        ({"a": [1]}, "text", Cell('{"a":[1]}')),
        ([{"a": 1}], "text", Cell('[{"a":1}]')),
        ({"xBytes": "QUJD"}, "text", Cell('{"xBytes":"<3 bytes>"}')),
        ({"userId": KEY, "name": "Ada", "emailAddress": "a@x.org"}, "text", Cell(f"Ada <a@x.org> {KEY}")),
        ([{"userId": KEY, "name": "Ada"}] * 2, "text", Cell(f"Ada {KEY}; Ada {KEY}")),
        ([{"userId": KEY, "name": "Ada"}, 7], "text", Cell(f'[{{"userId":"{KEY}","name":"Ada"}},7]')),
    ],
)
def test_a_value_reads_as_a_person_expects(value: Any, kind: str, told: Cell) -> None:
    assert cell(value, kind, BERLIN) == told


def test_of_a_very_long_text_the_beginning_is_shown_and_the_rest_counted() -> None:
    assert short("x" * 500) == "x" * 500
    assert short("x" * 1048576) == "x" * 500 + "… (1048076 more characters: `-o json` shows all)"
