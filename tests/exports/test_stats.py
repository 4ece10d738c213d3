"""Registrations in numbers."""

import json
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from roomctl.exports.stats import Statistics, statistics
from tests.conftest import Cases


def test_registrations_are_counted(cases: Cases) -> None:
    def says(rows: list[Any]) -> str:
        notes: list[str] = []
        found = statistics(rows, ZoneInfo("Europe/Berlin"), note=notes.append)
        days = {each["day"]: each["registrations"] for each in found["perDay"]}
        confirmed = {name: value for name, value in found.items() if "confirmed" in name}
        return "; ".join([json.dumps(days), json.dumps(confirmed), *notes])

    cases("stats.txt", says)


CONFIRMED = [True, "TRUE", False, "false", None, "yes", 1, ...]


@pytest.mark.parametrize(("confirmed", "spelled"), [*zip(CONFIRMED[:-1], [0, 1, 0, 1, 0, 0, 0], strict=True)])
def test_r46_a_boolean_that_was_read_off_a_text_is_known_to_be_one(confirmed: object, spelled: int) -> None:
    counts = Statistics()
    counts.add(*([each] for each in (None, confirmed, None, None)))
    assert counts.spelled is bool(spelled)
