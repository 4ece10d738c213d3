"""Who was there when: visits put together for each person, the clock on a line of cells, and the picture."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.timeline import Axis, Crowd, Person, crowd, peak
from roomctl.text.times import merge_spans
from tests.conftest import Cases

NINE = datetime(2026, 11, 21, 9, tzinfo=UTC)


def at(minutes: int) -> datetime:
    return NINE + timedelta(minutes=minutes)


def visit(name: str | None, start: int | str | None, end: int | str | None, **more: Any) -> dict[str, Any]:
    times = {"startDateTime": start, "endDateTime": end}
    shown = {key: at(value).isoformat() if isinstance(value, int) else value for key, value in times.items()}
    return {"userId": name, "user": {"name": name}, **shown, **more}


def test_visits_that_overlap_or_touch_are_one_stay_and_others_stay_apart() -> None:
    found = crowd([visit("Ada", 20, 30), visit("Ada", 0, 10), visit("Ada", 5, 12), visit("Ada", 12, 15)])
    assert found == Crowd([Person("Ada", [(at(0), at(15)), (at(20), at(30))], [])], 4, 0)
    assert found.people[0].length == "25 min"


def test_a_moment_that_the_viewer_s_clock_cannot_show_is_not_used() -> None:
    edge = visit("Ada", "0001-01-01T00:00:00Z", "0001-01-01T00:00:01Z")
    assert crowd([edge]) == Crowd([Person("Ada", [], [])], 1, 1)


def test_people_are_counted_from_coming_up_to_leaving() -> None:
    people = [Person("", [(at(0), at(10))], []), Person("", [(at(10), at(20))], []), Person("", [(at(15), at(16))], [])]
    assert peak(people) == (2, at(15))
    assert peak(people[:2]) == (1, at(0))
    assert peak([]) == peak([Person("", [(at(1), at(1))], [])]) == (0, None)


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda pair: (min(pair), max(pair)))))
def test_stays_cover_the_same_minutes_and_have_gaps_between_them(pairs: list[tuple[int, int]]) -> None:
    stays = merge_spans([(at(start), at(end)) for start, end in pairs])
    minutes = {minute for start, end in pairs for minute in range(start, end)}
    assert {minute for minute in range(60) if any(start <= at(minute) < end for start, end in stays)} == minutes
    assert all(before[1] < after[0] for before, after in pairwise(stays))


EIGHT = NINE - timedelta(hours=1)


def axis(span: timedelta, cells: int = 60, start: datetime = EIGHT, zone: str = "UTC") -> Axis:
    return Axis(start, start + span, cells, ZoneInfo(zone))


def test_round_moments_of_the_viewer_s_clock_are_written_whatever_the_span(cases: Cases) -> None:
    def says(seconds: float, cells: int = 60, start: str = EIGHT.isoformat(), zone: str = "UTC") -> str:
        return axis(timedelta(seconds=seconds), cells, datetime.fromisoformat(start), zone).labels()

    cases("axes.txt", says)


@given(st.timedeltas(timedelta(0), timedelta(days=365_000)), st.integers(12, 200))
def test_labels_never_touch_and_never_leave_the_line(span: timedelta, cells: int) -> None:
    line = axis(span, cells)
    labels = line.labels()
    assert len(labels) <= cells
    assert labels.split() == [label for *_, label in line.ticks()], "no tick is without its label"
    assert {len(part) for part in labels.split()} <= {5, 8, 10}
