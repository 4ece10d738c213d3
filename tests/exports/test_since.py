"""`--since`: only what is new or changed."""

from decimal import Decimal
from pathlib import Path

import pytest

from roomctl.errors import BadInput
from roomctl.exports.exported import check, earlier
from tests.exports.paged import PagedService, exported, identifier, registration

OLD = [registration(number) for number in range(30)]
ROW_ID = "registrationId"


def test_exact_numbers_do_not_look_changed(tmp_path: Path) -> None:
    rows = [{**OLD[0], "n": [Decimal("0.10"), Decimal("1E+5"), 0.5, 7, 10**5_000]}, {**OLD[1], "n": 1e-07}]
    service = PagedService(rows)
    service.copy = list
    exported(service, tmp_path / "old.ndjson")
    assert exported(service, tmp_path / "new.ndjson", since=earlier(tmp_path / "old.ndjson", ROW_ID)).rows == 0
    assert check(tmp_path / "old.ndjson") == []


def test_rows_to_which_the_service_gives_no_ids_are_told_apart_by_their_content(tmp_path: Path) -> None:
    rows = [{"source": "web", "user": {"name": str(number)}} for number in range(3)]
    exported(PagedService(rows[:2]), tmp_path / "old.ndjson")
    since = earlier(tmp_path / "old.ndjson", ROW_ID)
    assert exported(PagedService(rows), tmp_path / "new.ndjson", since=since).rows == 1


def test_an_export_from_another_service_does_not_serve(tmp_path: Path) -> None:
    file, event = tmp_path / "a.ndjson", [("socialEventId", identifier(7))]
    exported(PagedService([registration(1, event={"socialEventId": identifier(7)})]), file, query=event)
    with pytest.raises(BadInput, match=r"is an export from another service: rooms\.example, not other\.example"):
        earlier(file, "registrationId", event, "other.example")
