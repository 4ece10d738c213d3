"""Values as people read them."""

import json
from typing import Any
from zoneinfo import ZoneInfo

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
