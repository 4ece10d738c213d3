"""Call-to-action items on a map of characters."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.look import width
from tests.output.drawing import drawn as drawn_as

SAID = "units, origin and direction of x and y are not documented: drawn with x to the right, y downwards\n"


def drawn(*items: Any, **more: Any) -> str:
    return drawn_as(list(items), "CTAItem", picture="map", **{"width": 100, **more})


def item(x: Any, y: Any, name: str = "Agenda", **more: Any) -> dict[str, Any]:
    return {"name": name, "x": x, "y": y, "type": "URL", **more}


def test_items_lie_to_each_other_as_their_numbers_do(golden: Callable[[str, str], None]) -> None:
    items = item(0, 0), item(100, 0, "[/foo]"), item(50, 25, "大会議室")
    golden("map.txt", drawn(*items, encoding="ascii", width=30))


def test_an_item_whose_place_is_not_shown_is_in_the_legend_only() -> None:
    for x in (None, True, "1", [1], 10**400, float("inf"), Decimal("NaN")):
        assert drawn(item(x, 1)) == "1  Agenda  place not shown  URL\n" + SAID


NUMBERS = st.integers() | st.floats(allow_nan=False) | st.none() | st.integers(0, 2000)


@given(st.lists(st.builds(item, NUMBERS, NUMBERS, st.text(max_size=40)), max_size=5), st.integers(0, 200))
def test_no_line_is_wider_than_the_terminal(items: list[Any], space: int) -> None:
    assert max(map(width, drawn(*items, width=space).splitlines()), default=0) <= max(space, 40)
