"""What a person sees of a value: cards, tables, trees, charts, maps; no line is wider than the terminal (R27)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.exports.stats import statistics
from roomctl.output.look import width
from tests.conftest import Cases
from tests.output.drawing import drawn


def picture(value: Any, resource: str, look: dict[str, Any]) -> str:
    """Draw a value; registrations are counted before."""
    return drawn(statistics(value, UTC) if look.get("picture") == "registrations" else value, resource, **look)


def test_what_is_drawn_of_a_value(cases: Cases) -> None:
    cases("pictures.txt", lambda *shown: picture(*shown).rstrip("\n").replace("\x1b", "␛").replace("\n", "\n  "))


NINE = datetime(2026, 11, 21, 9, tzinfo=UTC)
NUMBERS = st.integers() | st.floats(allow_nan=False) | st.none() | st.integers(0, 2000)
TIMES = st.integers(-999, 9999).map(lambda minutes: (NINE + timedelta(minutes=minutes)).isoformat())
NAMES = st.text(max_size=90)
WIDE: dict[str, tuple[Any, str, int]] = {
    "": (st.dictionaries(st.sampled_from(["name", "description"]), st.text(max_size=300)), "Social", 40),
    "map": (st.lists(st.fixed_dictionaries({"x": NUMBERS, "y": NUMBERS, "name": NAMES}), max_size=5), "CTAItem", 40),
    "registrations": (
        st.lists(st.fixed_dictionaries({"registeredDateTime": TIMES, "source": NAMES | st.none()}), max_size=8), "", 40
    ),
    "timeline": (
        st.lists(st.fixed_dictionaries({"userId": NAMES, "startDateTime": TIMES, "endDateTime": TIMES}), max_size=6),
        "RecordingParticipant", 2,
    ),
}  # fmt: skip
"""What is drawn as a picture, which resource it is of, and the least width that a terminal must have for it."""


@pytest.mark.parametrize("name", WIDE)
@given(data=st.data(), space=st.integers(0, 200))
def test_no_line_is_wider_than_the_terminal(name: str, data: st.DataObject, space: int) -> None:
    values, resource, least = WIDE[name]
    look = {"picture": name, "width": max(space, least), "around": {"name": "Keynote", "status": "COMPLETE"}}
    assert max(map(width, picture(data.draw(values), resource, look).splitlines()), default=0) <= max(space, least)


SET, ROOM = "11111111-1111-4111-8111-111111111111", "2222-4222-8222-222222222222"


@given(st.lists(st.text(st.characters(categories=["L", "N", "P"]), max_size=90)), st.integers(40, 160))
def test_no_id_is_cut_in_a_tree_and_no_line_is_wider_than_the_terminal(names: list[str], space: int) -> None:
    rooms = [{"socialId": f"{number:08}-{ROOM}", "name": name, "isOpen": True} for number, name in enumerate(names)]
    text = drawn([{"socialRoomSetId": SET, "name": "word " * 20, "socials": rooms}], picture="tree", width=space)
    assert max(map(width, text.splitlines())) <= space
    assert (text.count(ROOM), SET in text) == (len(names), True)
