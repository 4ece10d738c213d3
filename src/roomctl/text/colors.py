"""Colours as people write them, and how well one is told from another; the service's own forms are not documented."""

import re
from pathlib import Path

_OTHER = re.compile(r"#[0-9a-fA-F]{4}|(rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\([^()]+\)", re.ASCII | re.IGNORECASE)
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


def is_color(value: object) -> bool:
    """Whether a value is a colour in a form that CSS knows, by its look: also none at all."""
    if value in (None, "") or rgb(value) is not None:
        return True
    names = Path(__file__).with_name("colors.txt").read_text(encoding="utf-8").split()
    return isinstance(value, str) and (value.casefold() in names or _OTHER.fullmatch(value) is not None)


def contrast(one: RGB, other: RGB) -> float:
    """How well one colour is told from the other, from 1 to 21, as WCAG 2 reckons it."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: RGB) -> float:
    parts = [each / 255 for each in color]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
