"""Registrations as a chart."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from roomctl.exports.stats import statistics
from roomctl.output.look import width
from tests.output.drawing import drawn

START = datetime(2026, 11, 21, 9, tzinfo=UTC)


def registration(days: float, source: str | None = "WEB", *, confirmed: bool = True) -> dict[str, Any]:
    return {
        "registeredDateTime": (START - timedelta(days=days)).isoformat(),
        "source": source,
        "confirmed": confirmed,
        "event": {"startDateTime": START.isoformat()},
    }


def chart(rows: list[dict[str, Any]], **more: Any) -> str:
    return drawn(statistics(rows, UTC), picture="registrations", **{"width": 60, **more})


SOME = [
    *(registration(2.1, "a partner [/foo]") for _ in range(4)),
    registration(-0.5, "WEB", confirmed=False),
    registration(0.2, None),
    {"source": "\x1b[2J"},
]


def test_what_is_not_shown_has_a_line_of_its_own_and_text_of_others_is_harmless() -> None:
    lines = chart(SOME).splitlines()
    assert lines[:2] == ["7 registrations, 5 confirmed (83.3%), 1 not shown", "  " + "█" * 41 + "░" * 17]
    assert "  2026-11-20 Fri  0" in lines
    assert "  day not shown   1  █████████▊" in lines
    assert "  source not shown  1  14.3%  ███████▌" in lines
    assert "  \\x1b[2J           1  14.3%  ███████▌" in lines
    assert "  not known          1  14.3%  ███████▎" in lines
    assert lines[-2:] == ["  median: 2 days before; quartiles: 2 days before, on the", "  last day"]


def test_no_registrations_are_said() -> None:
    assert chart([]) == chart([], accessible=True) == "no registrations\n"


def test_many_days_are_counted_by_week_and_then_by_month_and_year() -> None:
    def title(days: int) -> str:
        return chart([registration(0), registration(days)]).splitlines()[3]

    assert [title(days) for days in (30, 31, 300, 3000)] == [
        "registrations per day (UTC)",
        "registrations per week, starting on Monday (UTC)",
        "registrations per month (UTC)",
        "registrations per year (UTC)",
    ]


def test_a_week_begins_on_its_monday() -> None:
    lines = chart([registration(0), registration(1), registration(40)]).splitlines()
    assert [lines[4].split()[:2], lines[9].split()[:2]] == [["2026-10-12", "1"], ["2026-11-16", "2"]]


def test_many_sources_are_added_up_below_the_largest() -> None:
    text = chart([registration(1, f"source {number:02}") for number in range(20)])
    assert text.count("  source ") == 12
    assert "  8 other sources  8  40.0%" in text


@given(
    st.lists(
        st.builds(registration, st.floats(-400, 4000), st.text(max_size=90) | st.none(), confirmed=st.booleans()),
        max_size=8,
    ),
    st.integers(0, 200),
)
def test_no_line_is_wider_than_the_terminal(rows: list[dict[str, Any]], space: int) -> None:
    assert max(map(width, chart(rows, width=space).splitlines())) <= max(space, 40)
