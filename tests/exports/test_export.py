"""An export from the first page to the last (R31 to R36)."""

import hashlib
import json
import os
import stat
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from roomctl.contract.paging import Rows
from roomctl.errors import Partial, RoomctlError, Temporary
from roomctl.exports import manifest
from roomctl.exports.exported import Exported, check
from tests.exports.paged import (
    ALL_FORMATS,
    FORMATS,
    ROWS,
    PagedService,
    RawService,
    exported,
    fails,
    identifier,
    interrupted,
    names,
    registration,
    whole,
)


def test_an_export_leaves_the_file_and_its_manifest_and_nothing_else(tmp_path: Path) -> None:
    facts = exported(PagedService(ROWS, clamp=7), tmp_path / "regs.csv")
    assert names(tmp_path) == ["regs.csv", "regs.csv.manifest.json"]
    assert manifest.read(tmp_path / "regs.csv.manifest.json") == facts
    assert (facts.pages, facts.received, facts.first_id, facts.last_id) == (5, 35, identifier(0), identifier(34))
    assert facts.sha256 == hashlib.sha256((tmp_path / "regs.csv").read_bytes()).hexdigest()


def test_what_an_export_leaves_is_for_its_owner_only_r36(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        exported(PagedService([*ROWS, "odd"]), tmp_path / "r.csv", keep_ids=True)
    except Partial:
        pass
    finally:
        os.umask(old)
    assert {name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in names(tmp_path)} == dict.fromkeys(
        ["r.csv", "r.csv.flagged.ndjson", "r.csv.ids", "r.csv.manifest.json"], 0o600
    )


CUT = {"columns": ["registrationId", "source"]}


@pytest.mark.parametrize(("name", "more"), [*((name, {}) for name in FORMATS), ("ndjson", CUT), ("json", CUT)])
def test_an_interrupted_export_goes_on_and_ends_with_the_same_bytes_r33(name: str, more: Any, tmp_path: Path) -> None:
    expected = whole(tmp_path, format=name, **more)
    for page in (0, 1, 2, 3):
        fails(Temporary, None, PagedService(ROWS, fails_at=page), tmp_path / "r", format=name, **more)
        assert not (tmp_path / "r").exists()
    service = PagedService(ROWS)
    notes: list[str] = []
    facts = exported(service, tmp_path / "r", format=name, note=notes.append, **more)
    assert (tmp_path / "r").read_bytes() == expected
    assert [page for page, _ in service.asked] == [0, 2, 3, 4, 5]  # the first and the last are looked at again
    assert notes == ["resuming after 3 pages (30 rows saved)"]
    assert (facts.pages, facts.resumed, facts.drift_seen) == (4, 3, False)
    again = "the list was read in 4 runs, and pages saved earlier were not checked again"
    assert facts.why == f"the list ended on an empty page; {again}"
    spaced = [json.dumps(row).encode() for row in ROWS]  # as many services write
    fails(Temporary, None, RawService(spaced, fails_at=2), tmp_path / "spaced", format=name, **more)
    assert exported(RawService(spaced), tmp_path / "spaced", format=name, **more).complete


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit, RoomctlError])
def test_an_interruption_checkpoints_first(raised: type[BaseException], tmp_path: Path) -> None:
    def stop(received: int) -> None:
        if received == 20:
            raise raised("stop")

    fails(raised, None, PagedService(ROWS), tmp_path / "r.csv", on_page=stop)
    assert json.loads((tmp_path / "r.csv.part.checkpoint").read_bytes())["page"] == 2
    assert exported(PagedService(ROWS), tmp_path / "r.csv").rows == 35


def test_a_service_that_ignores_page_leaves_no_file_r31(tmp_path: Path) -> None:
    for _ in range(2):
        why = "the list may be incomplete"
        fails(Partial, why, PagedService(ROWS, ignores_page=True), tmp_path / "r.csv")
        assert names(tmp_path) == ["r.csv.part", "r.csv.part.checkpoint", "r.csv.part.facts"]


WHY = "the list may be incomplete: page 1 was empty, but page 2 has rows"


@pytest.mark.parametrize("name", ["csv", "ndjson", "xlsx"])
@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_hole_leaves_the_file_and_a_manifest_that_says_so_r30(name: str, concurrency: int, tmp_path: Path) -> None:
    to = tmp_path / "r"
    caught = fails(Partial, None, PagedService(ROWS, holes=[1]), to, format=name, concurrency=concurrency)
    assert caught.message == f"{WHY}; {to} has the 25 rows received"
    facts = manifest.read(manifest.path_of(to))
    assert (facts.complete, facts.why, facts.rows, facts.pages) == (False, WHY, 25, 3)
    assert names(tmp_path) == ["r", "r.manifest.json"]
    assert [each.what for each in check(to)] == ["complete"]
    fails(Partial, "page 1 was empty", PagedService(ROWS, holes=[1]), to, format=name, force=True)
    assert exported(PagedService(ROWS), to, format=name, force=True).complete


@pytest.mark.parametrize("verify", [False, True])
def test_a_hole_that_an_earlier_run_has_passed_is_not_forgotten_r30(verify: bool, tmp_path: Path) -> None:
    """A checkpoint before the hole says nothing of it: who goes on looks at the page again. One behind it does."""
    to = tmp_path / "r.csv"
    fails(Temporary, None, PagedService(ROWS, holes=[1], fails_at=3), to, verify=verify)
    if verify:  # a further pass reads the page that was empty, and the others as they are in the file
        facts = exported(PagedService(ROWS), to, verify=True)
        assert (facts.complete, facts.rows, facts.passes) == (True, 35, 3)
        return
    fails(Partial, "page 1 was empty", PagedService(ROWS), to)
    fails(Temporary, None, PagedService(ROWS, holes=[1], fails_at=1), tmp_path / "early.csv")
    assert exported(PagedService(ROWS), tmp_path / "early.csv").complete


def test_a_later_pass_that_was_stopped_leaves_the_hole_of_the_one_before_r30(tmp_path: Path) -> None:
    """Run again without `verify`, the export rests on the last whole pass."""

    def stop(service: PagedService) -> None:
        service.fails_at = 2 if len(service.asked) > 7 else None

    fails(Temporary, None, PagedService(ROWS, holes=[1], between=stop), tmp_path / "r.csv", verify=True)
    fails(Partial, "page 1 was empty", PagedService(ROWS), tmp_path / "r.csv")


def test_a_hole_that_stays_ends_the_passes_r30(tmp_path: Path) -> None:
    fails(Partial, "page 1 was empty", PagedService(ROWS, holes=[1]), tmp_path / "r.csv", verify=True)
    assert manifest.read(tmp_path / "r.csv.manifest.json").passes == 2


def test_duplicates_and_drift_stand_in_the_manifest_and_are_no_failure_r32(tmp_path: Path) -> None:
    def insert(service: PagedService) -> None:
        if len(service.asked) == 1:
            service.rows.insert(0, registration(99))

    facts = exported(PagedService(ROWS, between=insert), tmp_path / "r.csv")
    assert (facts.duplicates_dropped, facts.drift_seen, facts.rows, facts.complete) == (1, True, 35, True)
    assert facts.received == 36


def test_a_refused_size_is_remembered_when_the_export_goes_on(tmp_path: Path) -> None:
    fails(Temporary, None, PagedService(ROWS, refuses_above=20, fails_at=1), tmp_path / "r.csv", size=500)
    service = PagedService(ROWS, refuses_above=20)
    facts = exported(service, tmp_path / "r.csv", size=500)
    assert service.asked == [(0, 20), (1, 20), (2, 20), (3, 20)]
    assert facts.rows == 35


@pytest.mark.parametrize("rows", [ROWS[5:], [registration(99), *ROWS[1:]]])
def test_a_change_while_nobody_read_is_seen_at_the_seam_or_the_beginning(rows: Any, tmp_path: Path) -> None:
    interrupted(tmp_path / "r.csv")
    notes: list[str] = []
    facts = exported(PagedService(rows), tmp_path / "r.csv", note=notes.append)
    assert (facts.drift_seen, facts.rows) == (True, 35)
    assert notes[-1] == "the list changed while the export was interrupted"
    assert facts.received == facts.rows + facts.duplicates_dropped
    interrupted(tmp_path / "none.csv")
    fails(Partial, "page 1, which had rows, is empty now", PagedService([]), tmp_path / "none.csv")
    more = [registration(number) for number in range(50, 70)]
    for at, rows in enumerate((ROWS[12:], more + ROWS)):  # some were passed over, or come again
        fails(Temporary, None, PagedService(ROWS, fails_at=3), tmp_path / f"{at}.csv")
        why = "the list has changed since its first 3 pages were saved; .* has the .* rows received"
        fails(Partial, why, PagedService(rows), tmp_path / f"{at}.csv")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({}, ""),
        ({"follows": True}, "page 3 says that more follows, but page 4 is empty"),
        ({"total": 90}, "the service reports 90 rows, but 35 were received"),
        ({"pages": 9}, "the service reports 9 pages, but 4 were received"),
        ({"total": 90, "at": 0}, "the service reports 90 rows, but 35 were received"),
        ({"pages": 9, "at": 0}, "the service reports 9 pages, but 4 were received"),
        ({"pages": 4, "total": 35}, ""),
        ({"partial": "its `warnings` say so"}, "page 3 was received, but its `warnings` say so"),
    ],
)
def test_what_a_page_said_stays_said_r30(said: dict[str, Any], why: str, tmp_path: Path) -> None:
    class Saying(PagedService):
        """Says it beside the rows of page 3, or of another (`at`), which a decoder leaves alone."""

        def page(self, *args: Any, page: int, **asked: Any) -> list[Any]:
            rows = Rows(super().page(*args, page=page, **asked))
            vars(rows).update(said if page == said.get("at", 3) else {})
            return rows

    with pytest.raises(Temporary):
        exported(Saying(ROWS, fails_at=4), tmp_path / "r.csv")
    try:
        told = exported(Saying(ROWS), tmp_path / "r.csv").why
    except Partial as partial:
        told = partial.message
    assert (why in told, tmp_path.joinpath("r.csv").read_bytes()) == (True, whole(tmp_path, format="csv"))
    assert bool(why) == told.startswith("the list may be incomplete: ")


def test_a_column_that_no_row_has_is_said_at_the_end_also_of_an_export_that_went_on(tmp_path: Path) -> None:
    notes: list[str] = []
    wanted = ["registrationId", "Company", "Compny", "Diet"]
    interrupted(tmp_path / "r.csv", columns=wanted, size=2, note=notes.append)
    exported(PagedService(ROWS), tmp_path / "r.csv", columns=wanted, size=2, warn=notes.append)
    assert notes[-1] == 'no row has a value in Compny, Diet; did you mean "Company"?'
    quiet: list[str] = []
    exported(PagedService(ROWS), tmp_path / "whole.csv", columns=wanted[:2], note=quiet.append)
    assert quiet == []


@pytest.mark.parametrize("rename", [{}, {"source": "Origin"}, {"Company": "values.source"}])
def test_no_two_columns_get_one_heading_whatever_answers_are_called(rename: dict[str, str], tmp_path: Path) -> None:
    values = [{"name": name, "value": name} for name in ("Company", "source", "values.source", "Origin")]
    for name in ("csv", "tsv"):
        facts = exported(PagedService([registration(0, values=values)]), tmp_path / f"r.{name}", rename=rename)
        assert facts.columns and len(set(facts.columns)) == len(facts.columns)
        assert check(tmp_path / f"r.{name}") == []


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_every_format_has_columns_headings_and_zone_as_asked_and_nothing_else_r47(name: str, tmp_path: Path) -> None:
    columns = ["confirmed", "registrationId", "registeredDateTime", "event.startDateTime", "Company", "source"]
    rename = {"registrationId": "Number", "Company": "Firma"}
    to = tmp_path / "r"
    facts = exported(PagedService(ROWS), to, format=name, columns=columns, rename=rename, zone=ZoneInfo("Asia/Tokyo"))
    headings = ["confirmed", "Number", "registeredDateTime", "event.startDateTime", "Firma", "source"]
    assert (facts.columns, facts.chosen, facts.renamed, facts.time_zone) == (headings, columns, rename, "Asia/Tokyo")
    first = next(Exported(to).format.codec.read(to))
    zone = " (Asia/Tokyo)" if name == "xlsx" else ""
    assert [*first] == ["confirmed", "Number", f"registeredDateTime{zone}", f"event.startDateTime{zone}", *headings[4:]]
    if name != "xlsx":
        assert first["registeredDateTime"] == "2026-10-01T21:00:00+09:00"
    if name in ("ndjson", "json"):
        assert (first["confirmed"], first["Firma"]) == (True, "ACME, 0")
    if name not in ("xlsx", "parquet"):
        assert not any(other in to.read_bytes() for other in (b"example.org", b"+49", b"Berlin", b"user"))
    assert check(to) == []


@pytest.mark.parametrize("name", ["ndjson", "json"])
def test_objects_of_columns_keep_what_came_and_what_is_not_there_is_null(name: str, tmp_path: Path) -> None:
    odd = [registration(0, confirmed=Decimal("1.10"), user={"name": "\u202e"}, values=[]), {"registrationId": 7}, "odd"]
    service = PagedService(odd)
    service.copy = list
    with pytest.raises(Partial, match=r"invalid rows left out .*: 1 of 3"):
        exported(service, tmp_path / "r", format=name, columns=["registrationId", "confirmed", "user", "Diet"])
    text = (tmp_path / "r").read_text()
    assert '{"registrationId":"00000000-0000-4000-8000-000000000000","confirmed":1.10,"user":{"name":"\\u202e"}' in text
    assert [*Exported(tmp_path / "r").rows()][1] == {"registrationId": 7, "confirmed": None, "user": None, "Diet": None}


@pytest.mark.parametrize("ending", ["csv", "ndjson", "sqlite"])
@pytest.mark.parametrize("flat", ["", "socialEventId", "event_id"])
@pytest.mark.parametrize("others", [[0], [4], [8], [3, 7], range(9)], ids=str)
def test_rows_of_another_event_complete_no_export(
    ending: str, others: Sequence[int], flat: str, tmp_path: Path
) -> None:
    event, other = "ABCDEF00-0000-4000-8000-000000000000", identifier(8)
    rows = [registration(n, event={"socialEventId": other if n in others else event}) for n in range(9)]
    for row in [rows[n] for n in others] if flat else ():
        row |= {"event": None, flat: other}
    for service in (PagedService(rows), RawService(rows)):
        for options in ({"verify": True}, {"keep_ids": True}, {"size": 4}):
            with pytest.raises(Partial, match=f"they belong to another event, {other}"):
                exported(service, tmp_path / f"a.{ending}", query=[("socialEventId", event)], force=True, **options)
    mine = [{**row, "event": row["event"] if n % 2 else None} for n, row in enumerate(rows) if n not in others]
    RawService.full = 0
    facts = exported(RawService(mine), tmp_path / f"b.{ending}", query=[("socialEventId", event.lower())])
    assert (facts.rows, facts.complete, RawService.full) == (len(mine), True, 0)


def test_what_the_service_did_not_sort_and_moments_without_a_zone_are_said(tmp_path: Path) -> None:
    at = ("2026-12-01T12:00:00", "2026-12-02T12:00:00Z", "2026-12-01T13:00:00", 1796126400000)
    rows = [registration(number, registeredDateTime=text) for number, text in enumerate(at)]
    sort = ("sort", "registeredDateTime,desc")
    notes: list[str] = []
    exported(PagedService(rows), tmp_path / "r.csv", query=[sort], zone=ZoneInfo("Europe/Berlin"), note=notes.append)
    exported(PagedService(rows[:2]), tmp_path / "s.csv", query=[("sort", "registeredDateTime")], note=notes.append)
    early = registration(0, registeredDateTime="2026-12-02T13:30:00+02:00")  # by its instant, not by its text
    exported(PagedService([early, rows[1]]), tmp_path / "t.csv", query=[("sort", sort[1][:-5])], note=notes.append)
    unsorted = "the service did not sort by registeredDateTime: rows are in the order received"
    assert notes == [unsorted, "left as received, because they are no times with a zone: 3 in `registeredDateTime`"]
