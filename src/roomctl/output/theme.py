"""A theme before it is saved: its colours as swatches, its images laid over each other, the later before the earlier.

The service's own way is not documented. The only owner of Pillow, an extra: nothing else needs it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import Any, NamedTuple

from rich.color import Color, ColorSystem
from rich.console import RenderableType
from rich.style import Style
from rich.text import Text

from roomctl.output.console import span
from roomctl.output.look import Look, Shown, width
from roomctl.output.values import plain, short
from roomctl.text import JSON
from roomctl.text.colors import RGB, rgb
from roomctl.text.safe import expresses

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
LARGEST_SIDE = 16_384
_DEFAULT = (640, 360)
_SWATCH = 8
_WIDEST, _MOST_ROWS = 80, 80


def theme(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw the preview of a theme, `around` is its image; without colours and for accessibility in words."""
    preview: dict[str, JSON] = shown.value
    swatches = bool(look.depth) and look.color and not look.accessible
    head = [short(plain(preview["theme"].get(name))) for name in ("socialThemeName", "type")]
    yield span(", ".join(filter(None, head)) or "theme", "head")
    labels = max((width(each["field"]) for each in preview["colors"]), default=0)
    for each in preview["colors"]:
        color = rgb(each["value"])
        told = short(plain(each["value"]), 60) + ("" if color else "  not a colour that roomctl knows")
        if look.accessible or labels + _SWATCH + 6 + width(told) > look.width:
            yield span(f"{each['field']}: {told}")
        else:
            parts = ("  ", (" " * _SWATCH, _style(None, color, look.depth))) if color and swatches else ()
            yield Text.assemble(f"{each['field']:<{labels}}", *parts, f"  {told}")
    for each in preview["layers"]:
        size = f"{each['format']}, {each['width']} x {each['height']}, " if each["width"] else ""
        yield f"{each['field']}: {size}{each['bytes']} bytes"
    if swatches and shown.around is not None and expresses(look.encoding, "▀▄"):
        yield ""
        rows = pixels(shown.around, min(look.width, _WIDEST), _MOST_ROWS)
        for above, below in zip(rows[::2], rows[1::2], strict=True):  # the upper half of a cell before its ground
            yield Text.assemble(*(_cell(*pair, look.depth) for pair in zip(above, below, strict=True)))


def _cell(above: RGB | None, below: RGB | None, depth: int) -> tuple[str, Style]:
    if above is None:
        return " " if below is None else "▄", _style(below, None, depth)
    return "▀", _style(above, below, depth)


def _style(front: RGB | None, back: RGB | None, depth: int) -> Style:
    colors = (None if each is None else Color.from_rgb(*each) for each in (front, back))
    if depth <= 256:
        colors = (each and each.downgrade(ColorSystem.EIGHT_BIT) for each in colors)
    return Style(color=next(colors), bgcolor=next(colors))


class Facts(NamedTuple):
    format: str
    width: int
    height: int


def available() -> bool:
    return find_spec("PIL") is not None


def facts(data: bytes) -> Facts:
    with _opened(data) as image:
        return Facts(str(image.format), *image.size)


def composed(layers: Sequence[bytes], size: tuple[int, int] | None, background: RGB | None) -> Any:
    """Lay images over each other, the first at the back; `size` None is that of the first. Raises ValueError."""
    pillow: Any = import_module("PIL.Image")
    if size is None:
        size = facts(layers[0])[1:] if layers else _DEFAULT
    if max(size) > LARGEST_SIDE or min(size) < 1:
        raise ValueError(f"{size[0]} x {size[1]} is not a size that roomctl draws")
    canvas = pillow.new("RGBA", size, (*background, 255) if background else (0, 0, 0, 0))
    for data in layers:
        with _opened(data) as image:
            canvas.alpha_composite(image.convert("RGBA").resize(size))
    return canvas


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
        with pillow.open(BytesIO(data), formats=FORMATS) as image:
            image.load()
            yield image
    except (OSError, SyntaxError, pillow.DecompressionBombError) as error:
        raise ValueError(f"not an image that can be drawn: {type(error).__name__}") from None
