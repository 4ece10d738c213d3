"""Colours of a theme, and its images laid over each other. The only owner of Pillow, an extra: nothing else needs it.

Which forms of a colour the service takes is not documented, nor how it lays images over each other: here the later one
stands before the earlier one, and each is stretched to the same size.
"""

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import Any, NamedTuple

RGB = tuple[int, int, int]
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
LARGEST_SIDE = 16_384
_DEFAULT = (640, 360)
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})", re.ASCII)
_CALL = re.compile(r"rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,[\d.%\s]*)?\)", re.ASCII)


class Facts(NamedTuple):
    """What an image is."""

    format: str
    width: int
    height: int


def available() -> bool:
    """Whether Pillow is installed."""
    return find_spec("PIL") is not None


def facts(data: bytes) -> Facts:
    """Read what an image is. Raises ValueError when it cannot be read."""
    with _opened(data) as image:
        return Facts(str(image.format), *image.size)


def composed(layers: Sequence[bytes], size: tuple[int, int] | None, background: RGB | None) -> Any:
    """Lay images over each other, the first at the back; `size` None is that of the first. Raises ValueError."""
    pillow: Any = import_module("PIL.Image")
    if size is None:
        size = (facts(layers[0])[1:]) if layers else _DEFAULT
    if max(size) > LARGEST_SIDE or min(size) < 1:
        raise ValueError(f"{size[0]} x {size[1]} is no size that is drawn here")
    canvas = pillow.new("RGBA", size, (*background, 255) if background else (0, 0, 0, 0))
    for data in layers:
        with _opened(data) as image:
            canvas.alpha_composite(image.convert("RGBA").resize(size))
    return canvas


def png(image: Any) -> bytes:
    """Write an image as PNG."""
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def pixels(image: Any, columns: int, most_rows: int) -> list[list[RGB | None]]:
    """Make an image small: rows of colours, None where it is rather transparent; an even number of rows."""
    columns = max(min(columns, image.width), 1)
    rows = max(round(image.height * columns / image.width / 2), 1) * 2
    if rows > most_rows:
        columns, rows = max(columns * most_rows // rows, 1), most_rows
    small = image.resize((columns, rows))
    points = zip(*[iter(small.tobytes())] * 4, strict=True)
    data = [(red, green, blue) if alpha >= 128 else None for red, green, blue, alpha in points]
    return [data[start : start + columns] for start in range(0, len(data), columns)]


@contextmanager
def _opened(data: bytes) -> Iterator[Any]:
    pillow: Any = import_module("PIL.Image")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # an image of very many pixels is a warning to Pillow
            with pillow.open(BytesIO(data), formats=FORMATS) as image:
                image.load()
                yield image
    except (OSError, SyntaxError, Warning, pillow.DecompressionBombError) as error:
        raise ValueError(f"not an image that can be drawn: {type(error).__name__}") from None


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
