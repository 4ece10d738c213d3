"""Visits put together for each person."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.timeline import Crowd, Person, crowd, merge_stays, peak

NINE = datetime(2026, 11, 21, 9, tzinfo=UTC)


def at(minutes: int) -> datetime:
    return NINE + timedelta(minutes=minutes)


def visit(name: str | None, start: int | str | None, end: int | str | None, **more: Any) -> dict[str, Any]:
    times = {"startDateTime": start, "endDateTime": end}
    shown = {key: at(value).isoformat() if isinstance(value, int) else value for key, value in times.items()}
    return {"userId": name, "user": {"name": name}, **shown, **more}


def test_visits_that_overlap_or_touch_are_one_stay_and_others_stay_apart() -> None:
    found = crowd([visit("Ada", 20, 30), visit("Ada", 0, 10), visit("Ada", 5, 12), visit("Ada", 12, 15)], UTC)
    assert found == Crowd([Person("Ada", [(at(0), at(15)), (at(20), at(30))], [])], 4, 0)
    assert found.people[0].length == "25 min"


def test_a_visit_without_an_end_is_a_coming_and_one_without_usable_times_is_counted() -> None:
    visits = [visit("Ada", 3, None), visit("Ada", None, 3), visit("Ada", 9, 8), visit("Ada", "soon", "later")]
    assert crowd([*visits, visit("Ada", 1, "2026-11-21T10:00:00")], UTC) == Crowd([Person("Ada", [], [at(3)])], 5, 4)


def test_people_of_one_name_are_told_apart_by_their_address_or_else_their_id() -> None:
    visits = [
        visit("Ada", 0, 1, userId="1", user={"name": "Ada", "emailAddress": "a@example.org"}),
        visit("Ada", 0, 1, userId="2"),
        visit("Bob", 0, 1),
    ]
    assert [person.name for person in crowd(visits, UTC).people] == ["Ada a@example.org", "Ada 2", "Bob"]


def test_without_an_id_a_person_is_a_name_and_an_address() -> None:
    visits = [visit("Ada", 0, 1, userId=None), visit("Ada", 2, 3, userId=None), visit(None, 0, 1, user=[]), "nobody"]
    assert [person.name for person in crowd(visits, UTC).people] == ["Ada", "(without a name)"]


def test_a_moment_that_the_viewer_s_clock_cannot_show_is_not_used() -> None:
    edge = visit("Ada", "0001-01-01T00:00:00Z", "0001-01-01T00:00:01Z")
    assert crowd([edge], ZoneInfo("America/New_York")) == Crowd([Person("Ada", [], [])], 1, 1)


def test_people_are_counted_from_coming_up_to_leaving() -> None:
    people = [Person("", [(at(0), at(10))], []), Person("", [(at(10), at(20))], []), Person("", [(at(15), at(16))], [])]
    assert peak(people) == (2, at(15))
    assert peak(people[:2]) == (1, at(0))
    assert peak([]) == peak([Person("", [(at(1), at(1))], [])]) == (0, None)


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda pair: (min(pair), max(pair)))))
def test_stays_cover_the_same_minutes_and_have_gaps_between_them(pairs: list[tuple[int, int]]) -> None:
    stays = merge_stays([(at(start), at(end)) for start, end in pairs])
    minutes = {minute for start, end in pairs for minute in range(start, end)}
    assert {minute for minute in range(60) if any(start <= at(minute) < end for start, end in stays)} == minutes
    assert all(before[1] < after[0] for before, after in pairwise(stays))
