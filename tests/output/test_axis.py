"""The clock on a line of cells."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.timeline import Axis

EIGHT = datetime(2026, 11, 21, 8, tzinfo=UTC)


def axis(span: timedelta, cells: int = 60, start: datetime = EIGHT, zone: str = "UTC") -> Axis:
    return Axis(start, start + span, cells, ZoneInfo(zone))


def test_round_moments_are_written_whatever_the_span() -> None:
    spans = [timedelta(seconds=30), timedelta(minutes=90), timedelta(hours=40), timedelta(days=90)]
    assert [axis(span).labels() for span in spans] == [
        "08:00:00  08:00:05  08:00:10  08:00:15  08:00:20  08:00:25",
        "08:00     08:15     08:30     08:45     09:00     09:15",
        "      12:00    18:00    00:00    06:00    12:00    18:00",
        "                  2026-12-19         2027-01-16",
    ]


def test_moments_are_round_on_the_viewer_s_clock_also_where_its_offset_is_odd() -> None:
    labels = axis(timedelta(hours=2), zone="Asia/Kathmandu").labels()
    assert labels == "13:45  14:00   14:15  14:30   14:45  15:00   15:15  15:30"


def test_an_hour_that_comes_twice_is_written_twice() -> None:
    start = datetime(2026, 10, 24, 23, tzinfo=UTC)
    assert axis(timedelta(hours=4), 32, start, "Europe/Berlin").labels().split() == ["01:00", "02:00", "02:00", "03:00"]


def test_a_moment_has_its_cell_and_the_last_belongs_to_the_last() -> None:
    line = axis(timedelta(minutes=60))
    assert [line.place(EIGHT + timedelta(minutes=minutes)) for minutes in (-5, 0, 0.9, 1, 59, 60, 99)] == [
        *(0, 0, 0, 1, 59, 59, 59),
    ]
    assert line.middle(0) == EIGHT + timedelta(seconds=30)


@given(st.timedeltas(timedelta(0), timedelta(days=365_000)), st.integers(12, 200))
def test_labels_never_touch_and_never_leave_the_line(span: timedelta, cells: int) -> None:
    line = axis(span, cells)
    labels = line.labels()
    assert len(labels) <= cells
    assert {len(part) for part in labels.split()} <= {5, 8, 10}
