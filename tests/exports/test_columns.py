"""Rows as cells (R29)."""

import json
from typing import Any

from roomctl.exports.columns import Chosen, Layout, Misfit, Registrations
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
