"""Colours as a theme writes them, and as a terminal shows them. Which forms the service takes is not documented."""

import re
from functools import cache

RGB = tuple[int, int, int]
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})", re.ASCII)
_CALL = re.compile(r"rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,[\d.%\s]*)?\)", re.ASCII)


def rgb(text: object) -> RGB | None:
    """Read `#rgb`, `#rrggbb`, `#rrggbbaa` or `rgb(r, g, b)`; None where a text is none of them."""
    if not isinstance(text, str):
        return None
    if _HEX.fullmatch(text):
        digits = text[1:7] if len(text) > 4 else "".join(each * 2 for each in text[1:])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    call = _CALL.fullmatch(text)
    if call is None or max(map(int, call.groups())) > 255:
        return None
    return int(call[1]), int(call[2]), int(call[3])


def contrast(one: RGB, other: RGB) -> float:
    """How well one colour is told from the other, from 1 to 21, as WCAG 2 reckons it."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: RGB) -> float:
    parts = [each / 255 for each in color]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def sgr(front: RGB | None, back: RGB | None, depth: int) -> str:
    """Make the sequence that a terminal of so many colours takes; the nearest of 256 where it has no more."""
    return f"\x1b[{';'.join(filter(None, [_code(front, 38, depth), _code(back, 48, depth)]))}m"


def _code(color: RGB | None, ground: int, depth: int) -> str:
    if color is None:
        return ""
    return f"{ground};5;{nearest(color)}" if depth <= 256 else f"{ground};2;{';'.join(map(str, color))}"


@cache
def nearest(color: RGB) -> int:
    """Name the nearest of a terminal's 256 colours."""
    from rich.color import Color, ColorSystem

    return Color.from_rgb(*color).downgrade(ColorSystem.EIGHT_BIT).number or 0
