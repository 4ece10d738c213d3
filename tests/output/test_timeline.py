"""Who was there when: visits put together for each person."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.timeline import Person, people_of
from roomctl.text.times import levels, merge_spans

NINE = datetime(2026, 11, 21, 9, tzinfo=UTC)


def at(minutes: int) -> datetime:
    return NINE + timedelta(minutes=minutes)


def visit(name: str | None, start: int | str | None, end: int | str | None, **more: Any) -> dict[str, Any]:
    times = {"startDateTime": start, "endDateTime": end}
    shown = {key: at(value).isoformat() if isinstance(value, int) else value for key, value in times.items()}
    return {"userId": name, "user": {"name": name}, **shown, **more}


def test_visits_that_overlap_or_touch_are_one_stay_and_others_stay_apart() -> None:
    visits = [visit("Ada", 20, 30), visit("Ada", 0, 10), visit("Ada", 5, 12), visit("Ada", 12, 15)]
    ada = Person("Ada", [(at(0), at(15)), (at(20), at(30))], [])
    assert people_of(visits) == ([ada], 0)
    assert ada.length == "25 min"


def test_a_moment_that_the_viewer_s_clock_cannot_show_is_not_used() -> None:
    edge = visit("Ada", "0001-01-01T00:00:00Z", "0001-01-01T00:00:01Z")
    assert people_of([edge]) == ([Person("Ada", [], [])], 1)


def test_people_are_counted_from_coming_up_to_leaving() -> None:
    stays = [(at(0), at(10)), (at(10), at(20)), (at(15), at(16))]
    assert levels(stays) == [(at(0), 1), (at(10), 1), (at(15), 2), (at(16), 1), (at(20), 0)]
    assert levels([(at(1), at(1))]) == [(at(1), 0)]


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda pair: (min(pair), max(pair)))))
def test_stays_cover_the_same_minutes_and_have_gaps_between_them(pairs: list[tuple[int, int]]) -> None:
    stays = merge_spans([(at(start), at(end)) for start, end in pairs])
    minutes = {minute for start, end in pairs for minute in range(start, end)}
    assert {minute for minute in range(60) if any(start <= at(minute) < end for start, end in stays)} == minutes
    assert all(before[1] < after[0] for before, after in pairwise(stays))
