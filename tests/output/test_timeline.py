"""Who was there when, as a picture."""

import io
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.look import Look, Shown, width
from roomctl.output.pictures import draw
from tests.output.test_visits import at, visit

RECORDING = {
    "name": "Keynote [/foo]",
    "status": "COMPLETE",
    "startDateTime": at(0).isoformat(),
    "endDateTime": at(90).isoformat(),
}
VISITS = [
    visit("Ada Lovelace", 0, 30),
    visit("Ada Lovelace", 25, 40),
    visit("Ada Lovelace", 80, 90),
    visit("大会議室の名前がとても長い", 30, 61),
    visit("evil\x1b[2J", 45, None),
    visit("Nobody", None, None),
]


def picture(visits: list[Any] = VISITS, around: Any = RECORDING, **more: Any) -> str:
    out = io.StringIO()
    look = Look(**{"format": "table", "terminal": True, "width": 60, "zone": ZoneInfo("Europe/Berlin"), **more})
    draw("timeline", Shown(visits, "RecordingParticipant", around), look, out)
    return out.getvalue()


def test_a_recording_at_60_columns() -> None:
    assert picture() == (
        "Keynote [/foo], COMPLETE\n"
        "4 people in 6 visits\n"
        "2026-11-21 10:00 to 11:30 (CET)\n"
        "most at once: 2, first at 10:30\n"
        "\n"
        "                      10:00     10:30     11:00\n"
        "                      ┬─────────┬─────────┬─────────\n"
        "Ada Lovelace          ██████████████      ·     ████  50 min\n"
        "大会議室の名前がとて  ·         ███████████           31 min\n"
        "も長い\n"
        "evil\\x1b[2J           ·         ·    >    ·\n"
        "at once               ▄▄▄▄▄▄▄▄▄▄███▄▄▄▄▄▄▄       ▄▄▄       2\n"
        "> came; when they left is not shown\n"
        "1 visit without usable times: `-o json` shows all\n"
    )


def test_a_terminal_without_blocks_gets_ascii() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", newline="")
    draw("timeline", Shown(VISITS[:1], around=RECORDING), Look("table", terminal=True, width=40, encoding="ascii"), out)
    out.flush()
    assert raw.getvalue().decode().splitlines()[5:] == [
        "              09:00       10:00",
        "              +-----------+-----",
        "Ada Lovelace  ######      .       30 min",
        "at once       @@@@@@                   1",
    ]


def test_for_accessibility_and_where_a_bar_has_no_place_it_is_sentences() -> None:
    assert picture(accessible=True) == (
        "Keynote [/foo], COMPLETE\n"
        "4 people in 6 visits\n"
        "2026-11-21 10:00 to 11:30 (CET)\n"
        "most at once: 2, first at 10:30\n"
        "Ada Lovelace: 10:00 to 10:40, 11:20 to 11:30; 50 min in all\n"
        "大会議室の名前がとても長い: 10:30 to 11:01; 31 min in all\n"
        "evil\\x1b[2J: came 10:45, leaving is not shown\n"
        "1 visit without usable times: `-o json` shows all\n"
    )
    assert "Ada Lovelace: 10:00 to\n10:40, 11:20 to 11:30; 50\nmin in all\n" in picture(width=26)


def test_days_are_named_where_there_are_several() -> None:
    text = picture([visit("Ada", 0, 60 * 30)], accessible=True)
    assert "Ada: 2026-11-21 10:00 to 2026-11-22 16:00; 30 h 00 min in all\n" in text


def test_nobody_was_there() -> None:
    assert picture([]) == "Keynote [/foo], COMPLETE\n0 people in 0 visits\n2026-11-21 10:00 to 11:30 (CET)\n"
    assert picture([], None) == "recording\n0 people in 0 visits\n"


def test_colour_is_roomctl_s_own() -> None:
    assert "\x1b[36m███" in picture(color=True)
    assert "\x1b" not in picture()


@given(
    st.lists(
        st.builds(
            visit, st.text(max_size=60) | st.none(), st.integers(-999, 9999), st.integers(-999, 9999) | st.none()
        ),
        max_size=6,
    ),
    st.integers(0, 200),
)
def test_no_line_is_wider_than_the_terminal(visits: list[Any], space: int) -> None:
    assert max(map(width, picture(visits, width=space).splitlines())) <= max(space, 2)
