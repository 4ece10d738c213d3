"""Colours as a theme writes them, and as a terminal shows them."""

import pytest

from roomctl.render.colors import contrast, nearest, rgb, sgr


@pytest.mark.parametrize(
    ("text", "color"),
    [
        ("#2255aa", (34, 85, 170)),
        ("#25A", (34, 85, 170)),
        ("#2255aa80", (34, 85, 170)),
        ("rgb(34, 85,170)", (34, 85, 170)),
        ("rgba(34,85,170,0.5)", (34, 85, 170)),
        ("rgb(256,0,0)", None),
        ("#2255", None),
        ("2255aa", None),
        ("teal", None),
        ("#２２５５aa", None),
        ("#2255aa\x1b[2J", None),
        (None, None),
        (7, None),
    ],
)
def test_a_colour_is_read_in_the_forms_that_need_no_guess(text: object, color: object) -> None:
    assert rgb(text) == color


def test_contrast_goes_from_1_to_21() -> None:
    white, black, blue = (255, 255, 255), (0, 0, 0), (34, 85, 170)
    assert [round(contrast(*pair), 1) for pair in ((white, black), (black, white), (blue, blue), (white, blue))] == [
        *(21.0, 21.0, 1.0, 7.1),
    ]


def test_a_terminal_gets_the_colour_itself_or_the_nearest_that_it_has() -> None:
    assert sgr((34, 85, 170), (0, 0, 0), 2**24) == "\x1b[38;2;34;85;170;48;2;0;0;0m"
    assert sgr(None, (34, 85, 170), 256) == "\x1b[48;5;25m"
    assert nearest((255, 255, 255)) in (15, 231)
