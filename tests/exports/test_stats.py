"""Registrations in numbers."""

import json
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from roomctl.contract.records import SPELLED
from roomctl.exports.stats import statistics
from roomctl.output.writers import count_rows
from tests.conftest import Cases


def test_registrations_are_counted(cases: Cases) -> None:
    def says(rows: list[Any]) -> str:
        notes: list[str] = []
        found = statistics(rows, ZoneInfo("Europe/Berlin"), note=notes.append)
        days = {each["day"]: each["registrations"] for each in found["perDay"]}
        confirmed = {name: value for name, value in found.items() if "confirmed" in name}
        assert count_rows(found)[1]["share"] == found["confirmedShare"]  # one share, whatever the form
        return "; ".join([json.dumps(days), json.dumps(confirmed), *notes])

    cases("stats.txt", says)


@pytest.mark.parametrize(
    ("confirmed", "spelled"), [(True, 0), ("TRUE", 1), (False, 0), ("false", 1), (None, 0), ("yes", 0), (1, 0)]
)
def test_r46_a_boolean_that_was_read_off_a_text_is_known_to_be_one(confirmed: object, spelled: int) -> None:
    notes: list[str] = []
    statistics([{"registrationId": "0", "confirmed": confirmed}], note=notes.append)
    assert (SPELLED.format("confirmed") in notes) is bool(spelled)


def test_sources_that_are_no_texts_are_counted_by_what_stands_in_their_cells() -> None:
    found = statistics([{"registrationId": f"{number}", "source": each} for number, each in enumerate([5, "5", None])])
    assert found["bySource"] == [{"source": "5", "registrations": 2}, {"source": None, "registrations": 1}]
