"""A theme before it is saved."""

from importlib import import_module
from io import BytesIO
from typing import Any

import pytest

from roomctl.output.theme import composed, facts, pixels
from roomctl.text.colors import contrast, rgb
from tests.output.drawing import drawn as drawn_as

PREVIEW: dict[str, Any] = {"theme": {"socialThemeName": "Forest", "type": "LAYERED"}, "colors": [], "layers": []}
RED, BLUE = (255, 0, 0), (0, 0, 255)


def png(image: Any) -> bytes:
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def drawn(image: Any = None, **more: Any) -> str:
    return drawn_as(PREVIEW, "ThemePreview", picture="theme", around=image, **more)


def painted(rows: list[list[tuple[int, int, int] | None]]) -> bytes:
    """A PNG of points; None is transparent."""
    pillow: Any = import_module("PIL.Image")
    image = pillow.new("RGBA", (len(rows[0]), len(rows)))
    image.putdata([(*point, 255) if point else (0, 0, 0, 0) for row in rows for point in row])
    return png(image)


def test_the_later_image_stands_before_the_earlier_one() -> None:
    pytest.importorskip("PIL")
    far, near = painted([[RED, RED], [RED, RED]]), painted([[None, BLUE], [None, None]])
    assert pixels(composed([far, near], None, None), 80, 80) == [[RED, BLUE], [RED, RED]]
    assert pixels(composed([near], None, RED), 80, 80) == [[RED, BLUE], [RED, RED]]
    assert pixels(composed([near], None, None), 80, 80) == [[None, BLUE], [None, None]]
    assert facts(png(composed([], None, RED)))[1:] == (640, 360)
    assert facts(png(composed([far], (30, 20), RED))) == ("PNG", 30, 20)


def test_a_picture_is_two_rows_of_points_in_each_line_and_never_wider_than_the_terminal() -> None:
    pytest.importorskip("PIL")
    rows: list[list[tuple[int, int, int] | None]] = [[RED, None, None], [BLUE, None, BLUE]]
    lines = drawn(composed([painted(rows)], None, None), color=True, depth=2**24, width=60).splitlines()
    assert lines[-1] == "\x1b[38;2;255;0;0;48;2;0;0;255m▀\x1b[0m \x1b[38;2;0;0;255m▄\x1b[0m"
    wide = composed([painted([[RED] * 500] * 100)], None, None)
    assert [drawn(wide, color=True, depth=256, width=40).splitlines()[-1].count("▀")] == [40]
    assert len(pixels(composed([painted([[RED]] * 500)], None, None), 80, 80)) == 80


def test_a_colour_is_read_in_the_forms_that_need_no_guess() -> None:
    known = ["#2255aa", "#25A", "#2255aa80", "rgb(34, 85,170)", "rgba(34,85,170,0.5)"]
    unknown = ["rgb(256,0,0)", "#2255", "2255aa", "teal", "#２２５５aa", "#2255aa\x1b[2J", None, 7]
    assert [rgb(text) for text in known] == [(34, 85, 170)] * 5
    assert [rgb(text) for text in unknown] == [None] * 8


def test_contrast_goes_from_1_to_21() -> None:
    white, black, blue = (255, 255, 255), (0, 0, 0), (34, 85, 170)
    pairs = ((white, black), (black, white), (blue, blue), (white, blue))
    assert [round(contrast(*pair), 1) for pair in pairs] == [21.0, 21.0, 1.0, 7.1]


def test_what_is_no_image_or_no_size_is_refused() -> None:
    pytest.importorskip("PIL")
    for data in (b"", b"\x89PNG\r\n\x1a\nrest", painted([[RED] * 9] * 9)[:60]):
        with pytest.raises(ValueError, match="not an image that can be drawn"):
            facts(data)
    with pytest.raises(ValueError, match="99999 x 1 is not a size"):
        composed([], (99999, 1), None)
