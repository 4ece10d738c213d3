"""Rows as cells (R29)."""

import json
from typing import Any

from roomctl.exports.columns import REGISTRATION, Chosen, Layout, Misfit, Registrations, respelled
from tests.conftest import Cases, error_of


def test_a_row_that_does_not_fit_says_why_r29(cases: Cases) -> None:
    layouts = {"registration": Registrations(), "other": Layout([]), "chosen": Chosen(["user.name"])}
    cases("misfits.txt", lambda layout, row: str(error_of(Misfit, layouts[layout].cells, row)))


def test_rows_become_columns(cases: Cases) -> None:
    def says(kind: str, names: list[str], *rows: Any) -> str:
        layout = Layout(names) if kind == "flat" else Chosen(names)
        table = layout.columns([layout.cells(row) for row in rows])
        return json.dumps(dict(zip(layout.names, table, strict=True)))

    cases("columns.txt", says)


def test_columns_that_a_row_has_under_another_spelling_only_are_named() -> None:
    row: dict[str, Any] = {"registration_id": "x", "Confirmed": None, "source": "web", "Source": "x"}
    row["user"] = {"e-mailAddress": "a"}
    row["event"] = {"start_date_time": "2026-10-01T12:00:00Z", "name": None}
    assert respelled(row, REGISTRATION) == {
        "registrationId": "registration_id",
        "user.emailAddress": "user.e-mailAddress",
        "event.startDateTime": "event.start_date_time",
    }
